"""One file, downloaded, and its checksum compared."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.core.errors import Message
from anaphora.model_downloads.catalogue import OfferedFile
from anaphora.model_downloads.control import Control
from anaphora.model_downloads.errors import ChecksumError, DownloadError, NoSpaceError
from anaphora.model_downloads.transport import Transport

if TYPE_CHECKING:
    from hashlib import _Hash

_CHUNK = 1 << 20
_MOST_BYTES = 1 << 34
_FULL = (errno.ENOSPC, errno.EDQUOT)


def fetch(
    file: OfferedFile, path: Path, transport: Transport, control: Control, report: Callable[[int], None]
) -> None:
    """Fetch a file to a path, where it stands once it is whole.

    Args:
        report: told how many bytes are here.
    Raises:
        ChecksumError: the server has another file than the list names.
        DownloadError: it cannot be had.
        Cancelled: `control` says so.
    """
    part = path.with_name(path.name + ".part")
    done = 0
    try:
        with transport.open(file.address) as answer, part.open("wb") as out:
            _check_size(file, answer.length or 0)
            report(done)
            for chunk in answer.chunks:
                control.check()
                done += len(chunk)
                _check_size(file, done)
                out.write(chunk)
                report(done)
        if answer.length is not None and done < answer.length:
            raise DownloadError(
                Message("The connection for {name} broke off.", name=file.name), "Try again later."
            )
        _check(file, part, done, control)
        part.replace(path)
    except OSError as error:
        raise cannot_write(part, error) from error


def _check_size(file: OfferedFile, size: int) -> None:
    if size > (_MOST_BYTES if file.size is None else file.size):
        raise _another(file)


def _check(file: OfferedFile, part: Path, size: int, control: Control) -> None:
    sums: list[tuple[str, _Hash]] = []
    if file.sha256:
        sums.append((file.sha256, hashlib.sha256()))
    if file.git_blob:
        sums.append((file.git_blob, hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)))
    if file.size is not None and size != file.size:
        raise _another(file)
    with part.open("rb") as given:
        while chunk := given.read(_CHUNK):
            control.check()
            for _, digest in sums:
                digest.update(chunk)
    if any(digest.hexdigest() != wanted for wanted, digest in sums):
        raise _another(file)


def _another(file: OfferedFile) -> ChecksumError:
    return ChecksumError(
        Message("{name} on the server is not the file that the list names.", name=file.name),
        "Click Refresh in “Get models”, and try again.",
    )


def cannot_write(path: Path, error: OSError) -> DownloadError:
    """Why a file cannot be written."""
    if error.errno in _FULL:
        return NoSpaceError(
            Message("The disk is full: {path} cannot be written.", path=path), "Free some space first."
        )
    return DownloadError(
        Message("{path} cannot be written ({reason}).", path=path, reason=error.strerror or error)
    )

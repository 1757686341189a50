"""One file, downloaded, unpacked within bounds, and its checksums compared."""

from __future__ import annotations

import errno
import gzip
import hashlib
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.model_downloads.catalogue import OfferedFile
from anaphora.model_downloads.transport import DownloadError, Transport
from anaphora_nmt.errors import Cancelled


class Stage(Enum):
    """What goes on."""

    ASKING = auto()
    DOWNLOADING = auto()
    UNPACKING = auto()
    INSTALLING = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """How far a download is.

    Attributes:
        done, total: bytes.
        seconds_left: until it is complete; None: not known.
    """

    stage: Stage
    done: int = 0
    total: int = 0
    seconds_left: float | None = None


Report = Callable[[Step], None]


class Control:
    """Says to a download, from another thread, to give up."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    def check(self) -> None:
        """Raises Cancelled where it is to give up."""
        if self._cancelled.is_set():
            raise Cancelled


_CHUNK = 1 << 20
_MOST_BYTES = 1 << 34
_FULL = (errno.ENOSPC, errno.EDQUOT)
_MOST_GROWTH, _SMALL = 20, 1 << 24
"""Weights in 8 bits hardly shrink, tables of words to a quarter; what grows more was made to fill a disk."""


def fetch(
    file: OfferedFile, path: Path, transport: Transport, control: Control, report: Callable[[int], None]
) -> None:
    """Fetch a file to a path, where it stands once it is whole.

    Args:
        report: told how many bytes are here.
    Raises:
        DownloadError: it cannot be had, or the server has another file than the list names.
        Cancelled: `control` says so.
    """
    part = path.with_name(path.name + ".part")
    digest = hashlib.sha256()
    most, done = _MOST_BYTES if file.size is None else file.size, 0
    try:
        with transport.open(file.address) as answer, part.open("wb") as out:
            report(done)
            for chunk in answer.chunks:
                control.check()
                done += len(chunk)
                if done > most:
                    raise _another(file)
                out.write(chunk)
                digest.update(chunk)
                report(done)
        if answer.length is not None and done < answer.length:
            raise DownloadError(
                Message("The connection for {name} broke off.", name=file.name), "Try again later."
            )
        if file.size not in (None, done) or file.sha256 not in ("", digest.hexdigest()):
            raise _another(file)
        part.replace(path)
    except OSError as error:
        raise cannot_write(part, error) from error


def unpack(packed: Path, file: OfferedFile, target: Path, check: Callable[[], None]) -> None:
    """Unpack a file and compare it with what the list says of it.

    Args:
        check: called now and then; what it raises ends the work.
    Raises:
        DownloadError: it is damaged, larger than it may be, or another one.
        OSError: it cannot be written.
    """
    most = file.unpacked_size
    if most is None:
        most = _SMALL + _MOST_GROWTH * packed.stat().st_size
    digest, size = hashlib.sha256(), 0
    try:
        with gzip.open(packed) as given, target.open("wb") as out:
            while chunk := given.read(min(_CHUNK, most - size + 1)):
                check()
                size += len(chunk)
                if size > most:
                    raise _not_unpacked(file, Message("it is larger than the list says"))
                digest.update(chunk)
                out.write(chunk)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _not_unpacked(file, Message("it is damaged ({reason})", reason=error)) from error
    if file.unpacked_size not in (None, size) or file.unpacked_sha256 not in ("", digest.hexdigest()):
        raise _not_unpacked(file, Message("its checksum is another one"))


def _another(file: OfferedFile) -> DownloadError:
    return DownloadError(Message("{name} on the server is not the file that the list names.", name=file.name))


def _not_unpacked(file: OfferedFile, reason: Message) -> DownloadError:
    return DownloadError(
        Message("{name} is not the file that the list names: {reason}.", name=file.name, reason=reason)
    )


def cannot_write(path: Path, error: OSError) -> DownloadError:
    if error.errno in _FULL:
        return DownloadError(
            Message("The disk is full: {path} cannot be written.", path=path), "Free some space first."
        )
    return DownloadError(
        Message("{path} cannot be written ({reason}).", path=path, reason=error.strerror or error)
    )

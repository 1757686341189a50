"""One file, downloaded, unpacked within bounds, and its checksum compared."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.features.downloads.catalogue import OfferedFile
from anaphora.features.downloads.transport import Control, DownloadError, Transport
from anaphora.system.files import cannot_write


class Stage(Enum):
    """Stages of a download."""

    ASKING = auto()
    DOWNLOADING = auto()
    INSTALLING = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """How far a download is.

    Attributes:
        done, total: bytes.
    """

    stage: Stage
    done: int = 0
    total: int = 0


Report = Callable[[Step], None]


_OVERHEAD = 1 << 20
"""Bytes that a packed file may be longer than its list lets expect."""


def fetch(
    file: OfferedFile, path: Path, transport: Transport, control: Control, report: Callable[[int], None]
) -> None:
    """Fetch a file, unpack it on the way and compare it with the list.

    Args:
        report: called with the number of bytes received.
    Raises:
        DownloadError: it cannot be had, or the server has another file than the list names.
        Cancelled: through `control`.
    """
    digest, unpacking = hashlib.sha256(), zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    done = size = 0
    try:
        with path.open("wb") as out:

            def take(chunk: bytes) -> None:
                nonlocal done, size
                control.check()
                done += len(chunk)
                content = unpacking.decompress(chunk, file.unpacked_size - size + 1)
                size += len(content)
                if size > file.unpacked_size or done > file.travelling + _OVERHEAD:
                    raise _another(file)
                digest.update(content)
                out.write(content)
                report(done)

            report(done)
            transport.read(file.address, take, control)
    except OSError as error:
        raise cannot_write(path, error) from error
    except zlib.error as error:
        raise _another(file) from error
    if size != file.unpacked_size or digest.hexdigest() != file.unpacked_sha256:
        raise _another(file)


def _another(file: OfferedFile) -> DownloadError:
    return DownloadError(Message("{name} on the server does not match the list.", name=file.name))

"""Downloads a file, unpacks it within limits, and compares its checksum."""

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
    ASKING = auto()
    DOWNLOADING = auto()
    INSTALLING = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of a download.

    Attributes:
        done, total: bytes.
    """

    stage: Stage
    done: int = 0
    total: int = 0


Report = Callable[[Step], None]


_OVERHEAD = 1 << 20
"""Bytes by which a packed file may exceed its listed size."""


def fetch(
    file: OfferedFile, path: Path, transport: Transport, control: Control, report: Callable[[int], None]
) -> None:
    """Download and unpack a file, and compare it with the list.

    Args:
        report: called with the number of bytes received.
    Raises:
        DownloadError: the file cannot be downloaded, or it does not match the list.
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
                if size > file.unpacked_size or done > file.download_size + _OVERHEAD:
                    raise _mismatch(file)
                digest.update(content)
                out.write(content)
                report(done)

            report(done)
            transport.read(file.address, take, control)
    except OSError as error:
        raise cannot_write(path, error) from error
    except zlib.error as error:
        raise _mismatch(file) from error
    if size != file.unpacked_size or digest.hexdigest() != file.unpacked_sha256:
        raise _mismatch(file)


def _mismatch(file: OfferedFile) -> DownloadError:
    return DownloadError(Message("{name} on the server does not match the list.", name=file.name))

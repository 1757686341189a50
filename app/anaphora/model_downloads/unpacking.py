"""Files packed with gzip, unpacked within bounds."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.model_downloads.catalogue import OfferedFile
from anaphora.model_downloads.errors import ChecksumError

_CHUNK = 1 << 20
_MOST_GROWTH, _SMALL = 20, 1 << 24
"""Weights in 8 bits hardly shrink, tables of words to a quarter; what grows more was made to fill a disk."""


def unpack(packed: Path, file: OfferedFile, target: Path, check: Callable[[], None] = lambda: None) -> None:
    """Unpack a file and compare it with what the list says of it.

    Args:
        check: called now and then; what it raises ends the work.
    Raises:
        ChecksumError: it is damaged, larger than it may be, or another one.
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
                    raise _another(file, Message("it is larger than the list says"))
                digest.update(chunk)
                out.write(chunk)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _another(file, Message("it is damaged ({reason})", reason=error)) from error
    if file.unpacked_size is not None and size != file.unpacked_size:
        raise _another(file, Message("it is smaller than the list says"))
    if file.unpacked_sha256 and digest.hexdigest() != file.unpacked_sha256:
        raise _another(file, Message("its checksum is another one"))


def _another(file: OfferedFile, reason: Message) -> ChecksumError:
    return ChecksumError(
        Message("{name} is not the file that the list names: {reason}.", name=file.name, reason=reason),
        "Click Refresh in “Get models”, and try again.",
    )

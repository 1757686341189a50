"""Files of memory packs, which carry confirmed segments and corrections from one project to another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from anaphora.core.document import Document
from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Status
from anaphora.system.files import read_error_texts, refuse_open_file, write_atomically
from anaphora_nmt.errors import SteeringError
from anaphora_nmt.types import Correction, MemoryPack

SUFFIX = ".memory.json"
_ADVICE = "Choose a file exported as a memory pack."
_MAX_BYTES = 50_000_000
"""Maximum size of a pack in bytes; 100,000 sentences take a third of this."""


class PackError(AnaphoraError):
    """A file is not a memory pack, or cannot be read."""


def portable_corrections(corrections: Iterable[Correction]) -> tuple[Correction, ...]:
    """The active corrections without links to their project; each one occurs once."""
    active = (each for each in corrections if not each.revoked_by)
    return tuple(dict.fromkeys(replace(each, segment="", scope="", everywhere=False) for each in active))


def pack_of(
    document: Document,
    name: str,
    languages: LanguagePair = CHINESE_TO_ENGLISH,
    corrections: Iterable[Correction] = (),
) -> MemoryPack:
    """A pack of a document's confirmed segments that fit `languages`, and of the active corrections."""
    confirmed = (each for each in document if each.status is Status.CONFIRMED and each.target.strip())
    pairs = ((each.source, each.target) for each in confirmed if languages.fits(each.source, each.target))
    return MemoryPack(name, tuple(dict.fromkeys(pairs)), portable_corrections(corrections))


def read_pack(path: Path) -> MemoryPack:
    """Read a pack; raises PackError for an unusable file, or ProjectInUseError for an open project."""
    refuse_open_file(path)
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise PackError(Message("“{name}” is too large for a memory pack.", name=path.name), _ADVICE)
        return MemoryPack.from_bytes(path.read_bytes())
    except SteeringError as problem:
        raise PackError(Message("“{name}” is not a memory pack.", name=path.name), _ADVICE) from problem
    except OSError as problem:
        raise PackError(*read_error_texts(path, problem)) from problem


def write_pack(path: Path, pack: MemoryPack) -> None:
    """Write a whole pack. Raises ExportError, or ProjectInUseError if `path` is an open project."""
    write_atomically(pack.to_bytes(), path)

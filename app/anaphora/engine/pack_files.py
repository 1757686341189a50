"""Memory packs as files: confirmed segments that travel from one project to another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from anaphora.core.document import Document
from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Status
from anaphora.system.files import cannot_read, write_atomically
from anaphora.system.open_files import refuse_open_file
from anaphora_nmt.errors import SteeringError
from anaphora_nmt.types import Correction, MemoryPack

SUFFIX = ".memory.json"
_ADVICE = "Choose a file exported as a memory pack."
_LARGEST = 50_000_000
"""Bytes; a pack of 100,000 sentences is a third of that."""


class PackError(AnaphoraError):
    """A file is not a memory pack, or cannot be read."""


def carried_by_packs(corrections: Iterable[Correction]) -> tuple[Correction, ...]:
    """Corrections in force, as other projects take them."""
    in_force = (each for each in corrections if not each.revoked_by)
    return tuple(dict.fromkeys(replace(each, segment="", scope="", everywhere=False) for each in in_force))


def pack_of(
    document: Document,
    name: str,
    languages: LanguagePair = CHINESE_TO_ENGLISH,
    corrections: Iterable[Correction] = (),
) -> MemoryPack:
    """The confirmed segments of a document in the direction of its languages, in order, each pair once.
    `corrections`: of the project; those in force go along."""
    done = (each for each in document if each.status is Status.CONFIRMED and each.target.strip())
    pairs = ((each.source, each.target) for each in done if languages.fits(each.source, each.target))
    return MemoryPack(name, tuple(dict.fromkeys(pairs)), carried_by_packs(corrections))


def read_pack(path: Path) -> MemoryPack:
    """Read a pack; PackError: it is another file, a damaged one, or cannot be read."""
    refuse_open_file(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise PackError(Message("“{name}” is too large for a memory pack.", name=path.name), _ADVICE)
        return MemoryPack.from_bytes(path.read_bytes())
    except SteeringError as problem:
        raise PackError(Message("“{name}” is not a memory pack.", name=path.name), _ADVICE) from problem
    except OSError as problem:
        raise PackError(*cannot_read(path, problem)) from problem


def write_pack(path: Path, pack: MemoryPack) -> None:
    """Write a pack; the file is replaced when all went well; ExportError: it cannot be written."""
    write_atomically(pack.to_bytes(), path)

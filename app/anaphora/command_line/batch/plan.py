"""Which documents of files and folders are translated, and where to."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from anaphora.core.errors import ExportError, Message
from anaphora.core.language_pair import LanguagePair
from anaphora.formats.base.format import FormatError
from anaphora.reading.collecting import LeftOut, collect

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Job:
    """A document to translate.

    Attributes:
        name: below the folder that was given, with slashes; it has the same name below the output folder.
        source, destination: the files.
        size: of the source, bytes.
        digest: SHA-256 of the source's content.
    """

    name: str
    source: Path
    destination: Path
    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run does.

    Attributes:
        jobs: the largest first, so that no process has the longest one to do when all others are done.
        left_out: (name, why) of what was passed over.
        other: how many files are of kinds that are not read.
    """

    jobs: tuple[Job, ...]
    left_out: LeftOut = ()
    other: int = 0


def plan(
    inputs: Sequence[Path],
    out: Path,
    pair: LanguagePair,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> Plan:
    """Find the documents of files and folders.

    Args:
        inputs: files and folders; hidden and generated ones below them are passed over.
        out: the folder to write into; what stands in it is no input.
        include, exclude: patterns of names below the folders, such as "*.docx" or "drafts/*".
    Raises:
        FormatError: an input does not exist or cannot be read.
        ExportError: the output folder is an input.
    """
    for path in inputs:
        if not path.exists():
            raise FormatError(
                Message("“{path}” does not exist.", path=path),
                "It may have been moved or renamed: look for it.",
            )
        if path.is_dir() and out.exists() and out.samefile(path):
            raise ExportError(
                Message("“{destination}” is what is to be translated.", destination=out),
                "Choose another folder for the translations.",
            )
    found = collect(inputs, pair=pair, most=None)
    kept, inside = [], out.absolute()
    for path, name in found.files:
        wanted = not include or any(fnmatch(name, pattern) for pattern in include)
        if wanted and not any(fnmatch(name, pattern) for pattern in exclude) and inside not in path.parents:
            kept.append(_job(path, name, out))
    kept.sort(key=lambda job: (-job.size, job.name))
    return Plan(tuple(kept), found.left_out, found.other)


def _job(path: Path, name: str, out: Path) -> Job:
    try:
        digest, size = hashlib.sha256(), 0
        with path.open("rb") as file:
            while part := file.read(_CHUNK):
                digest.update(part)
                size += len(part)
    except OSError as error:
        # Whoever translates it says what is wrong with it.
        return Job(name, path, out / name, 0, f"unreadable: {error.strerror}")
    return Job(name, path, out / name, size, digest.hexdigest())

"""Selecting files for a project, also from folders, and reading them as documents."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QLocale

from anaphora.core.document import SourceDocument
from anaphora.core.errors import AnaphoraError
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import CancelledError, Step, no_step, substep
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.structure import MAX_SOURCE_LENGTH, MAX_TAGS, MAX_UNIT_LENGTH, is_editable
from anaphora.formats.registry import FindExisting, output_suffixes, read, supported_extensions
from anaphora.project.importing.sentence_rules import user_segmenter
from anaphora.project.translated_names import original_of
from anaphora.system.locations import with_home
from anaphora.system.messages import describe_error, localise_message


def read_document(
    path: Path, name: str = "", language: str = "", earlier: Rereading | None = None, step: Step = no_step
) -> SourceDocument:
    """Read a document from its file.

    Args:
        name: the document's name in the project; by default, the file's name.
        language: code of the document's language; "" for Chinese or unknown.
        earlier: data of an earlier version of the file.
    Raises:
        FormatError: the document cannot be read.
        SegmentationError: the user's rules are invalid.
    """
    try:
        # Read the time before the bytes, so that a file that is still being written will count as changed.
        modified = path.stat().st_mtime_ns
    except (OSError, ValueError):
        modified = 0
    segmenter = user_segmenter(language)
    earlier = earlier or Rereading()
    source = read(path, segmenter, earlier.encoding, earlier.find_existing, earlier.choices, step)
    segments = tuple(filter(is_editable, source.segments))
    notes = (
        *conversion_notes(path.name),
        *map(localise_message, source.notes),
        *_length_notes(segmenter.cuts, len(source.segments) - len(segments)),
    )
    return replace(source, name=name or source.name, modified=modified, segments=segments, notes=notes)


@dataclass(frozen=True, slots=True)
class Rereading:
    """Arguments for `formats.registry.read` that depend on an earlier version of the document."""

    encoding: str = ""
    find_existing: FindExisting | None = None
    choices: ReadingChoices = AS_SUGGESTED


def conversion_notes(name: str) -> tuple[str, ...]:
    """The note for a file that LibreOffice converts, judging by its name; empty for other files."""
    own, *inner = output_suffixes(name)
    if not inner:
        return ()
    text = QCoreApplication.translate(
        "Import",
        "LibreOffice converts {0} to {1} for reading, and converts the translation back to {0}. "
        "Content that LibreOffice does not support is lost. To keep the converted format, "
        "export under a name that ends in {1}.",
    )
    return (text.format(own, inner[0]),)


def _length_notes(cuts: int, left_out: int) -> tuple[str, ...]:
    """Notes with the numbers of long texts that were cut or left out, if any."""
    locale, translate, notes = QLocale(), QCoreApplication.translate, []
    if cuts:
        text = translate("Import", "Texts without a sentence end, split after {1} characters: {0}.")
        notes.append(text.format(locale.toString(cuts), locale.toString(MAX_SOURCE_LENGTH)))
    if left_out:
        text = translate(
            "Import",
            "Texts skipped because they have more than {1} characters or {2} tags and cannot be split: {0}.",
        )
        bounds = (locale.toString(MAX_UNIT_LENGTH), locale.toString(MAX_TAGS))
        notes.append(text.format(locale.toString(left_out), *bounds))
    return tuple(notes)


translate = QCoreApplication.translate

File = TypeVar("File")

MAX_DOCUMENTS = 2000
"""Maximum number of documents that are added to a project at a time."""
GENERATED_FOLDERS = frozenset((
    "__pycache__", "_build", "build", "dist", "env", "node_modules", "out", "site-packages", "target", "venv",
))  # fmt: skip
_SETTINGS_TYPES = frozenset((".json", ".yaml", ".yml", ".xml", ".properties", ".csv", ".tsv"))
"""Suffixes of file types that often contain settings or data instead of text."""
LeftOut = tuple[tuple[str, str], ...]
"""Pairs (name of a file or folder, reason why it is left out)."""


@dataclass(frozen=True, slots=True)
class Collected:
    """Files to be read.

    Attributes:
        name: the project's name, taken from the folder that contains all the files.
        files: pairs (path, name in the project), in natural order; the names are unique.
        other_count: number of files of types that cannot be opened.
        left_out: files that are not to be read for another reason.
        chosen: the files that the user chose directly instead of a folder.
    """

    name: str
    files: tuple[tuple[Path, str], ...]
    other_count: int = 0
    left_out: LeftOut = ()
    chosen: frozenset[Path] = frozenset()


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key: "chapter 2" before "chapter 10", and the files of a folder before its subfolders."""
    *folders, file = name.split("/")
    parts: list[tuple[int, int, str]] = []
    for level, part in enumerate((*folders, file)):
        parts.append((2 if level < len(folders) else 0, 0, ""))
        for digits, text in re.findall(r"(\d+)|(\D+)", part):
            parts.append((0, int(digits[:18]), "") if digits else (1, 0, text.casefold()))
    return tuple(parts)


def collect(
    paths: Sequence[Path],
    used: Iterable[str] = (),
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    max_documents: int | None = MAX_DOCUMENTS,
    step: Step = no_step,
) -> Collected:
    """Find the documents among files and folders; hidden and generated files are skipped.

    Args:
        paths: the user's choice. A file that was chosen directly is included whatever its type.
        used: names of documents that are already in the project.
        pair: the project's languages, to leave out translations beside their originals.
        max_documents: maximum number of documents; the others are left out. None for all.
        step: called for each file in a folder, always with the share 0.
    """
    roots = [with_home(path).absolute() for path in paths]
    base = roots[0] if len(roots) == 1 and roots[0].is_dir() else _common_folder(roots)
    candidates: list[tuple[Path, str]] = []
    other_count = 0
    left_out: list[tuple[str, str]] = []
    for root in roots:
        if not root.is_dir():
            candidates.append((root, _name_below(root, base)))
            continue
        for path in _walk(root, left_out):
            step(0.0)
            if path.suffix.lower() not in supported_extensions():
                other_count += 1
            elif reason := exclusion_reason(path, root):
                left_out.append((_name_below(path, base), reason))
            elif (original := original_of(path, pair)) is not None:
                reason = translate("Import", "This is the translation of “{0}”.").format(original.name)
                left_out.append((_name_below(path, base), reason))
            else:
                candidates.append((path, _name_below(path, base)))
    candidates = sorted(dict(candidates).items(), key=lambda file: natural_key(file[1]))
    left_out += [
        (name, translate("Import", "At most {0} documents can be added at a time.").format(max_documents))
        for _, name in candidates[len(candidates) if max_documents is None else max_documents :]
    ]
    chosen = frozenset(root for root in roots if not root.is_dir())
    files = tuple(unique_names(candidates[:max_documents], used))
    return Collected(base.name or str(base), files, other_count, tuple(left_out), chosen)


def read_collected(
    collected: Collected,
    language: str = "",
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    step: Step = no_step,
    choices: Callable[[str], ReadingChoices] = lambda name: AS_SUGGESTED,
) -> tuple[list[SourceDocument], LeftOut]:
    """Read files; returns the documents, and all files left out, such as those without text to translate.

    Args:
        language: code of the files' language; see `read_document`.
        pair: the project's languages. A file of a type in `_SETTINGS_TYPES` that was not chosen directly is
            left out unless it contains text in the source language.
        choices: a function that returns the reading choices for a file name.
    """
    sources = []
    left_out = list(collected.left_out)
    for number, (path, name) in enumerate(collected.files):
        shares = number / len(collected.files), (number + 1) / len(collected.files)
        try:
            earlier = Rereading(choices=choices(path.name))
            source = read_document(path, name, language, earlier, substep(step, *shares))
        except CancelledError:
            raise
        except AnaphoraError as problem:
            left_out.append((name, describe_error(problem)))
            continue
        is_wanted = path in collected.chosen or path.suffix.lower() not in _SETTINGS_TYPES
        if not source.segments:
            left_out.append((name, translate("Import", "This file contains nothing to translate.")))
        elif is_wanted or any(pair.needs_translation(segment.source) for segment in source.segments):
            sources.append(source)
        else:
            reason = translate("Import", "This file contains no text in the source language.")
            left_out.append((name, reason))
    return sources, tuple(left_out)


def _walk(folder: Path, left_out: list[tuple[str, str]]) -> Iterator[Path]:
    """The files below a folder, except hidden and generated ones; links to folders are not followed.
    Folders that cannot be read are added to `left_out`."""

    def leave_out(error: OSError) -> None:
        left_out.append((str(error.filename), error.strerror or str(error)))

    for place, folders, names in os.walk(folder, onerror=leave_out):
        folders[:] = [
            name for name in folders if not name.startswith((".", "~")) and name not in GENERATED_FOLDERS
        ]
        for name in names:
            if not name.startswith((".", "~")):
                yield Path(place, name)


def exclusion_reason(path: Path, root: Path) -> str:
    """The reason to leave out a file below the chosen folder `root`; "" if the file can be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return translate("Import", "This is not an ordinary file.")
        if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
            return translate("Import", "This is a link to a file outside the folder. Add that file instead.")
    except (OSError, RuntimeError, ValueError):
        return translate("Import", "This is a broken link, or you do not have permission to read it.")
    return ""


def _common_folder(paths: Sequence[Path]) -> Path:
    try:
        return Path(os.path.commonpath([path.parent for path in paths]))
    except ValueError:
        return paths[0].parent


def _name_below(path: Path, base: Path) -> str:
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.name


def unique_names(files: Iterable[tuple[File, str]], known: Iterable[str] = ()) -> Iterator[tuple[File, str]]:
    """Pairs (file, name), with a number added to a name that occurs earlier or in `known`, ignoring case."""
    used = {name.casefold() for name in known}
    for file, name in files:
        suffix, number = PurePosixPath(name).suffix, 2
        stem = name.removesuffix(suffix)
        while name.casefold() in used:
            name, number = f"{stem} ({number}){suffix}", number + 1
        used.add(name.casefold())
        yield file, name

"""Reads the translations in projects, in bilingual files and in documents with a project, to check them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, Status
from anaphora.core.term_entries import TermEntry
from anaphora.features.checks.dismissals import DISMISSED_SETTING, read_dismissals
from anaphora.features.spelling.service import IGNORED
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import bilingual_extensions, read
from anaphora.project.importing.external_changes import checksum, project_of
from anaphora.project.importing.sentence_rules import user_segmenter
from anaphora.project.store.summary import read_work
from anaphora.system.locations import PROJECT_SUFFIX

_TRANSLATED = (Status.DRAFT, Status.EDITED, Status.CONFIRMED, Status.LOCKED)


@dataclass(frozen=True, slots=True)
class CheckedTexts:
    """The segments of one input file, which are checked together, and the project data for the checks.

    Attributes:
        path: the input file, even if it is a document whose translation is in a project.
        names: the documents' names by id; the document of a file without a project has the id "".
        dismissed: keys of the remarks that the user has dismissed, by segment id.
        ignored: words that the project accepts as correct.
    """

    path: Path
    segments: tuple[Segment, ...]
    pair: LanguagePair = CHINESE_TO_ENGLISH
    names: Mapping[str, str] = field(default_factory=dict)
    entries: tuple[TermEntry, ...] = ()
    dismissed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()

    @property
    def translated_count(self) -> int:
        return sum(segment.status in _TRANSLATED and bool(segment.target) for segment in self.segments)


def inputs(paths: Sequence[Path]) -> list[Path]:
    """The files in `paths`, and all visible bilingual files and projects in the folders in `paths`.

    Raises:
        FormatError: there are no such files.
    """
    if files := [file for path in paths for file in _files_to_check(path)]:
        return files
    raise FormatError(
        Message("“{path}” contains neither a bilingual file nor a project.", path=paths[0]),
        "Specify a folder that contains such files.",
    )


def _files_to_check(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for each in sorted(path.rglob("*")):
        is_shown = not any(part.startswith(".") for part in each.relative_to(path).parts)
        if is_shown and each.suffix.lower() in {*bilingual_extensions(), PROJECT_SUFFIX} and each.is_file():
            yield each


def read_texts(path: Path, pair: LanguagePair) -> CheckedTexts:
    """Read the texts to check.

    Args:
        path: a project, a bilingual file, or a document with a project.
        pair: the languages of a bilingual file; a project stores its own languages.
    Raises:
        FormatError, ProjectError: the file cannot be read or has no translation.
    """
    if path.suffix.lower() == PROJECT_SUFFIX:
        return _of_project(path.absolute(), path)
    if path.suffix.lower() in bilingual_extensions():
        document = read(path, user_segmenter(pair.source))
        return CheckedTexts(path, document.segments, pair, {"": document.name})
    sha256 = checksum(path)
    project = project_of(path.absolute(), sha256) if sha256 else None
    if project is None:
        read(path, user_segmenter(pair.source))  # raises the error of an unreadable document
        raise FormatError(
            Message("“{name}” contains no translation and belongs to no project.", name=path.name),
            "Check a project or a bilingual file instead.",
        )
    return _of_project(project, path)


def _of_project(project: Path, path: Path) -> CheckedTexts:
    work = read_work(project)
    return CheckedTexts(
        path,
        tuple(work.segments),
        work.languages or CHINESE_TO_ENGLISH,
        {info.id: info.name for info in work.documents},
        work.entries,
        read_dismissals(work.settings.get(DISMISSED_SETTING, "")),
        IGNORED.read(work.settings.get(IGNORED.name, "")),
    )

"""Translations to be checked without a window: projects, bilingual files, documents that have a project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, Status
from anaphora.document.dismissals import DISMISSED_SETTING, read_dismissals
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import bilingual_extensions, read
from anaphora.reading.external_changes import checksum, project_of
from anaphora.reading.segmenters import user_segmenter
from anaphora.spelling.service import IGNORED
from anaphora.store.locations import PROJECT_SUFFIX
from anaphora.store.summary import read_work
from anaphora.term_base.entries import Entry

_ADVICE = "Name a bilingual file or a project."
_TRANSLATED = (Status.DRAFT, Status.EDITED, Status.CONFIRMED, Status.LOCKED)


@dataclass(frozen=True, slots=True)
class CheckedTexts:
    """What is checked together, as a window has it open.

    Attributes:
        names: of the documents, by the `Segment.document` of their segments.
        entries: the terms that the project keeps.
        dismissed: by segment id the keys of remarks that are no problem there.
        ignored: words that the project takes for right.
    """

    path: Path
    segments: tuple[Segment, ...]
    pair: LanguagePair = CHINESE_TO_ENGLISH
    names: Mapping[str, str] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    dismissed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()

    @property
    def translated(self) -> int:
        return sum(segment.status in _TRANSLATED and bool(segment.target) for segment in self.segments)


def inputs(paths: Iterable[Path]) -> list[Path]:
    """Files, and the bilingual files and projects of folders, in the order of paths and of names in folders.

    Raises:
        FormatError: there is none.
    """
    paths = list(paths)
    found = [each for path in paths for each in (_below(path) if path.is_dir() else [path])]
    if not found:
        raise FormatError(
            Message("There is no bilingual file and no project in “{path}”.", path=paths[0]), _ADVICE
        )
    return found


def _below(folder: Path) -> Iterator[Path]:
    wanted = {*bilingual_extensions(), PROJECT_SUFFIX}
    for each in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in each.relative_to(folder).parts)
        if not hidden and each.suffix.lower() in wanted and each.is_file():
            yield each


def read_texts(path: Path, pair: LanguagePair) -> CheckedTexts:
    """Read what is to be checked.

    Args:
        path: a project, a bilingual file, or a document that has a project.
        pair: the languages of files; a project says its own.
    Raises:
        FormatError, ProjectError: it cannot be read, or holds no translation.
    """
    if path.suffix.lower() == PROJECT_SUFFIX:
        return _of_project(path.absolute(), path)
    if path.suffix.lower() in bilingual_extensions():
        document = read(path, user_segmenter(pair.source))
        return CheckedTexts(path, document.segments, pair, {"": document.name})
    sha256 = checksum(path)
    project = project_of(path.absolute(), sha256) if sha256 else None
    if project is None:
        read(path, user_segmenter(pair.source))  # says what is wrong with it, if anything is
        raise FormatError(
            Message("“{name}” holds no translation, and there is no project of it.", name=path.name), _ADVICE
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

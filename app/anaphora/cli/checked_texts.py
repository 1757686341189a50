"""Translations to check without a window: projects, bilingual files, documents with translations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.source import SourceDocument
from anaphora.core.tags import MARK
from anaphora.core.term_entries import TermEntry
from anaphora.features.checks.dismissals import DISMISSED_SETTING, read_dismissals
from anaphora.features.spelling.service import IGNORED
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.sentence_splitting import WITHOUT_LETTERS
from anaphora.formats.bilingual.units import has_letters
from anaphora.formats.registry import bilingual_extensions, read, read_as
from anaphora.project.importing.external_changes import checksum, project_of
from anaphora.project.importing.sentence_rules import user_segmenter
from anaphora.project.store.summary import read_work
from anaphora.system.locations import PROJECT_SUFFIX

_TRANSLATED = (Status.DRAFT, Status.EDITED, Status.CONFIRMED, Status.LOCKED)


@dataclass(frozen=True, slots=True)
class CheckedTexts:
    """The texts to check together, as in a window.

    Attributes:
        names: the documents' names by `Segment.document`.
        entries: the project's terms.
        dismissed: keys of dismissed remarks by segment id.
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
    def translated(self) -> int:
        return sum(segment.status in _TRANSLATED and bool(segment.target) for segment in self.segments)


def read_texts(path: Path, pair: LanguagePair, translation: Path | None = None) -> CheckedTexts:
    """Read the texts to check.

    Args:
        path: a project, a bilingual file, or a document with a project or with `translation`.
        pair: the languages of files; projects have their own.
        translation: the translation of a document.
    Raises:
        FormatError, ProjectError: a file cannot be read or contains no translation.
    """
    if translation is not None:
        return _paired(path, translation, pair)
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
            Message("“{name}” contains no translation and has no project.", name=path.name),
            Message("Specify its translation: anaphora check FILE --translation TRANSLATED"),
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


def _paired(path: Path, translation: Path, pair: LanguagePair) -> CheckedTexts:
    """Match a document with its translation by paragraphs, and by sentences if their numbers agree.

    Raises:
        FormatError: the formats or the numbers of paragraphs differ.
    """
    # The same parts must count as text in both files, whatever their language.
    segmenter = user_segmenter(pair.source)
    context = copy_context()
    context.run(WITHOUT_LETTERS.set, True)
    source, target = (context.run(read, each, segmenter) for each in (path, translation))
    if read_as(source.format) != read_as(target.format):
        raise FormatError(
            Message("“{one}” and “{other}” have different formats.", one=path.name, other=translation.name),
            "Specify a translation in the format of its document.",
        )
    ours, theirs = _blocks(source), _blocks(target)
    if len(ours) != len(theirs):
        raise FormatError(
            Message(
                "“{one}” has {ours} paragraphs and “{other}” has {theirs}, so they cannot be matched.",
                one=path.name,
                other=translation.name,
                ours=len(ours),
                theirs=len(theirs),
            ),
            "Check a bilingual file instead, such as XLIFF.",
        )
    pairs = (each for one, other in zip(ours, theirs, strict=True) for each in _pairs(one, other))
    segments = tuple(each for each in pairs if has_letters(each.source))
    return CheckedTexts(path, segments, pair, {"": source.name})


def _blocks(document: SourceDocument) -> list[list[Segment]]:
    """The segments of each paragraph or unit."""
    return [list(group) for _, group in groupby(document.segments, lambda segment: segment.block)]


def _pairs(sources: Sequence[Segment], targets: Sequence[Segment]) -> Iterable[Segment]:
    if len(sources) == len(targets):
        for one, other in zip(sources, targets, strict=True):
            yield one.with_state(SegmentState(other.source, Status.EDITED))
        return
    # Tags are numbered sentence by sentence, so those of a whole paragraph cannot be compared.
    source, target = (" ".join(MARK.sub("", each.source) for each in some) for some in (sources, targets))
    yield replace(sources[0], source=source, tags=(), state=SegmentState(target, Status.EDITED))

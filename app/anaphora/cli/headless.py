"""Translates a file without a window, from reading to writing."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from anaphora.cli.headless_help import Help
from anaphora.cli.outcome import DONE, Outcome, size_of
from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.document import SourceDocument
from anaphora.core.drafts import (
    Proposals,
    as_exported,
    is_its_own_translation,
    needs_draft,
    own_translation,
    proposal_of,
    state_of,
    with_proposal,
)
from anaphora.core.errors import ExportError, Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.jobs import source_segment
from anaphora.features.checks.quality import check_segment, check_terms_of
from anaphora.features.dictionary.hinted_drafts import draft_with_hints, report_of
from anaphora.features.quality.expected_quality import confirmed_text, doubts, is_unsure
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.bilingual.units import has_letters
from anaphora.formats.registry import fill, is_bilingual, output_suffixes, read, supported_extensions
from anaphora.project.importing.sentence_rules import user_segmenter
from anaphora.project.translated_names import default_destination
from anaphora.system.files import write_atomically, write_error
from anaphora_nmt.types import BroughtIn, DraftQuality, SearchOptions

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator


def translate_file(
    source: Path,
    destination: Path,
    translator: Translator | None,
    progress: Callable[[int, int], None] | None = None,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    help_: Help = Help(),
    names_language: bool = True,
    choices: ReadingChoices = AS_SUGGESTED,
    proposals: Proposals = Proposals.SOURCE,
) -> Outcome:
    """Read a document, draft its segments in order, and write the translation.

    Args:
        translator: the engine; if None, all text in all languages is pseudo-translated.
        progress: called with (segments done, segments to translate), but not for a pseudo-translation.
        help_: memories, packs, terms and a dictionary. A memory match of at least 99 % replaces a draft.
        names_language: True to set the file's language to the target language.
        proposals: the text to write for drafts that are probably too poor to edit.
    Raises:
        FormatError: the source cannot be read.
        ExportError: the destination is the source, has another format, or cannot be written.
    """
    _check_destination(source, destination)
    document = _read(source, pair, choices)
    drafting = _Drafting(translator, str(source), pair, help_)
    todo = drafting.run(document.segments, progress or (lambda done, total: None))
    _write(document, drafting.drafts, destination, pair, names_language, proposals)
    qualities, confirmed = drafting.qualities, confirmed_text(document.segments)
    proposal_ids = {key for key, state in drafting.drafts.items() if proposal_of(state)}
    unsure_ids = [
        key
        for key, quality in qualities.items()
        if key not in proposal_ids and is_unsure(doubts(quality, confirmed))
    ]
    numbers = {segment.id: number for number, segment in enumerate(document.segments, 1)}
    estimates = [quality.expected for quality in qualities.values()]
    return Outcome(
        source.name,
        DONE,
        segments=len(document.segments),
        translated=len(todo) - drafting.remembered,
        remembered=drafting.remembered,
        findings=tuple((numbers[key], warning) for key, warning in drafting.warnings),
        notes=document.notes,
        doubtful=tuple(numbers[key] for key in unsure_ids),
        proposed=tuple(number for key, number in numbers.items() if key in proposal_ids),
        words=size_of(todo),
        expected=mean(estimates) if estimates else None,
    )


def _read(source: Path, pair: LanguagePair, choices: ReadingChoices) -> SourceDocument:
    modified = source.stat().st_mtime_ns if source.exists() else 0
    document = read(source, user_segmenter(pair.source), choices=choices)
    if choices.columns is not None and not document.segments:
        raise FormatError(
            Message("“{name}” has no text to translate in these columns.", name=source.name),
            "Columns are numbered from 1. The first row contains column names.",
        )
    return replace(document, modified=modified)


def _write(
    document: SourceDocument,
    drafts: Mapping[str, SegmentState],
    destination: Path,
    pair: LanguagePair,
    names_language: bool,
    proposals: Proposals = Proposals.SOURCE,
) -> None:
    segments = [each.with_state(drafts.get(each.id, each.state)) for each in document.segments]
    reading = ReadOptions(document.language, document.encoding, document.choices)
    bilingual = is_bilingual(document.format, document.choices)
    exported = [as_exported(each, proposals, bilingual) for each in segments]
    suffix = destination.suffix
    filled = fill(document.data, document.format, exported, reading, pair, names_language, suffix)
    write_atomically(filled, destination)


class _Drafting:
    """The drafts of one document.

    Attributes:
        drafts: new states by segment id.
        qualities: estimated quality of the engine's drafts by segment id.
        warnings: (segment id, remark) about drafts, in the order of the segments.
        remembered: number of segments from the translation memory.
    """

    def __init__(self, translator: Translator | None, name: str, pair: LanguagePair, help_: Help) -> None:
        self._translator, self._name, self._pair, self._help = translator, name, pair, help_
        self._packs: tuple[BroughtIn, ...] = ()
        self.drafts: dict[str, SegmentState] = {}
        self.qualities: dict[str, DraftQuality] = {}
        self.warnings: list[tuple[str, str]] = []
        self.remembered = 0

    def run(self, segments: Sequence[Segment], progress: Callable[[int, int], None]) -> list[Segment]:
        """Draft segments; returns the segments that needed a draft or a pseudo-translation."""
        if self._translator is None:
            unlocked = (each for each in segments if each.status is not Status.LOCKED)
            todo = [each for each in unlocked if has_letters(each.source)]
            pseudo = {each.id: pseudo_translation(each.source) for each in todo}
            self.drafts |= {key: SegmentState(text, Status.DRAFT) for key, text in pseudo.items()}
            return todo
        self.drafts |= {
            each.id: SegmentState(text, Status.DRAFT)
            for each in segments
            if is_its_own_translation(each, self._pair)
            and (text := own_translation(each.source, self._pair)) != each.source
        }
        if todo := [each for each in segments if needs_draft(each, self._pair)]:
            self._draft(self._translator, segments, todo, progress)
        return todo

    def _draft(
        self,
        translator: Translator,
        segments: Sequence[Segment],
        todo: Sequence[Segment],
        progress: Callable[[int, int], None],
    ) -> None:
        translator.open_document(self._name, [*map(source_segment, segments)])
        try:
            self._packs = self._help.context_for(todo)
            if self._packs:
                translator.bring_in(self._name, self._packs)
            for done, segment in enumerate(todo):
                progress(done, len(todo))
                self._translate(translator, segment)
            progress(len(todo), len(todo))
        finally:
            translator.close_document(self._name)

    def _translate(self, translator: Translator, segment: Segment) -> None:
        help_ = self._help
        if target := help_.target(segment):
            self.drafts[segment.id] = SegmentState(target, Status.DRAFT)
            self.remembered += 1
            return
        find_lacking = partial(help_.lacking_terms, segment, self._packs)
        terms = help_.terms.for_engine(segment)
        suggestion, words = draft_with_hints(
            translator, self._name, segment.id, SearchOptions(), None, terms, find_lacking
        )
        self.drafts[segment.id] = state = state_of(suggestion.text, report_of(suggestion, words))
        if suggestion.quality is not None:
            self.qualities[segment.id] = suggestion.quality
        drafted = with_proposal(segment.with_state(state))
        term_remarks = check_terms_of(drafted, help_.terms.uses(drafted))
        text_remarks = check_segment(drafted, pair=self._pair)
        remarks = dict.fromkeys((*suggestion.warnings, *text_remarks, *term_remarks))
        self.warnings += [(segment.id, remark) for remark in remarks]


def _check_destination(source: Path, destination: Path) -> None:
    if destination.is_dir():
        raise write_error(destination, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    suffixes = (*output_suffixes(source.name), default_destination(source).suffix.lower())
    is_known = source.exists() and suffixes[0] in supported_extensions()  # otherwise reading fails
    if is_known and destination.suffix.lower() not in suffixes:
        raise ExportError(
            Message(
                "“{name}” must end in “{suffix}” to keep the format of the original.",
                name=destination.name,
                suffix=source.suffix,
            ),
            "Choose another file name.",
        )
    if destination.exists() and source.exists() and destination.samefile(source):
        raise ExportError(
            Message("“{destination}” is the original itself.", destination=destination),
            "Choose another file name.",
        )
    if not destination.absolute().parent.is_dir():
        raise ExportError(
            Message("The folder of “{destination}” does not exist.", destination=destination),
            "Create it, or choose another one.",
        )

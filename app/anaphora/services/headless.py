"""Translate a file from end to end without a window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from anaphora.core.drafts import needs_draft
from anaphora.core.errors import ExportError, Message
from anaphora.core.expected_quality import is_unlike
from anaphora.core.files import write_atomically
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.registry import read, render
from anaphora.services.export import default_destination
from anaphora.services.headless_help import Help
from anaphora.services.lent_words import draft_with_words
from anaphora.services.quality import check_target, check_terms_of
from anaphora.services.segmenters import segmenter_of, user_segmenter
from anaphora.services.translator import Drafter
from anaphora_nmt.errors import Cancelled
from anaphora_nmt.types import DraftQuality, MemoryPack, SearchOptions, SourceSegment


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of `translate_file`.

    Attributes:
        segments: segments in the document.
        translated: those that the engine drafted.
        copied: the others, left as they stand: without text in the source language, or translated already.
        warnings: (segment id, plain sentence): what a reader should check.
        notes: what the reader of the format had to say.
        doubtful: segments whose drafts are likely to be poor.
        unlike: whether the document is unlike what the model was trained on.
        remembered: segments that were taken from the translation memory.
        lent: segments whose drafts have words of the dictionary.
    """

    segments: int
    translated: int
    copied: int
    warnings: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    doubtful: tuple[str, ...] = ()
    unlike: bool = False
    remembered: int = 0
    lent: int = 0


def translate_file(
    source: Path,
    destination: Path,
    translator: Drafter,
    options: SearchOptions = SearchOptions(),
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    given: Help = Help(),
) -> FileReport:
    """Read a document, draft its segments in order, write the translation.

    Args:
        progress: called with (segments done, segments to translate).
        cancel: asked between and within segments; nothing is written once it says True.
        pair: the translator's languages.
        given: translation memories, term bases and a dictionary; an exact match is taken as it is.
    Raises:
        FormatError: the source cannot be read.
        ExportError: the destination is the source, is of another kind, or cannot be written.
        Cancelled: `cancel()` returned True.
    """
    _check_destination(source, destination)
    document = read(source, user_segmenter(pair.source))
    engine_name = str(source)
    todo = [segment for segment in document.segments if needs_draft(segment, pair)]
    targets: dict[str, str] = {}
    warnings: list[tuple[str, str]] = []
    qualities: dict[str, DraftQuality] = {}
    remembered, lent = 0, 0
    packs: tuple[MemoryPack, ...] = ()
    if todo:
        segments = [SourceSegment(segment.id, segment.source) for segment in document.segments]
        translator.open_document(engine_name, segments)
        packs = given.packs(todo)
        if packs:
            translator.bring_in(engine_name, packs)
    try:
        for done, segment in enumerate(todo):
            if cancel is not None and cancel():
                raise Cancelled("The translation was cancelled; nothing was written.")
            if progress is not None:
                progress(done, len(todo))
            if known := given.target(segment):
                targets[segment.id] = known
                remembered += 1
                continue
            suggestion, words = draft_with_words(
                translator,
                engine_name,
                segment.id,
                options,
                cancel,
                given.for_engine(segment),
                partial(given.lacking, segment, packs),
            )
            targets[segment.id] = suggestion.text
            lent += bool(words)
            if suggestion.quality is not None:
                qualities[segment.id] = suggestion.quality
            drafted = replace(segment, state=SegmentState(suggestion.text, Status.DRAFT))
            said = check_terms_of(drafted, given.uses(drafted))
            found = (*suggestion.warnings, *check_target(segment.source, suggestion.text, pair=pair), *said)
            warnings += [(segment.id, warning) for warning in dict.fromkeys(found)]
    finally:
        if todo:
            translator.close_document(engine_name)
    statuses = {segment.id: segment.status for segment in document.segments}
    statuses |= dict.fromkeys(targets, Status.DRAFT)
    standing = {segment.id: segment.target for segment in document.segments if segment.target}
    segmenter = segmenter_of(document)
    rendered = render(document.data, document.format, standing | targets, segmenter, statuses, pair)
    write_atomically(rendered, destination)
    if progress is not None:
        progress(len(todo), len(todo))
    return FileReport(
        segments=len(document.segments),
        translated=len(todo) - remembered,
        remembered=remembered,
        lent=lent,
        copied=len(document.segments) - len(todo),
        warnings=tuple(warnings),
        notes=document.notes,
        doubtful=tuple(segment for segment, quality in qualities.items() if quality.doubtful),
        unlike=is_unlike(list(qualities.values()), translator.info.unlike_below),
    )


def _check_destination(source: Path, destination: Path) -> None:
    """Refuse before the work what could only end badly after it."""
    kept = (source.suffix.lower(), default_destination(source).suffix.lower())
    if destination.suffix.lower() not in kept:
        raise ExportError(
            Message(
                "“{name}” must end in “{suffix}”: a translation keeps its original's format.",
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
            "Make it, or choose another one.",
        )

"""Rereading a project's documents in another language, with other choices, or after a rescue.

These functions run off the window's thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from anaphora.core.document import SourceDocument
from anaphora.core.errors import AnaphoraError, Message, ProjectError
from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import ReadingChoices
from anaphora.core.segment import Segment, SegmentState, Span, Status
from anaphora.core.structure import is_editable
from anaphora.formats.base.pieces import Block, Kind, Piece
from anaphora.formats.base.segments import cut, spans_by_rules
from anaphora.formats.registry import read_bytes
from anaphora.formats.segmentation.segmenter import Segmenter
from anaphora.project.changes import replace_documents, segments_by_document, spans_by_block
from anaphora.project.importing.sentence_rules import stored_language, user_segmenter
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.transfer import Transfer, transfer_translations


def are_in_another_language(documents: Iterable[DocumentInfo], language: str) -> bool:
    return any(document.language != stored_language(language) for document in documents)


def read_in(language: str, store: ProjectStore) -> None:
    """Segment the documents again by the rules of another language.

    Manual splits and joins stay. Segments with the same source keep their translations, except drafts that
    only copy the source. A document is not changed if a person's work would be lost. If any document changes,
    a backup is made first.
    """
    newer = []
    for document, stored_segments in _documents_with_segments(store):
        if are_in_another_language([document], language):
            source = _read_again(store, document, language, stored_segments)
            transfer = transfer_translations(_without_copies(stored_segments), source)
            if not transfer.lost:
                newer.append((document.id, transfer))
    _replace_documents(newer, store)


def read_with(choices: Mapping[str, ReadingChoices], store: ProjectStore) -> None:
    """Read documents again with the user's new choices, such as other columns or placeholders.

    Segments with the same source keep their translations, except drafts that only copy the source, and drafts
    for which the file has a target. If the choices for any document change, a backup is made first.

    Args:
        choices: the new choices by document id.
    Raises:
        ProjectError: a person's work would be lost; nothing is changed.
    """
    newer = []
    for document, stored_segments in _documents_with_segments(store):
        chosen = choices.get(document.id, document.choices)
        if chosen == document.choices:
            continue
        source = _read_again(store, document, document.language, stored_segments, chosen)
        newer.append((document.id, transfer_translations(_without_copies(stored_segments), source)))
    if lost := sum(len(transfer.lost) for _, transfer in newer):
        raise ProjectError(
            Message("Translated segments that would be lost: {count}.", count=lost),
            "Nothing was changed. Choose settings that still include the text of these segments.",
        )
    _replace_documents(newer, store)


def _replace_documents(newer: Sequence[tuple[str, Transfer]], store: ProjectStore) -> None:
    if newer:
        store.back_up()
        replace_documents(newer, store)


def reread_rescued(store: ProjectStore) -> None:
    """Reread the documents of a rescued project, because their segments may be outdated or incomplete.

    A person's translations that match no new segment are added to the project's memory. A document whose
    original cannot be read keeps its segments.
    """
    for document, stored_segments in _documents_with_segments(store):
        with suppress(AnaphoraError):
            source = _read_again(store, document, document.language, stored_segments)
            replace_documents([(document.id, transfer_translations(stored_segments, source))], store)


def _documents_with_segments(store: ProjectStore) -> list[tuple[DocumentInfo, list[Segment]]]:
    segments = segments_by_document(store.load_document())
    return [(document, segments.get(document.id, [])) for document in store.documents()]


def _read_again(
    store: ProjectStore,
    document: DocumentInfo,
    language: str,
    old: Sequence[Segment],
    choices: ReadingChoices | None = None,
) -> SourceDocument:
    path = Path(document.path) if document.path else None
    name = Path(document.name).name
    find_existing = partial(_manual_sentences, spans_by_block(old), user_segmenter(document.language))
    source = read_bytes(
        store.original(document.id),
        name,
        path,
        user_segmenter(language),
        document.encoding if language == document.language else "",
        find_existing=find_existing,
        choices=choices or document.choices,
    )
    segments = tuple(filter(is_editable, source.segments))
    return replace(source, name=document.name, modified=document.modified, segments=segments)


def _manual_sentences(
    stored: Mapping[str, list[Span]], segmenter: Segmenter, blocks: Sequence[Block]
) -> dict[str, list[Span]]:
    """The stored sentences of blocks that a person has split or joined, by block address. They cover
    their block, but differ from the sentences that the rules make."""
    manual = {}
    for block in blocks:
        if spans := stored.get(block.address):
            sentences = cut(block.pieces, spans_by_rules(segmenter)).sentences
            if _cover_all(block.pieces, spans) and [sentence.span for sentence in sentences] != spans:
                manual[block.address] = spans
    return manual


def _cover_all(pieces: Sequence[Piece], spans: Sequence[Span]) -> bool:
    """True if sentences at `spans` are within a block and cover all of its letters outside tags."""
    text = "".join(piece.text if piece.kind is Kind.TEXT else " " * piece.width for piece in pieces)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    gaps = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return ends[-1] <= len(text) and not any(map(str.isalpha, gaps))


def _without_copies(segments: Sequence[Segment]) -> list[Segment]:
    return [
        segment.with_state(SegmentState())
        if segment.status is Status.DRAFT and segment.target == segment.source and not segment.file_target
        else segment
        for segment in segments
    ]

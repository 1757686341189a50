"""Reading a project's documents anew when its language becomes another one. Runs off the window's thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.shortening import is_editable
from anaphora.core.source import SourceDocument
from anaphora.core.transfer import transfer_translations
from anaphora.formats.registry import read_bytes
from anaphora.formats.segmentation.segmenter import make_segmenter
from anaphora.formats.segmentation.srx import in_language, language_said
from anaphora.services.projects import Change, segments_by_document
from anaphora.services.segmenters import language_to_keep
from anaphora.store.project import ProjectStore


def are_in_another_language(documents: Iterable[DocumentInfo], language: str) -> bool:
    """Whether there are documents that were read in another language, and can be read anew.

    What was split or joined by hand stays as it is, and so does a document of the app's first version, whose
    sentences follow no rule file.
    """
    return any(_rules_in(document, language) for document in documents)


def reading_in(language: str) -> Change:
    """Read the documents anew in a language: its sentence rules count, and its words in labels and titles.

    Equal segments keep their translations; a document in which somebody's work would find no place stays as
    it is. Drafts that only copy a source are none any more. A backup is made before.

    Args:
        language: code of what the project goes from.
    """

    def change(store: ProjectStore) -> None:
        old = segments_by_document(store.load_document())
        newer = []
        for document in store.documents():
            if rules := _rules_in(document, language):
                worked_on = old.get(document.id, [])
                source = _read_again(store, document, rules)
                transfer = transfer_translations(_without_copies(worked_on), source.segments)
                if not transfer.lost:
                    newer.append((document.id, replace(source, segments=transfer.segments)))
        if newer:
            store.back_up()
            store.replace_documents(newer)

    return change


def _rules_in(document: DocumentInfo, language: str) -> str:
    """The rules of a document that is to be read anew in a language; "" where it stays as it is."""
    rules = in_language(document.segmentation, language_to_keep(language)) if document.segmentation else ""
    same = language_said(document.segmentation)[1] == language_to_keep(language)
    return "" if same or document.overrides else rules


def _read_again(store: ProjectStore, document: DocumentInfo, rules: str) -> SourceDocument:
    path = Path(document.path) if document.path else None
    name = Path(document.name).name
    source = read_bytes(store.original(document.id), name, path, make_segmenter(rules, ""))
    segments = tuple(filter(is_editable, source.segments))
    return replace(source, name=document.name, modified=document.modified, segments=segments)


def _without_copies(segments: Sequence[Segment]) -> list[Segment]:
    return [
        segment.with_state(SegmentState())
        if segment.status is Status.DRAFT and segment.target == segment.source and not segment.given
        else segment
        for segment in segments
    ]

"""How a stored document is cut: as it was when it was read."""

from __future__ import annotations

from anaphora.core.source import SourceDocument
from anaphora.formats.segmenting import DEFAULT_SEGMENTER, Segmenter
from anaphora.store.queries import DocumentInfo


def segmenter_of(document: DocumentInfo | SourceDocument) -> Segmenter:
    """The segmenter that gives a document the segments that stand in its project."""
    return DEFAULT_SEGMENTER

"""How documents are cut: new ones by the user's rules, stored ones as they were when they were read."""

from __future__ import annotations

from anaphora.core.source import SourceDocument
from anaphora.formats.segmentation import make_segmenter
from anaphora.formats.segmenting import Segmenter
from anaphora.store.queries import DocumentInfo


def segmenter_of(document: DocumentInfo | SourceDocument) -> Segmenter:
    """The segmenter that gives a document the segments that stand in its project.

    Raises:
        SegmentationError: what is kept with the document is damaged.
    """
    return make_segmenter(document.segmentation, document.joints)

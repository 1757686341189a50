"""Shared parts of the tests of bilingual formats."""

from __future__ import annotations

from pathlib import Path

from rendering import render

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.document import SourceDocument
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.registry import read_bytes
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER

GOLDEN = Path(__file__).parents[2] / "golden"


def golden(folder: str, *suffixes: str) -> list[Path]:
    """The real files of a format."""
    return sorted(path for path in (GOLDEN / folder).iterdir() if path.suffix in suffixes)


def states(document: SourceDocument) -> dict[str, SegmentState]:
    return {segment.id: segment.state for segment in document.segments}


def put(document: SourceDocument, changed: dict[str, SegmentState]) -> bytes:
    """Export all segments, with some of them changed."""
    every = states(document) | changed
    return render(
        document.data,
        document.format,
        {key: state.target for key, state in every.items()},
        DEFAULT_SEGMENTER,
        {key: state.status for key, state in every.items()},
        approved=[key for key, state in every.items() if state.approved],
    )


def english(segment: Segment) -> str:
    """A unique pseudo-translation, with characters that formats escape."""
    return f"“{segment.id}” & <more> {pseudo_translation(segment.source)}"


def translate_all(document: SourceDocument, status: Status = Status.CONFIRMED) -> dict[str, SegmentState]:
    return {
        segment.id: SegmentState(english(segment), status)
        for segment in document.segments
        if segment.status is not Status.LOCKED
    }


def by_source(document: SourceDocument, text: str) -> Segment:
    """The first segment whose source contains a text."""
    return next(segment for segment in document.segments if text in segment.source)


def reread(document: SourceDocument, data: bytes) -> SourceDocument:
    return read_bytes(data, document.name)

"""What a reader should check in one segment: plain-sentence warnings."""

from __future__ import annotations

from anaphora.core.segment import Segment


def check_segment(segment: Segment) -> tuple[str, ...]:
    """Warnings for a segment's target, most serious first; empty when nothing was found.

    A segment that is not started gives none.
    """
    return check_target(segment.source, segment.target) if segment.status else ()


def check_target(source: str, target: str) -> tuple[str, ...]:
    """Warnings for any target text: empty, untranslated, tags, numbers and URLs lost, Chinese left over."""
    raise NotImplementedError

"""What lists of remembered words say in their narrow columns."""

from __future__ import annotations

from anaphora.views.widgets.panel import NumberOf
from anaphora_nmt.types import match_number


def place_text(segment_id: str, number_of: NumberOf) -> str:
    """Where a remembered word comes from, for a narrow column: a number, or TM for the translation memory."""
    return "TM" if match_number(segment_id) else str(number_of(segment_id) or "")


def origin_text(segment_id: str, number_of: NumberOf) -> str:
    """What the segment of a remembered word is called in a sentence: its number, or its name in a pack."""
    match = match_number(segment_id)
    return f"TM {match}" if match else str(number_of(segment_id) or segment_id)

"""Long texts are shown as far as somebody reads them at a glance; bounds of what a segment holds."""

from __future__ import annotations

MOST_SOURCE = 5_000
"""Characters of a segment's source: what is longer is cut when its document is read."""
MOST_TARGET = 60_000
"""Characters of a target: English takes two to three letters for a Chinese one."""
GLANCE = 1_000
"""Characters of a text that are shown where it is one of many."""
ELLIPSIS = "…"


def shortened(text: str, most: int = GLANCE) -> str:
    """A text, or the beginning of a long one; a tag at its end is left out, not cut."""
    if len(text) <= most:
        return text
    end = text.rfind("{", most - 12, most)
    whole = end < 0 or "}" in text[end:most]
    return text[: most if whole else end] + ELLIPSIS

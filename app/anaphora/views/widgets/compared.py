"""Two texts shown as one, with what differs."""

from __future__ import annotations

import html

from anaphora.core.differences import Change, differences, merged
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.plain_text import readable_tags

THIN_SPACE = "\u2009"


def compared(theme: Theme, before: str, after: str) -> str:
    """Two texts as one, as rich text: what went is struck out, what came is marked."""
    colours = theme.colours
    styles = {
        Change.GONE: f"text-decoration:line-through;color:{colours.warning}",
        Change.NEW: f"background-color:{colours.match};color:{colours.text}",
    }
    parts: list[str] = []
    last = None
    for change, text in merged(before, after, *differences(before, after)):
        shown = html.escape(readable_tags(text))
        if (last, change) == (Change.GONE, Change.NEW):
            # What went and what came in its place are not one word.
            parts.append(THIN_SPACE)
        last = change
        parts.append(f'<span style="{styles[change]}">{shown}</span>' if change in styles else shown)
    return "".join(parts)

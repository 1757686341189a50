"""Two texts shown as one with their differences."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType

from anaphora.core.differences import Change, merged
from anaphora.core.shortening import shortened_pair
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.tag_chips import with_chips

THIN_SPACE = "\u2009"
REWRITTEN = 0.5
"""Texts with a smaller share of common characters are not compared; only the new one is shown."""


def compared(
    theme: Theme,
    before: str,
    after: str,
    labels: Mapping[str, str] = MappingProxyType({}),
    is_brief: bool = False,
) -> str:
    """Two texts as one rich text: deletions are struck out, insertions are marked; a rewritten text is plain.

    Args:
        is_brief: leave out deleted text that has a replacement.
    """
    colours = theme.colours
    styles = {
        Change.GONE: f"text-decoration:line-through;color:{colours.warning}",
        Change.NEW: f"background-color:{colours.match};color:{colours.text}",
    }
    before, after = shortened_pair(before, after)
    whole = merged(before, after)
    whole = [(Change.SAME, after)] if is_rewritten(before, after, whole) else whole
    parts: list[str] = []
    for (change, text), (following, _) in pairwise((*whole, (Change.SAME, ""))):
        shown = with_chips(html.escape(text), labels, colours)
        is_replaced = (change, following) == (Change.GONE, Change.NEW)
        if not (is_brief and is_replaced):
            parts.append(f'<span style="{styles[change]}">{shown}</span>' if change in styles else shown)
            # A deletion and its replacement are separate words.
            parts.append(THIN_SPACE if is_replaced else "")
    return "".join(parts)


def is_rewritten(before: str, after: str, parts: Iterable[tuple[Change, str]]) -> bool:
    """True if two texts have too little in common to show as one; `parts` is the result of `merged`."""
    shared = sum(len(text) for change, text in parts if change is Change.SAME)
    return bool(after) and 2 * shared < REWRITTEN * (len(before) + len(after))

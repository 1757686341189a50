"""How inline tags are written in texts: `{1}` … `{/1}` for a pair, `{1/}` for something that stands alone."""

from __future__ import annotations

import re

MARK = re.compile(r"\{(/?)([0-9]{1,9})(/?)\}")
"""An inline tag; its groups: "/" of a closing one, its number, "/" of one that stands alone."""
PAIRED = re.compile(r"\{/?[0-9]{1,9}\}")
"""Half of a pair."""
SINGLE = re.compile(r"\{[0-9]{1,9}/\}")
"""A tag that stands alone."""


def opens(mark: str) -> bool:
    return mark[1] != "/" and mark[-2] != "/"


def closes(mark: str) -> bool:
    return mark[1] == "/"


def partner(mark: str) -> str:
    """The other half of a pair; empty for a tag that stands alone."""
    if opens(mark):
        return "{/" + mark[1:]
    return "{" + mark[2:] if closes(mark) else ""

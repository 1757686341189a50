"""The notation of inline tags in texts: `{1}` … `{/1}` for a pair, `{1/}` for a standalone tag."""

from __future__ import annotations

import re

MARK = re.compile(r"\{(/?)([0-9]{1,9})(/?)\}")
"""An inline tag. The groups are the "/" of a closing tag, the number, and the "/" of a standalone tag."""
PAIRED = re.compile(r"\{/?[0-9]{1,9}\}")
SINGLE = re.compile(r"\{[0-9]{1,9}/\}")


def opens(mark: str) -> bool:
    return mark[1] != "/" and mark[-2] != "/"


def closes(mark: str) -> bool:
    return mark[1] == "/"


def partner(mark: str) -> str:
    """The other half of a pair; "" for a standalone tag."""
    if opens(mark):
        return "{/" + mark[1:]
    return "{" + mark[2:] if closes(mark) else ""

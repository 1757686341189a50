r"""Keep a file's habit of escaping characters that need no escape: `\/`, `\u00e9`, `&apos;`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_LOST = "\ufffd"
"""The result of an escape that means no character."""


def spellings(text: str, escape: re.Pattern[str], meaning: Callable[[str], str]) -> dict[str, str]:
    """The escapes of those characters that a text always escapes, by character.

    Args:
        escape: finds all escapes.
        meaning: returns the text that an escape means.
    """
    raws = dict.fromkeys(match.group() for match in escape.finditer(text))
    if not raws:
        return {}
    bare = frozenset(escape.sub("", text))
    found = {meaning(raw): raw for raw in reversed(raws)}
    return {char: raw for char, raw in found.items() if len(char) == 1 and char not in bare and char != _LOST}


def spelled(text: str, table: Mapping[str, str], usual: Callable[[str], str]) -> str:
    """A new text with a file's escapes from `table`; `usual` escapes the parts between them."""
    if table.keys().isdisjoint(text):
        return usual(text)
    own = [char for char in table if char in text]
    parts = re.split(f"([{re.escape(''.join(own))}])", text)
    return "".join(table.get(part) or usual(part) for part in parts if part)

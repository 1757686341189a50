r"""How a file spells characters that it could hold as they are: `\/`, `\u00e9`, `&apos;`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_LOST = "\ufffd"
"""The result of an escape without a character, which is never meant."""


def spellings(text: str, escape: re.Pattern[str], meaning: Callable[[str], str]) -> dict[str, str]:
    """The escapes of those characters that a text in a file never holds as they are, by character.

    Args:
        escape: finds all escapes.
        meaning: what one stands for.
    """
    raws = dict.fromkeys(match.group() for match in escape.finditer(text))
    if not raws:
        return {}
    bare = frozenset(escape.sub("", text))
    found = {meaning(raw): raw for raw in reversed(raws)}
    return {char: raw for char, raw in found.items() if len(char) == 1 and char not in bare and char != _LOST}


def spelled(text: str, table: Mapping[str, str], usual: Callable[[str], str]) -> str:
    """A new text with a file's escapes; `usual` writes the other stretches."""
    if table.keys().isdisjoint(text):
        return usual(text)
    own = [char for char in table if char in text]
    parts = re.split(f"([{re.escape(''.join(own))}])", text)
    return "".join(table.get(part) or usual(part) for part in parts if part)

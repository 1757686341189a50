r"""How a file spells characters that it could hold as they are: `\/`, `\u00e9`, `&apos;`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_LOST = "\ufffd"
"""What is read for an escape that stands for no character: nobody means that one by it."""


def spellings(text: str, escape: re.Pattern[str], meaning: Callable[[str], str]) -> dict[str, str]:
    """The escapes of those characters that a text never holds as they are, by character.

    Args:
        text: of a file, or of one string in it, as it stands there.
        escape: finds escapes, all that there are.
        meaning: what one stands for.
    """
    raws = dict.fromkeys(match.group() for match in escape.finditer(text))
    if not raws:
        return {}
    bare = frozenset(escape.sub("", text))
    found = {meaning(raw): raw for raw in reversed(raws)}
    return {char: raw for char, raw in found.items() if len(char) == 1 and char not in bare and char != _LOST}


def spelled(text: str, table: Mapping[str, str], usual: Callable[[str], str]) -> str:
    """A new text with the escapes of a file.

    Args:
        table: see `spellings`.
        usual: how all other stretches of it are written.
    """
    if table.keys().isdisjoint(text):
        return usual(text)
    own = [char for char in table if char in text]
    parts = re.split(f"([{re.escape(''.join(own))}])", text)
    return "".join(table.get(part) or usual(part) for part in parts if part)

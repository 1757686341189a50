"""Target texts as files store them: their line breaks, control characters and escapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LINE_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_NEVER = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff" + "".join(
    chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
)
_FORBIDDEN = re.compile(f"[{_NEVER}]")
_TO_CLEAN = re.compile(f"[{_NEVER}\r\x0b\x0c\x85\u2028\u2029]")


def with_joined_halves(text: str) -> str:
    """The text with each surrogate pair joined into one character."""
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


def clean_target(text: str, source: str = "") -> str:
    """A target without characters that text files must not contain; surrogate pairs are joined.

    Args:
        source: the source text; special characters in it are also allowed in the target.
    """
    if not _TO_CLEAN.search(text):
        return text
    text = with_joined_halves(text)
    text = _LINE_BREAK.sub(lambda found: found[0] if found[0] in source else "\n", text)
    return _FORBIDDEN.sub(lambda found: found[0] if found[0] in source else "", text)


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

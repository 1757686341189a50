"""Clean target texts for files: only one kind of line break, no control characters."""

from __future__ import annotations

import re

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

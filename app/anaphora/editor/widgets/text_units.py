"""Texts as Qt counts them: an emoji, or a rare Chinese character, is two units there and one in Python."""

from __future__ import annotations

import re

_WIDE = re.compile("[\U00010000-\U0010ffff]")
_UTF_16, _ALONE = "utf-16-le", "surrogatepass"


def in_units(text: str) -> str:
    """A text in which each character is one unit of Qt's: what is two there is two halves."""
    return _WIDE.sub(_halves, text)


def _halves(found: re.Match[str]) -> str:
    data = found.group().encode(_UTF_16)
    return data[:2].decode(_UTF_16, _ALONE) + data[2:].decode(_UTF_16, _ALONE)


def from_units(text: str) -> str:
    """The text again, its halves joined; half a character stays one."""
    return text.encode(_UTF_16, _ALONE).decode(_UTF_16, _ALONE)


def is_low_half(unit: str) -> bool:
    """True if a unit is the second one of its character."""
    return "\udc00" <= unit <= "\udfff"

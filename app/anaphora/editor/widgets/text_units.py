"""Texts in Qt's units: an emoji or a rare Chinese character has two UTF-16 units, one character in Python."""

from __future__ import annotations

import re

_WIDE = re.compile("[\U00010000-\U0010ffff]")
_UTF_16, _ALONE = "utf-16-le", "surrogatepass"


def in_units(text: str) -> str:
    """A text in which each character is one UTF-16 unit; wide characters become surrogate halves."""
    return _WIDE.sub(_halves, text)


def _halves(found: re.Match[str]) -> str:
    data = found.group().encode(_UTF_16)
    return data[:2].decode(_UTF_16, _ALONE) + data[2:].decode(_UTF_16, _ALONE)


def from_units(text: str) -> str:
    """The inverse of `in_units`; an unpaired half stays."""
    return text.encode(_UTF_16, _ALONE).decode(_UTF_16, _ALONE)


def is_low_half(unit: str) -> bool:
    """True if a unit is the second half of a character."""
    return "\udc00" <= unit <= "\udfff"

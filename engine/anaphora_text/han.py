"""Chinese characters, in one place."""

from __future__ import annotations

HAN = "\u4e00-\u9fff"
"""Their common block, for character classes of regular expressions."""
_FIRST, _LAST = HAN.split("-")


def is_han(letter: str) -> bool:
    """Whether a character is a Chinese one of the common block."""
    return _FIRST <= letter <= _LAST

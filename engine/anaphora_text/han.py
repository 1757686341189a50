"""The letters of Chinese, and of all scripts that are written without spaces, in one place."""

from __future__ import annotations

HAN = "\u4e00-\u9fff"
"""Chinese characters of the common block, for character classes of regular expressions."""
ALL_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Those of all blocks."""
UNSPACED_LETTERS = rf"{ALL_HAN}\u3040-\u30ff\uff66-\uff9f\u0e01-\u0e7f\u0e81-\u0eff\u1780-\u17ff\u1000-\u109f"
"""Letters of scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Burmese), for a set."""
_FIRST, _LAST = HAN.split("-")


def is_han(letter: str) -> bool:
    """Whether a character is a Chinese one of the common block."""
    return _FIRST <= letter <= _LAST

"""Letters of East and Southeast Asian scripts, for character sets in patterns."""

from __future__ import annotations

HAN = "\u4e00-\u9fff"
ALL_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters of all blocks."""
KANA = r"\u3040-\u30ff"
"""Hiragana and katakana, without half-width katakana."""
THAI = r"\u0e01-\u0e7f"
HANGUL = "\uac00-\ud7a3"
UNSPACED_LETTERS = rf"{ALL_HAN}{KANA}\uff66-\uff9f{THAI}\u0e81-\u0eff\u1780-\u17ff\u1000-\u109f"
"""Letters of scripts that are written without spaces: Han, kana, Thai, Lao, Khmer, Burmese."""
_FIRST, _LAST = HAN.split("-")


def is_han(letter: str) -> bool:
    return _FIRST <= letter <= _LAST

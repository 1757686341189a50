"""Letters of scripts that are written without spaces: Han, kana, Thai, Lao, Khmer, Burmese."""

from __future__ import annotations

import re

_UNSPACED = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3040-\u30ff\uff66-\uff9f"
    r"\u0e01-\u0e7f\u0e81-\u0eff\u1780-\u17ff\u1000-\u109f]"
)
_HANGUL = re.compile(r"[\uac00-\ud7a3]")


def is_unspaced(letter: str) -> bool:
    """Whether a word may begin and end beside a letter, without a space."""
    return _UNSPACED.match(letter) is not None


def ends_beside(letter: str) -> bool:
    """Whether a word may end with a letter whatever follows; in Korean, too, where words take particles."""
    return is_unspaced(letter) or _HANGUL.match(letter) is not None

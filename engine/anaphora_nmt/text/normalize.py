"""Normalise texts before they are segmented into pieces."""

from __future__ import annotations

import re
import unicodedata

from anaphora_text.punctuation import ROUND_BRACKET_PAIRS, WIDE_PAUSES, WIDE_SENTENCE_ENDS

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_SPACE = re.compile(r"\s+")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
# Chinese sentence punctuation stays full-width, because the segmenter and the encoder know this form.
for _mark in WIDE_PAUSES + WIDE_SENTENCE_ENDS + ROUND_BRACKET_PAIRS[1]:
    _FULL_WIDTH.pop(ord(_mark), None)


def normalize_source(text: str) -> str:
    """Normalise a Chinese text: NFC, half-width except sentence marks, single spaces, nothing invisible."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text)).translate(_FULL_WIDTH)
    return _SPACE.sub(" ", text).strip()


def normalize_target(text: str) -> str:
    """Normalise an English text: NFC, ASCII quotes, dashes and dots, single spaces, nothing invisible."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text)).translate(_QUOTES)
    return _SPACE.sub(" ", text).strip()

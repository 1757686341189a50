"""Pseudo-translation, to test the effect of a translation on a file.

Letters get accents, and texts grow by a third and get brackets. This reveals text that is hidden, cut off,
untranslatable or composed of parts. Tags, numbers, placeholders and addresses stay unchanged.
"""

from __future__ import annotations

import math
import re

from anaphora.core.tags import MARK
from anaphora_text.protected import find_protected

_ACCENTED = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž",
)
_LATIN = re.compile(r"(%[-_0^#:]?[A-Za-z])|[A-Za-z]+")
"""A date code (%Y, %-m), which stays unchanged, or Latin letters, which get accents."""
_GROWTH = 1 / 3
_FILLER = "·"
"""Makes a text longer. It is not markup in any format. It precedes the text, which keeps its punctuation at
the end."""


def pseudo_translation(source: str) -> str:
    """A source text in brackets, with accents on Latin letters and a filler of a third of its length."""
    unchanged = sorted([*(match.span() for match in MARK.finditer(source)), *find_protected(source)])
    parts: list[str] = []
    copied_end = letters = 0
    for start, end in (*unchanged, (len(source), len(source))):
        if start < copied_end:
            continue
        letters += start - copied_end
        text = source[copied_end:start]
        accented = _LATIN.sub(lambda match: match[1] or match[0].translate(_ACCENTED), text)
        parts += (accented, source[start:end])
        copied_end = end
    return f"[{_FILLER * math.ceil(letters * _GROWTH)}{''.join(parts)}]"

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
"""Codes of dates (%Y, %-m), which stay unchanged, or Latin letters: `translate` is slow for other texts."""
_GROWTH = 1 / 3
_FILLER = "·"
"""Added at the beginning, so that a sentence still ends with its punctuation; not markup in any format."""


def pseudo_translation(source: str) -> str:
    """A source text in brackets, longer by a third, with accents on Latin letters."""
    unchanged = sorted([*(match.span() for match in MARK.finditer(source)), *find_protected(source)])
    parts: list[str] = []
    done = letters = 0
    for start, end in (*unchanged, (len(source), len(source))):
        if start < done:
            continue
        letters += start - done
        accented = _LATIN.sub(lambda found: found[1] or found[0].translate(_ACCENTED), source[done:start])
        parts += (accented, source[start:end])
        done = end
    return f"[{_FILLER * math.ceil(letters * _GROWTH)}{''.join(parts)}]"

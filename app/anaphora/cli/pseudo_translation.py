"""Pseudo-translation: shows the effect of a translation on the file before the real one.

Letters get accents, texts grow by a third and stand in brackets: so one sees what is not displayed, what is
cut off, what was not offered and what is put together from parts. Tags and what a translation leaves as it
is (numbers, placeholders, addresses) stay.
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
"""Parts of a date (%Y, %-m), which stay, and what `translate` is asked about: it takes long over each
character that it does not know."""
_GROWTH = 1 / 3
_FILLER = "·"
"""In front, so that a sentence still ends with its mark; no format reads it as markup."""


def pseudo_translation(source: str) -> str:
    """A source text in brackets, longer by a third, with accents on Latin letters; tags stay as they are."""
    kept = sorted([*(match.span() for match in MARK.finditer(source)), *find_protected(source)])
    parts: list[str] = []
    done = letters = 0
    for start, end in (*kept, (len(source), len(source))):
        if start < done:
            continue
        letters += start - done
        accented = _LATIN.sub(lambda found: found[1] or found[0].translate(_ACCENTED), source[done:start])
        parts += (accented, source[start:end])
        done = end
    return f"[{_FILLER * math.ceil(letters * _GROWTH)}{''.join(parts)}]"

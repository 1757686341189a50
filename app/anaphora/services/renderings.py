"""Read the rendering of a source term off a word alignment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.core.tags import MARK
from anaphora_nmt.types import Explanation

# On the sample document with the default model (82 segments, 29 terms, 147 renderings read): from 0.2 to
# 0.3 only two of them go, one of them a wrong one ("details" for a variable); at 0.4 right ones go too.
# Where a neighbour joins in matters little: 0.25 to 0.5 give the same.
_WEAK = 0.3
"""A word that looks less at a term than this says nothing about it."""
_STRONG = 0.35
"""A neighbour that looks at the term this much belongs to its rendering."""
_STOPS = (
    "a an the of to in on at by for with from as and or but is are was were be been it its this that these "
    "those which who when if then not no do does did can will may must should has have had"
)
_FUNCTION_WORDS = frozenset(_STOPS.split())
_MARKS = " .,;:!?\"'()[]{}<>“”‘’…—–-*`"
_LATIN = re.compile(r"[A-Za-z0-9_]")


def renderings_of(term: str, source: str, explanation: Explanation) -> Iterator[str]:
    """The target words behind each occurrence of a term, where the alignment is clear enough.

    Args:
        source: the segment's source text, whose offsets `explanation.source_words` has.
    """
    for match in _occurrences(term).finditer(source):
        start, end = match.span()
        columns = [
            column
            for column, word in enumerate(explanation.source_words)
            if word.start < end and word.end > start
        ]
        found = _aligned_text(columns, explanation)
        if found:
            yield found


def _occurrences(term: str) -> re.Pattern[str]:
    """Where a term stands: "Tensor" does not stand in "TensorFlow", but in "Tensor对象"."""
    before = r"(?<![A-Za-z0-9_])" if _LATIN.match(term[0]) else ""
    after = r"(?![A-Za-z0-9_])" if _LATIN.match(term[-1]) else ""
    return re.compile(before + re.escape(term) + after)


def _aligned_text(columns: list[int], explanation: Explanation) -> str:
    """The stretch of target words around the one that looks most at the columns."""
    tokens = explanation.tokens
    mass = [
        sum(token.attention[column] for column in columns if column < len(token.attention))
        if _is_content(token.word)
        else 0.0
        for token in tokens
    ]
    if not mass or max(mass) < _WEAK:
        return ""
    first = last = mass.index(max(mass))
    while first > 0 and mass[first - 1] >= _STRONG:
        first -= 1
    while last + 1 < len(tokens) and mass[last + 1] >= _STRONG:
        last += 1
    text = explanation.text[tokens[first].start : tokens[last].end]
    return " ".join(MARK.sub(" ", text).split()).strip(_MARKS)


def _is_content(word: str) -> bool:
    bare = word.strip(_MARKS).lower()
    return any(char.isalnum() for char in bare) and bare not in _FUNCTION_WORDS and not MARK.fullmatch(word)

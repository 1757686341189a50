"""Read the rendering of a source term off a word alignment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora_nmt.types import Explanation

_WEAK = 0.2
_STRONG = 0.35
_STOPS = (
    "a an the of to in on at by for with from as and or but is are was were be been it its this that these "
    "those which who when if then not no do does did can will may must should has have had"
)
_FUNCTION_WORDS = frozenset(_STOPS.split())
_MARKS = " .,;:!?\"'()[]{}<>“”‘’…—–-*`"
_TAG = re.compile(r"\{/?\d+/?\}")


def renderings_of(term: str, source: str, explanation: Explanation) -> Iterator[str]:
    """The target words behind each occurrence of a term, where the alignment is clear enough.

    Args:
        source: the segment's source text, whose offsets `explanation.source_words` has.
    """
    start = source.find(term)
    while start >= 0:
        end = start + len(term)
        columns = [
            column
            for column, word in enumerate(explanation.source_words)
            if word.start < end and word.end > start
        ]
        found = _aligned_text(columns, explanation)
        if found:
            yield found
        start = source.find(term, end)


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
    return " ".join(_TAG.sub(" ", text).split()).strip(_MARKS)


def _is_content(word: str) -> bool:
    bare = word.strip(_MARKS).lower()
    return any(char.isalnum() for char in bare) and bare not in _FUNCTION_WORDS and not _TAG.fullmatch(word)

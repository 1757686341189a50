"""The model's own words for a term: what it would write in the term's place, and must not write beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from torch import Tensor

from anaphora_text.stop_words import STOP_WORDS
from anaphora_text.unspaced import is_unspaced

_CANDIDATES = 12
"""The most probable pieces of a hypothesis are looked at."""
_BEGINNING = 3
"""Letters that the forms of one word share at least, and that a word has which is no article."""
_ENDING = 3
"""So many letters of the longer form may be otherwise: list, lists, listing; entry, entries."""


@dataclass(frozen=True)
class WordPieces:
    """The pieces that begin a word of content; of a script without spaces any piece may.

    Attributes:
        words: of each piece its letters in small; empty: it begins no such word, [V].
        function: pieces that are function words, such as articles.
        kin: by their first letters the pieces that begin with them.
    """

    words: Sequence[str]
    function: frozenset[int]
    kin: dict[str, list[int]]

    @classmethod
    def of(cls, pieces: Iterable[str]) -> WordPieces:
        """Make it of the pieces as they stand in the vocabulary, `▁` for a space."""
        pieces = list(pieces)
        words = [_content(piece) for piece in pieces]
        bare = [piece.removeprefix("▁").casefold() if piece.startswith("▁") else "" for piece in pieces]
        function = frozenset(number for number, word in enumerate(bare) if word in STOP_WORDS)
        kin: dict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(words):
            if word:
                kin[_beginning(word)].append(number)
        return cls(words, function, dict(kin))

    def near_best(self, scores: Tensor, nats: float) -> frozenset[int]:
        """The pieces of a step's scores [V] that begin a word and are nearly as probable as the best one."""
        values, pieces = scores.topk(min(_CANDIDATES, len(scores)))
        least = float(values[0]) - nats
        return frozenset(
            piece
            for piece, value in zip(pieces.tolist(), values.tolist(), strict=True)
            if value >= least and self.words[piece]
        )

    def forms(self, pieces: Iterable[int]) -> frozenset[int]:
        """These pieces and those that begin another form of their words."""
        found = set()
        for piece in pieces:
            word = self.words[piece]
            for other in self.kin.get(_beginning(word), ()):
                if _are_kin(word, self.words[other]):
                    found.add(other)
        return frozenset(found)


def _beginning(word: str) -> str:
    return word[:1] if is_unspaced(word[0]) else word[:_BEGINNING]


def _are_kin(word: str, other: str) -> bool:
    """Whether two words with one beginning may be forms of one; without spaces, one begins the other."""
    if is_unspaced(word[0]):
        return word.startswith(other) or other.startswith(word)
    shared = max(len(word), len(other)) - _ENDING
    return word[:shared] == other[:shared]


def _content(piece: str) -> str:
    word = piece.removeprefix("▁").casefold()
    if word and all(map(is_unspaced, word)):
        return word if len(word) > 1 else ""  # a single character begins many words
    is_word = piece.startswith("▁") and len(word) >= _BEGINNING and word.isalpha()
    return word if is_word and word not in STOP_WORDS else ""

"""Data for search about the terms of a sentence, target pieces, and the strength of terms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from torch import Tensor

from anaphora_text.punctuation import COLONS, OPENING, SENTENCE_ENDS, WIDE_PAUSES, WIDE_SENTENCE_ENDS
from anaphora_text.stop_words import STOP_WORDS
from anaphora_text.unspaced import is_unspaced, may_end_before

_BESIDE_WORDS = frozenset(OPENING.replace("'", "") + "{-/" + WIDE_PAUSES + WIDE_SENTENCE_ENDS)
"""A word may follow them without a space."""
_HYPHENS = frozenset("-\u2010\u2011")


@dataclass(frozen=True, slots=True)
class TermPlace:
    """An occurrence of a source term in a sentence: its source pieces, counted with the marks in front.

    Attributes:
        term: number of the term; it has to appear once, however often it occurs.
    """

    columns: tuple[int, ...]
    term: int


@dataclass(frozen=True, slots=True)
class SentenceTerms:
    """Required and forbidden words of a translation.

    Attributes:
        places: where terms stand in the source. forms: of each term the piece sequences that render it.
        forbidden: piece sequences that must not appear.
    """

    places: tuple[TermPlace, ...] = ()
    forms: tuple[tuple[tuple[int, ...], ...], ...] = ()
    forbidden: tuple[tuple[int, ...], ...] = ()

    def forbids(self, pieces: tuple[int, ...]) -> bool:
        """True if a translation contains a forbidden word, except as the beginning of a form."""
        forms = [form for forms in self.forms for form in forms]

        def begins_form(start: int, length: int) -> bool:
            return any(len(form) > length and pieces[start : start + len(form)] == form for form in forms)

        return any(
            pieces[start : start + len(each)] == each and not begins_form(start, len(each))
            for each in self.forbidden
            for start in range(len(pieces))
        )


@dataclass(frozen=True, slots=True)
class PieceKinds:
    """How target pieces stand in words, each [V].

    Attributes:
        goes_on: it goes on with a word: a letter or digit stands first, of a script that sets words apart.
        opens: a word may follow it without a space, as after a bracket, or a letter of a script without
            spaces.
        joins: it is a hyphen.
        spaced: it begins with a space before a letter of a script without spaces.
        closes: a word that ends with it ends there in any case.
        capital, small: its first letter is a capital, a small one.
        ends: a sentence may begin after it.
        words: those that begin a word of content.
    """

    goes_on: Sequence[bool]
    opens: Sequence[bool]
    joins: Sequence[bool]
    spaced: Sequence[bool]
    closes: Sequence[bool]
    capital: Sequence[bool]
    small: Sequence[bool]
    ends: Sequence[bool]
    words: WordPieces

    @classmethod
    def of(cls, pieces: Iterable[str]) -> PieceKinds:
        """Make it of the pieces as they stand in the vocabulary, `▁` for a space."""
        texts = list(pieces)
        bare = [text.removeprefix("▁") for text in texts]
        return cls(
            [text[:1].isalnum() and not is_unspaced(text[0]) for text in texts],
            [_opens(text) for text in texts],
            [text in _HYPHENS for text in texts],
            [is_unspaced(text[1:2]) and text[0] == "▁" for text in texts],
            [may_end_before(text[-1:]) for text in texts],
            [text[:1].isupper() for text in bare],
            [text[:1].islower() for text in bare],
            [text[-1:] in tuple(SENTENCE_ENDS + WIDE_SENTENCE_ENDS + COLONS + "•") for text in texts],
            WordPieces.of(texts),
        )


def _opens(piece: str) -> bool:
    return piece == "▁'" or piece[-1:] in _BESIDE_WORDS or is_unspaced(piece[-1:])


@dataclass(frozen=True, slots=True)
class TermOptions:
    """The strength of terms in search.

    Attributes:
        look: share of a step's attention that has to lie on a term.
        below: by how much, in nats, the best form stays below the best piece; negative: above it.
        missed: what it costs, in nats, to look away from an occurrence that was not rendered.
        unmet: what it costs to end without a term.
        near: how near to the best piece, in nats, a word has to be to count as the model's own for a term.
        sure: share of a step's attention on a term from which on its own words cost `own`.
        own: what they cost before the term is rendered.
        own_again: what they cost afterwards.
        echo: share of a step's attention on a term that was rendered from which on they cost that.
        waits: whether function words that the model would write come first, such as an article.
    """

    look: float = 0.3
    below: float = 0.5
    missed: float = 4.0
    unmet: float = 8.0
    near: float = 3.0
    sure: float = 0.4
    own: float = 3.0
    own_again: float = 10.0
    echo: float = 0.15
    waits: bool = True


_CANDIDATES = 12
"""The most probable pieces of a hypothesis are looked at."""
_BEGINNING = 3
"""Letters that the forms of one word share at least, and that a word has which is no article."""
_ENDING = 3
"""Most letters of the longer form that may differ: list, lists, listing; entry, entries."""


@dataclass(frozen=True)
class WordPieces:
    """The pieces that begin a word of content; of a script without spaces any piece may.

    Attributes:
        words: of each piece its letters in small; empty: it begins no such word, [V].
        function: pieces that are function words, such as articles. denying: "no", "non", "not".
        kin: by their first letters the pieces that begin with them.
    """

    words: Sequence[str]
    function: frozenset[int]
    denying: frozenset[int]
    kin: dict[str, list[int]]

    @classmethod
    def of(cls, pieces: Iterable[str]) -> WordPieces:
        """Make it of the pieces as they stand in the vocabulary, `▁` for a space."""
        pieces = list(pieces)
        words = [_content(piece) for piece in pieces]
        bare = [piece.removeprefix("▁").casefold() if piece.startswith("▁") else "" for piece in pieces]
        function = frozenset(number for number, word in enumerate(bare) if word in STOP_WORDS)
        denying = frozenset(number for number, word in enumerate(bare) if word in ("no", "non", "not"))
        kin: dict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(words):
            if word:
                kin[_beginning(word)].append(number)
        return cls(words, function, denying, dict(kin))

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
    """True if two words with one beginning may be forms of one; without spaces, one begins the other."""
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

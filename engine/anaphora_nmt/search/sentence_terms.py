"""Data for `TermGuide` (`search/terms.py`): a sentence's terms, properties of target pieces, and options."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from torch import Tensor

from anaphora_text.function_words import STOP_WORDS
from anaphora_text.punctuation import COLONS, OPENING, SENTENCE_ENDS, WIDE_PAUSES, WIDE_SENTENCE_ENDS
from anaphora_text.unspaced import is_unspaced, may_end_before

_OPENING_CHARACTERS = frozenset(OPENING.replace("'", "") + "{-/" + WIDE_PAUSES + WIDE_SENTENCE_ENDS)
"""Characters that a word may follow without a space."""
_HYPHENS = frozenset("-\u2010\u2011")


@dataclass(frozen=True, slots=True)
class TermPlace:
    """An occurrence of a source term in a sentence.

    Attributes:
        columns: indexes of the term's source pieces, counted from the language mark, if the source has one.
        term: number of the term; the translation must contain it once, even if the source repeats it.
    """

    columns: tuple[int, ...]
    term: int


@dataclass(frozen=True, slots=True)
class SentenceTerms:
    """Required and forbidden words of a translation.

    Attributes:
        places: occurrences of terms in the source.
        forms: for each term, the accepted translations as piece sequences.
        forbidden: piece sequences that must not appear, except as the beginning of a longer form.
    """

    places: tuple[TermPlace, ...] = ()
    forms: tuple[tuple[tuple[int, ...], ...], ...] = ()
    forbidden: tuple[tuple[int, ...], ...] = ()

    def forbids(self, pieces: tuple[int, ...]) -> bool:
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
    """Properties of the target pieces: sequences of length V, and `words`.

    Attributes:
        continues: the piece can continue a word: it begins with a letter or digit of a script with spaces.
        opens: a word may follow without a space, as after a bracket or a letter of a script without spaces.
        joins: the piece is a hyphen.
        spaced: the piece begins with a space before a letter of a script without spaces.
        closes: a word may end after the piece, whatever follows.
        capital, small: the first letter is upper-case, or lower-case.
        ends: a sentence may begin after the piece.
        words: the pieces that begin a content word, and function words.
    """

    continues: Sequence[bool]
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
    return piece == "▁'" or piece[-1:] in _OPENING_CHARACTERS or is_unspaced(piece[-1:])


@dataclass(frozen=True, slots=True)
class TermOptions:
    """The strength of terms in search. Penalties and distances are in nats.

    Attributes:
        min_attention: a term's forms are raised if at least this share of the attention is on the term.
        distance: the first pieces of a term's forms are raised until the best of them is this far below the
            best piece of all, or above it if the value is negative.
        missed_penalty: penalty for turning the attention away from an occurrence that was not rendered.
        unmet_penalty: penalty for ending the sentence, for each term that was not rendered.
        own_distance: a word at most this far below the best piece counts as the model's own word for a term.
        min_sure: minimum sum of a step's attention on terms for a penalty on the model's own words.
        own_penalty: penalty for the model's own words before the term is rendered.
        late_own_penalty: penalty for the model's own words after the term is rendered.
        min_echo: minimum attention of a step on a rendered term for `late_own_penalty`.
        waits: whether no term is raised at a step where the model prefers a function word, such as "the".
    """

    min_attention: float = 0.3
    distance: float = 0.5
    missed_penalty: float = 4.0
    unmet_penalty: float = 8.0
    own_distance: float = 3.0
    min_sure: float = 0.4
    own_penalty: float = 3.0
    late_own_penalty: float = 10.0
    min_echo: float = 0.15
    waits: bool = True


_CANDIDATES = 12
_MIN_SHARED = 3
"""Minimum number of first letters that the forms of a word share; shorter words are ignored."""
_MAX_ENDING = 3
"""Maximum number of letters after the shared ones in the longer form: list, listing; entry, entries."""


@dataclass(frozen=True)
class WordPieces:
    """The pieces that begin a content word. In scripts without spaces, all pieces but single characters do.

    Attributes:
        words: lower-case letters of each piece, [V]; empty if the piece does not begin a content word.
        function: pieces that are function words, such as articles.
        denying: the pieces of "no", "non", "not".
        by_beginning: pieces by the first letters of their words.
    """

    words: Sequence[str]
    function: frozenset[int]
    denying: frozenset[int]
    by_beginning: dict[str, list[int]]

    @classmethod
    def of(cls, pieces: Iterable[str]) -> WordPieces:
        pieces = list(pieces)
        words = [_content(piece) for piece in pieces]
        bare = [piece.removeprefix("▁").casefold() if piece.startswith("▁") else "" for piece in pieces]
        function = frozenset(number for number, word in enumerate(bare) if word in STOP_WORDS)
        denying = frozenset(number for number, word in enumerate(bare) if word in ("no", "non", "not"))
        by_beginning: dict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(words):
            if word:
                by_beginning[_beginning(word)].append(number)
        return cls(words, function, denying, dict(by_beginning))

    def near_best(self, scores: Tensor, nats: float) -> frozenset[int]:
        """The likely pieces that begin a content word and are at most `nats` below the best; scores [V]."""
        values, pieces = scores.topk(min(_CANDIDATES, len(scores)))
        least = float(values[0]) - nats
        return frozenset(
            piece
            for piece, value in zip(pieces.tolist(), values.tolist(), strict=True)
            if value >= least and self.words[piece]
        )

    def forms(self, pieces: Iterable[int]) -> frozenset[int]:
        """The pieces that may begin the same words as `pieces`, or other forms of these words."""
        forms = set()
        for piece in pieces:
            word = self.words[piece]
            for other in self.by_beginning.get(_beginning(word), ()):
                if _may_be_forms(word, self.words[other]):
                    forms.add(other)
        return frozenset(forms)


def _beginning(word: str) -> str:
    return word[:1] if is_unspaced(word[0]) else word[:_MIN_SHARED]


def _may_be_forms(word: str, other: str) -> bool:
    if is_unspaced(word[0]):
        return word.startswith(other) or other.startswith(word)
    shared = max(len(word), len(other)) - _MAX_ENDING
    return word[:shared] == other[:shared]


def _content(piece: str) -> str:
    word = piece.removeprefix("▁").casefold()
    if word and all(map(is_unspaced, word)):
        return word if len(word) > 1 else ""  # a single character begins many words
    is_word = piece.startswith("▁") and len(word) >= _MIN_SHARED and word.isalpha()
    return word if is_word and word not in STOP_WORDS else ""

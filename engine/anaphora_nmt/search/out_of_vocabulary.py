"""A penalty on out-of-vocabulary words, which models invent when they spell rare words from subwords."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch

from anaphora_nmt.native.search import SpelledTexts, Texts, WordPenalty
from anaphora_nmt.search.constraints import NextScores
from anaphora_nmt.text.word_list import WordList, join_texts

_MAX_PIECES = 12
"""Maximum number of last pieces that form the unfinished word."""
_CANDIDATES = 24
"""Number of most probable pieces to check; others would not enter a beam."""
_SPACE = "▁"
_HYPHEN = "-"
_MAX_ENDING = 3
"""Maximum number of letters that an inflection adds: “built-in” is not an incomplete “built-ins”."""
_APOSTROPHES = ("'", "’")
_COMPOUND_END = re.compile(r"(?:(?:[^\W\d_]|-)*[^\W\d_])?-?\Z")


@dataclass(frozen=True)
class SpelledPieces:
    """The spelling of a vocabulary's pieces, each [V].

    Attributes:
        texts: lower-case texts without spaces.
        spaced: whether each piece begins with a space.
        ends: the part at the end of each piece that a following piece may continue, including hyphens.
    """

    texts: Sequence[str]
    spaced: Sequence[bool]
    ends: Sequence[str]

    @classmethod
    def of(cls, pieces: Iterable[str]) -> SpelledPieces:
        """The spelling of pieces that have `▁` for a space."""
        spelled = list(pieces)
        texts = [piece.removeprefix(_SPACE).casefold() for piece in spelled]
        ends = [match.group() for text in texts if (match := _COMPOUND_END.search(text))]  # may be empty
        return cls(texts, [piece.startswith(_SPACE) for piece in spelled], ends)

    @cached_property
    def native(self) -> SpelledTexts:
        """The spelling as data for the native library."""
        heads = torch.tensor(
            [len(_edge_letters(text)[0].encode("utf-8")) for text in self.texts], dtype=torch.int32
        )
        spaced = torch.tensor(self.spaced, dtype=torch.uint8)
        return SpelledTexts(Texts(*join_texts(self.texts)), Texts(*join_texts(self.ends)), heads, spaced)


@dataclass(slots=True)
class UnfinishedWord:
    """An unfinished word.

    Attributes:
        letters: the word's letters after the last hyphen.
        is_unknown: whether no known word begins with these letters.
        may_end: whether the word may end here.
        lists: the sentence's word lists.
    """

    letters: str
    is_unknown: bool
    may_end: bool
    lists: Sequence[WordList]


@dataclass(frozen=True, slots=True)
class WrittenTokens:
    sentence: int
    last: tuple[int, ...] = ()


class OutOfVocabularyPenalty:
    """Lowers the scores of pieces that begin, continue or end a word that no list of the sentence contains.

    The first piece after which no known word is possible is penalised; later pieces of the word are not.
    Pieces that end an incomplete hyphenated word are penalised too: “Auto-different” if
    “Auto-differentiation” was confirmed. No piece is forbidden, as a name may be in no list. The native
    library's search has the same rules (`native/source/out_of_vocabulary.cpp`).
    """

    def __init__(
        self, pieces: SpelledPieces, lists: Sequence[Sequence[WordList]], penalty: float = 4.0
    ) -> None:
        """Args: `lists`: word lists of each sentence; `penalty`: in nats."""
        self.pieces = pieces
        self.lists = lists
        self.penalty = penalty
        # a cache, because many hypotheses have the same unfinished words
        self._unfinished: dict[tuple[int, str], UnfinishedWord] = {}

    def unfinished_word(self, pieces: Sequence[int], sentence: int) -> UnfinishedWord:
        """The unfinished word at the end of a hypothesis' pieces."""
        compound = self._compound(pieces)
        word = self._unfinished.get((sentence, compound))
        if word is None:
            lists = self.lists[sentence]
            letters = compound.rpartition(_HYPHEN)[2]
            is_unknown = not _starts_known_word(letters, True, lists)
            may_end = is_unknown or (
                _starts_known_word(letters, False, lists) and not _is_incomplete(compound, lists)
            )
            word = self._unfinished[sentence, compound] = UnfinishedWord(letters, is_unknown, may_end, lists)
        return word

    def is_penalised(self, piece: int, word: UnfinishedWord) -> bool:
        """True if a piece is penalised after an unfinished word."""
        text, letters, lists = self.pieces.texts[piece], word.letters, word.lists
        head = _edge_letters(text)[0]
        if head and letters and not self.pieces.spaced[piece]:  # continues the word
            return not word.is_unknown and not _starts_known_word(letters + head, head == text, lists)
        is_hyphen = text.startswith(_HYPHEN) and not self.pieces.spaced[piece]
        may_end = word.may_end or text.startswith(_APOSTROPHES)
        if not may_end and not (is_hyphen and _starts_known_word(letters, False, lists)):
            return True
        return not _starts_known_word(head, head == text, lists)

    def start(self, sentence: int) -> WrittenTokens:
        return WrittenTokens(sentence)

    def adjust(self, scores: NextScores, state: WrittenTokens) -> WrittenTokens:
        word = self.unfinished_word(state.last, state.sentence)
        likely = scores.values.topk(min(_CANDIDATES, len(scores.values))).indices.tolist()
        if penalised := [token for token in likely if self.is_penalised(token, word)]:
            scores.values[penalised] -= self.penalty
        return state

    def advance(self, state: WrittenTokens, token: int) -> WrittenTokens:
        return WrittenTokens(state.sentence, (*state.last, token)[-_MAX_PIECES:])

    def native(self) -> WordPenalty:
        lists = [[Texts(*words.joined) for words in lists] for lists in self.lists]
        return WordPenalty(self.pieces.native, lists, _CANDIDATES, self.penalty)

    def _compound(self, pieces: Sequence[int]) -> str:
        """The unfinished word at the end of the pieces, including the word's parts before hyphens."""
        word = ""
        for piece in reversed(pieces):
            tail = self.pieces.ends[piece]
            word = tail + word
            if self.pieces.spaced[piece] or tail != self.pieces.texts[piece]:
                break
        return word.lstrip(_HYPHEN)


def _starts_known_word(letters: str, is_open: bool, lists: Sequence[WordList]) -> bool:
    """True if letters are a known word or, if `is_open`, begin one."""
    if len(letters) < 2:
        return True
    return any(words.has_prefix(letters) if is_open else letters in words for words in lists)


def _is_incomplete(compound: str, lists: Sequence[WordList]) -> bool:
    """True if a list contains a continuation of a hyphenated word that is longer than an inflection."""
    if _HYPHEN not in compound[:-1] or compound[-1] == _HYPHEN or any(compound in words for words in lists):
        return False
    longer = (words.first_with_prefix(compound) for words in lists)
    return any(len(word) > len(compound) + _MAX_ENDING for word in longer if word)


def _edge_letters(text: str) -> tuple[str, str]:
    """The letters at the beginning of a text, and those at its end."""
    if text.isalpha():
        return text, text
    first = next((place for place, letter in enumerate(text) if not letter.isalpha()), len(text))
    last = next((place for place in range(len(text), 0, -1) if not text[place - 1].isalpha()), 0)
    return text[:first], text[last:]

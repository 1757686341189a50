"""A penalty on words that are in no word list; models invent such words when they spell rare words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import torch

from anaphora_nmt.native.search import SpelledTexts, Texts, WordPenalty
from anaphora_nmt.search.constraints import NextScores
from anaphora_nmt.text.word_list import WordList, join_texts

_MAX_PIECES = 12
"""Number of pieces at the end of a hypothesis that may belong to the unfinished word."""
_CANDIDATES = 24
"""Number of most probable pieces to check; less probable pieces would not enter a beam."""
_SPACE = "▁"
_HYPHEN = "-"
_MAX_ENDING = 3
"""Maximum number of letters that an inflection adds; so “built-in” is complete if a list has “built-ins”."""
_APOSTROPHES = ("'", "’")
_COMPOUND_END = re.compile(r"(?:(?:[^\W\d_]|-)*[^\W\d_])?-?\Z")


@dataclass(frozen=True)
class SpelledPieces:
    """The spelling of the V target pieces.

    Attributes:
        texts: the case-folded text of each piece without a space at the beginning, [V].
        spaced: whether each piece begins with a space, [V].
        ends: the last letters and hyphens of each piece, which a following piece may continue, or "", [V].
    """

    texts: Sequence[str]
    spaced: Sequence[bool]
    ends: Sequence[str]

    @classmethod
    def of(cls, pieces: Iterable[str]) -> SpelledPieces:
        """The spelling of pieces that have `▁` for a space."""
        spelled = list(pieces)
        texts = [piece.removeprefix(_SPACE).casefold() for piece in spelled]
        ends = [match.group() for text in texts if (match := _COMPOUND_END.search(text))]  # always matches
        return cls(texts, [piece.startswith(_SPACE) for piece in spelled], ends)

    @cached_property
    def native(self) -> SpelledTexts:
        """The spelling for the native library, with the size in bytes of each piece's first letters."""
        lengths = [len(_first_letters(text).encode("utf-8")) for text in self.texts]
        heads, spaced = torch.tensor(lengths, dtype=torch.int32), torch.tensor(self.spaced, dtype=torch.uint8)
        return SpelledTexts(Texts(*join_texts(self.texts)), Texts(*join_texts(self.ends)), heads, spaced)


@dataclass(slots=True)
class UnfinishedWord:
    """The word at the end of a hypothesis, which the next piece may continue.

    Attributes:
        letters: the word's letters after the last hyphen; empty if the hypothesis does not end in a word.
        is_unknown: whether no known word begins with these letters.
        may_end: whether the word may end here without a penalty; True for an unknown word.
        lists: the sentence's word lists.
    """

    letters: str
    is_unknown: bool
    may_end: bool
    lists: Sequence[WordList]


@dataclass(frozen=True, slots=True)
class LastPieces:
    """The last `_MAX_PIECES` pieces of a hypothesis of the sentence with index `sentence`."""

    sentence: int
    pieces: tuple[int, ...] = ()


class OutOfVocabularyPenalty:
    """Lowers the scores of pieces that make a word unknown. A known word is in a list of the sentence.

    A piece is penalised if no known word begins with the unfinished word and the piece, or if it ends a word
    that is not in a list. Once a word is unknown, its later pieces are not penalised. An apostrophe may end
    any word, and a hyphen may follow any word of a list. Fewer than two letters always count as known.
    Ending an incomplete word costs the penalty: “Auto-different” if only “Auto-differentiation” is in a list.

    No piece is forbidden, because a name may be in no list. The native library's search has the same rules
    (`native/source/out_of_vocabulary.cpp`).
    """

    def __init__(
        self, pieces: SpelledPieces, lists: Sequence[Sequence[WordList]], penalty: float = 4.0
    ) -> None:
        """Args: `lists`: word lists of each sentence; `penalty`: in nats."""
        self.pieces = pieces
        self.lists = lists
        self.penalty = penalty
        # a cache by sentence and word, because many hypotheses end in the same word
        self._unfinished: dict[tuple[int, str], UnfinishedWord] = {}

    def unfinished_word(self, pieces: Sequence[int], sentence: int) -> UnfinishedWord:
        compound = self._compound(pieces)
        word = self._unfinished.get((sentence, compound))
        if word is None:
            lists = self.lists[sentence]
            letters = compound.rpartition(_HYPHEN)[2]
            is_unknown = not _is_known(letters, True, lists)
            may_end = is_unknown or (_is_known(letters, False, lists) and not _is_incomplete(compound, lists))
            word = self._unfinished[sentence, compound] = UnfinishedWord(letters, is_unknown, may_end, lists)
        return word

    def is_penalised(self, piece: int, word: UnfinishedWord) -> bool:
        text, letters, lists = self.pieces.texts[piece], word.letters, word.lists
        head = _first_letters(text)
        if head and letters and not self.pieces.spaced[piece]:  # the piece continues the word
            return not word.is_unknown and not _is_known(letters + head, head == text, lists)
        is_hyphen = text.startswith(_HYPHEN) and not self.pieces.spaced[piece]
        may_end = word.may_end or text.startswith(_APOSTROPHES)
        if not may_end and not (is_hyphen and _is_known(letters, False, lists)):
            return True
        return not _is_known(head, head == text, lists)

    def start(self, sentence: int) -> LastPieces:
        return LastPieces(sentence)

    def adjust(self, scores: NextScores, state: LastPieces) -> LastPieces:
        word = self.unfinished_word(state.pieces, state.sentence)
        likely = scores.values.topk(min(_CANDIDATES, len(scores.values))).indices.tolist()
        if penalised := [piece for piece in likely if self.is_penalised(piece, word)]:
            scores.values[penalised] -= self.penalty
        return state

    def advance(self, state: LastPieces, piece: int) -> LastPieces:
        return LastPieces(state.sentence, (*state.pieces, piece)[-_MAX_PIECES:])

    def native(self) -> WordPenalty:
        lists = [[Texts(*words.joined) for words in lists] for lists in self.lists]
        return WordPenalty(self.pieces.native, lists, _CANDIDATES, self.penalty)

    def _compound(self, pieces: Sequence[int]) -> str:
        """The unfinished word at the end of the pieces, including its parts before hyphens, or ""."""
        word = ""
        for piece in reversed(pieces):
            tail = self.pieces.ends[piece]
            word = tail + word
            if self.pieces.spaced[piece] or tail != self.pieces.texts[piece]:
                break
        return word.lstrip(_HYPHEN)


def _is_known(letters: str, may_continue: bool, lists: Sequence[WordList]) -> bool:
    """True if a list contains the word `letters` or, if `may_continue`, a word that begins with `letters`.

    Fewer than two letters always count as known.
    """
    if len(letters) < 2:
        return True
    return any(words.has_prefix(letters) if may_continue else letters in words for words in lists)


def _is_incomplete(compound: str, lists: Sequence[WordList]) -> bool:
    """True if a hyphenated word is in no list, but begins a longer word of a list.

    A longer word with at most `_MAX_ENDING` more letters does not count: it may be an inflection.
    """
    if _HYPHEN not in compound[:-1] or compound[-1] == _HYPHEN or any(compound in words for words in lists):
        return False
    longer = (words.first_with_prefix(compound) for words in lists)
    return any(len(word) > len(compound) + _MAX_ENDING for word in longer if word)


def _first_letters(text: str) -> str:
    """The letters before the first other character of a text."""
    return "".join(takewhile(str.isalpha, text))

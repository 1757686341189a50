"""The grouping of target pieces into words, for the memories.

A word starts at a piece with `▁` before a letter or digit, or at a bare `▁` before a rare word's first
letters. It continues through pieces of letters, digits and hyphens. Every other piece, even an apostrophe,
ends the word. A word right after an opening bracket has no `▁` and does not count. In scripts without spaces,
such a stretch of pieces may contain several words; it is split where a word boundary lies between two pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import torch

from anaphora_nmt.text.vocabulary import EOS, UNK, Vocabulary
from anaphora_text.function_words import STOP_WORDS
from anaphora_text.unspaced import has_unspaced, is_mark, word_edges

MAX_WORD = 8
"""Maximum length of a word in the word caches, in pieces."""

_SPACE = "▁"
Word = tuple[int, ...]


class WordVocabulary:
    """The words that a vocabulary of pieces can spell.

    Attributes:
        starts, continues: whether each piece begins a word, and whether it can continue one, bool [V].
        spells: 1 for word pieces (which begin or continue a word) without digits, 0 for others, float [V].
        unspaced: whether each piece contains letters of a script without spaces.
        stop_words: function words, and single letters and digits, which the word caches ignore, int64
            [N, MAX_WORD], padded with 0.
    """

    def __init__(self, pieces: Vocabulary) -> None:
        self._pieces = pieces
        texts = pieces.pieces
        first = UNK + 1
        starts = [number >= first and _is_start(text) for number, text in enumerate(texts)]
        continues = [number >= first and _is_body(text) for number, text in enumerate(texts)]
        self.starts, self.continues = torch.tensor(starts), torch.tensor(continues)
        digits = torch.tensor([any(map(str.isdigit, text)) for text in texts])
        self.spells = ((self.starts | self.continues) & ~digits).float()
        self._starts, self._continues = starts, continues
        self.unspaced = [has_unspaced(text) for text in texts]
        self._bare = tuple(number for number, text in enumerate(texts) if text == _SPACE)
        self._stop = {
            self.encode(form) for word in STOP_WORDS for form in (word, word.capitalize(), word.upper())
        }
        # a single letter or digit carries no meaning
        self._stop |= {(number,) for number, text in enumerate(texts) if starts[number] and len(text) <= 2}
        single = [number for number, text in enumerate(texts) if len(text) == 1 and text.isalnum()]
        self._stop |= {(*self._bare, number) for number in single}
        self._stop.discard(())
        rows = [word + (0,) * (MAX_WORD - len(word)) for word in sorted(self._stop) if len(word) <= MAX_WORD]
        self.stop_words = torch.tensor(rows, dtype=torch.int64).view(-1, MAX_WORD)

    def __len__(self) -> int:
        return len(self._starts)

    def spans(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """(start, end) of the words in a sequence of pieces, in order."""
        return [part for start, end in self._spans(ids) for part in self.cut(ids, start, end)]

    def cut(self, ids: Sequence[int], start: int, end: int) -> list[tuple[int, int]]:
        """(start, end) of the words in a stretch of pieces; several only in scripts without spaces."""
        if not any(self.unspaced[number] for number in ids[start:end]):
            return [(start, end)]
        texts = [self._pieces.piece(number).replace(_SPACE, " ") for number in ids[start:end]]
        ends, edges = list(accumulate(map(len, texts))), word_edges("".join(texts))
        first = 2 if texts[0] == " " else 1
        cuts = [index for index in range(first, len(texts)) if ends[index - 1] in edges]
        return [(start + a, start + b) for a, b in pairwise([0, *cuts, len(texts)])]

    def _spans(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        start = -1
        for position, number in enumerate([*ids, EOS]):
            if start >= 0 and not self._continues[number]:
                if (ids[start],) != self._bare or position > start + 1:
                    spans.append((start, position))
                start = -1
            if self._starts[number]:
                start = position
        return spans

    def content_words(self, ids: Sequence[int]) -> list[Word]:
        """The words of a sequence that the word caches accept, in order, with repetitions."""
        words = (tuple(int(number) for number in ids[start:end]) for start, end in self.spans(ids))
        return [word for word in words if self.is_content(word)]

    def is_content(self, word: Word) -> bool:
        """True if the word caches accept a word: not a stop word, not empty, and not too long."""
        return 0 < len(word) <= MAX_WORD and word not in self._stop

    def encode(self, word: str) -> Word:
        """The pieces of a text; empty if the text is not a single word."""
        ids = self._pieces.encode(word)
        return tuple(ids) if self.spans(ids) == [(0, len(ids))] else ()

    def text(self, word: Iterable[int]) -> str:
        return "".join(self._pieces.piece(number) for number in word).replace(_SPACE, " ").strip()


def _is_start(text: str) -> bool:
    word = text.removeprefix(_SPACE)
    return text == _SPACE or (word != text and word[0].isalnum() and _is_body(word))


def _is_body(text: str) -> bool:
    return text.isalnum() or all(letter.isalnum() or letter == "-" or is_mark(letter) for letter in text)

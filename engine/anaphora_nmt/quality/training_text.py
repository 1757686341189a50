"""What is kept of a model's training text: how often its pieces occur, and the words of its target side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anaphora_nmt.text.word_list import WordList, letter_words

_SHORT = 2
"""Words of so many letters are always known."""


@dataclass(frozen=True)
class TrainingText:
    """The training text, in numbers.

    Attributes:
        source_counts, target_counts: log(1 + count) of each piece in a sample, float32 [V].
        placeholders: source pieces that stand for protected strings.
    """

    source_counts: np.ndarray
    target_counts: np.ndarray
    words: WordList
    placeholders: frozenset[int] = frozenset()

    def log_counts(self, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """log(1 + count) of pieces; one 0 where there are none."""
        return _of(self.source_counts, source), _of(self.target_counts, target)

    def placeholder_share(self, source: np.ndarray) -> float:
        """How much of a source's pieces stands for protected strings."""
        return sum(int(piece) in self.placeholders for piece in source) / max(1, len(source))

    def knows(self, text: str) -> bool:
        """Whether all words of a text occur in the training text; so does a text without words."""
        return all(len(word) <= _SHORT or word in self.words for word in letter_words(text))


def _of(counts: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    return counts[pieces] if len(pieces) else np.zeros(1, np.float32)

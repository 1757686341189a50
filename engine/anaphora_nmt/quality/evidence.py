"""Evidence about a draft's quality from its making: values only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np

from anaphora_nmt.text.word_list import WordList, letter_words


@dataclass(frozen=True, slots=True)
class EvidenceWord:
    """A word of a draft or of its source, and its pieces, first and last + 1."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """One forced decoding of a draft, looked at for its quality.

    Attributes:
        source, target: the texts without tags, names and numbers as they are read.
        source_pieces, target_pieces: ids without marks, [S] and [T].
        log_probs: of the draft's pieces and of its end, as the memories leave them, [T + 1].
        best, entropy: log-probability of the most probable piece, and entropy in nats, of each of these
            steps, before confirmed text is followed.
        attention: weights on the source's pieces, [T + 1, S]; what a row lacks to one lies on marks.
        others: the other translations that the search ranked, best first.
        moved: the most by which what was confirmed changes the log-probability of a piece, in nats.
        strays: by how much each piece is less probable without the memories than the most probable one there,
            in nats, [T + 1]; empty if no memory follows what was confirmed.
    """

    source: str
    target: str
    source_words: tuple[EvidenceWord, ...]
    target_words: tuple[EvidenceWord, ...]
    source_pieces: np.ndarray
    target_pieces: np.ndarray
    log_probs: np.ndarray
    best: np.ndarray
    entropy: np.ndarray
    attention: np.ndarray
    others: tuple[str, ...] = ()
    moved: float = 0.0
    strays: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def without(self, words: Collection[int]) -> Evidence:
        """The same, with some of the target's words (by place) set to the mean of the others.

        A word that the search had to use, such as a term, is improbable to the model even if it is right.
        """
        held = np.zeros(len(self.log_probs), bool)
        for place in words:
            held[self.target_words[place].first : self.target_words[place].last] = True
        if not held.any():
            return self
        level = self.log_probs[~held].mean()  # the end is held to nothing
        return replace(
            self,
            log_probs=np.where(held, level, self.log_probs),
            best=np.where(held, level, self.best),
            entropy=np.where(held, self.entropy[~held].mean(), self.entropy),
        )


_SHORT = 2
"""Words of up to this many letters are always known."""


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
        """log(1 + count) of pieces; a single 0 without any."""
        return _of(self.source_counts, source), _of(self.target_counts, target)

    def placeholder_share(self, source: np.ndarray) -> float:
        """How much of a source's pieces stands for protected strings."""
        return sum(int(piece) in self.placeholders for piece in source) / max(1, len(source))

    def knows(self, text: str) -> bool:
        """True if all words of a text occur in the training text; also for a text without words."""
        return all(len(word) <= _SHORT or word in self.words for word in letter_words(text))


def _of(counts: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    return counts[pieces] if len(pieces) else np.zeros(1, np.float32)

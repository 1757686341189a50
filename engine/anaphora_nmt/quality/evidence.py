"""Evidence for a draft's quality from a forced decoding of the draft."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np

from anaphora_nmt.text.word_list import WordList, letter_words


@dataclass(frozen=True, slots=True)
class EvidenceWord:
    """A word of a draft or of its source, with its pieces `first` to `last` − 1."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """Results of a forced decoding of a draft. Log-probabilities are in nats.

    Attributes:
        source, target: the texts without tags, with protected strings restored.
        source_words, target_words: the words of the two texts.
        source_pieces, target_pieces: ids without begin and end marks, [S] and [T].
        log_probs: log-probabilities of the draft's pieces and of the end mark, with memories, [T + 1].
        best, entropy: log-probability of the most probable piece, and entropy, without the memory of
            confirmed text, [T + 1].
        attention: weights on the source's pieces, [T + 1, S]; the rest of each row's weight is on marks.
        others: the other translations that the search found, best first.
        moved: the largest change that confirmed text makes to the log-probability of a piece of the draft.
        strays: log-probability of the most probable piece minus that of the draft's piece, both without
            memories, [T + 1]; empty if no memory of confirmed text is read.
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
        """The evidence in which the steps of `words` have the other steps' mean log-probability and entropy.

        `words` are indices of target words that the search had to use, such as terms. They may be right
        although they are improbable.
        """
        required = np.zeros(len(self.log_probs), bool)
        for place in words:
            required[self.target_words[place].first : self.target_words[place].last] = True
        if not required.any():
            return self
        level = self.log_probs[~required].mean()  # the end mark is never required
        return replace(
            self,
            log_probs=np.where(required, level, self.log_probs),
            best=np.where(required, level, self.best),
            entropy=np.where(required, self.entropy[~required].mean(), self.entropy),
        )


_MAX_SHORT = 2
"""Maximum number of letters of a word that always counts as known."""


@dataclass(frozen=True)
class TrainingText:
    """Statistics of the training text.

    Attributes:
        source_counts, target_counts: log(1 + count) of each piece in a sample, float32 [V].
        words: words of the target language.
        placeholders: source pieces that replace protected strings.
    """

    source_counts: np.ndarray
    target_counts: np.ndarray
    words: WordList
    placeholders: frozenset[int] = frozenset()

    def log_counts(self, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """log(1 + count) of each side's pieces; [0] for a side without pieces."""
        return _counts_of(self.source_counts, source), _counts_of(self.target_counts, target)

    def placeholder_share(self, source: np.ndarray) -> float:
        """The share of a source's pieces that are placeholders."""
        return sum(int(piece) in self.placeholders for piece in source) / max(1, len(source))

    def knows(self, text: str) -> bool:
        """True if the training text contains all of a text's words with more than `_MAX_SHORT` letters."""
        return all(len(word) <= _MAX_SHORT or word in self.words for word in letter_words(text))


def _counts_of(counts: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    return counts[pieces] if len(pieces) else np.zeros(1, np.float32)

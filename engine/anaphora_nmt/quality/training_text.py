"""What is kept of a model's training text: how often its pieces occur, and the words of its target side."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*")


@dataclass(frozen=True)
class TrainingText:
    """The training text, in numbers.

    Attributes:
        source_counts, target_counts: log(1 + count) of each piece in a sample, float32 [V].
        words: CRC-32 of the target words that occur at least twice, lower-cased, sorted, uint32.
        placeholders: source pieces that stand for protected strings.
    """

    source_counts: np.ndarray
    target_counts: np.ndarray
    words: np.ndarray
    placeholders: frozenset[int] = frozenset()

    def log_counts(self, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """log(1 + count) of pieces; one 0 where there are none."""
        return _of(self.source_counts, source), _of(self.target_counts, target)

    def placeholder_share(self, source: np.ndarray) -> float:
        """How much of a source's pieces stands for protected strings."""
        return sum(int(piece) in self.placeholders for piece in source) / max(1, len(source))

    def knows(self, text: str) -> bool:
        """Whether all words of a text occur in the training text; so does a text without words."""
        return all(self._has(word) for word in words_of(text))

    def _has(self, word: str) -> bool:
        if len(word) < 3 or self._holds(word):
            return True
        parts = re.split("['’-]", word)
        return len(parts) > 1 and all(len(part) < 3 or self._holds(part) for part in parts)

    def _holds(self, word: str) -> bool:
        number = checksum(word)
        place = int(np.searchsorted(self.words, number))
        return place < len(self.words) and int(self.words[place]) == number


def words_of(text: str) -> list[str]:
    """The words of an English text, lower-cased: letters, with apostrophes and hyphens inside."""
    return _WORD.findall(text.lower())


def checksum(word: str) -> int:
    """What a word is kept as."""
    return zlib.crc32(word.encode())


def checksums(texts: Iterable[str]) -> np.ndarray:
    """Those of the words that occur at least twice in the texts, sorted, uint32."""
    counts = Counter(word for text in texts for word in words_of(text))
    return np.array(sorted({checksum(word) for word, count in counts.items() if count > 1}), np.uint32)


def _of(counts: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    return counts[pieces] if len(pieces) else np.zeros(1, np.float32)

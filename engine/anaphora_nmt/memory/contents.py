"""A finished sentence's contribution to the memories, and their content before a sentence: values only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Self

import numpy as np

from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.steering import MemoryRule
from anaphora_nmt.types import MemorySection

Indicator = tuple[Word, int]
"""The meaning of a step: a word and the index of one of its pieces."""


class Origin(Enum):
    DRAFT = "draft"
    CONFIRMED = "confirmed"


class KeptSteps(Enum):
    """The steps of a sentence that are kept with their vectors, from none to all."""

    NONE = "none"
    WORDS = "words"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Contribution:
    """A finished target sentence's contribution to the memories.

    Attributes:
        pieces: its pieces, without </s>, uint32.
        indicators: those of the kept steps, in order; tokens outside words are separate.
        in_words: of the same steps, whether they belong to a word.
        contexts, states: c_t and s_t of those steps, float16 [steps, C] and [steps, D].
        values: what they move a state by (`moved_values`), float16 [steps, D]; [steps, 0] where no memory
            asks.
        words: its content words, in order.
        weights, pinned: of the steps, where a user's rules speak of any (`memory.document`); else empty.
        certainty: geometric mean of the probabilities that the model alone gives its pieces and </s>.
        sureness: of the steps, the probability that the model alone gives the word; empty if no memory
            asks.
    """

    pieces: np.ndarray
    indicators: tuple[Indicator, ...]
    in_words: tuple[bool, ...]
    contexts: np.ndarray
    states: np.ndarray
    values: np.ndarray
    words: tuple[Word, ...]
    origin: Origin = Origin.DRAFT
    weights: tuple[float, ...] = ()
    pinned: tuple[bool, ...] = ()
    certainty: float = 1.0
    sureness: tuple[float, ...] = ()

    def of_words(self) -> Contribution:
        if all(self.in_words):
            return self
        return self.at(np.flatnonzero(self.in_words).tolist())

    def at(self, kept: Sequence[int]) -> Contribution:
        return replace(
            self,
            indicators=tuple(self.indicators[step] for step in kept),
            in_words=tuple(self.in_words[step] for step in kept),
            contexts=self.contexts[kept],
            states=self.states[kept],
            values=self.values[kept],
            weights=tuple(self.weights[step] for step in kept) if self.weights else (),
            pinned=tuple(self.pinned[step] for step in kept) if self.pinned else (),
            sureness=tuple(self.sureness[step] for step in kept) if self.sureness else (),
        )


def contribution(
    ids: np.ndarray,
    contexts: np.ndarray,
    states: np.ndarray,
    vocabulary: WordVocabulary,
    steps: KeptSteps = KeptSteps.WORDS,
    origin: Origin = Origin.DRAFT,
    values: np.ndarray | None = None,
    log_probs: np.ndarray | None = None,
) -> Contribution:
    """Choose what is kept of a sentence.

    Args:
        ids: target pieces without </s>, [T].
        contexts, states, values: c_t [T, C], s_t [T, D], and see `Contribution`, [T, D].
        log_probs: that the model alone gives the pieces and </s>, [T + 1]; None: no memory asks.
    """
    values = np.zeros((len(ids), 0), np.float16) if values is None else values
    sequence = [int(number) for number in ids]
    kept: list[int] = []
    indicators: list[Indicator] = []
    in_words: list[bool] = []
    sureness: list[float] = []
    for start, end, is_word in _stretches(sequence, vocabulary):
        if steps is KeptSteps.ALL or (is_word and steps is KeptSteps.WORDS):
            word = tuple(sequence[start:end])
            kept += range(start, end)
            indicators += ((word, index) for index in range(len(word)))
            in_words += [is_word] * len(word)
            if log_probs is not None:
                sureness += [float(np.exp(log_probs[start:end].sum()))] * len(word)
    return Contribution(
        pieces=np.array(sequence, np.uint32),
        indicators=tuple(indicators),
        in_words=tuple(in_words),
        contexts=contexts[kept].astype(np.float16),
        states=states[kept].astype(np.float16),
        values=values[kept].astype(np.float16),
        words=tuple(vocabulary.content_words(sequence)),
        origin=origin,
        certainty=1.0 if log_probs is None else float(np.exp(log_probs.mean())),
        sureness=tuple(sureness),
    )


def _stretches(ids: list[int], vocabulary: WordVocabulary) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is a word) of the words, and one by one of the pieces between them, in order."""
    last = 0
    for start, end in vocabulary.spans(ids):
        yield from ((position, position + 1, False) for position in range(last, start))
        yield start, end, True
        last = end
    yield from ((position, position + 1, False) for position in range(last, len(ids)))


@dataclass(frozen=True)
class DocumentInfo:
    """Data about a document before its first segment; `topic`: None without a topic model."""

    vocabulary: WordVocabulary
    topic: Topic | None = None


@dataclass(frozen=True)
class Reader:
    """The reader's view of contents: segments' ids by number, confirmed ones, and the spelling of words.

    Attributes:
        here: id of the segment that is read.
    """

    segments: Sequence[str]
    confirmed: Callable[[int], bool]
    text: Callable[[Word], str]
    here: str = ""


class Contents(ABC):
    """A memory's content before a sentence. Immutable: `after` gives a new value."""

    __slots__ = ()

    @abstractmethod
    def after(self, given: Contribution, segment: int) -> Self:
        """The contents after a finished sentence, and its segment's number."""

    def begun_by(self, rules: Sequence[MemoryRule], vocabulary: WordVocabulary) -> Self:
        """Before the first sentence of a document: what a user's rules make of what it begins with."""
        return self

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        """Its content for the panels."""
        return ()


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """The document memory before one sentence: each memory's contents by name, and sentences so far."""

    contents: Mapping[str, Contents] = field(default_factory=dict)
    clock: int = 0

    def begun_by(self, rules: Sequence[MemoryRule], vocabulary: WordVocabulary) -> MemorySnapshot:
        contents = {name: held.begun_by(rules, vocabulary) for name, held in self.contents.items()}
        return MemorySnapshot(contents, self.clock)

    def after(self, given: Contribution, segment: int) -> MemorySnapshot:
        contents = {name: held.after(given, segment) for name, held in self.contents.items()}
        return MemorySnapshot(contents, self.clock + 1)

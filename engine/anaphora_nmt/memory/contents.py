"""A finished sentence's contribution to the memories, and the memories' contents before a sentence."""

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
"""The word to which a step's piece belongs, and the index of the piece in the word."""


class Origin(Enum):
    DRAFT = "draft"
    CONFIRMED = "confirmed"


class KeptSteps(Enum):
    """The steps of a sentence whose vectors a contribution keeps."""

    NONE = "none"
    WORDS = "words"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Contribution:
    """A finished target sentence's contribution to the memories.

    Attributes:
        pieces: the sentence's pieces without </s>, uint32 [T].
        indicators: one for each kept step, in order; a piece outside words counts as a separate word.
        in_words: whether each kept step belongs to a word.
        contexts, states: c_t and s_t of the kept steps, float16 [steps, C] and [steps, D].
        values: the kept steps' shifts of a state (`moved_states.moved_values`), float16 [steps, D];
            [steps, 0] if no memory needs them.
        words: the sentence's content words, in order and with repetitions.
        weights, pinned: `MemoryRule.weight` and `pinned` for each kept step; empty without rules.
        mean_prob: geometric mean of the probabilities that the model alone gives the pieces and </s>; 1 if
            no memory needs it.
        word_probs: probability that the model alone gives the word of each kept step; empty if no memory
            needs it.
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
    mean_prob: float = 1.0
    word_probs: tuple[float, ...] = ()

    def words_only(self) -> Contribution:
        if all(self.in_words):
            return self
        return self.at(np.flatnonzero(self.in_words).tolist())

    def at(self, kept: Sequence[int]) -> Contribution:
        """The contribution with only those of its kept steps that are at the indexes `kept`."""
        return replace(
            self,
            indicators=tuple(self.indicators[step] for step in kept),
            in_words=tuple(self.in_words[step] for step in kept),
            contexts=self.contexts[kept],
            states=self.states[kept],
            values=self.values[kept],
            weights=tuple(self.weights[step] for step in kept) if self.weights else (),
            pinned=tuple(self.pinned[step] for step in kept) if self.pinned else (),
            word_probs=tuple(self.word_probs[step] for step in kept) if self.word_probs else (),
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
    """The contribution of a sentence, with the vectors of the kept steps.

    Args:
        ids: target pieces without </s>, [T].
        contexts, states: c_t [T, C] and s_t [T, D].
        values: the steps' shifts of a state, [T, D]; None if no memory needs them.
        log_probs: log-probabilities of the pieces and </s> by the model alone, [T + 1]; None if no memory
            needs them.
    """
    values = np.zeros((len(ids), 0), np.float16) if values is None else values
    sequence = [int(number) for number in ids]
    kept: list[int] = []
    indicators: list[Indicator] = []
    in_words: list[bool] = []
    word_probs: list[float] = []
    for start, end, is_word in _stretches(sequence, vocabulary):
        if steps is KeptSteps.ALL or (is_word and steps is KeptSteps.WORDS):
            word = tuple(sequence[start:end])
            kept += range(start, end)
            indicators += ((word, index) for index in range(len(word)))
            in_words += [is_word] * len(word)
            if log_probs is not None:
                word_probs += [float(np.exp(log_probs[start:end].sum()))] * len(word)
    return Contribution(
        pieces=np.array(sequence, np.uint32),
        indicators=tuple(indicators),
        in_words=tuple(in_words),
        contexts=contexts[kept].astype(np.float16),
        states=states[kept].astype(np.float16),
        values=values[kept].astype(np.float16),
        words=tuple(vocabulary.content_words(sequence)),
        origin=origin,
        mean_prob=1.0 if log_probs is None else float(np.exp(log_probs.mean())),
        word_probs=tuple(word_probs),
    )


def _stretches(ids: list[int], vocabulary: WordVocabulary) -> Iterator[tuple[int, int, bool]]:
    """Each word, and each single piece between words, in order, as (start, end, whether it is a word)."""
    last = 0
    for start, end in vocabulary.spans(ids):
        yield from ((position, position + 1, False) for position in range(last, start))
        yield start, end, True
        last = end
    yield from ((position, position + 1, False) for position in range(last, len(ids)))


@dataclass(frozen=True)
class DocumentInfo:
    """Data about a document for its initial contents; `topic` is None if the topic is unknown."""

    vocabulary: WordVocabulary
    topic: Topic | None = None


@dataclass(frozen=True)
class Reader:
    """Lookups for displaying contents.

    Attributes:
        segments: id of each segment, by number.
        confirmed: returns whether the segment with a number is confirmed.
        text: returns the spelling of a word.
        segment: id of the segment whose memory is displayed.
    """

    segments: Sequence[str]
    confirmed: Callable[[int], bool]
    text: Callable[[Word], str]
    segment: str = ""


class Contents(ABC):
    """A memory's contents before a sentence; immutable."""

    __slots__ = ()

    @abstractmethod
    def after(self, contribution: Contribution, segment: int) -> Self:
        """The contents after a finished sentence of the segment with this number."""

    def with_rules(self, rules: Sequence[MemoryRule], vocabulary: WordVocabulary) -> Self:
        """The initial contents of a document, changed by a user's rules."""
        return self

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        """The contents for display."""
        return ()


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """The document memory before a sentence: contents by memory name, and the number of sentences in them."""

    contents: Mapping[str, Contents] = field(default_factory=dict)
    clock: int = 0

    def with_rules(self, rules: Sequence[MemoryRule], vocabulary: WordVocabulary) -> MemorySnapshot:
        contents = {name: each.with_rules(rules, vocabulary) for name, each in self.contents.items()}
        return MemorySnapshot(contents, self.clock)

    def after(self, contribution: Contribution, segment: int) -> MemorySnapshot:
        contents = {name: each.after(contribution, segment) for name, each in self.contents.items()}
        return MemorySnapshot(contents, self.clock + 1)

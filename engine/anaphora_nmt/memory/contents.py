"""What the memories hold, as values: nothing here changes in place once it is handed out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from anaphora_nmt.memory.confirmed import ConfirmedPieces
from anaphora_nmt.memory.words import Word, WordVocabulary

Indicator = tuple[Word, int]
"""What a slot stands for: a word and the index of one of its pieces."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one finished target sentence writes.

    Attributes:
        pieces: its pieces, without </s>, uint16.
        indicators: of the steps that are written to the continuous cache, in order.
        contexts, states: c_t and s_t of those steps, float16 [steps, C] and [steps, D].
        words: its words for the dynamic cache, in order.
        confirmed: whether a human confirmed it.
    """

    pieces: np.ndarray
    indicators: tuple[Indicator, ...]
    contexts: np.ndarray
    states: np.ndarray
    words: tuple[Word, ...]
    confirmed: bool = False


def contribution(
    ids: np.ndarray,
    contexts: np.ndarray,
    states: np.ndarray,
    vocabulary: WordVocabulary,
    write: str = "words",
) -> Contribution:
    """Choose what is written of a sentence.

    Tu et al. (2018) write every target word. With pieces, "words" writes those that belong to a word:
    a slot for each punctuation mark would be matched everywhere, and a placeholder stands for something
    else in the next sentence. "all" writes every piece but </s>; what is no word is one by itself. "none"
    writes nothing (a model without this cache).

    Args:
        ids: target pieces without </s>, [T].
        contexts, states: c_t [T, C] and s_t [T, D].
    """
    sequence = [int(number) for number in ids]
    steps: list[int] = []
    indicators: list[Indicator] = []
    for start, end, is_word in _stretches(sequence, vocabulary):
        if write == "all" or (is_word and write == "words"):
            word = tuple(sequence[start:end])
            steps += range(start, end)
            indicators += ((word, index) for index in range(len(word)))
    return Contribution(
        pieces=np.array(sequence, np.uint16),
        indicators=tuple(indicators),
        contexts=contexts[steps].astype(np.float16),
        states=states[steps].astype(np.float16),
        words=tuple(vocabulary.content_words(sequence)),
    )


def _stretches(ids: list[int], vocabulary: WordVocabulary) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is a word) of the words, and one by one of the pieces between them, in order."""
    last = 0
    for start, end in vocabulary.spans(ids):
        yield from ((position, position + 1, False) for position in range(last, start))
        yield start, end, True
        last = end
    yield from ((position, position + 1, False) for position in range(last, len(ids)))


@dataclass(frozen=True, slots=True)
class CacheContents:
    """The slots of a continuous cache (Tu et al., 2018, section 3.3).

    They are stored in float16 and rounded after each write, so that a memory folded in one go equals one
    that was folded in parts.

    Attributes:
        size: slots at most.
        indicators: what each slot in use stands for.
        recency: slots by their last write, least recently used first.
        keys, values: c_i and s_i of the slots in use, float16 [K, C] and [K, D].
        writers: segment that wrote each slot last, [K]. clocks: number of that write, [K].
        overwrite: whether a word that is there already is averaged with what is new (else rule 1 holds for
            every step: Table 3 of the paper).
    """

    size: int
    indicators: tuple[Indicator, ...] = ()
    recency: tuple[int, ...] = ()
    keys: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    writers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    clocks: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    overwrite: bool = True

    def __len__(self) -> int:
        return len(self.indicators)

    def write(self, given: Contribution, segment: int, clock: int) -> CacheContents:
        """The contents after a finished sentence.

        A known indicator's slot becomes the average of what it held and what is new (rule 2); a new one
        takes an empty slot, or the one that was written longest ago (rule 1: "used" is read as written or
        averaged, since reading touches every slot).

        Args:
            segment: for the reader. clock: number of finished sentences before this one.
        """
        if not given.indicators or self.size == 0:
            return self
        writing = _Writing(self, given)
        for step, indicator in enumerate(given.indicators):
            writing.write(indicator, given.contexts[step], given.states[step], segment, clock)
        return writing.contents()


class _Writing:
    """Slots while one sentence is written to them."""

    def __init__(self, old: CacheContents, given: Contribution) -> None:
        used, size = len(old), old.size
        self.size, self.overwrite = size, old.overwrite
        self.keys = np.zeros((size, given.contexts.shape[1]), np.float16)
        self.values = np.zeros((size, given.states.shape[1]), np.float16)
        self.writers, self.clocks = np.zeros(size, np.int32), np.zeros(size, np.int32)
        if used:
            self.keys[:used], self.values[:used] = old.keys, old.values
            self.writers[:used], self.clocks[:used] = old.writers, old.clocks
        # insertion order is the order of use
        self.used: dict[int, Indicator] = {slot: old.indicators[slot] for slot in old.recency}
        self.known = {indicator: slot for slot, indicator in self.used.items()} if old.overwrite else {}

    def write(
        self, indicator: Indicator, key: np.ndarray, value: np.ndarray, segment: int, clock: int
    ) -> None:
        slot = self.known.get(indicator, -1)
        if slot >= 0:
            self.keys[slot] = (self.keys[slot].astype(np.float32) + key) / 2
            self.values[slot] = (self.values[slot].astype(np.float32) + value) / 2
            del self.used[slot]
        else:
            slot = self._free()
            self.keys[slot], self.values[slot] = key, value
        self.writers[slot], self.clocks[slot] = segment, clock
        self.used[slot] = indicator
        if self.overwrite:
            self.known[indicator] = slot

    def _free(self) -> int:
        """An empty slot, or the one that was written longest ago."""
        slot = len(self.used)
        if slot == self.size:
            slot = next(iter(self.used))
            self.known.pop(self.used.pop(slot), None)
        return slot

    def contents(self) -> CacheContents:
        used = len(self.used)
        return CacheContents(
            self.size,
            tuple(self.used[slot] for slot in range(used)),
            tuple(self.used),
            self.keys[:used],
            self.values[:used],
            self.writers[:used],
            self.clocks[:used],
            self.overwrite,
        )


@dataclass(frozen=True, slots=True)
class DynamicWords:
    """The dynamic cache (Kuang et al., 2018, 4.1.1): first in, first out, no word twice.

    A word that is there already stays where it is in the queue, as rules (b) and (c) say.

    Attributes:
        size: |c_d|.
        words: oldest first.
        clocks: number of the finished sentence that each word entered with.
    """

    size: int
    words: tuple[Word, ...] = ()
    clocks: tuple[int, ...] = ()

    def write(self, given: Contribution, clock: int) -> DynamicWords:
        """The contents after a finished sentence."""
        queue = dict(zip(self.words, self.clocks, strict=True))
        for word in given.words:
            if word in queue:
                continue
            queue[word] = clock
            if len(queue) > self.size:
                del queue[next(iter(queue))]
        return DynamicWords(self.size, tuple(queue), tuple(queue.values()))


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """The document memory before one sentence.

    Attributes:
        cache: the continuous cache.
        dynamic: the dynamic cache.
        confirmed: what a human confirmed.
        topic: the topic cache: pieces of the topic's words, by descending probability.
        clock: finished sentences so far.
    """

    cache: CacheContents = field(default_factory=lambda: CacheContents(0))
    dynamic: DynamicWords = field(default_factory=lambda: DynamicWords(0))
    topic: tuple[Word, ...] = ()
    clock: int = 0
    confirmed: ConfirmedPieces = field(default_factory=ConfirmedPieces)

    @property
    def cached_words(self) -> tuple[tuple[Word, str], ...]:
        """Dynamic words, oldest first, then the topic words not among them; each with its cache's name."""
        known = set(self.dynamic.words)
        topic = [(word, "topic") for word in self.topic if word not in known]
        return (*((word, "dynamic") for word in self.dynamic.words), *topic)

    def after(self, given: Contribution, segment: int) -> MemorySnapshot:
        """The memory with one more finished sentence."""
        confirmed = self.confirmed
        if given.confirmed:
            confirmed = confirmed.write(given.contexts, given.states, given.indicators, segment)
        return MemorySnapshot(
            self.cache.write(given, segment, self.clock),
            self.dynamic.write(given, self.clock),
            self.topic,
            self.clock + 1,
            confirmed,
        )

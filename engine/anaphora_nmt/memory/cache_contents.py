"""The slots of a continuous cache, and how a finished sentence is written to them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from anaphora_nmt.memory.contents import Contents, Contribution, Indicator, Reader
from anaphora_nmt.memory.words import Word
from anaphora_nmt.types import MemoryEntry, MemorySection

SLOTS = "slots"
"""Name of the section of its view."""


@dataclass(frozen=True, slots=True)
class CacheContents(Contents):
    """The slots of a continuous cache (Tu et al., 2018, section 3.3), rounded to float16 after each write.

    Attributes:
        size: slots at most.
        indicators: what each slot in use stands for.
        recency: slots by their last write, least recently used first.
        keys, values: c_i and s_i of the slots in use, [K, C] and [K, D].
        writers, clocks: segment that wrote each slot last, and number of that write, [K].
        overwrite: whether a word that is there is averaged with what is new (else rule 1 for all: Table 3).
        words_only: whether only the steps of words are written.
    """

    size: int
    indicators: tuple[Indicator, ...] = ()
    recency: tuple[int, ...] = ()
    keys: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    writers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    clocks: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    overwrite: bool = True
    words_only: bool = True

    def __len__(self) -> int:
        return len(self.indicators)

    def after(self, given: Contribution, segment: int, clock: int) -> CacheContents:
        """The contents after a finished sentence.

        A known indicator's slot becomes the average of what it held and what is new (rule 2); a new one takes
        an empty slot, or the one that was written longest ago (rule 1; reading touches every slot). Tu et al.
        (2018) write every target word; with pieces, a slot for each mark would be matched everywhere
        (`words_only`).
        """
        given = given.of_words() if self.words_only else given
        if not given.indicators or self.size == 0:
            return self
        writing = _Writing(self, given)
        for step, indicator in enumerate(given.indicators):
            writing.write(indicator, given.contexts[step], given.states[step], segment, clock)
        return writing.contents()

    def by_word(self) -> list[tuple[int, ...]]:
        """Slots of the same word together, most recently used first."""
        groups: dict[Word, list[int]] = {}
        for slot in reversed(self.recency):
            groups.setdefault(self.indicators[slot][0], []).append(slot)
        return [tuple(members) for members in groups.values()]

    def word(self, slot: int) -> Word:
        return self.indicators[slot][0]

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        newest = [members[0] for members in self.by_word()]
        entries = tuple(
            MemoryEntry(
                reader.text(self.word(slot)),
                reader.segments[writer := int(self.writers[slot])],
                last_use=reader.clock - 1 - int(self.clocks[slot]),
                confirmed=reader.confirmed(writer),
            )
            for slot in newest
        )
        return (MemorySection(SLOTS, "Memory", entries, of_segments=True),)


class _Writing:
    def __init__(self, old: CacheContents, given: Contribution) -> None:
        used, size = len(old), old.size
        self.size, self.overwrite, self.words_only = size, old.overwrite, old.words_only
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
            self.words_only,
        )

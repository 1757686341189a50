"""The slots of a continuous cache, and how a finished sentence is written to them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

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
        writers: segment that wrote each slot last, [K].
        overwrite: whether a word that is there is averaged with what is new (else rule 1 for all: Table 3).
        words_only: whether only the steps of words are written.
    """

    size: int
    indicators: tuple[Indicator, ...] = ()
    recency: tuple[int, ...] = ()
    keys: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    writers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    overwrite: bool = True
    words_only: bool = True

    def __len__(self) -> int:
        return len(self.indicators)

    def after(self, given: Contribution, segment: int) -> CacheContents:
        """The contents after a finished sentence.

        A known indicator's slot becomes the average of what it held and what is new (rule 2); a new one takes
        an empty slot, or the one that was written longest ago (rule 1; reading touches every slot). Tu et al.
        (2018) write every target word; with pieces, a slot for each mark would be matched everywhere
        (`words_only`).
        """
        given = given.of_words() if self.words_only else given
        if not given.indicators or self.size == 0:
            return self
        keys, values = [*self.keys], [*self.values]
        writers = self.writers.tolist()
        used = {slot: self.indicators[slot] for slot in self.recency}  # insertion order is the order of use
        known = {indicator: slot for slot, indicator in used.items()} if self.overwrite else {}
        for indicator, key, value in zip(given.indicators, given.contexts, given.states, strict=True):
            slot = known.get(indicator, len(used))
            if indicator in known:
                key = (keys[slot].astype(np.float32) + key) / 2
                value = (values[slot].astype(np.float32) + value) / 2
                del used[slot]
            elif slot == self.size:
                slot = next(iter(used))
                known.pop(used.pop(slot), None)
            rows = key.astype(np.float16), value.astype(np.float16), segment
            for column, new in zip((keys, values, writers), rows, strict=True):
                column[slot : slot + 1] = [new]
            used[slot] = indicator
            if self.overwrite:
                known[indicator] = slot
        return replace(
            self,
            indicators=tuple(used[slot] for slot in range(len(used))),
            recency=tuple(used),
            keys=np.array(keys, np.float16),
            values=np.array(values, np.float16),
            writers=np.array(writers, np.int32),
        )

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
                confirmed=reader.confirmed(writer),
            )
            for slot in newest
        )
        return (MemorySection(SLOTS, "Memory", entries, of_segments=True),)

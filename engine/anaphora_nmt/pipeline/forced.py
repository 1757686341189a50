"""A target that was decoded with memories, as explanations read it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from anaphora_nmt.memory.contents import MemorySnapshot, Reader
from anaphora_nmt.models.memory_augmented import ForcedDecoding, MemoryAugmentedModel
from anaphora_nmt.pipeline.lines import Word


@dataclass(frozen=True)
class MemoryContext:
    """The memory before a segment: for the model, for a reader, and which of it is read."""

    snapshot: MemorySnapshot
    reader: Reader
    use: Set[str]


@dataclass(frozen=True)
class Forced:
    """A target that was decoded with memories, and its words.

    Attributes:
        plain, fused: the most probable piece at each step without any memory, and with those that are read.
    """

    model: MemoryAugmentedModel
    decoding: ForcedDecoding
    words: tuple[Word, ...]
    plain: list[int]
    fused: list[int]

    def changed(self) -> dict[int, Word]:
        """By number, the words that stand there because of the memories."""
        given = self.decoding.target[0].tolist()
        return {
            number: word
            for number, word in enumerate(self.words)
            if (steps := slice(*word.pieces)) and given[steps] == self.fused[steps] != self.plain[steps]
        }

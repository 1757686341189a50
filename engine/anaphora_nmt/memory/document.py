"""The memory of one document: a fold over its segments in order, each contributing its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.memory.contents import Contribution, MemorySnapshot
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.types import MemoryVersion, SlotView, WeightedWord


@dataclass(frozen=True, slots=True)
class ReaderView:
    """A snapshot as a reader sees it.

    Attributes:
        slots: the continuous cache by words, most recently used first.
        slot_members: for each of `slots`, the slots of its pieces (columns of `Taught.matching`).
        dynamic_words: newest first; weight = finished segments since it entered.
        topic: label; empty without a topic.
        topic_words: by descending weight.
    """

    slots: tuple[SlotView, ...]
    slot_members: tuple[tuple[int, ...], ...]
    dynamic_words: tuple[WeightedWord, ...]
    topic: str
    topic_words: tuple[WeightedWord, ...]


class DocumentMemory:
    """Contributions by segment, and the memory before any segment."""

    def __init__(
        self,
        document: str,
        segments: Sequence[str],
        config: MemoryConfig,
        vocabulary: WordVocabulary,
        topic: Topic | None = None,
    ) -> None:
        raise NotImplementedError

    @property
    def version(self) -> MemoryVersion:
        """Grows with each change of what the segments contribute."""
        raise NotImplementedError

    def draft(self, index: int, contribution: Contribution) -> None:
        """Enter segment `index`'s draft; kept underneath where the segment is confirmed."""
        raise NotImplementedError

    def confirm(self, index: int, contribution: Contribution) -> None:
        """Enter a human's translation in place of the draft."""
        raise NotImplementedError

    def forget(self, index: int) -> None:
        """Undo `confirm`: the draft, or nothing, contributes again."""
        raise NotImplementedError

    def before(self, index: int) -> MemorySnapshot:
        """The memory before segment `index`: depends on the segments before it only."""
        raise NotImplementedError

    def view(self, index: int) -> ReaderView:
        """`before(index)` for a reader."""
        raise NotImplementedError

"""The part of `anaphora_nmt.api.Translator` that translates a document in order.

The engine is imported, which takes seconds, in its own thread alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from anaphora_nmt.types import (
    BroughtIn,
    EngineInfo,
    MemoryVersion,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    Suggestion,
)

Cancel = Callable[[], bool]


class SegmentTranslator(Protocol):
    """Drafts a segment."""

    def translate(
        self,
        document: str,
        segment: str,
        options: SearchOptions = ...,
        cancel: Cancel | None = None,
        terms: Sequence[SourceTerm] = ...,
    ) -> Suggestion: ...

    def restore(self, document: str, targets: Sequence[tuple[str, str, bool]]) -> MemoryVersion: ...

    def count_draft(self, document: str, segment: str, counts: bool) -> MemoryVersion: ...


class Drafter(SegmentTranslator, Protocol):
    """Drafts a document."""

    info: EngineInfo

    def open_document(self, document: str, segments: Sequence[SourceSegment]) -> MemoryVersion: ...

    def bring_in(
        self, document: str, packs: Sequence[BroughtIn], cancel: Cancel | None = None
    ) -> MemoryVersion: ...

    def close_document(self, document: str) -> None: ...

"""The part of the engine that services need, as a protocol: tests and other engines can stand in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from anaphora_nmt.types import MemoryVersion, SearchOptions, SourceSegment, Suggestion


class Drafter(Protocol):
    """What translates a document in order; `anaphora_nmt.api.Translator` is one."""

    def open_document(self, document: str, segments: Sequence[SourceSegment]) -> MemoryVersion: ...

    def translate(
        self,
        document: str,
        segment: str,
        options: SearchOptions = ...,
        cancel: Callable[[], bool] | None = None,
    ) -> Suggestion: ...

    def close_document(self, document: str) -> None: ...

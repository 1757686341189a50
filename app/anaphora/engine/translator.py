"""What the app uses of the engine; it is imported, which takes seconds, in the engine's thread alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from anaphora_nmt.types import (
    BroughtIn,
    Completion,
    Correction,
    EngineInfo,
    Explanation,
    MemoryRule,
    MemoryVersion,
    MemoryView,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    StretchInfluence,
    Suggestion,
    WhatIf,
)

Cancel = Callable[[], bool]


class SegmentTranslator(Protocol):
    """The part of `anaphora_nmt.api.Translator` that drafts a segment."""

    def translate(
        self,
        document: str,
        segment: str,
        options: SearchOptions = ...,
        cancel: Cancel | None = None,
        terms: Sequence[SourceTerm] = ...,
    ) -> Suggestion: ...

    def restore(
        self,
        document: str,
        targets: Sequence[tuple[str, str, bool]],
        cancel: Cancel | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> MemoryVersion: ...

    def count_draft(self, document: str, segment: str, counts: bool) -> MemoryVersion: ...


class Drafter(SegmentTranslator, Protocol):
    """The part of `anaphora_nmt.api.Translator` that translates a document in order."""

    info: EngineInfo

    def open_document(self, document: str, segments: Sequence[SourceSegment]) -> MemoryVersion: ...

    def bring_in(
        self, document: str, packs: Sequence[BroughtIn], cancel: Cancel | None = None
    ) -> MemoryVersion: ...

    def close_document(self, document: str) -> None: ...


class TranslatorLike(Drafter, Protocol):
    """The part of `anaphora_nmt.api.Translator` that the worker uses."""

    def resegment_document(
        self, document: str, segments: Sequence[SourceSegment], moved: Mapping[str, str]
    ) -> frozenset[str]: ...

    def complete(
        self,
        document: str,
        segment: str,
        typed: str,
        most: int = ...,
        options: SearchOptions = ...,
        cancel: Cancel | None = None,
        terms: Sequence[SourceTerm] = ...,
    ) -> Completion: ...

    def remember(
        self, document: str, segment: str, target: str, draft: str | None = None
    ) -> MemoryVersion: ...

    def corrections(self, document: str) -> tuple[Correction, ...]: ...

    def correct(
        self, document: str, removed: Sequence[Correction] = (), added: Sequence[Correction] = ()
    ) -> tuple[Correction, ...]: ...

    def forget(self, document: str, segment: str) -> MemoryVersion: ...

    def memory(self, document: str, segment: str) -> MemoryView: ...

    def preview(
        self,
        document: str,
        segments: Sequence[str],
        question: WhatIf,
        options: SearchOptions = ...,
        cancel: Cancel | None = None,
        terms: Mapping[str, Sequence[SourceTerm]] = ...,
    ) -> tuple[Suggestion, ...]: ...

    def steer(self, document: str, rules: Sequence[MemoryRule]) -> MemoryVersion: ...

    def explain(
        self,
        document: str,
        segment: str,
        target: str,
        influence: bool = True,
        cancel: Cancel | None = None,
        options: SearchOptions = ...,
    ) -> Explanation: ...

    def source_influences(
        self, document: str, segment: str, target: str, word: int, cancel: Cancel | None = None
    ) -> tuple[float, ...]: ...

    def stretch_influences(
        self,
        document: str,
        segment: str,
        target: str,
        stretches: Sequence[tuple[int, int]],
        cancel: Cancel | None = None,
    ) -> tuple[StretchInfluence, ...]: ...

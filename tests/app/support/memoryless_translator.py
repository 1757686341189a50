"""A base for doubles of the engine that have no memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anaphora_nmt.types import BroughtIn, MemoryVersion


class MemorylessTranslator:
    """The methods of `anaphora_nmt.api.Translator` that change a document's memory, without effect."""

    def bring_in(
        self, document: str, packs: Sequence[BroughtIn], cancel: Callable[[], bool] | None = None
    ) -> MemoryVersion:
        return MemoryVersion(document, 0)

    def restore(
        self,
        document: str,
        targets: Sequence[tuple[str, str, bool]],
        cancel: Callable[[], bool] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> MemoryVersion:
        return MemoryVersion(document, 0)

    def count_draft(self, document: str, segment: str, counts: bool) -> MemoryVersion:
        return MemoryVersion(document, 0)

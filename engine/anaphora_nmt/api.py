"""The engine's door: load a model, translate with a document memory, remember, forget, explain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from anaphora_nmt.types import (
    EngineInfo,
    Explanation,
    MemoryVersion,
    MemoryView,
    SearchOptions,
    SourceSegment,
    Suggestion,
)

Cancel = Callable[[], bool]


class Translator:
    """A loaded model and the memories of the documents opened in it. Use from one thread at a time.

    Attributes:
        info: what is loaded and where it runs.
    """

    info: EngineInfo

    @classmethod
    def load(cls, folder: Path, device: str = "auto", threads: int | None = None) -> Translator:
        """Load a model folder. `device`: "auto", "cpu" or "cuda".

        Raises:
            ModelFileError: the folder is missing, incomplete or corrupt.
        """
        raise NotImplementedError

    def open_document(self, document: str, segments: Sequence[SourceSegment]) -> MemoryVersion:
        """Begin a document (or replace it): infer its topic, start with an empty memory."""
        raise NotImplementedError

    def close_document(self, document: str) -> None:
        """Drop a document's memory."""
        raise NotImplementedError

    def translate(
        self, document: str, segment: str, options: SearchOptions = SearchOptions(), cancel: Cancel | None = None
    ) -> Suggestion:
        """Draft one segment with the memory of the segments before it.

        The draft becomes the segment's contribution to the memory, unless the segment is confirmed.

        Raises:
            UnknownSegmentError: the document or segment was never opened.
            Cancelled: `cancel()` returned True between two decoding steps; nothing has changed.
        """
        raise NotImplementedError

    def remember(self, document: str, segment: str, target: str) -> MemoryVersion:
        """Enter a human's translation by forced decoding; it takes the place of the draft."""
        raise NotImplementedError

    def forget(self, document: str, segment: str) -> MemoryVersion:
        """Undo `remember`: the segment contributes what it did before (its draft, or nothing)."""
        raise NotImplementedError

    def restore(
        self,
        document: str,
        targets: Sequence[tuple[str, str, bool]],
        cancel: Cancel | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> MemoryVersion:
        """Rebuild a reopened document's memory from (segment, target, confirmed), batched."""
        raise NotImplementedError

    def memory(self, document: str, segment: str) -> MemoryView:
        """The memory as it stands before `segment`."""
        raise NotImplementedError

    def explain(
        self, document: str, segment: str, target: str, influence: bool = True, cancel: Cancel | None = None
    ) -> Explanation:
        """Why `target` reads as it does, with the memory before `segment`. Changes nothing."""
        raise NotImplementedError

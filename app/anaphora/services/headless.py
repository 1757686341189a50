"""Translate a file from end to end without a window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from anaphora.services.translator import Drafter
from anaphora_nmt.types import SearchOptions


@dataclass(frozen=True, slots=True)
class FileReport:
    """What `translate_file` did.

    Attributes:
        segments: segments in the document.
        translated: those that the engine drafted.
        copied: those without Chinese text, left as they stand.
        warnings: (segment id, plain sentence): what a reader should check.
        notes: what the reader of the format had to say.
    """

    segments: int
    translated: int
    copied: int
    warnings: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def translate_file(
    source: Path,
    destination: Path,
    translator: Drafter,
    options: SearchOptions = SearchOptions(),
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> FileReport:
    """Read a document, draft its segments in order, write the translation.

    Args:
        progress: called with (segments done, segments in all).
        cancel: asked between and within segments; nothing is written once it says True.
    Raises:
        FormatError: the source cannot be read.
        ExportError: the destination cannot be written.
        Cancelled: `cancel()` returned True.
    """
    raise NotImplementedError

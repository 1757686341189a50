"""Write a translated document, all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from anaphora.core.segment import Segment


def translations_of(segments: Iterable[Segment]) -> dict[str, str]:
    """Target texts by segment id (pass a `Document`); segments without a target are left out."""
    return {segment.id: segment.target for segment in segments if segment.target.strip()}


def export(data: bytes, format_name: str, translations: Mapping[str, str], destination: Path) -> None:
    """Render a translated document and put it in place atomically.

    Args:
        data: the original's bytes (`SourceDocument.data`, `ProjectStore.original()`).
        format_name: `SourceDocument.format`, `ProjectStore.info.format`.
        translations: target texts by segment id; segments without one keep their source.
        destination: the file to write; an existing file is replaced only when all went well.
    Raises:
        FormatError: the original cannot be read.
        ExportError: no permission, no space, or no such folder.
    """
    raise NotImplementedError


def write_atomically(data: bytes, destination: Path) -> None:
    """Write bytes so that the destination holds either its old content or all of the new.

    Raises:
        ExportError: no permission, no space, or no such folder.
    """
    raise NotImplementedError

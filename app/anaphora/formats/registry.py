"""The formats that the app knows: to add one, write its file and name it in `FORMATS`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from anaphora.core.source import SourceDocument
from anaphora.formats.base import Format

FORMATS: tuple[Format, ...] = ()


def supported_extensions() -> tuple[str, ...]:
    """Lower-case suffixes with their dots, for drag and drop and file dialogs."""
    return tuple(extension for known in FORMATS for extension in known.extensions)


def dialog_filters() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(label, suffixes) of each format, for file dialogs."""
    return tuple((known.label, known.extensions) for known in FORMATS)


def read(path: Path) -> SourceDocument:
    """Read a document.

    Raises:
        FormatError: missing, a folder, of an unknown kind, not what its name says, damaged, too large or
            not permitted to be read.
    """
    raise NotImplementedError


def read_bytes(data: bytes, name: str, path: Path | None = None) -> SourceDocument:
    """Read a document whose bytes are at hand; the format follows from the name's suffix.

    Raises:
        FormatError: see `read`.
    """
    raise NotImplementedError


def render(data: bytes, format_name: str, translations: Mapping[str, str]) -> bytes:
    """The original's bytes with target texts spliced in; ids without a (non-empty) text keep the source.

    Raises:
        FormatError: the format is unknown, the bytes are damaged, or an id is not in the original.
    """
    raise NotImplementedError


def write(original: Path | SourceDocument, translations: Mapping[str, str], target: Path) -> None:
    """Splice translations into an original document and save the result (see `export.export`).

    Raises:
        FormatError: the original cannot be read.
        ExportError: the target cannot be written.
    """
    raise NotImplementedError

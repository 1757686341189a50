"""What every format shares: the document as read, and the errors of reading."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from anaphora.core.errors import DocumentError
from anaphora.core.segment import Segment


class FormatError(DocumentError):
    """A file is not what its name says, is damaged, or cannot be read as text."""


class UnknownFormatError(FormatError):
    """No reader is known for this kind of file."""


class UnknownSegmentsError(FormatError):
    """Translations name segments that the original does not have."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as read from its file: enough to translate it and to write it back.

    Attributes:
        name: the file's name, for the title bar.
        path: where it was read from; None for bytes without a file.
        format: name of the format ("txt", "markdown", "docx").
        encoding: of text formats ("utf-8", "utf-8-sig", "utf-16-le", "gb18030", …); empty for packages.
        data: the original file's bytes.
        segments: what is to be translated, in document order.
        notes: what a reader should know ("2 passages stay as they are"), plain sentences.
    """

    name: str
    path: Path | None
    format: str
    encoding: str
    data: bytes
    segments: tuple[Segment, ...]
    notes: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Checksum of the original's bytes."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a format finds in a file: see the same attributes of `SourceDocument`."""

    segments: tuple[Segment, ...]
    encoding: str = ""
    notes: tuple[str, ...] = ()


class Format(Protocol):
    """A reader and writer; both start from the original file's bytes.

    Attributes:
        name: short name, stored in project files.
        label: for the file dialog.
        extensions: lower-case suffixes with their dots.
    """

    name: str
    label: str
    extensions: tuple[str, ...]

    def parse(self, data: bytes) -> Parsed:
        """Find the segments.

        Raises:
            FormatError: the bytes are not of this format, or damaged.
        """
        ...

    def render(self, data: bytes, translations: Mapping[str, str]) -> bytes:
        """Splice target texts (by segment id) into the original; the rest stays as it is.

        Raises:
            FormatError: as for `parse`; UnknownSegmentsError for ids that the original lacks.
        """
        ...

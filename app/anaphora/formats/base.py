"""What every format shares: the protocol and the errors of reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
class Parsed:
    """What a format finds in a file: see the same attributes of `SourceDocument`."""

    segments: tuple[Segment, ...]
    encoding: str = ""
    tags: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
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

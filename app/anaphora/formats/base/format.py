"""What every format shares: the protocol and the errors of reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from anaphora.core.counting import WordCount
from anaphora.core.errors import DocumentError
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, SegmentState
from anaphora.formats.segmentation.segmenter import Segmenter


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
    notes: tuple[str, ...] = ()
    counted: WordCount | None = None


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

    def parse(self, data: bytes, segmenter: Segmenter) -> Parsed:
        """Find the segments.

        A bilingual format gives its segments the states that the file holds (target, status, locked).

        Raises:
            FormatError: the bytes are not of this format, or damaged.
        """
        ...

    def render(self, data: bytes, translations: Mapping[str, str], segmenter: Segmenter) -> bytes:
        """Splice target texts (by segment id) into the original; the rest stays as it is.

        The segmenter has to split as the one that `parse` was given.

        Raises:
            FormatError: as for `parse`; UnknownSegmentsError for ids that the original lacks.
        """
        ...


@runtime_checkable
class BilingualFormat(Format, Protocol):
    """A format whose files hold targets and how far they are: exports write both."""

    def render_states(
        self,
        data: bytes,
        states: Mapping[str, SegmentState],
        segmenter: Segmenter,
        pair: LanguagePair = CHINESE_TO_ENGLISH,
    ) -> bytes:
        """Splice targets and statuses (by segment id) into the original.

        A segment that is not named, or is named in the state that the file holds, keeps its bytes; an
        empty target empties the file's.

        Args:
            pair: the project's languages: what a file is to say of its targets' language, where it says none.
        Raises:
            FormatError: as for `render`.
        """
        ...

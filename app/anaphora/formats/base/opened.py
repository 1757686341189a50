"""The interface of formats: open a file once, for its texts and for its translations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from anaphora.core.errors import Message
from anaphora.core.reading_choices import ReadingChoices
from anaphora.formats.base.format import HowRead
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was parsed.

    Attributes:
        blocks: makes its texts, in reading order. Their addresses follow from the file alone, and no two are
            the same. A bilingual format's units have the states that the file holds (target, status, locked).
        fill: its bytes with translations in their places; the rest stays as it is. To be called once, last.
        notes, encoding: as in `SourceDocument`.
        choices: those that were made for a file about which nothing was chosen; None for none.
    """

    blocks: Callable[[], tuple[Block, ...]]
    fill: Callable[[Fillings], bytes]
    notes: Callable[[], tuple[Message, ...]] = tuple
    encoding: str = ""
    choices: ReadingChoices | None = None


class Format(Protocol):
    """A reader and writer.

    Attributes:
        name: short name, stored in project files.
        label: for the file dialog.
        extensions: lower-case suffixes with their dots.
    """

    name: str
    label: str
    extensions: tuple[str, ...]

    def open(self, data: bytes, reading: HowRead) -> Opened:
        """Parse a file; FormatError where its bytes are not of this format, or damaged."""
        ...


@runtime_checkable
class NamesLanguage(Protocol):
    """A format whose files name their language."""

    def name_language(self, data: bytes, reading: HowRead, target: TargetLanguage) -> bytes:
        """Have a translated file name the target's language, and fonts that have its letters."""
        ...

"""What every format is: a reader that finds texts, and a writer that puts translations in their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from anaphora.core.errors import Message
from anaphora.core.reading_choices import ReadingChoices
from anaphora.formats.base.format import HowRead
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a format finds in a file: its texts, and the same attributes as `SourceDocument` has.

    Attributes:
        choices: those that it has made for a file about which nothing was chosen; None for none.
    """

    blocks: tuple[Block, ...]
    encoding: str = ""
    notes: tuple[Message, ...] = ()
    choices: ReadingChoices | None = None


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

    def blocks(self, data: bytes, reading: HowRead) -> Parsed:
        """Find the texts, in reading order.

        Their addresses follow from the file alone, and no two are the same. A bilingual format gives its
        units the states that the file holds (target, status, locked).

        Raises:
            FormatError: the bytes are not of this format, or damaged.
        """
        ...


class TextFormat(Format, Protocol):
    """A format whose files hold one language."""

    def fill(self, data: bytes, fillings: Fillings, reading: HowRead) -> bytes:
        """Splice translations into the original; the rest stays as it is."""
        ...


@runtime_checkable
class NamesLanguage(Protocol):
    """A format whose files say which language they are in."""

    def name_language(self, data: bytes, reading: HowRead, target: TargetLanguage) -> bytes:
        """Have a translated file name the target's language, and fonts that have its letters."""
        ...

"""The interface of formats: a file is parsed once, both to read its texts and to fill in translations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from anaphora.core.errors import Message
from anaphora.core.reading_choices import ReadingChoices
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage

FORMULAS = Message("Formulas are not translated: {count}.")


def with_counts(counts: Iterable[tuple[Message, int]]) -> tuple[Message, ...]:
    """The notes with their counts in the field `count`; notes with the count 0 are left out."""
    return tuple(Message(note.template, count=count) for note, count in counts if count)


@dataclass(frozen=True, slots=True)
class Opened:
    """A parsed file.

    Attributes:
        blocks: returns the file's texts in reading order, with unique addresses that depend only on the file.
            A bilingual format's units have the states stored in the file (target, status, locked).
        fill: returns the file's bytes with the translations filled in. It may change the parsed file, so it
            is called at most once, after `blocks` and `notes`.
        notes, encoding: as in `core.document.SourceDocument`.
        choices: the user's choices, completed by the format; None if the format offers no choice.
    """

    blocks: Callable[[], tuple[Block, ...]]
    fill: Callable[[Fillings], bytes]
    notes: Callable[[], tuple[Message, ...]] = tuple
    encoding: str = ""
    choices: ReadingChoices | None = None


class Format(Protocol):
    """A format, which reads and writes its files.

    Attributes:
        name: short name, stored in project files.
        label: name in the file dialog.
        extensions: lower-case suffixes with their dots.
    """

    name: str
    label: str
    extensions: tuple[str, ...]

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        """Parse a file; raise FormatError if it is damaged or not in this format."""
        ...


@runtime_checkable
class NamesLanguage(Protocol):
    """A format whose files name their language."""

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        """Set a translated file's language to the target language; office formats also replace fonts."""
        ...

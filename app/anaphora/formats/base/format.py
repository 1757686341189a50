"""Options for reading a file, and the errors of reading."""

from __future__ import annotations

from dataclasses import dataclass, field

from anaphora.core.errors import DocumentError
from anaphora.core.long_work import Step, no_step
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices


class FormatError(DocumentError):
    """The file's content does not match its extension, is damaged, or cannot be read as text."""


class UnknownFormatError(FormatError):
    """No format is known for this type of file."""


class UnknownSegmentsError(FormatError):
    """Translations name segments that the original does not have."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading a file; the same ones are needed to write it.

    Attributes:
        language: code of its language; "" if unknown: it counts as Chinese.
        encoding: in which a text file was read before; "" for a file that is read for the first time.
        choices: the user's choices.
        step: receives the progress of long work; an exception that it raises stops the work.
    """

    language: str = ""
    encoding: str = ""
    choices: ReadingChoices = AS_SUGGESTED
    step: Step = field(default=no_step, compare=False)

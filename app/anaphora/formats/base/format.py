"""How a file is read, and the errors of reading."""

from __future__ import annotations

from dataclasses import dataclass, field

from anaphora.core.errors import DocumentError
from anaphora.core.long_work import Step, no_step
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices


class FormatError(DocumentError):
    """A file has another type than its name, is damaged, or cannot be read as text."""


class UnknownFormatError(FormatError):
    """No reader is known for this kind of file."""


class UnknownSegmentsError(FormatError):
    """Translations name segments that the original does not have."""


@dataclass(frozen=True, slots=True)
class HowRead:
    """How a file is read, kept with its document: it is written in the same way.

    Attributes:
        language: code of its language; "" for unknown: it counts as Chinese.
        encoding: what a text file was read in before; "" for one that is read for the first time.
        choices: what was chosen about how it is read.
        step: gets the progress, where that takes long; what it raises ends it. It is not kept.
    """

    language: str = ""
    encoding: str = ""
    choices: ReadingChoices = AS_SUGGESTED
    step: Step = field(default=no_step, compare=False)

"""Options for reading a file, the errors of formats, and the limits of the size of documents."""

from __future__ import annotations

from dataclasses import dataclass, field

from anaphora.core.errors import DocumentError, Message
from anaphora.core.long_work import Step, check_cancelled, no_step
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices


class FormatError(DocumentError):
    """A file cannot be read, for example because it is damaged, too large or in an unexpected format."""


class UnknownFormatError(FormatError):
    """No format has the file's extension or the format name that is stored in a project."""


class UnknownSegmentsError(FormatError):
    """Translations refer to segments that the original does not have."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading a file; a translation must be written with the same options.

    Attributes:
        language: code of the file's language; "" if unknown, which counts as Chinese.
        encoding: encoding in which a text file was read before; "" if it is read for the first time.
        choices: the user's choices for the format, such as the columns of a table.
        step: receives the progress of long work; an exception that it raises stops the work.
    """

    language: str = ""
    encoding: str = ""
    choices: ReadingChoices = AS_SUGGESTED
    step: Step = field(default=no_step, compare=False)


MAX_MARKUP = 500_000
"""Maximum number of tags, texts and entities in one HTML page or XML file."""
MAX_RUNS = 300_000
"""Maximum number of runs, tags and other pieces in an office document; reading one takes about 0.03 ms."""
MAX_TAGS = 20_000
"""Maximum number of pieces of markup in one paragraph, and of lines in one subtitle or catalogue message."""
MAX_ATTRIBUTES = 1_000
"""Maximum number of attributes of one tag."""
MAX_TABLE_CELLS = 2_000_000
"""Maximum number of cells of a table in a text file; each takes about 150 bytes of memory."""
MAX_SENTENCES = 100_000
"""Maximum number of sentences in one document; a text without sentences counts as one sentence."""
MAX_PARAGRAPHS = 60_000
"""Maximum number of paragraphs with text in a Word document; reading one takes 0.1 to 0.2 ms."""
_SPLIT = Message("Split it into smaller documents.")
_REPAIR = Message("The file is damaged. Repair it in the program that made it and save it again.")
_HARM = Message("It may be harmful. If you trust the sender, save it again in the program that made it.")


_MARKUP = Message("The file has more than {limit} tags and texts.")
_TAGS = Message("A paragraph in the file has more than {limit} tags.")
_LINES = Message("A subtitle in the file has more than {limit} lines.")
_STRINGS = Message("A message in the file has more than {limit} lines.")
_SENTENCES = Message("The file has more than {limit} sentences.")
_ATTRIBUTES = Message("A tag in the file has more than {limit} attributes.")


def check_markup(count: int, maximum: int | None = None) -> None:
    """Raise FormatError for more than `maximum` (default `MAX_MARKUP`) tags, texts and entities."""
    _check(count, MAX_MARKUP if maximum is None else maximum, _MARKUP, _SPLIT)


def check_tags(count: int) -> None:
    _check(count, MAX_TAGS, _TAGS, _SPLIT)


def check_lines(count: int) -> None:
    _check(count, MAX_TAGS, _LINES, _REPAIR)


def check_strings(count: int) -> None:
    _check(count, MAX_TAGS, _STRINGS, _REPAIR)


def check_sentences(count: int, maximum: int | None = None) -> None:
    """Raise FormatError for more than `maximum` (default `MAX_SENTENCES`) sentences."""
    _check(count, MAX_SENTENCES if maximum is None else maximum, _SENTENCES, _SPLIT)


def check_attributes(count: int) -> None:
    _check(count, MAX_ATTRIBUTES, _ATTRIBUTES, _HARM)


def _check(count: int, limit: int, problem: Message, advice: Message) -> None:
    check_cancelled()
    if count > limit:
        raise FormatError(Message(problem.template, limit=limit), advice)

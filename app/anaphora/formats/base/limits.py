"""What no document is: refused before it costs time or memory.

Reading grows with the size of a file; these bounds keep what a hostile one can ask for below 10 s and 1 GB.
Each check is also where reading that was given up ends.
"""

from __future__ import annotations

from anaphora.core.errors import Message
from anaphora.core.long_work import go_on
from anaphora.formats.base.format import FormatError

MAX_MARKUP = 500_000
"""Tags, texts and entities in one page of markup."""
MAX_RUNS = 300_000
"""Runs, tags and other pieces of the texts of an office document; one takes some 0.03 ms."""
MAX_TAGS = 20_000
"""Pieces of markup in one paragraph or segment, or lines of one subtitle or message."""
MAX_ATTRIBUTES = 1_000
"""Attributes of one tag."""
MAX_TABLE_CELLS = 2_000_000
"""Cells of a table in a text file; one takes some 150 bytes."""
MAX_SENTENCES = 100_000
"""Sentences, and texts without any, in one document."""
MAX_PARAGRAPHS = 60_000
"""Paragraphs with text in a Word document: one takes 0.1 to 0.2 ms, more than a sentence elsewhere."""
_SPLIT = "Split it into smaller documents."


def check_markup(found: int, most: int | None = None) -> None:
    """Refuse a page, or an office document with `MAX_RUNS`, with too many tags, texts and entities.

    Args:
        most: `MAX_MARKUP` by default.
    """
    go_on()
    limit = MAX_MARKUP if most is None else most
    if found > limit:
        raise FormatError(
            Message("The file has more than {limit} tags and texts.", limit=limit), Message(_SPLIT)
        )


def check_tags(found: int) -> None:
    """Refuse a paragraph with too many pieces of markup."""
    go_on()
    if found > MAX_TAGS:
        raise FormatError(
            Message("A paragraph of the file has more than {limit} tags.", limit=MAX_TAGS), Message(_SPLIT)
        )


def check_lines(found: int) -> None:
    """Refuse a subtitle with too many lines."""
    go_on()
    if found > MAX_TAGS:
        raise FormatError(
            Message("A subtitle of the file has more than {limit} lines.", limit=MAX_TAGS),
            "It is damaged: let its own program repair it and save it again.",
        )


def check_strings(found: int) -> None:
    """Refuse a message of a catalogue with too many lines."""
    go_on()
    if found > MAX_TAGS:
        raise FormatError(
            Message("A message of the file has more than {limit} lines.", limit=MAX_TAGS),
            "It is damaged: let its own program repair it and save it again.",
        )


def check_sentences(found: int, most: int | None = None) -> None:
    """Refuse a document with too many sentences (and texts without any).

    Args:
        most: `MAX_SENTENCES` by default.
    """
    go_on()
    limit = MAX_SENTENCES if most is None else most
    if found > limit:
        raise FormatError(Message("The file has more than {limit} sentences.", limit=limit), Message(_SPLIT))


def check_attributes(found: int) -> None:
    """Refuse a tag with too many attributes."""
    go_on()
    if found > MAX_ATTRIBUTES:
        raise FormatError(
            Message("A tag of the file has more than {limit} attributes.", limit=MAX_ATTRIBUTES),
            "It may have been made to do harm: open it only if you trust its sender, and save it again.",
        )

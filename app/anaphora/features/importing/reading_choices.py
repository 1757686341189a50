"""The user's choices for reading documents: the possible choices, and the documents to which they apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import ReadingChoices
from anaphora.core.segment import Segment
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.bilingual import csv_table
from anaphora.formats.bilingual.csv_table import TablePreview, preview_table
from anaphora.project.store.project import ProjectStore


@dataclass(frozen=True, slots=True)
class OfferedChoices:
    """The possible choices for a document. `table` has the first rows of a table; None for other formats."""

    document: DocumentInfo
    table: TablePreview | None


def offered_choices(document: DocumentInfo, store: ProjectStore) -> OfferedChoices:
    """The possible choices for a document. Reads the project file: too slow for the window's thread."""
    table = None
    if document.format == csv_table.FORMAT.name:
        reading = ReadOptions(document.language, document.encoding, document.choices)
        table = preview_table(store.original(document.id), reading)
    return OfferedChoices(document, table)


def choices_like(
    choices: ReadingChoices, document: DocumentInfo, documents: Sequence[DocumentInfo], everywhere: bool
) -> dict[str, ReadingChoices]:
    """Choices by document id, for `document` and others that get its placeholders; {} if nothing changes."""
    wanted = {document.id: choices}
    for each in documents:
        if each.id != document.id and (everywhere or each.format == document.format):
            wanted[each.id] = replace(each.choices, placeholders=choices.placeholders)
    return wanted if any(wanted.get(each.id, each.choices) != each.choices for each in documents) else {}


def is_new_table(documents: Sequence[DocumentInfo], segments: Sequence[Segment]) -> bool:
    """True if the only document is a table, and its targets are still those of the file."""
    is_table = len(documents) == 1 and documents[0].format == csv_table.FORMAT.name
    return is_table and all(each.target == each.file_target for each in segments)

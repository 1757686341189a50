"""Import of terms from files, and export of term bases; both are too slow for the window's thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, no_step, substep
from anaphora.core.reading_choices import Columns
from anaphora.core.term_entries import TermEntry, by_source, is_valid, tidy
from anaphora.formats.base.format import FormatError
from anaphora.formats.terminology.table import UncertainColumnsError, read_table, write_table
from anaphora.formats.terminology.tbx import read_tbx, write_tbx
from anaphora.project.store.terms.table import TermBase
from anaphora.system.files import read_error_texts, refuse_open_file, replacing, write_error

TBX = ".tbx"
TABLES = (".csv", ".tsv", ".txt")
_READING_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class TermImport:
    """Counts of an import.

    Attributes:
        found: concepts or rows in the file.
        left_out: concepts or rows without a term in one of the two languages.
        enriched, present: existing terms that the file extended, and those that it did not change.
        forbidden: forbidden translations in the valid entries of the file.
        too_long: entries that are sentences, not terms.
    """

    file: str
    found: int
    left_out: int
    added: int
    enriched: int
    present: int
    forbidden: int = 0
    too_long: int = 0


def import_terms(
    path: Path,
    base: TermBase,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    step: Step = no_step,
    columns: Columns | None = None,
) -> TermImport:
    """Add the valid entries of a file to a term base, all or none.

    Args:
        step: gets the progress; it may raise an exception, and then the term base does not change.
        columns: see `read_table`.
    Raises:
        UncertainColumnsError: the user must choose the columns of the table.
        FormatError, TermBaseError: the file is unreadable or without terms, or the base cannot be written.
        ProjectInUseError: the file is an open project.
    """
    refuse_open_file(path)
    try:
        is_tbx = path.suffix.lower() == TBX
        reading = substep(step, 0, _READING_SHARE)
        read = list(read_tbx(path, pair, reading) if is_tbx else read_table(path, pair, reading, columns))
    except OSError as error:
        raise FormatError(*read_error_texts(path, error)) from error
    except UncertainColumnsError:
        raise
    except FormatError as error:
        raise type(error)(
            Message("“{name}” could not be opened. {reason}", name=path.name, reason=error.message),
            error.advice,
        ) from error
    complete = [tidy(entry) for entry in read if entry is not None]
    valid = [entry for entry in complete if is_valid(entry)]
    if not valid:
        raise FormatError(
            Message("“{name}” contains no term that has both languages.", name=path.name),
            "Check that this is the right file.",
        )
    terms = by_source(valid).values()
    added, enriched = base.add(terms, substep(step, _READING_SHARE, 1))
    present = len(terms) - added - enriched
    forbidden = sum(len(entry.forbidden) for entry in valid)
    left_out, too_long = len(read) - len(complete), len(complete) - len(valid)
    return TermImport(path.name, len(read), left_out, added, enriched, present, forbidden, too_long)


def export_terms(path: Path, bases: Sequence[TermBase], pair: LanguagePair = CHINESE_TO_ENGLISH) -> int:
    """Write the merged entries of term bases as TBX or CSV, as the suffix requires; return their number.

    Raises:
        ExportError, ProjectInUseError, TermBaseError: the file cannot be written, or a base cannot be read.
    """
    merged: Iterable[TermEntry] = by_source(entry for base in bases for entry in base.entries()).values()
    is_tbx = path.suffix.lower() == TBX
    # Spreadsheets need the byte order mark to recognise UTF-8 in a CSV file.
    encoding = "utf-8" if is_tbx else "utf-8-sig"
    try:
        with replacing(path) as unfinished, unfinished.open("w", encoding=encoding, newline="\n") as file:
            return write_tbx(file, merged, pair) if is_tbx else write_table(file, merged)
    except OSError as error:
        raise write_error(path, error) from error

"""Arguments, messages and exit statuses that the commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anaphora.core.reading_choices import Columns

CANCELLED = 130
"""Exit status after Ctrl+C, as in shells."""


def note_conversions(names: Iterable[str]) -> None:
    """Print notes to standard error about files that LibreOffice will convert, each note once."""
    from anaphora.formats.registry import needs_conversion
    from anaphora.project.importing.collecting import conversion_notes

    converted = filter(needs_conversion, names)
    for note in dict.fromkeys(note for name in converted for note in conversion_notes(name)):
        print(f"note: {note}", file=sys.stderr, flush=True)


def report_cancelled(advice: str = "") -> int:
    print(f"\nCancelled. {advice}".rstrip(), file=sys.stderr)
    return CANCELLED


def write_out(text: str, output: Path | None = None) -> bool:
    """Write the output of a command in UTF-8, whatever the encoding of the console is.

    Args:
        output: the file; if None, the text goes to standard output.
    Returns:
        False if the file could not be written; the reason is then printed. True otherwise, even if the
        program that reads standard output has ended.
    """
    data = text.encode("utf-8", "backslashreplace")  # names of files may not be valid text
    if output is None:
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
        except BrokenPipeError:
            sys.stdout = None  # type: ignore[assignment]  # the reader closed the pipe
        return True
    from anaphora.core.errors import AnaphoraError
    from anaphora.system.files import write_atomically
    from anaphora.system.messages import describe_error

    try:
        write_atomically(data, output)
    except AnaphoraError as problem:
        print(f"anaphora: {describe_error(problem)}", file=sys.stderr)
        return False
    return True


def at_least_one(text: str) -> int:
    if not text.isdecimal() or not (number := int(text)):
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, not “{text}”")
    return number


def columns(text: str) -> Columns:
    """Parse columns of a table: "2:3" (translate column 2 into 3) or "2,4" (replace columns 2 and 4)."""
    from anaphora.core.reading_choices import MAX_COLUMNS, Columns

    pairs = [part.partition(":") for part in text.split(",")]
    numbers = [
        number.strip() for source, mark, target in pairs for number in (source, target if mark else source)
    ]
    if not all(number.isdecimal() and 0 < int(number) <= MAX_COLUMNS for number in numbers):
        raise argparse.ArgumentTypeError(f"expected numbers such as 2:3 or 2,4, not “{text}”")
    sources = tuple(int(number) - 1 for number in numbers[::2])
    targets = tuple(int(number) - 1 for number in numbers[1::2])
    if len({*sources}) < len(sources) or len({*targets}) < len(targets):
        raise argparse.ArgumentTypeError(f"“{text}” contains a column twice")
    sides = zip(sources, targets, strict=True)
    return Columns(sources, tuple(-1 if target == source else target for source, target in sides), True)


def check_output_folder(parser: argparse.ArgumentParser, path: Path | None, new: Path | None = None) -> None:
    """Exit with a message unless the folder of `path` exists or is `new`, which the run will create."""
    if path is None:
        return
    folder = path.absolute().parent
    if not folder.is_dir() and (new is None or folder != new.absolute()):
        parser.error(f"there is no folder {folder} for {path.name}")


def placeholder(text: str) -> str:
    """Check a regular expression for text that must stay untranslated; returns it unchanged."""
    from anaphora.formats.base.own_placeholders import OwnPlaceholders, PatternError

    try:
        OwnPlaceholders((text,))
    except PatternError as error:
        raise argparse.ArgumentTypeError(f"{error.message} {error.advice}") from error
    return text

"""Reading a document for a project."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale

from anaphora.core.long_work import Step, no_step
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.shortening import MOST_SOURCE, MOST_TAGS, MOST_UNIT, is_editable
from anaphora.core.source import SourceDocument
from anaphora.formats.registry import FindExisting, read, suffixes_written
from anaphora.project.importing.sentence_rules import user_segmenter
from anaphora.system.messages import localise_message


def read_document(
    path: Path, name: str = "", language: str = "", earlier: Rereading | None = None, step: Step = no_step
) -> SourceDocument:
    """Read a document from its file.

    Args:
        name: its name in the project; by default the file's.
        language: code of its language; "" for unknown.
        earlier: data of an earlier version of the file.
    Raises:
        FormatError: the document cannot be read.
        SegmentationError: the user's rules are invalid.
    """
    try:
        # Read before the bytes, so that a file that is being written counts as changed afterwards.
        modified = path.stat().st_mtime_ns
    except (OSError, ValueError):
        modified = 0
    segmenter = user_segmenter(language)
    earlier = earlier or Rereading()
    source = read(path, segmenter, earlier.encoding, earlier.find_existing, earlier.choices, step)
    segments = tuple(filter(is_editable, source.segments))
    notes = (
        *conversion_notes(path.name),
        *map(localise_message, source.notes),
        *_length_notes(segmenter.cuts, len(source.segments) - len(segments)),
    )
    return replace(source, name=name or source.name, modified=modified, segments=segments, notes=notes)


@dataclass(frozen=True, slots=True)
class Rereading:
    """Data of a document that is read again, see `formats.registry.read`."""

    encoding: str = ""
    find_existing: FindExisting | None = None
    choices: ReadingChoices = AS_SUGGESTED


def conversion_notes(name: str) -> tuple[str, ...]:
    """Notes about the conversion of a file by another program; empty for other files."""
    own, *inner = suffixes_written(name)
    if not inner:
        return ()
    text = QCoreApplication.translate(
        "Import",
        "LibreOffice converts {0} to {1} for reading, and converts the translation back to {0}. "
        "Content that LibreOffice does not support is lost. To skip the conversion back, "
        "export under a name that ends in {1}.",
    )
    return (text.format(own, inner[0]),)


def _length_notes(cuts: int, left_out: int) -> tuple[str, ...]:
    """Notes about long texts that were split or skipped."""
    locale, translate, notes = QLocale(), QCoreApplication.translate, []
    if cuts:
        text = translate("Import", "Texts without a sentence end, split after {1} characters: {0}.")
        notes.append(text.format(locale.toString(cuts), locale.toString(MOST_SOURCE)))
    if left_out:
        text = translate(
            "Import",
            "Texts skipped because they have more than {1} characters or {2} tags and cannot be split: {0}.",
        )
        bounds = (locale.toString(MOST_UNIT), locale.toString(MOST_TAGS))
        notes.append(text.format(locale.toString(left_out), *bounds))
    return tuple(notes)

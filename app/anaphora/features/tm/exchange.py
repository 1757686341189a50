"""Importing translation memories from files and exporting them; both are too slow for the window's thread."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.document import Document
from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import CancelledError, Step, no_step, substep
from anaphora.core.matching import Unit
from anaphora.core.segment import Segment, Status
from anaphora.core.structure import MAX_TARGET_LENGTH, MAX_UNIT_LENGTH
from anaphora.formats.base.format import FormatError
from anaphora.formats.bilingual.tmx_units import read_tmx, survey_tmx, write_tmx
from anaphora.formats.registry import bilingual_extensions, read
from anaphora.project.importing.sentence_rules import user_segmenter
from anaphora.project.store.summary import read_work
from anaphora.project.store.units.confirmed import Maker, unit_of
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.files import read_error_texts, refuse_open_file, replacing, write_error
from anaphora.system.garbage import gc_paused
from anaphora.system.locations import PROJECT_SUFFIX

BATCH_SIZE = 2000
"""Maximum number of units per transaction, because a look-up may have to wait until a transaction ends."""
_SURVEY_SHARE = 0.2
"""Share of the progress that covers reading a document, or counting the units of a TMX file."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Counts of an import.

    Attributes:
        units: number of units in the file, the sum of the other numbers.
        added, present: number of new units; number of units already in the memory or earlier in the file.
        left_out: number of drafts, segments without text, unconfirmed segments of projects, segments of
            projects in other languages, and units that are too long or lack a language.
    """

    file: str
    units: int
    added: int
    present: int
    left_out: int


def import_units(
    path: Path, memory: TranslationMemory, pair: LanguagePair = CHINESE_TO_ENGLISH, step: Step = no_step
) -> ImportReport:
    """Add the units of a TMX file, bilingual document or project to a memory; on an error, add nothing.

    `step` gets the progress; an exception that it raises cancels the import.

    Raises:
        FormatError, ProjectError: the file cannot be read.
        TranslationMemoryError: the memory cannot be written.
    """
    units = added = left_out = 0
    try:
        total, candidates = _units_in(path, step, pair)
        step(_SURVEY_SHARE)
        with gc_paused(), memory.importing() as add:
            for batch in _batches(map(_usable, candidates)):
                added += add([unit for unit in batch if unit is not None])
                units += len(batch)
                left_out += batch.count(None)
                step(_SURVEY_SHARE + (1 - _SURVEY_SHARE) * min(units / max(total, 1), 1))
    except OSError as error:
        raise FormatError(*read_error_texts(path, error)) from error
    return ImportReport(path.name, units, added, units - added - left_out, left_out)


def export_units(
    path: Path,
    memory: TranslationMemory,
    version: str,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    step: Step = no_step,
) -> int:
    """Write all distinct units of a memory as TMX; return their number. `version` is the program's version.

    Raises:
        ExportError, TranslationMemoryError: the file cannot be written, or the memory cannot be read.
    """
    total = max(len(memory), 1)

    def distinct_units() -> Iterator[Unit]:
        seen: set[tuple[object, ...]] = set()
        for number, unit in enumerate(memory.units()):
            if number % 500 == 0:
                step(min(number / total, 1.0))
            identity = (unit.source, unit.target, unit.previous, unit.following, unit.languages)
            if identity not in seen:
                seen.add(identity)
                yield unit

    try:
        with replacing(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="\n") as file:
            return write_tmx(file, distinct_units(), version, pair)
    except OSError as error:
        raise write_error(path, error) from error


def importable_extensions() -> tuple[str, ...]:
    return (*bilingual_extensions(), PROJECT_SUFFIX)


def _units_in(path: Path, step: Step, pair: LanguagePair) -> tuple[int, Iterable[Unit | None]]:
    """The number of units in a file, and an iterable of the units, in which a left-out unit is None."""
    if path.suffix.lower() == ".tmx":
        refuse_open_file(path)
        survey = survey_tmx(path, substep(step, 0, _SURVEY_SHARE), pair)
        return survey.units, read_tmx(path, survey)
    if path.suffix.lower() == PROJECT_SUFFIX:

        def is_cancelled() -> bool:
            try:
                step(0.0)
            except CancelledError:
                return True
            return False

        try:
            work = read_work(path, is_cancelled)
        except AnaphoraError:
            step(0.0)  # raises if the import was cancelled, which also makes `read_work` fail
            raise
        languages, segments = work.languages, work.segments
        if languages is not None and not languages.has_codes(pair.source, pair.target):
            return len(segments), itertools.repeat(None, len(segments))
        origins = {info.id: info.name for info in work.documents}
        return len(segments), _segment_units(segments, origins, languages or pair, True)
    if path.suffix.lower() not in importable_extensions():
        raise FormatError(
            Message("“{name}” contains no translations.", name=path.name),
            "Choose a translation memory (TMX), a PO or XLIFF file, or an Anaphora project.",
        )
    source = read(path, user_segmenter(pair.source), step=substep(step, 0.0, _SURVEY_SHARE))
    return len(source.segments), _segment_units(source.segments, {"": source.name}, pair, False)


def _segment_units(
    segments: Sequence[Segment], origins: dict[str, str], pair: LanguagePair, only_confirmed: bool
) -> Iterator[Unit | None]:
    """The unit of each segment; None if the segment is unfinished or has no text."""
    document = Document("", segments)
    maker = Maker("", int(time.time()), origins, pair)
    wanted = (Status.CONFIRMED,) if only_confirmed else (Status.EDITED, Status.CONFIRMED, Status.LOCKED)
    for row, segment in enumerate(segments):
        is_wanted = segment.status in wanted and segment.target.strip() and segment.source.strip()
        yield unit_of(document, row, maker, "") if is_wanted else None


def _usable(unit: Unit | None) -> Unit | None:
    if unit is None or len(unit.source) > MAX_UNIT_LENGTH or len(unit.target) > MAX_TARGET_LENGTH:
        return None
    about = (unit.previous or "", unit.following or "", unit.origin, unit.author)
    return unit if max(map(len, about)) <= MAX_UNIT_LENGTH else None


def _batches(units: Iterable[Unit | None]) -> Iterator[list[Unit | None]]:
    iterator = iter(units)
    while batch := list(itertools.islice(iterator, BATCH_SIZE)):
        yield batch

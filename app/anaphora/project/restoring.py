"""Restoring a damaged project from its newest sound backup and the readable changes in the damaged file.

A copy of the damaged file stays beside the project. After each step, the project file is either still damaged
or completely restored, so restoring can start again after a crash.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from anaphora.core.document import Document
from anaphora.core.edits import Edit
from anaphora.core.matching import Unit
from anaphora.core.project import Backup
from anaphora.core.segment import SegmentState, Status
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage, is_valid
from anaphora.project.store import queries, records
from anaphora.project.store.backups import changes_in, is_sound, list_backups, new_backup_path
from anaphora.project.store.checked_tables import ENTRIES, SETTINGS, TARGETS, UNITS, seconds_for, time_limit
from anaphora.project.store.files import connect, disk_error, has_log, log_of, remove_log
from anaphora.project.store.project import CHANGES_SETTING, ProjectStore
from anaphora.project.store.rescue import readable_records, readable_segments, sound_rows
from anaphora.project.store.terms.table import TermBase
from anaphora.project.store.units.table import TranslationMemory, unit_of_row
from anaphora.system.files import refuse_open_file, replacing
from anaphora.system.locations import with_ending

log = logging.getLogger(__name__)

_PAGE_SIZE = 4096
"""Size of a project file's pages in bytes: sqlite's default."""
_WITHOUT_LOG = "without-log"
"""Label of a backup of the project's file alone, without the write-ahead log (`store.files.log_of`)."""


@dataclass(frozen=True, slots=True)
class Restoration:
    """The outcome of restoring a damaged project.

    Attributes:
        made: the time of the backup that was restored.
        until: the time of the damaged file's last change.
        kept: the path of the copy of the damaged file.
        lost: True if changes since the backup may be lost.
        recovered: number of segments that were updated from the damaged file.
    """

    project: Path
    made: datetime
    until: datetime
    kept: Path
    lost: bool
    recovered: int


def restore(project: Path) -> Restoration | None:
    """Put the newest sound backup in place of a damaged project, and add the damaged file's readable changes.

    The caller must hold the project's lock.

    Returns:
        the outcome; None if there is no sound backup. Then the project is unchanged.
    Raises:
        ProjectError: the project is open under another name, the disk is full, or the folder cannot be
            written; the project is unchanged.
    """
    refuse_open_file(project)
    try:
        logs = [log_of(project)] if has_log(project) else []
        until = datetime.fromtimestamp(
            max(path.stat().st_mtime for path in (project, *logs) if path.exists())
        )
        backup = _newest_sound_backup(project)
        if backup is None:
            return None
        changes = changes_in(project, CHANGES_SETTING)
        is_complete = changes >= 0 and changes == changes_in(backup.path, CHANGES_SETTING)
        kept = _copy_damaged(project)
        with replacing(project) as unfinished:
            shutil.copyfile(backup.path, unfinished)
            # If the file is sound without its log, the log belongs to another file, so no change is missing.
            recovered = 0 if backup.label == _WITHOUT_LOG else _recover(unfinished, kept, backup.path)
            # The log of the damaged file must not be applied to the restored one.
            remove_log(project)
    except OSError as error:
        raise disk_error(project, error) from error
    return Restoration(project, backup.made, until, kept, not is_complete, recovered)


def _recover(project: Path, damaged: Path, backup: Path) -> int:
    store = ProjectStore.open(project)
    try:
        with tempfile.TemporaryDirectory() as folder:
            copy = _copy_with_first_page(damaged, backup, Path(folder) / "copy")
            # Tables may have moved since the backup, so the damaged file's own first page is tried, too.
            copies = copy, _copy_with_first_page(damaged, damaged, Path(folder) / "unchanged")
            edits = _readable_edits(store.load_document(), copies)
            with closing(connect(copy, "ro")) as connection, time_limit(connection, seconds_for(copy)):
                rows_by_table = {name: readable_records(connection, name) for name in records.TABLE_NAMES}
                restore_tables(store, connection)
        with store.writing() as connection:
            # `save` would also add history, which the recovered rows already contain.
            queries.update_states(connection, edits)
            for table, rows in rows_by_table.items():
                records.add_records(connection, table, rows)
    finally:
        store.close()
    return len(edits)


def _readable_edits(document: Document, damaged: Iterable[Path]) -> tuple[Edit, ...]:
    """The edits that bring a document up to date with copies of a damaged file.

    A segment is updated if its source is the same and the copies have exactly one readable state for it.
    Damage may bring back an older row, so only a confirmed translation replaces a confirmed one.
    """
    readable: dict[str, set[SegmentState]] = {}
    for path in damaged:
        with closing(connect(path, "ro")) as connection, time_limit(connection, seconds_for(path)):
            segments = readable_segments(connection)
        for segment in segments:
            if document.has(segment.id) and document.get(segment.id).source == segment.source:
                readable.setdefault(segment.id, set()).add(segment.state)
    edits = []
    for identifier, states in readable.items():
        before = document.get(identifier).state
        if len(states) == 1 and (after := states.pop()) != before and _may_replace(before, after):
            edits.append(Edit(identifier, before, after))
    return tuple(edits)


def _may_replace(before: SegmentState, after: SegmentState) -> bool:
    return bool(after.target) and (before.status is not Status.CONFIRMED or after.status is Status.CONFIRMED)


def _copy_with_first_page(damaged: Path, backup: Path, copy: Path) -> Path:
    """Copy a damaged file and its log, but take the first page, which locates the tables, from a backup.

    A backup made by sqlite has the same pages in the same places as the project. The copy's header gets the
    actual number of pages, because sqlite does not open a file that is shorter than its header states.
    """
    first = bytearray(backup.read_bytes()[:_PAGE_SIZE])
    data = damaged.read_bytes()
    pages = -(-len(data) // _PAGE_SIZE)
    first[28:32] = pages.to_bytes(4, "big")
    if has_log(damaged):
        first[18:20] = b"\x02\x02"
        shutil.copyfile(log_of(damaged), log_of(copy))
    copy.write_bytes(bytes(first) + data[_PAGE_SIZE:] + bytes(pages * _PAGE_SIZE - len(data)))
    return copy


def _newest_sound_backup(project: Path) -> Backup | None:
    """The newest sound backup; a new backup of the file without its log is preferred unless it is older."""
    own_copy = _backup_without_log(project)
    for backup in list_backups(project, summarise=False):
        if own_copy is not None and backup.path == own_copy.path:
            continue
        with contextlib.suppress(sqlite3.Error, OSError):
            if is_sound(backup.path):
                newer = own_copy is not None and changes_in(own_copy.path, CHANGES_SETTING) >= changes_in(
                    backup.path, CHANGES_SETTING
                )
                return own_copy if newer else backup
    return own_copy


def _backup_without_log(project: Path) -> Backup | None:
    if not has_log(project):
        return None
    made = datetime.fromtimestamp(project.stat().st_mtime)
    path = new_backup_path(project, made, _WITHOUT_LOG)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as unfinished:
        shutil.copyfile(project, unfinished)
    with contextlib.suppress(sqlite3.Error):
        if is_sound(path):
            return next(backup for backup in list_backups(project, summarise=False) if backup.path == path)
    path.unlink()
    return None


def place_for_damaged(project: Path) -> Path:
    number, place = 1, project.with_name(with_ending(project.name, ".damaged"))
    while place.exists():
        number += 1
        place = project.with_name(with_ending(project.name, f".damaged{number}"))
    return place


def _copy_damaged(project: Path) -> Path:
    place = place_for_damaged(project)
    if has_log(project):
        with replacing(log_of(place)) as unfinished:
            shutil.copyfile(log_of(project), unfinished)
    with replacing(place) as unfinished:
        shutil.copyfile(project, unfinished)
    return place


def restore_tables(store: ProjectStore, damaged: sqlite3.Connection) -> None:
    """Add the readable units, terms and settings of a damaged file to a project; raises ProjectError."""
    if units := _units(damaged):
        memory = TranslationMemory("project", store)
        memory.update([unit for unit in units if unit.key])
        memory.add([unit for unit in units if not unit.key])
    terms = TermBase("project", store)
    before = terms.entries()
    after = _merged_terms(before, _entries(damaged))
    if after != before:
        terms.replace_all(after)
    known = store.settings()
    settings = {str(key): str(value) for key, value in sound_rows(damaged, SETTINGS, known)}
    # The restored project counts its own changes.
    settings.pop(CHANGES_SETTING, None)
    store.set_settings({key: value for key, value in settings.items() if known.get(key) != value})


def _units(damaged: sqlite3.Connection) -> list[Unit]:
    return [unit_of_row(row[1:-1]) for row in sound_rows(damaged, UNITS)]


def _entries(damaged: sqlite3.Connection) -> list[TermEntry]:
    rows = sound_rows(damaged, ENTRIES)
    targets: dict[object, list[tuple[int, TargetTerm]]] = defaultdict(list)
    for entry, position, text, usage in sound_rows(damaged, TARGETS, [row[0] for row in rows]):
        targets[entry].append((int(str(position)), TargetTerm(str(text), Usage(str(usage)))))
    entries = []
    for entry_id, source, domain, note, changed in rows:
        terms = tuple(target for _, target in sorted(targets[entry_id], key=lambda each: each[0]))
        entries.append(
            TermEntry(str(source), terms, str(note), str(domain), int(str(changed)), int(str(entry_id)))
        )
    return [entry for entry in entries if is_valid(entry)]


def _merged_terms(before: Sequence[TermEntry], read: Iterable[TermEntry]) -> tuple[TermEntry, ...]:
    newer = list(read)
    ids = {entry.id for entry in newer}
    keys = {(entry.source, entry.domain) for entry in newer}
    older = [e for e in before if e.id not in ids and (e.source, e.domain) not in keys]
    return tuple(sorted((*older, *newer), key=lambda entry: entry.id))

"""What can still be read of a damaged project's memory, terms and settings goes into the one restored for it.

Rows of the damaged file whose checksums are right were written after the backup. What only the backup has may
have been removed since, or be lost with a damaged page: it stays.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence

from anaphora.store.checked_tables import ENTRIES, SETTINGS, TARGETS, UNITS
from anaphora.store.project import CHANGES_SETTING, ProjectStore
from anaphora.store.salvage import sound_rows
from anaphora.term_base.base import TermBase
from anaphora.term_base.entries import Entry, TargetTerm, Usage, is_sound
from anaphora.translation_memory.memory import TranslationMemory, is_finished, unit_of_row
from anaphora.translation_memory.units import Unit


def take_tables_over(store: ProjectStore, damaged: sqlite3.Connection) -> None:
    """Bring memory, terms and settings of a restored project up to date.

    Raises:
        ProjectError: they cannot be saved.
    """
    if units := _units(damaged):
        memory = TranslationMemory("project", store)
        memory.update([unit for unit in units if unit.key])
        memory.add([unit for unit in units if not unit.key])
    terms = TermBase("project", store)
    before = terms.entries()
    after = _newer(before, _entries(damaged))
    if after != before:
        terms.replace_all(after)
    known = store.settings()
    settings = {str(key): str(value) for key, value in sound_rows(damaged, SETTINGS, known)}
    # The restored project has changed otherwise than the damaged one.
    settings.pop(CHANGES_SETTING, None)
    store.set_settings({key: value for key, value in settings.items() if known.get(key) != value})


def _units(damaged: sqlite3.Connection) -> list[Unit]:
    units = (unit_of_row(row[1:-1]) for row in sound_rows(damaged, UNITS))
    return [unit for unit in units if is_finished(unit)]


def _entries(damaged: sqlite3.Connection) -> list[Entry]:
    """The terms that can be read with at least one translation."""
    rows = sound_rows(damaged, ENTRIES)
    targets: dict[object, list[tuple[int, TargetTerm]]] = defaultdict(list)
    for entry, position, text, usage in sound_rows(damaged, TARGETS, [row[0] for row in rows]):
        targets[entry].append((int(str(position)), TargetTerm(str(text), Usage(str(usage)))))
    entries = []
    for number, source, domain, note, changed in rows:
        kept = tuple(target for _, target in sorted(targets[number], key=lambda each: each[0]))
        entries.append(Entry(str(source), kept, str(note), str(domain), int(str(changed)), int(str(number))))
    return [entry for entry in entries if is_sound(entry)]


def _newer(before: Sequence[Entry], read: Iterable[Entry]) -> tuple[Entry, ...]:
    """The terms of a backup, and in their place or behind them those that were read."""
    newer = list(read)
    numbers = {entry.id for entry in newer}
    names = {(entry.source, entry.domain) for entry in newer}
    older = [e for e in before if e.id not in numbers and (e.source, e.domain) not in names]
    return tuple(sorted((*older, *newer), key=lambda entry: entry.id))

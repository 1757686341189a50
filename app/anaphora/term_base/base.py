"""A term base: entries in sqlite."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from anaphora.core.database_file import Table
from anaphora.core.errors import Message
from anaphora.core.long_work import Step, no_step
from anaphora.term_base.entries import (
    MOST_CHARACTERS,
    Entry,
    TargetTerm,
    Usage,
    by_source,
    is_sound,
    merged,
    tidy,
)
from anaphora.term_base.errors import TermBaseError

_STEP = 200
"""Entries between two steps."""
_SELECT = "SELECT id, source, domain, note, changed FROM term_entries"


@dataclass(frozen=True, slots=True)
class Added:
    """What became of entries that were added: the three add up to their number.

    Attributes:
        taken: how many are new.
        enriched: how many told something new about a term that was there.
        present: how many told nothing new.
    """

    taken: int
    enriched: int
    present: int


class TermBase(Table):
    """Entries, each source term once in its domain; see `Table`."""

    table = "term_entries"

    def entries(self) -> tuple[Entry, ...]:
        """All entries in the order in which they came.

        Raises:
            TermBaseError: the file cannot be read.
        """
        with self._access.reading() as connection:
            targets: dict[int, list[TargetTerm]] = {}
            rows = connection.execute("SELECT entry, text, usage FROM term_targets ORDER BY entry, position")
            for number, text, usage in rows:
                targets.setdefault(number, []).append(TargetTerm(text, Usage(usage)))
            return tuple(
                Entry(source, tuple(targets.get(number, ())), note, domain, changed, number)
                for number, source, domain, note, changed in connection.execute(f"{_SELECT} ORDER BY id")
            )

    def put(self, entry: Entry) -> Entry:
        """Store an entry: a new one, or another state of one that is there.

        Returns:
            the entry as it is kept, with its id.
        Raises:
            TermBaseError: it says nothing, or another entry has its source term and domain.
        """
        entry = replace(tidy(entry), changed=int(time.time()))
        if not is_sound(entry):
            raise TermBaseError(
                Message(
                    "A term needs a text in both languages, of at most {n} characters.", n=MOST_CHARACTERS
                )
            )
        with self._access.writing() as connection:
            other = _find(connection, entry)
            if other is not None and other.id != entry.id:
                raise TermBaseError(
                    Message("The term base has “{term}” already.", term=entry.source),
                    "Add the translation there, or name another domain.",
                )
            return _store(connection, entry)

    def add(self, entries: Iterable[Entry], step: Step = no_step, are_tidy: bool = False) -> Added:
        """Add entries, all or none; those of a term that is there tell more about it.

        Every one has to be sound (`entries.is_sound`).

        Args:
            step: how far it is; what it raises ends it, and nothing is added.
            are_tidy: each is as `entries.tidy` leaves it.
        """
        entries = [*entries] if are_tidy else [tidy(entry) for entry in entries]
        taken = enriched = 0
        now = int(time.time())
        with self._access.writing() as connection:
            is_empty = connection.execute("SELECT 1 FROM term_entries LIMIT 1").fetchone() is None
            new: list[Entry] = []
            for number, entry in enumerate(by_source(entries).values()):
                if number % _STEP == 0:
                    step(number / len(entries))
                    _insert(connection, new, now)
                    new.clear()
                old = None if is_empty else _find(connection, entry)
                if old is None:
                    taken += 1
                    new.append(entry)
                elif (both := merged(old, entry)) != old:
                    enriched += 1
                    _store(connection, replace(both, changed=now))
            _insert(connection, new, now)
        return Added(taken, enriched, len(entries) - taken - enriched)

    def remove(self, numbers: Sequence[int]) -> None:
        """Take entries out by their ids."""
        with self._access.writing() as connection:
            for table, column in (("term_targets", "entry"), ("term_entries", "id")):
                connection.executemany(
                    f"DELETE FROM {table} WHERE {column} = ?", [(number,) for number in numbers]
                )

    def replace_all(self, entries: Sequence[Entry]) -> None:
        """Hold these entries, with their ids, and no others: takes an import back."""
        with self._access.writing() as connection:
            connection.execute("DELETE FROM term_targets")
            connection.execute("DELETE FROM term_entries")
            for entry in entries:
                _store(connection, entry)


def _find(connection: sqlite3.Connection, entry: Entry) -> Entry | None:
    """The entry of the same source term and domain."""
    row = connection.execute(
        f"{_SELECT} WHERE source = ? AND domain = ?", (entry.source, entry.domain)
    ).fetchone()
    if row is None:
        return None
    number, source, domain, note, changed = row
    rows = connection.execute(
        "SELECT text, usage FROM term_targets WHERE entry = ? ORDER BY position", (number,)
    )
    targets = tuple(TargetTerm(text, Usage(usage)) for text, usage in rows)
    return Entry(source, targets, note, domain, changed, number)


def _store(connection: sqlite3.Connection, entry: Entry) -> Entry:
    """Write an entry in the place of the one with its id, or as a new one; returns it with its id."""
    number = connection.execute(
        "INSERT OR REPLACE INTO term_entries (id, source, domain, note, changed) VALUES (?, ?, ?, ?, ?)",
        (entry.id or None, entry.source, entry.domain, entry.note, entry.changed),
    ).lastrowid
    stored = replace(entry, id=number or entry.id)
    connection.execute("DELETE FROM term_targets WHERE entry = ?", (stored.id,))
    _insert_targets(connection, [(stored.id, stored)])
    return stored


def _insert(connection: sqlite3.Connection, entries: Sequence[Entry], now: int) -> None:
    """Write new entries, many at once: one after the other takes three times as long."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM term_entries").fetchone()
    connection.executemany(
        "INSERT INTO term_entries (source, domain, note, changed) VALUES (?, ?, ?, ?)",
        [(one.source, one.domain, one.note, one.changed or now) for one in entries],
    )
    # They were numbered in their order.
    numbers = connection.execute("SELECT id FROM term_entries WHERE id > ? ORDER BY id", (last,))
    _insert_targets(connection, ((number, one) for (number,), one in zip(numbers, entries, strict=True)))


def _insert_targets(connection: sqlite3.Connection, numbered: Iterable[tuple[int, Entry]]) -> None:
    """Write the targets of entries, given with their ids."""
    connection.executemany(
        "INSERT INTO term_targets (entry, position, text, usage) VALUES (?, ?, ?, ?)",
        [
            (number, place, target.text, target.usage.value)
            for number, entry in numbered
            for place, target in enumerate(entry.targets)
        ],
    )

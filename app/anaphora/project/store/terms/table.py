"""A term base: entries in sqlite, in a project or in a file shared between projects and windows."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.long_work import Step, no_step
from anaphora.core.term_entries import (
    MAX_CHARACTERS,
    TargetTerm,
    TermEntry,
    Usage,
    by_source,
    is_valid,
    merged,
    tidy,
)
from anaphora.system.database_file import DatabaseFile, Sentences, Table
from anaphora.system.garbage import freezing_batches

TABLES = (
    """
    CREATE TABLE term_entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        source TEXT NOT NULL,
        domain TEXT NOT NULL,
        note TEXT NOT NULL,
        changed INTEGER NOT NULL,
        UNIQUE (source, domain)
    )
    """,
    """
    CREATE TABLE term_targets (
        entry INTEGER NOT NULL,
        position INTEGER NOT NULL,
        text TEXT NOT NULL,
        usage TEXT NOT NULL,
        PRIMARY KEY (entry, position)
    ) WITHOUT ROWID
    """,
)


class TermBaseError(AnaphoraError):
    """A term base cannot be read or written; its content was not changed."""


class TermFile(DatabaseFile):
    """An open term base file. Other processes may open it, too; the methods raise TermBaseErrors."""

    application = 0x414E5442  # "ANTB"
    version = 1
    tables = TABLES
    error = TermBaseError
    sentences = Sentences(
        foreign=(
            Message("“{path}” is not an Anaphora term base."),
            Message("Move it to another folder. Anaphora then creates a new term base."),
        ),
        newer=(
            Message("The term base “{path}” was made by a newer version of Anaphora."),
            Message("Install the latest version to use it. The file was not changed."),
        ),
        unusable=(
            Message("The term base “{path}” cannot be used: {error}."),
            Message("Move it to another folder, and import your terms into a new term base."),
        ),
        closed=(Message("The term base is closed."), Message("Start Anaphora again.")),
    )


_PROGRESS_INTERVAL = 200


class TermBase(Table):
    """The entries of a term base; a source term has at most one entry for each domain. See `Table`."""

    table = "term_entries"

    def entries(self) -> tuple[TermEntry, ...]:
        """All entries in the order in which they were added."""
        with self._access.reading() as connection:
            return tuple(freezing_batches(_read(connection)))

    def version(self) -> object:
        """A value that changes when another process, or another connection, changes the file."""
        with self._access.reading() as connection:
            return id(connection), connection.execute("PRAGMA data_version").fetchone()

    def of(self, source: str) -> TermEntry:
        """The entry of a source term without a domain; if there is none, a new entry, which is not stored."""
        entry = TermEntry(source)
        with self._access.reading() as connection:
            return _find(connection, entry) or entry

    def put(self, entry: TermEntry) -> TermEntry:
        """Store a new or changed entry; returns the stored entry with its id and time.

        Raises:
            TermBaseError: the entry is invalid (`is_valid`), or another entry has its source term and domain.
        """
        entry = replace(tidy(entry), changed=int(time.time()))
        if not is_valid(entry):
            raise TermBaseError(
                Message("A term needs text in both languages (at most {n} characters).", n=MAX_CHARACTERS)
            )
        with self._access.writing() as connection:
            other = _find(connection, entry)
            if other is not None and other.id != entry.id:
                raise TermBaseError(
                    Message("The term base already contains “{term}”.", term=entry.source),
                    "Add the translation to that term, or enter another domain.",
                )
            return _store(connection, entry)

    def add(self, entries: Iterable[TermEntry], step: Step = no_step) -> tuple[int, int]:
        """Add entries, all or none. An entry for an existing term and domain extends the stored entry.

        Args:
            entries: valid entries (`is_valid`).
            step: gets the finished share; if it raises an exception, nothing is added.
        Returns:
            the numbers of new entries and of stored entries that were extended.
        """
        distinct = by_source(map(tidy, entries)).values()
        added = extended = 0
        now = int(time.time())
        with self._access.writing() as connection:
            for number, entry in enumerate(distinct):
                if number % _PROGRESS_INTERVAL == 0:
                    step(number / len(distinct))
                old = _find(connection, entry)
                if old is None:
                    added += 1
                    _store(connection, replace(entry, id=0, changed=entry.changed or now))
                elif (extension := merged(old, entry)) != old:
                    extended += 1
                    _store(connection, replace(extension, changed=now))
        return added, extended

    def remove(self, entry_ids: Sequence[int]) -> None:
        with self._access.writing() as connection:
            for table, column in (("term_targets", "entry"), ("term_entries", "id")):
                connection.executemany(
                    f"DELETE FROM {table} WHERE {column} = ?", [(entry_id,) for entry_id in entry_ids]
                )

    def replace_all(self, entries: Sequence[TermEntry]) -> None:
        """Replace all stored entries by `entries`, which keep their ids."""
        with self._access.writing() as connection:
            connection.execute("DELETE FROM term_targets")
            connection.execute("DELETE FROM term_entries")
            for entry in entries:
                _store(connection, entry)


def _read(connection: sqlite3.Connection, where: str = "", values: Sequence[str] = ()) -> Iterator[TermEntry]:
    rows = connection.execute(
        "SELECT id, source, domain, note, changed, text, usage FROM term_entries "
        f"LEFT JOIN term_targets ON entry = id {where} ORDER BY id, position",
        values,
    )
    for (entry_id, source, domain, note, changed), group in groupby(rows, key=lambda row: row[:5]):
        targets = tuple(TargetTerm(text, Usage(usage)) for *_, text, usage in group if text is not None)
        yield TermEntry(source, targets, note, domain, changed, entry_id)


def _find(connection: sqlite3.Connection, entry: TermEntry) -> TermEntry | None:
    found = _read(connection, "WHERE source = ? AND domain = ?", (entry.source, entry.domain))
    return next(found, None)


def _store(connection: sqlite3.Connection, entry: TermEntry) -> TermEntry:
    entry_id = connection.execute(
        "INSERT OR REPLACE INTO term_entries (id, source, domain, note, changed) VALUES (?, ?, ?, ?, ?)",
        (entry.id or None, entry.source, entry.domain, entry.note, entry.changed),
    ).lastrowid
    stored = replace(entry, id=entry_id or entry.id)
    connection.execute("DELETE FROM term_targets WHERE entry = ?", (stored.id,))
    connection.executemany(
        "INSERT INTO term_targets (entry, position, text, usage) VALUES (?, ?, ?, ?)",
        [(stored.id, position, term.text, term.usage.value) for position, term in enumerate(stored.targets)],
    )
    return stored

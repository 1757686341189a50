"""A translation memory: storing and finding units."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from anaphora.core.matching import (
    EXACT,
    LOWEST,
    Match,
    Query,
    Unit,
    best,
    languages_of,
    make_match,
    percent_alike,
)
from anaphora.core.text import fold
from anaphora.core.untrusted import MOST_TEXT, read_json
from anaphora.project.store.units import postings
from anaphora.system.database_file import Table

MOST_MATCHES = 9
"""Maximum number of matches for a segment: one for each digit key."""
_COMPARED = 200
"""Maximum number of units whose sources are compared character by character."""
_CANDIDATES = 5 * _COMPARED
"""Maximum number of units whose languages are compared with the query's."""
_MOST_EQUAL = 100
"""Maximum number of units with the same folded source that are loaded, the newest first."""
_AT_ONCE = 500
_SCANNED = 20_000
"""Number of units searched for words before other readers get a turn."""
_COLUMNS = (
    "key, source, target, marks, source_language, target_language, created, changed, author, origin, "
    "previous, following"
)
_INSERT = f"INSERT INTO memory_units ({_COLUMNS}, folded) VALUES ({', '.join('?' * 13)})"


class TranslationMemory(Table):
    """Units with an index of their characters; see `Table`."""

    table = "memory_units"

    def update(self, put: Iterable[Unit], remove: Collection[str] = ()) -> None:
        """Store units with keys, and remove those with the keys in `remove`, all or nothing."""
        put = list(put)
        with self._access.writing() as connection:
            connection.executemany("DELETE FROM memory_units WHERE key = ?", [(key,) for key in remove])
            old = _by_key(connection, [unit.key for unit in put])
            changed = [each for each in put if each.key not in old or _texts(each) != _texts(old[each.key])]
            connection.executemany(
                "DELETE FROM memory_units WHERE key = ?", [(unit.key,) for unit in changed]
            )
            _insert(connection, [_with_creation(unit, old.get(unit.key)) for unit in changed])

    def keys(self, prefix: str = "") -> Mapping[str, tuple[str, str, str, str]]:
        """Source, target and language codes of the units of confirmed segments, by key."""
        with self._access.reading() as connection:
            rows = connection.execute(
                "SELECT key, source, target, source_language, target_language FROM memory_units "
                "WHERE key >= ? AND substr(key, 1, ?) = ?",
                (prefix, len(prefix), prefix),
            )
            return {key: (source, target, *codes) for key, source, target, *codes in rows}

    def add(self, units: Iterable[Unit]) -> int:
        """Add units, all or none; returns the number of new ones. Use `importing` for many thousands."""
        with self._access.writing() as connection:
            return len(_insert(connection, _new(connection, units)))

    @contextmanager
    def importing(self) -> Iterator[Callable[[Iterable[Unit]], int]]:
        """Yields an `add` for some thousand units at a time, while others read and write.

        After an exception, all of them are removed.
        """
        numbers: list[int] = []

        def add(units: Iterable[Unit]) -> int:
            with self._access.writing() as connection:
                inserted = _insert(connection, _new(connection, units))
            numbers.extend(inserted)
            return len(inserted)

        try:
            yield add
        except BaseException:
            with self._access.writing() as connection:
                connection.executemany(
                    "DELETE FROM memory_units WHERE id = ?", [(number,) for number in numbers]
                )
            raise

    def find(self, query: Query, limit: int = MOST_MATCHES, lowest: int = LOWEST) -> tuple[Match, ...]:
        """The best matches of a segment, each translation once.

        Args:
            lowest: minimum percentage of a match; from `EXACT` on, only the same text is searched.
        """
        folded = query.source.folded
        if not folded:
            return ()
        with self._access.reading() as connection:
            found = dict.fromkeys(_equal(connection, folded, query, lowest >= EXACT), folded)
            if lowest < EXACT:
                for number, text in _alike(connection, folded, query, lowest, limit).items():
                    found.setdefault(number, text)
            units = _load_units(connection, [*found])
        matches = (
            make_match(query, unit, found[number], folded, self.name)
            for number, unit in units.items()
            if not (query.key and unit.key == query.key)
        )
        return best((match for match in matches if match is not None and match.percent >= lowest), limit)

    def units(self) -> Iterator[Unit]:
        """All units in the order in which they were added; others may read and write meanwhile."""
        number = 0
        while True:
            with self._access.reading() as connection:
                rows = connection.execute(
                    f"SELECT {_COLUMNS}, id FROM memory_units WHERE id > ? ORDER BY id LIMIT ?",
                    (number, _AT_ONCE),
                ).fetchall()
            if not rows:
                return
            number = rows[-1][-1]
            yield from map(unit_of_row, rows)

    def containing(self, like: str) -> Iterator[Unit]:
        """Units whose source or target matches a LIKE pattern, newest first; others may read meanwhile."""
        with self._access.reading() as connection:
            (newest,) = connection.execute("SELECT coalesce(max(id), 0) FROM memory_units").fetchone()
        for end in range(newest, 0, -_SCANNED):
            with self._access.reading() as connection:
                rows = connection.execute(
                    f"SELECT {_COLUMNS} FROM memory_units WHERE id > ?1 AND id <= ?2 "
                    "AND (source LIKE ?3 ESCAPE '\\' OR target LIKE ?3 ESCAPE '\\') ORDER BY id DESC",
                    (end - _SCANNED, end, like),
                ).fetchall()
            yield from map(unit_of_row, rows)


def _load_units(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Unit]:
    found = {row[-1]: unit_of_row(row) for row in _rows_where(connection, "id", numbers)}
    return {number: found[number] for number in numbers if number in found}


def _new(connection: sqlite3.Connection, units: Iterable[Unit]) -> list[Unit]:
    """The units that are not in the memory yet, each once."""
    each: dict[tuple[object, ...], Unit] = {}
    for unit in units:
        each.setdefault((unit.source, unit.target, unit.previous, unit.following, unit.languages), unit)
    return [unit for unit in each.values() if not _is_present(connection, unit)]


def _insert(connection: sqlite3.Connection, units: Iterable[Unit]) -> list[int]:
    """Store units and index them; returns their numbers."""
    terms: dict[int, set[int]] = {}
    numbers = []
    for unit in units:
        folded = fold(unit.source, unit.marks)
        number = connection.execute(_INSERT, (*_row(unit), folded)).lastrowid or 0
        terms[postings.pack(number, len(folded))] = postings.pairs(folded)
        numbers.append(number)
    postings.add(connection, terms)
    return numbers


def _row(unit: Unit) -> list[str | int | None]:
    own = {"key": unit.key or None, "marks": json.dumps(unit.marks) if unit.marks else ""}
    return [own.get(name, getattr(unit, name)) for name in _COLUMNS.split(", ")]


def unit_of_row(row: Sequence[Any]) -> Unit:
    """The unit of a row with the columns `_COLUMNS`."""
    key, source, target, marks, *others = row[:12]
    known = tuple(map(str, read_json(marks, MOST_TEXT))) if marks else ()
    values = (source, target, known, *others, key or "")
    return Unit(*values)


def _by_key(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Unit]:
    return {unit.key: unit for unit in map(unit_of_row, _rows_where(connection, "key", keys))}


def _rows_where(
    connection: sqlite3.Connection, column: str, values: Sequence[int] | Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    """The rows with one of the values in `column`, as `_COLUMNS` and the id."""
    yield from connection.execute(
        f"SELECT {_COLUMNS}, id FROM memory_units WHERE {column} IN (SELECT value FROM json_each(?))",
        (json.dumps(values),),
    )


def _texts(unit: Unit) -> tuple[object, ...]:
    return unit.source, unit.target, unit.marks, unit.previous, unit.following, unit.languages


def _with_creation(unit: Unit, old: Unit | None) -> Unit:
    """A changed unit with the creation date of the old one if the source is the same."""
    created = old.created if old is not None and old.source == unit.source else unit.created
    return replace(unit, created=created)


def _is_present(connection: sqlite3.Connection, unit: Unit) -> bool:
    """True if the memory contains the same texts with the same neighbours, or any if the unit has none."""
    rows = connection.execute(
        "SELECT previous, following, source_language, target_language FROM memory_units "
        "WHERE folded = ? AND source = ? AND target = ?",
        (fold(unit.source, unit.marks), unit.source, unit.target),
    ).fetchall()
    alike = [(before, after) for before, after, *codes in rows if languages_of(*codes) == unit.languages]
    if unit.previous is None and unit.following is None:
        return bool(alike)
    return (unit.previous, unit.following) in alike


def _equal(connection: sqlite3.Connection, folded: str, query: Query, exactly: bool) -> list[int]:
    """Numbers of units with the folded or exact source, those with its neighbours first, then the newest."""
    rows = connection.execute(
        "SELECT id, source_language, target_language FROM memory_units WHERE folded = ? AND (source = ? OR "
        "NOT ?) ORDER BY (previous IS ?) + (following IS ?) DESC, changed DESC, id DESC",
        (folded, query.source.text, exactly, query.previous, query.following),
    )
    admitted = (number for number, *languages in rows if query.admits(*languages))
    return [*islice(admitted, _MOST_EQUAL)]


def _alike(
    connection: sqlite3.Connection, folded: str, query: Query, lowest: int, limit: int
) -> dict[int, str]:
    """Folded sources, by number, of the best units with at least `lowest` percent of equal characters."""
    numbers = postings.similar(connection, postings.pairs(folded), len(folded), lowest, _CANDIDATES)
    scored = []
    for number, text in islice(_admitted(connection, numbers, query), _COMPARED):
        percent = percent_alike(folded, text)
        if percent >= lowest:
            scored.append((percent, number, text))
    scored.sort(reverse=True)
    # Several units may have one translation, which is shown once.
    return {number: text for _, number, text in scored[: 3 * limit]}


def _admitted(
    connection: sqlite3.Connection, numbers: Sequence[int], query: Query
) -> Iterator[tuple[int, str]]:
    """The units in the query's languages with their folded sources, in the order of `numbers`."""
    for start in range(0, len(numbers), _COMPARED):
        chunk = numbers[start : start + _COMPARED]
        rows = connection.execute(
            "SELECT id, folded, source_language, target_language FROM memory_units "
            "WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(chunk),),
        )
        found = {number: text for number, text, *languages in rows if query.admits(*languages)}
        yield from ((number, found[number]) for number in chunk if number in found)

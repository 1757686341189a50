"""A translation memory: storing and finding units, with an index of the pairs of characters in their sources.

For each pair of characters (a term), the index lists the units whose folded source contains the pair. In the
index, a unit is a posting: an integer made of its number and the length of its folded source.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.core.errors import Message
from anaphora.core.matching import (
    EXACT,
    MIN_PERCENT,
    Match,
    Query,
    Unit,
    best_matches,
    make_match,
    percent_alike,
    short_codes,
)
from anaphora.core.text import fold
from anaphora.core.untrusted import MAX_TEXT_BYTES, read_json
from anaphora.project.store.units.file import TranslationMemoryError
from anaphora.system.database_file import Table

MAX_MATCHES = 9
"""Maximum number of matches for a segment, one for each of the keys 1 to 9."""
_MAX_COMPARED = 200
"""Maximum number of units whose sources are compared character by character."""
_MAX_CANDIDATES = 5 * _MAX_COMPARED
"""Maximum number of units whose languages are compared with those of the query."""
_MAX_EQUAL = 100
"""Maximum number of units with the same folded source that are loaded, in the order of `_units_equal`."""
_BATCH_SIZE = 500
_SCAN_SIZE = 20_000
"""Number of units that `containing` searches before other readers get a turn."""
_COLUMNS = (
    "key, source, target, marks, source_language, target_language, created, changed, author, origin, "
    "previous, following"
)
_INSERT = f"INSERT INTO memory_units ({_COLUMNS}, folded) VALUES ({', '.join('?' * 13)})"


class TranslationMemory(Table):
    table = "memory_units"

    def update(self, put: Iterable[Unit], remove: Collection[str] = ()) -> None:
        """Store units in place of those with the same keys, and remove units with the keys in `remove`.

        All changes are made, or none. A unit with unchanged texts, neighbours and languages stays as it is.
        """
        put = list(put)
        with self._access.writing() as connection:
            connection.executemany("DELETE FROM memory_units WHERE key = ?", [(key,) for key in remove])
            old = _by_key(connection, [unit.key for unit in put])
            changed = [each for each in put if each.key not in old or _texts(each) != _texts(old[each.key])]
            connection.executemany(
                "DELETE FROM memory_units WHERE key = ?", [(unit.key,) for unit in changed]
            )
            _insert(connection, [_with_creation(unit, old.get(unit.key)) for unit in changed])

    def texts_by_key(self, prefix: str = "") -> Mapping[str, tuple[str, str, str, str]]:
        """Source, target and language codes of the units whose keys begin with `prefix`, by key."""
        with self._access.reading() as connection:
            rows = connection.execute(
                "SELECT key, source, target, source_language, target_language FROM memory_units "
                "WHERE key >= ? AND substr(key, 1, ?) = ?",
                (prefix, len(prefix), prefix),
            )
            return {key: (source, target, *codes) for key, source, target, *codes in rows}

    def add(self, units: Iterable[Unit]) -> int:
        """Add units, all or none; returns the number of new ones. For thousands of units, use `importing`."""
        with self._access.writing() as connection:
            return len(_insert(connection, _new_units(connection, units)))

    @contextmanager
    def importing(self) -> Iterator[Callable[[Iterable[Unit]], int]]:
        """A context with a function that adds units and returns the number of new ones.

        Other threads may use the memory between two calls. After an exception, all added units are removed.
        """
        numbers: list[int] = []

        def add(units: Iterable[Unit]) -> int:
            with self._access.writing() as connection:
                inserted = _insert(connection, _new_units(connection, units))
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

    def find(self, query: Query, limit: int = MAX_MATCHES, lowest: int = MIN_PERCENT) -> tuple[Match, ...]:
        """The best matches of a segment, each target once; the segment's own unit does not count.

        Args:
            lowest: minimum percentage of a match; if `EXACT` (100) or more, only identical sources count.
        """
        folded = query.source.folded
        if not folded:
            return ()
        with self._access.reading() as connection:
            found = dict.fromkeys(_units_equal(connection, folded, query, lowest >= EXACT), folded)
            if lowest < EXACT:
                for number, text in _units_like(connection, folded, query, lowest, limit).items():
                    found.setdefault(number, text)
            units = _load_units(connection, [*found])
        matches = (
            make_match(query, unit, found[number], folded, self.name)
            for number, unit in units.items()
            if not (query.key and unit.key == query.key)
        )
        fitting = (each for each in matches if each is not None and each.percent >= lowest)
        return best_matches(fitting, limit)

    def units(self) -> Iterator[Unit]:
        """All units in the order in which they were added; other threads may read and write meanwhile."""
        number = 0
        while True:
            with self._access.reading() as connection:
                rows = connection.execute(
                    f"SELECT {_COLUMNS}, id FROM memory_units WHERE id > ? ORDER BY id LIMIT ?",
                    (number, _BATCH_SIZE),
                ).fetchall()
            if not rows:
                return
            number = rows[-1][-1]
            yield from map(unit_of_row, rows)

    def containing(self, like: str) -> Iterator[Unit]:
        """Units whose source or target matches a LIKE pattern, the last added first; see also `units`."""
        with self._access.reading() as connection:
            (newest,) = connection.execute("SELECT coalesce(max(id), 0) FROM memory_units").fetchone()
        for end in range(newest, 0, -_SCAN_SIZE):
            with self._access.reading() as connection:
                rows = connection.execute(
                    f"SELECT {_COLUMNS} FROM memory_units WHERE id > ?1 AND id <= ?2 "
                    "AND (source LIKE ?3 ESCAPE '\\' OR target LIKE ?3 ESCAPE '\\') ORDER BY id DESC",
                    (end - _SCAN_SIZE, end, like),
                ).fetchall()
            yield from map(unit_of_row, rows)


def _load_units(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Unit]:
    found = {row[-1]: unit_of_row(row) for row in _rows_where(connection, "id", numbers)}
    return {number: found[number] for number in numbers if number in found}


def _new_units(connection: sqlite3.Connection, units: Iterable[Unit]) -> list[Unit]:
    distinct: dict[tuple[object, ...], Unit] = {}
    for unit in units:
        distinct.setdefault((unit.source, unit.target, unit.previous, unit.following, unit.languages), unit)
    return [unit for unit in distinct.values() if not _is_present(connection, unit)]


def _insert(connection: sqlite3.Connection, units: Iterable[Unit]) -> list[int]:
    terms: dict[int, set[int]] = {}
    numbers = []
    for unit in units:
        folded = fold(unit.source, unit.marks)
        number = connection.execute(_INSERT, (*_row(unit), folded)).lastrowid or 0
        terms[posting_of(number, len(folded))] = pairs_of(folded)
        numbers.append(number)
    add_postings(connection, terms)
    return numbers


def _row(unit: Unit) -> list[str | int | None]:
    stored = {"key": unit.key or None, "marks": json.dumps(unit.marks) if unit.marks else ""}
    return [stored.get(name, getattr(unit, name)) for name in _COLUMNS.split(", ")]


def unit_of_row(row: Sequence[Any]) -> Unit:
    key, source, target, stored_marks, *rest = row[:12]
    marks = tuple(map(str, read_json(stored_marks, MAX_TEXT_BYTES))) if stored_marks else ()
    values = (source, target, marks, *rest, key or "")
    return Unit(*values)


def _by_key(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Unit]:
    return {unit.key: unit for unit in map(unit_of_row, _rows_where(connection, "key", keys))}


def _rows_where(
    connection: sqlite3.Connection, column: str, values: Sequence[int] | Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    yield from connection.execute(
        f"SELECT {_COLUMNS}, id FROM memory_units WHERE {column} IN (SELECT value FROM json_each(?))",
        (json.dumps(values),),
    )


def _texts(unit: Unit) -> tuple[object, ...]:
    return unit.source, unit.target, unit.marks, unit.previous, unit.following, unit.languages


def _with_creation(unit: Unit, old: Unit | None) -> Unit:
    created = old.created if old is not None and old.source == unit.source else unit.created
    return replace(unit, created=created)


def _is_present(connection: sqlite3.Connection, unit: Unit) -> bool:
    rows = connection.execute(
        "SELECT previous, following, source_language, target_language FROM memory_units "
        "WHERE folded = ? AND source = ? AND target = ?",
        (fold(unit.source, unit.marks), unit.source, unit.target),
    ).fetchall()
    alike = [(before, after) for before, after, *codes in rows if short_codes(*codes) == unit.languages]
    if unit.previous is None and unit.following is None:
        return bool(alike)
    return (unit.previous, unit.following) in alike


def _units_equal(connection: sqlite3.Connection, folded: str, query: Query, is_exact: bool) -> list[int]:
    rows = connection.execute(
        "SELECT id, source_language, target_language FROM memory_units WHERE folded = ? AND (source = ? OR "
        "NOT ?) ORDER BY (previous IS ?) + (following IS ?) DESC, changed DESC, id DESC",
        (folded, query.source.text, is_exact, query.previous, query.following),
    )
    admitted = (number for number, *languages in rows if query.admits(*languages))
    return [*islice(admitted, _MAX_EQUAL)]


def _units_like(
    connection: sqlite3.Connection, folded: str, query: Query, lowest: int, limit: int
) -> dict[int, str]:
    numbers = similar_units(connection, pairs_of(folded), len(folded), lowest, _MAX_CANDIDATES)
    scored = []
    for number, text in islice(_admitted(connection, numbers, query), _MAX_COMPARED):
        percent = percent_alike(folded, text)
        if percent >= lowest:
            scored.append((percent, number, text))
    scored.sort(reverse=True)
    # Return more than `limit` units, because units with the same target give only one match.
    return {number: text for _, number, text in scored[: 3 * limit]}


def _admitted(
    connection: sqlite3.Connection, numbers: Sequence[int], query: Query
) -> Iterator[tuple[int, str]]:
    for start in range(0, len(numbers), _MAX_COMPARED):
        chunk = numbers[start : start + _MAX_COMPARED]
        rows = connection.execute(
            "SELECT id, folded, source_language, target_language FROM memory_units "
            "WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(chunk),),
        )
        found = {number: text for number, text, *languages in rows if query.admits(*languages)}
        yield from ((number, found[number]) for number in chunk if number in found)


Postings = npt.NDArray[np.uint32]
_BLOCK_SIZE = 1024
"""Size in bytes from which a block of postings is full, so that later postings begin another block."""
_CHARACTER_BITS = 21
"""Number of bits of a character's code."""
_MAX_LENGTH = 255
"""Maximum length of a source that a posting can store; longer sources count as this long."""
MAX_UNITS = 1 << 24
_MAX_POSTINGS = 400_000
"""Maximum number of postings that one search reads, in a few milliseconds."""


def pairs_of(folded: str) -> set[int]:
    """The terms of a folded source: its pairs of characters, with a space added at both ends."""
    codes = [32, *map(ord, folded), 32]
    return {(first << _CHARACTER_BITS) | second for first, second in pairwise(codes)}


def posting_of(number: int, length: int) -> int:
    """A unit's number (24 bits) and folded length (8 bits). Raises TranslationMemoryError if full."""
    if number >= MAX_UNITS:
        raise TranslationMemoryError(
            Message("The translation memory is full (at most {most} units).", most=MAX_UNITS),
            "Export it, and import the units that you still need into a new one.",
        )
    return number << 8 | min(length, _MAX_LENGTH)


def add_postings(connection: sqlite3.Connection, terms_by_posting: Mapping[int, Collection[int]]) -> None:
    """Add postings, each with its terms, to the index; call this function in a transaction."""
    new: dict[int, list[int]] = defaultdict(list)
    for posting, terms in terms_by_posting.items():
        for term in terms:
            new[term].append(posting)
    last = {term: (block, data) for term, block, data in _select_terms(connection, "max(block), units", new)}
    rows = []
    for term, listed in new.items():
        block, data = last.get(term, (0, b""))
        if len(data) >= _BLOCK_SIZE:
            block, data = block + 1, b""
        rows.append((term, block, data + np.array(listed, dtype="<u4").tobytes()))
    connection.executemany("INSERT OR REPLACE INTO memory_postings VALUES (?, ?, ?)", sorted(rows))


def similar_units(
    connection: sqlite3.Connection, terms: Collection[int], length: int, lowest: int, limit: int
) -> list[int]:
    """Numbers of the units whose sources have the largest share of pairs in common with a text.

    Args:
        length: length of the folded text.
        lowest: minimum percentage of equal characters; sources too long or too short for it are left out.
    """
    postings_by_term = _read(connection, terms, _MAX_POSTINGS)
    if not postings_by_term:
        return []
    postings = np.concatenate(postings_by_term)
    lengths = postings & 0xFF
    low, high = lowest * length // 100, min(100 * length // lowest, _MAX_LENGTH)
    postings = postings[(lengths >= min(low, _MAX_LENGTH)) & (lengths <= high)]
    if not postings.size:
        return []
    units, counts = np.unique(postings, return_counts=True)
    share = counts / (len(terms) + (units & 0xFF))
    order = np.argsort(-share, kind="stable")[:limit]
    return [int(number) for number in units[order] >> 8]


def _read(connection: sqlite3.Connection, terms: Collection[int], budget: int) -> list[Postings]:
    """The postings of each of the rarest terms: at most `budget` postings, unless the first term has more."""
    read: list[Postings] = []
    for term, size in sorted(_sizes(connection, terms).items(), key=lambda each: each[1]):
        budget -= size // 4
        if budget < 0 and read:
            break
        rows = connection.execute("SELECT units FROM memory_postings WHERE term = ? ORDER BY block", (term,))
        data = b"".join(bytes(row[0]) for row in rows)
        read.append(np.frombuffer(data[: len(data) // 4 * 4], dtype="<u4"))
    return read


def _sizes(connection: sqlite3.Connection, terms: Collection[int]) -> dict[int, int]:
    return dict.fromkeys(terms, 0) | dict(_select_terms(connection, "sum(length(units))", terms))


def _select_terms(connection: sqlite3.Connection, columns: str, terms: Iterable[int]) -> sqlite3.Cursor:
    """A row (term, *columns) for each term; `columns` are aggregates of the term's blocks.

    With max(block), a column that is not an aggregate is also possible: SQLite takes it from the last block.
    """
    return connection.execute(
        f"SELECT term, {columns} FROM memory_postings "
        "WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term",
        (json.dumps([*terms]),),
    )

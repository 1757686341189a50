"""An index of the pairs of characters in the units' sources.

A posting is a unit's number and the length of its folded source, packed into 32 bits. The postings of a term
are stored in blocks of a few hundred, so that adding a unit rewrites little. Postings of removed units stay:
numbers are never used twice, and a candidate counts only if its unit exists.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from anaphora.core.errors import Message
from anaphora.project.store.units.file import TranslationMemoryError

Postings = npt.NDArray[np.uint32]
_BLOCK = 1024
"""Size in bytes from which a block is full."""
_CHARACTER = 21
"""Bits of a character's number."""
_LONGEST = 255
"""Longer lengths count as this."""
MOST_UNITS = 1 << 24
_BUDGET = 400_000
"""Maximum number of postings that one search reads, in a few milliseconds."""


def pairs(folded: str) -> set[int]:
    """The terms of a folded source: its pairs of characters, with a blank at both ends."""
    codes = [32, *map(ord, folded), 32]
    return {(one << _CHARACTER) | two for one, two in pairwise(codes)}


def pack(number: int, length: int) -> int:
    """A unit's posting.

    Raises:
        TranslationMemoryError: the memory has no numbers left.
    """
    if number >= MOST_UNITS:
        raise TranslationMemoryError(
            Message("The translation memory is full (at most {most} units).", most=MOST_UNITS),
            "Export it, and import the units that you still need into a new one.",
        )
    return number << 8 | min(length, _LONGEST)


def add(connection: sqlite3.Connection, units: Mapping[int, Collection[int]]) -> None:
    """Add units to the index, as terms by posting; call it in a transaction."""
    new: dict[int, list[int]] = defaultdict(list)
    for posting, terms in units.items():
        for term in terms:
            new[term].append(posting)
    last = {term: (block, data) for term, block, data in _of_terms(connection, "max(block), units", new)}
    rows = []
    for term, postings in new.items():
        block, data = last.get(term, (0, b""))
        if len(data) >= _BLOCK:
            block, data = block + 1, b""
        rows.append((term, block, data + np.array(postings, dtype="<u4").tobytes()))
    connection.executemany("INSERT OR REPLACE INTO memory_postings VALUES (?, ?, ?)", sorted(rows))


def similar(
    connection: sqlite3.Connection, terms: Collection[int], length: int, lowest: int, most: int
) -> list[int]:
    """Numbers of the units whose sources share most pairs of characters with a text, the best first.

    Args:
        terms: the text's pairs.
        length: length of the folded text.
        lowest: minimum percentage of equal characters, which bounds the length of the sources.
    """
    found = _read(connection, terms, _BUDGET)
    if not found:
        return []
    postings = np.concatenate(found)
    lengths = postings & 0xFF
    low, high = lowest * length // 100, min(100 * length // lowest, _LONGEST)
    postings = postings[(lengths >= min(low, _LONGEST)) & (lengths <= high)]
    if not postings.size:
        return []
    units, counts = np.unique(postings, return_counts=True)
    share = counts / (len(terms) + (units & 0xFF))
    order = np.argsort(-share, kind="stable")[:most]
    return [int(number) for number in units[order] >> 8]


def _read(connection: sqlite3.Connection, terms: Collection[int], budget: int) -> list[Postings]:
    """The postings of the rarest terms, as many as the budget allows, but at least of one term."""
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
    """The bytes of each term's postings; 0 for a term without any."""
    return dict.fromkeys(terms, 0) | dict(_of_terms(connection, "sum(length(units))", terms))


def _of_terms(connection: sqlite3.Connection, columns: str, terms: Iterable[int]) -> sqlite3.Cursor:
    """Each term with `columns` over all of its postings."""
    return connection.execute(
        f"SELECT term, {columns} FROM memory_postings "
        "WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term",
        (json.dumps([*terms]),),
    )

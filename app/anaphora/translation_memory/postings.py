"""An index: which units hold which pairs of characters in their source, and which words in their target.

A posting is a unit's number and the length of its folded source, packed into 32 bits; the postings of a term
lie in blocks of some hundred, so that adding a unit rewrites little. Postings of removed units stay: numbers
are never used twice, and a candidate counts only if its unit is there.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from anaphora.core.errors import Message
from anaphora.core.text import HAN
from anaphora.translation_memory.errors import TranslationMemoryError

Postings = npt.NDArray[np.uint32]
_BLOCK = 1024
"""Bytes of a block that is not extended any more."""
_CHARACTER = 21
"""Bits of a character's number."""
_WORDS = 1 << 62
WORD = re.compile(r"[^\W_]+")
_LONGEST = 255
"""Lengths above it are not told apart."""
MOST_UNITS = 1 << 24
_AT_ONCE = 500
"""Terms looked up by one statement."""
_BUDGET = 400_000
"""Postings that one search reads at most: some milliseconds."""


def pairs(folded: str) -> set[int]:
    """The terms of a folded source: its pairs of characters, a blank at both ends."""
    codes = [32, *map(ord, folded), 32]
    return {(one << _CHARACTER) | two for one, two in pairwise(codes)}


def inner_pairs(folded: str) -> set[int]:
    """The pairs that every source holds which holds this text."""
    codes = [*map(ord, folded)]
    return {(one << _CHARACTER) | two for one, two in pairwise(codes)}


def words(target: str) -> dict[str, int]:
    """The words of a target in lower case, with their terms."""
    return {word: term_of(word) for word in WORD.findall(target.casefold())}


def pair_terms(target: str) -> set[int]:
    """The terms of each two Chinese characters side by side: Chinese has no blanks between its words."""
    return {term_of(one + two) for one, two in pairwise(target) if HAN.match(one) and HAN.match(two)}


def term_of(word: str) -> int:
    """A word's term. None of them is a pair's number; that two words share one is harmless."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2 | _WORDS


def pack(number: int, length: int) -> int:
    """A unit's posting.

    Raises:
        TranslationMemoryError: the memory has no numbers left.
    """
    if number >= MOST_UNITS:
        raise TranslationMemoryError(
            Message(
                "The translation memory is full: it cannot number more than {most} units.", most=MOST_UNITS
            ),
            "Export it, and import what is still of use into a new one.",
        )
    return number << 8 | min(length, _LONGEST)


def add(connection: sqlite3.Connection, terms_of: Iterable[tuple[int, Collection[int]]]) -> None:
    """Put units into the index; belongs in a transaction.

    Args:
        terms_of: (posting, terms) by unit.
    """
    new: dict[int, list[int]] = defaultdict(list)
    for posting, terms in terms_of:
        for term in terms:
            new[term].append(posting)
    rows = []
    for chunk in _chunks([*new]):
        marks = ",".join("?" * len(chunk))
        last = {
            term: (block, data)
            for term, block, data in connection.execute(
                f"SELECT term, max(block), units FROM memory_postings WHERE term IN ({marks}) GROUP BY term",
                chunk,
            )
        }
        for term in chunk:
            block, data = last.get(term, (0, b""))
            if len(data) >= _BLOCK:
                block, data = block + 1, b""
            rows.append((term, block, data + np.array(new[term], dtype="<u4").tobytes()))
    connection.executemany("INSERT OR REPLACE INTO memory_postings VALUES (?, ?, ?)", sorted(rows))


def similar(
    connection: sqlite3.Connection, terms: Collection[int], length: int, lowest: int, most: int
) -> list[int]:
    """Units whose sources share most pairs of characters with a text, the likeliest first.

    Args:
        terms: the text's pairs.
        length: of the folded text.
        lowest: the percentage of equal characters: sources of other lengths cannot reach it.
        most: units that are returned at most.
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


def holding(connection: sqlite3.Connection, terms: Iterable[Collection[int]], most: int) -> list[int]:
    """Units that hold one of each group of terms, the newest first: each has still to be looked at.

    The rarest groups are read first, as many as a search may read; the others are left out.

    Args:
        most: units that are returned at most.
    """
    groups = [(sum(sizes.values()), sizes) for sizes in (_sizes(connection, group) for group in terms)]
    if not all(size for size, _ in groups):
        return []
    common: Postings | None = None
    budget = _BUDGET
    for size, sizes in sorted(groups, key=lambda group: group[0]):
        budget -= size // 4
        if budget < 0 and common is not None:
            break
        found = np.unique(np.concatenate([_postings(connection, term) for term in sizes]))
        common = found if common is None else np.intersect1d(common, found, assume_unique=True)
    return [] if common is None else [int(number) for number in np.unique(common >> 8)[::-1][:most]]


def _read(connection: sqlite3.Connection, terms: Collection[int], budget: int) -> list[Postings]:
    """The postings of the rarest terms: of one at least, then of as many as the budget allows."""
    read: list[Postings] = []
    for term, size in sorted(_sizes(connection, terms).items(), key=lambda each: each[1]):
        budget -= size // 4
        if budget < 0 and read:
            break
        read.append(_postings(connection, term))
    return read


def _sizes(connection: sqlite3.Connection, terms: Collection[int]) -> dict[int, int]:
    """The bytes of each term's postings; 0 for one that nothing holds."""
    sizes = dict.fromkeys(terms, 0)
    for chunk in _chunks([*terms]):
        marks = ",".join("?" * len(chunk))
        sizes |= connection.execute(
            f"SELECT term, sum(length(units)) FROM memory_postings WHERE term IN ({marks}) GROUP BY term",
            chunk,
        ).fetchall()
    return sizes


def _postings(connection: sqlite3.Connection, term: int) -> Postings:
    rows = connection.execute("SELECT units FROM memory_postings WHERE term = ? ORDER BY block", (term,))
    data = b"".join(bytes(row[0]) for row in rows)
    return np.frombuffer(data[: len(data) // 4 * 4], dtype="<u4")


def _chunks(terms: list[int]) -> Iterable[list[int]]:
    return (terms[start : start + _AT_ONCE] for start in range(0, len(terms), _AT_ONCE))

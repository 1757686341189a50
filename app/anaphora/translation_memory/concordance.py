"""Where words were used before in a memory, on either side."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anaphora.core.differences import Spans
from anaphora.core.folding import NUMBER, plain_width
from anaphora.core.search import SearchQuery, compile_query
from anaphora.core.tags import MARK
from anaphora.core.text import has_han
from anaphora.translation_memory import postings
from anaphora.translation_memory.memory import TranslationMemory, load_units
from anaphora.translation_memory.units import Unit

_MOST_VERIFIED = 1000
"""Units that are looked at: with more, the number of hits is not known."""

_SHORTEST = 2
"""Letters of a word that the index is asked for."""
_MOST_WORDS = 400
"""Words of the memory that hold the text that was typed."""


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """A unit that holds the words.

    Attributes:
        unit: as the memory holds it.
        memory: name of the memory.
        source_spans: offsets (start, end) of the words in its source.
        target_spans: the same in its target.
    """

    unit: Unit
    memory: str
    source_spans: Spans
    target_spans: Spans


@dataclass(frozen=True, slots=True)
class MemoryConcordance:
    """What was found.

    Attributes:
        total: how many units hold the words.
        complete: whether `total` counts all of them.
        hits: the first of them, the newest first.
    """

    total: int
    complete: bool
    hits: tuple[MemoryHit, ...]


def search_memory(memory: TranslationMemory, text: str, limit: int = 100) -> MemoryConcordance:
    """Units that hold `text` in source or target, upper or lower case.

    Args:
        text: the words; blanks around them do not count.
        limit: hits that are returned at most.
    """
    needle = text.strip()
    if not needle:
        return MemoryConcordance(0, True, ())
    lowered = needle.casefold()
    with memory.reading() as connection:
        numbers = _candidates(connection, needle)
        held = _verified(connection, numbers[:_MOST_VERIFIED], lowered)
        units = load_units(connection, held[:limit]).values()
    pattern = compile_query(SearchQuery(needle))
    hits = tuple(
        MemoryHit(
            unit,
            memory.name,
            tuple(match.span() for match in pattern.finditer(unit.source)),
            tuple(match.span() for match in pattern.finditer(unit.target)),
        )
        for unit in units
    )
    return MemoryConcordance(len(held), len(numbers) <= _MOST_VERIFIED, hits)


def _verified(connection: sqlite3.Connection, numbers: Sequence[int], lowered: str) -> list[int]:
    """Those of the units that hold the words indeed, in this order."""
    if not numbers:
        return []
    marks = ",".join("?" * len(numbers))
    rows = connection.execute(f"SELECT id, source, target FROM memory_units WHERE id IN ({marks})", numbers)
    held = {row[0] for row in rows if lowered in row[1].casefold() or lowered in row[2].casefold()}
    return [number for number in numbers if number in held]


def _candidates(connection: sqlite3.Connection, needle: str) -> Sequence[int]:
    """Units that may hold the words, the newest first."""
    in_source = [{term} for term in _source_terms(needle)]
    in_target = _target_terms(connection, needle.casefold())
    if not in_source or in_target is None or MARK.search(needle):
        # Too short for the index, or with a tag, which it does not hold.
        return _scanned(connection, needle)
    found = {*postings.holding(connection, in_source), *postings.holding(connection, in_target)}
    return sorted(found, reverse=True)


def _source_terms(needle: str) -> set[int]:
    """The pairs of characters that a folded source holds if the source holds the words; numbers fold to 0."""
    parts: Iterable[str] = NUMBER.split(plain_width(needle).casefold())
    return set().union(*(postings.inner_pairs(" ".join(part.split(" "))) for part in parts))


def _target_terms(connection: sqlite3.Connection, lowered: str) -> list[set[int]] | None:
    """For each word, the terms of those that hold it: at its edges the text may be a part of a word.

    Returns:
        None where there is no word that is long enough; a word that no target has is an empty group.
    """
    groups = []
    for word in postings.words(lowered):
        if len(word) < _SHORTEST and not has_han(word):
            continue
        known = connection.execute(
            "SELECT word FROM memory_words WHERE instr(word, ?) ORDER BY length(word) LIMIT ?",
            (word, _MOST_WORDS),
        )
        groups.append({postings.term_of(row[0]) for row in known})
    return groups or None


def _scanned(connection: sqlite3.Connection, needle: str) -> Sequence[int]:
    escaped = needle.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    rows = connection.execute(
        "SELECT id FROM memory_units WHERE source LIKE ?1 ESCAPE '\\' OR target LIKE ?1 ESCAPE '\\' "
        "ORDER BY id DESC LIMIT ?2",
        (f"%{escaped}%", _MOST_VERIFIED + 1),
    )
    return [row[0] for row in rows]

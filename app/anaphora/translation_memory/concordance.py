"""Where words were used before in a memory, on either side."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anaphora.core.differences import Spans
from anaphora.core.folding import NUMBER, plain_width
from anaphora.core.language_pair import LanguagePair
from anaphora.core.search import SearchQuery, compile_query
from anaphora.core.tags import MARK
from anaphora.core.text import has_han
from anaphora.translation_memory import postings
from anaphora.translation_memory.memory import TranslationMemory, load_units
from anaphora.translation_memory.units import Unit

_MOST_VERIFIED = 1000
"""Units that are looked at: with more, the number of hits is not known."""
_AT_ONCE = 200

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
        total: how many units were found to hold the words.
        complete: whether `total` counts all of them.
        hits: the first of them, the newest first.
    """

    total: int
    complete: bool
    hits: tuple[MemoryHit, ...]


def search_memory(
    memory: TranslationMemory, text: str, limit: int = 100, languages: LanguagePair | None = None
) -> MemoryConcordance:
    """Units that hold `text` in source or target, upper or lower case.

    Args:
        text: the words; blanks around them do not count.
        limit: hits that are returned at most.
        languages: units that name others are left out, see `LanguagePair.holds`.
    """
    needle = text.strip()
    if not needle:
        return MemoryConcordance(0, True, ())
    lowered = needle.casefold()
    with memory.reading() as connection:
        numbers = _candidates(connection, needle)
        held, complete = _verified(connection, numbers, lowered, limit, languages)
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
    return MemoryConcordance(len(held), complete, hits)


def _verified(
    connection: sqlite3.Connection,
    numbers: Sequence[int],
    lowered: str,
    limit: int,
    languages: LanguagePair | None,
) -> tuple[list[int], bool]:
    """Those of the units that hold the words indeed, in this order, and whether all have been looked at."""
    held: list[int] = []
    for start in range(0, len(numbers), _AT_ONCE):
        if len(held) > limit or start >= _MOST_VERIFIED:
            return held, False
        chunk = numbers[start : start + _AT_ONCE]
        marks = ",".join("?" * len(chunk))
        rows = connection.execute(
            "SELECT id, source, target, source_language, target_language FROM memory_units "
            f"WHERE id IN ({marks})",
            chunk,
        )
        found = {
            number
            for number, source, target, *codes in rows
            if (lowered in source.casefold() or lowered in target.casefold())
            and (languages is None or languages.holds(*codes))
        }
        held += [number for number in chunk if number in found]
    return held, True


def _candidates(connection: sqlite3.Connection, needle: str) -> Sequence[int]:
    """Units that may hold the words, the newest first."""
    in_source = [{term} for term in _source_terms(needle)]
    in_target = _target_terms(connection, needle.casefold())
    if not in_source or in_target is None or MARK.search(needle):
        # Too short for the index, or with a tag, which it does not hold.
        return _scanned(connection, needle)
    most = _MOST_VERIFIED + 1
    found = (*postings.holding(connection, in_source, most), *postings.holding(connection, in_target, most))
    return sorted({*found}, reverse=True)


def _source_terms(needle: str) -> set[int]:
    """The pairs of characters that a folded source holds if the source holds the words; numbers fold to 0."""
    parts: Iterable[str] = NUMBER.split(plain_width(needle).casefold())
    return set().union(*(postings.inner_pairs(" ".join(part.split(" "))) for part in parts))


def _target_terms(connection: sqlite3.Connection, lowered: str) -> list[set[int]] | None:
    """For each word, the terms of those that hold it: at its edges the text may be a part of a word.

    Returns:
        None where there is no word that is long enough; a word that no target has is an empty group.
    """
    groups: list[set[int]] = [{term} for term in postings.pair_terms(lowered)]
    for match in postings.WORD.finditer(lowered):
        word = match.group()
        if has_han(word) or len(word) < _SHORTEST:
            continue
        begins, ends = match.start() > 0, match.end() < len(lowered)
        groups.append({postings.term_of(held) for held in _words(connection, word, begins, ends)})
    return groups or None


def _words(connection: sqlite3.Connection, text: str, begins: bool, ends: bool) -> list[str]:
    """The memory's words that hold a text, the shortest ones.

    Args:
        begins, ends: whether the word begins, and ends, with the text.
    """
    if begins and ends:
        return [text]
    if begins:
        where, values = "word >= ? AND word < ?", [text, text + chr(0x10FFFF)]
    elif ends:
        where, values = "substr(word, ?) = ?", [str(-len(text)), text]
    else:
        where, values = "instr(word, ?)", [text]
    rows = connection.execute(
        f"SELECT word FROM memory_words WHERE {where} ORDER BY length(word) LIMIT ?", (*values, _MOST_WORDS)
    )
    return [row[0] for row in rows]


def _scanned(connection: sqlite3.Connection, needle: str) -> Sequence[int]:
    escaped = needle.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    rows = connection.execute(
        "SELECT id FROM memory_units WHERE source LIKE ?1 ESCAPE '\\' OR target LIKE ?1 ESCAPE '\\' "
        "ORDER BY id DESC LIMIT ?2",
        (f"%{escaped}%", _MOST_VERIFIED + 1),
    )
    return [row[0] for row in rows]

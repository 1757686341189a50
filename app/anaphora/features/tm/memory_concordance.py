"""Searches a memory for a text in sources and targets."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.differences import Spans
from anaphora.core.language_pair import LanguagePair
from anaphora.core.matching import Unit
from anaphora.core.search import Search, SearchQuery
from anaphora.project.store.units.table import TranslationMemory

_MAX_LENGTH = 1_000
"""Maximum length of the text in a LIKE pattern, because sqlite limits the length of patterns."""


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """A unit that contains the searched text. `memory` names its memory; a span is (start, end)."""

    unit: Unit
    memory: str
    source_spans: Spans
    target_spans: Spans


@dataclass(frozen=True, slots=True)
class MemoryConcordance:
    """The newest hits up to a limit; `total` is their number, or a greater number if there are more hits."""

    total: int
    hits: tuple[MemoryHit, ...]


def search_memory(
    memory: TranslationMemory, text: str, limit: int = 100, languages: LanguagePair | None = None
) -> MemoryConcordance:
    """The units that contain `text`, ignoring case; units in all languages if `languages` is None."""
    needle = text.strip()
    if not needle:
        return MemoryConcordance(0, ())
    search = Search(SearchQuery(needle))
    hits: list[MemoryHit] = []
    for unit in memory.containing(f"%{''.join(map(_like, needle[:_MAX_LENGTH]))}%"):
        if languages is not None and not languages.has_codes(unit.source_language, unit.target_language):
            continue
        source, target = (search.spans(side, unit.marks) for side in (unit.source, unit.target))
        if not source and not target:
            continue
        if len(hits) == limit:
            return MemoryConcordance(limit + 1, tuple(hits))
        hits.append(MemoryHit(unit, memory.name, source, target))
    return MemoryConcordance(len(hits), tuple(hits))


def _like(char: str) -> str:
    """A character in a LIKE pattern; sqlite ignores case for ASCII only, so other letters become "_"."""
    if char in "\\%_":
        return f"\\{char}"
    return char if char.isascii() or char.lower() == char.upper() else "_"

"""Translation units, and their matches for a segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from anaphora.core.adapting import TaggedText, adapt
from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import code_of
from anaphora.core.tags import MARK


@dataclass(frozen=True, slots=True)
class Unit:
    """A translation unit.

    Attributes:
        source: with inline tags as in a segment.
        marks: the source's own tags, in order, without text that only looks like a tag.
        source_language, target_language: their codes in its file; "" if unknown.
        created, changed: seconds since 1970 (UTC); 0 when unknown.
        author: author of the last change.
        origin: the document or file that it came from.
        previous, following: sources of its neighbours, without tags; "" at the ends of a document, None when
            unknown.
        key: identifies the confirmed segment whose changes it follows; "" for an imported unit.
    """

    source: str
    target: str
    marks: tuple[str, ...] = ()
    source_language: str = ""
    target_language: str = ""
    created: int = 0
    changed: int = 0
    author: str = ""
    origin: str = ""
    previous: str | None = None
    following: str | None = None
    key: str = ""

    @property
    def tagged(self) -> TaggedText:
        return TaggedText(self.source, self.marks)

    @property
    def languages(self) -> tuple[str, str]:
        """See `languages_of`."""
        return languages_of(self.source_language, self.target_language)


def languages_of(source: str, target: str) -> tuple[str, str]:
    """The short codes of two languages, without regions and scripts."""
    return code_of(source), code_of(target)


IN_CONTEXT = 101
EXACT = 100
ADAPTED = 99
"""Only tags, numbers, case, width or blanks differ, and the target was adapted to them."""
UNADAPTED = 98
"""Like `ADAPTED`, but the target could not be adapted; no fuzzy match scores more."""
LOWEST = 60
"""Minimum percentage of a match."""

MOST_PAIRS = 400
"""Maximum number of pairs that an engine reads; it decodes each pair once."""
PER_SEGMENT = 2


@dataclass(frozen=True, slots=True)
class Query:
    """A segment to find matches for.

    Attributes:
        previous, following: sources of its neighbours, without tags; "" at the ends of the document.
        key: excludes the segment's own unit.
        languages: excludes units with other languages; None: any languages.
    """

    source: TaggedText
    previous: str | None = None
    following: str | None = None
    key: str = ""
    languages: LanguagePair | None = None

    def admits(self, source: str, target: str) -> bool:
        """True if a unit in these languages, by their codes, may be a match."""
        return self.languages is None or self.languages.holds(source, target)


@dataclass(frozen=True, slots=True)
class Match:
    """A unit that fits a segment.

    Attributes:
        percent: 101 for the same text and context, 100 for the same text, 99 for an adapted one; lower values
            are the share of equal characters.
        target: its translation, adapted to the segment if possible.
        neighbours: how many of the two neighbours are the same.
        memory: name of the memory that contains the unit.
    """

    unit: Unit
    percent: int
    target: str
    neighbours: int
    memory: str


def make_match(query: Query, unit: Unit, folded: str, query_folded: str, memory: str) -> Match | None:
    """Match a unit; None below `LOWEST`. The two folded texts are `core.folding.fold` of both sources."""
    neighbours = _same_neighbours(query, unit)
    new, old = query.source, unit.tagged
    if folded == query_folded:
        target = adapt(unit.target, old, new)
        if new.text == old.text:
            percent = IN_CONTEXT if _in_context(query, unit) else EXACT
        else:
            percent = UNADAPTED if target is None else ADAPTED
    else:
        percent, target = min(percent_alike(folded, query_folded), UNADAPTED), None
        if percent < LOWEST:
            return None
    return Match(unit, percent, unit.target if target is None else target, neighbours, memory)


def percent_alike(text: str, other: str) -> int:
    """Percentage of equal characters in two texts, rounded down; integers avoid errors at exactly 60."""
    longest = max(len(text), len(other))
    return 100 * (longest - Levenshtein.distance(text, other)) // longest if longest else 100


def best(matches: Iterable[Match], limit: int) -> tuple[Match, ...]:
    """The best matches, each translation once; ties go to those in context, then to the newest."""
    ranked = sorted(
        matches, key=lambda match: (match.percent, match.neighbours, match.unit.changed), reverse=True
    )
    chosen: dict[str, Match] = {}
    for match in ranked:
        chosen.setdefault(match.target, match)
    return tuple(chosen.values())[:limit]


def _in_context(query: Query, unit: Unit) -> bool:
    """True if all neighbours that the unit has equal the segment's; some programs store only one."""
    pairs = ((unit.previous, query.previous), (unit.following, query.following))
    known = [(old, new) for old, new in pairs if old is not None]
    return any(old for old, _ in known) and all(old == new for old, new in known)


def _same_neighbours(query: Query, unit: Unit) -> int:
    same_previous = query.previous is not None and query.previous == unit.previous
    same_following = query.following is not None and query.following == unit.following
    return same_previous + same_following


Find = Callable[[Query, int], tuple[Match, ...]]
"""Finds the best matches of a segment, up to a maximum number."""


def pairs_to_read(
    find: Find,
    queries: Iterable[Query],
    is_known: Callable[[Match], bool] = lambda match: False,
    stop: Callable[[], bool] = bool,
) -> tuple[tuple[str, str], ...]:
    """The best matches of segments, as pairs of texts without tags, each once, in the order of the segments.

    Args:
        is_known: True if the engine already has the match.
        stop: called between two segments; True ends the search.
    """
    pairs: dict[tuple[str, str], None] = {}
    for query in queries:
        if stop() or len(pairs) >= MOST_PAIRS:
            break
        for match in find(query, PER_SEGMENT):
            if not is_known(match):
                pairs[_without_marks(match.unit.source, match), _without_marks(match.unit.target, match)] = (
                    None
                )
    return tuple(pair for pair in pairs if all(pair))[:MOST_PAIRS]


def _without_marks(text: str, match: Match) -> str:
    """A text of a unit without the unit's own tags."""
    own = frozenset(match.unit.marks)
    return " ".join(MARK.sub(lambda mark: "" if mark.group() in own else mark.group(), text).split())

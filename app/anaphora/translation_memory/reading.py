"""What an engine reads of a translation memory: the matches of a document's segments."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from anaphora.core.tags import MARK
from anaphora.translation_memory.matching import Match, Query

MOST_PAIRS = 400
"""Pairs that an engine reads at most: it decodes each of them once."""
PER_SEGMENT = 2

Find = Callable[[Query, int], tuple[Match, ...]]
"""The best matches of a segment, as many as are asked for."""


def pairs_to_read(
    find: Find,
    queries: Iterable[Query],
    is_known: Callable[[Match], bool] = lambda match: False,
    stop: Callable[[], bool] = bool,
) -> tuple[tuple[str, str], ...]:
    """The best matches of segments without tags, each once, in the order of the segments.

    Args:
        is_known: whether an engine has a match already.
        stop: asked between two segments.
    """
    pairs: dict[tuple[str, str], None] = {}
    for query in queries:
        if stop() or len(pairs) >= MOST_PAIRS:
            break
        for match in find(query, PER_SEGMENT):
            if not is_known(match):
                pairs[_plain(match.unit.source, match), _plain(match.unit.target, match)] = None
    return tuple(pair for pair in pairs if all(pair))[:MOST_PAIRS]


def _plain(text: str, match: Match) -> str:
    """A text of a unit without the unit's own tags."""
    own = frozenset(match.unit.marks)
    return " ".join(MARK.sub(lambda mark: "" if mark.group() in own else mark.group(), text).split())

"""What a translation makes of a term: used, ignored, or named as it must not be."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import accumulate

from anaphora.core.segment import Segment, Status
from anaphora.term_base.entries import Entry, Usage
from anaphora.term_base.recognition import FoundTerm
from anaphora.term_base.substitution import Pairs, instead_of_forbidden, substitute, written_otherwise
from anaphora.term_base.word_edges import is_unspaced
from anaphora_text.inflections import inflections


class Verdict(Enum):
    """What became of a term in a translation."""

    USED = "used"
    IGNORED = "ignored"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class TermUse:
    """A term of a source text in its translation.

    Attributes:
        found: the term in the source; the first of its occurrences.
        verdict: what became of it.
        spans: where the translation uses it, or uses what is forbidden: (start, end).
        mends: where it is not used and one way to mend that is safe: words, and what is to stand there.
    """

    found: FoundTerm
    verdict: Verdict
    spans: tuple[tuple[int, int], ...] = ()
    mends: Pairs = ()


def is_judged(segment: Segment) -> bool:
    """Whether it is looked what a segment makes of its terms: a translation is there."""
    state = segment.state  # asked of each segment when a project is opened
    return state.status is not Status.NOT_STARTED and bool(state.target) and not state.target.isspace()


def check_terms(found: Sequence[FoundTerm], target: str) -> tuple[TermUse, ...]:
    """What a translation makes of each term of its source, each term once, in the order of the source.

    A term is used where one of its target terms stands in any form, and no forbidden one that is not part of
    an allowed one. That it occurs as often as in the source is not asked for: a pronoun may stand for it.
    """
    seen: dict[tuple[Entry, ...], FoundTerm] = {}
    for each in found:
        seen.setdefault(each.entries, each)
    uses = [_use(each, target) for each in seen.values()]
    kept = [span for use in uses if use.verdict is Verdict.USED for span in use.spans]
    return tuple(use if use.verdict is Verdict.USED else _with_mends(use, target, kept) for use in uses)


def occurrences(term: str, target: str) -> tuple[tuple[int, int], ...]:
    """Where a target term stands in a text, in any of its forms, whole words, of whatever case."""
    return tuple(match.span() for match in _pattern(term).finditer(target))


def _use(found: FoundTerm, target: str) -> TermUse:
    used = [span for entry in found.entries for term in entry.allowed for span in occurrences(term, target)]
    within = _spans_around(used)
    forbidden = [
        span
        for entry in found.entries
        for term in entry.forbidden
        for span in occurrences(term, target)
        if not within(span)
    ]
    if forbidden:
        return TermUse(found, Verdict.FORBIDDEN, tuple(sorted(set(forbidden))))
    has_answer = any(entry.allowed for entry in found.entries)
    verdict = Verdict.USED if used or not has_answer else Verdict.IGNORED
    return TermUse(found, verdict, tuple(sorted(set(used))))


def _spans_around(spans: Sequence[tuple[int, int]]) -> Callable[[tuple[int, int]], bool]:
    """Tells whether a span lies within one of these."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    ends = list(accumulate((end for _, end in ordered), max))

    def is_within(span: tuple[int, int]) -> bool:
        place = bisect_right(starts, span[0])
        return place > 0 and ends[place - 1] >= span[1]

    return is_within


def _with_mends(use: TermUse, target: str, kept: Sequence[tuple[int, int]]) -> TermUse:
    """A use with what mends it; nothing where that would touch other terms, which are used."""
    targets = [target for entry in use.found.entries for target in entry.targets]
    allowed = dict.fromkeys(each.text for each in targets if each.usage is not Usage.FORBIDDEN)
    if use.verdict is Verdict.FORBIDDEN:
        touched = {place for span in kept for place in range(*span)}
        if any(place in touched for span in use.spans for place in range(*span)):
            return use
        preferred = dict.fromkeys(each.text for each in targets if each.usage is Usage.PREFERRED) or allowed
        forbidden = [each.text for each in targets if each.usage is Usage.FORBIDDEN]
        mends = instead_of_forbidden(target, use.spans, forbidden, list(preferred))
    else:
        mends = written_otherwise(target, list(allowed))
    is_used = bool(mends) and _use(use.found, substitute(target, mends)).verdict is Verdict.USED
    return replace(use, mends=mends) if is_used else use


@lru_cache(maxsize=2_000)
def _pattern(term: str) -> re.Pattern[str]:
    forms = sorted(inflections(term), key=len, reverse=True)
    texts = "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
    if is_unspaced(term):
        return re.compile(texts, re.IGNORECASE)
    return re.compile(rf"(?<!\w)(?:{texts})(?!\w)", re.IGNORECASE)

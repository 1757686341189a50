"""Checks if translations use the terms of their sources, ignore them, or use forbidden translations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from anaphora.core.segment import Segment, Status
from anaphora.core.term_entries import TermEntry, Usage
from anaphora.features.terms.recognition import FoundTerm
from anaphora.features.terms.substitution import Pairs, replacements, substitute
from anaphora.features.terms.word_edges import is_unspaced
from anaphora_text.inflections import inflections

_NON, _NEGATED = (re.compile(rf"\b{no}[\s-]+$", re.IGNORECASE) for no in ("non", "non?"))
"""Negations before a translation, which make it the opposite of the term: "non force majeure"."""
_NEGATION = re.compile("[不非无無未没沒勿莫否别別]")


class Verdict(Enum):
    USED = "used"
    IGNORED = "ignored"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class TermUse:
    """The use of a source term in the translation.

    Attributes:
        found: the first of its occurrences in the source.
        spans: positions of the allowed or forbidden translations in the target: (start, end).
        fixes: replacements of forbidden translations, if they are safe.
    """

    found: FoundTerm
    verdict: Verdict
    spans: tuple[tuple[int, int], ...] = ()
    fixes: Pairs = ()


def is_translated(segment: Segment) -> bool:
    """True if the segment has a target."""
    state = segment.state  # read once: this runs for each segment when a project is opened
    return state.status is not Status.NOT_STARTED and bool(state.target) and not state.target.isspace()


def check_terms(found: Sequence[FoundTerm], target: str, source: str = "") -> tuple[TermUse, ...]:
    """How a translation uses each term of the source, each term once, in the order of the source.

    A term is used if the target contains an allowed translation in any form, and no forbidden one outside
    an allowed one. It may occur less often than in the source, as a pronoun may replace it.
    """
    seen: dict[tuple[TermEntry, ...], FoundTerm] = {}
    for each in found:
        seen.setdefault(each.entries, each)
    uses = [_use(each, target, source) for each in seen.values()]
    kept = [span for use in uses if use.verdict is Verdict.USED for span in use.spans]
    return tuple(_with_fixes(use, target, kept) if use.verdict is Verdict.FORBIDDEN else use for use in uses)


def occurrences(term: str, target: str) -> tuple[tuple[int, int], ...]:
    """Positions of a translation in a text: whole words, in any inflected form and case."""
    return tuple(match.span() for match in _pattern(term).finditer(target))


def _use(found: FoundTerm, target: str, source: str = "") -> TermUse:
    in_term = len(_NEGATION.findall(source, found.start, found.end))
    negation = _NEGATED if in_term and len(_NEGATION.findall(source)) == in_term else _NON
    every = (span for entry in found.entries for term in entry.allowed for span in occurrences(term, target))
    used = [span for span in every if not negation.search(target, max(span[0] - 6, 0), span[0])]
    covered = {place for span in used for place in range(*span)}
    forbidden = [
        span
        for entry in found.entries
        for term in entry.forbidden
        for span in occurrences(term, target)
        if not covered.issuperset(range(*span))
    ]
    if forbidden:
        return TermUse(found, Verdict.FORBIDDEN, tuple(sorted(set(forbidden))))
    has_allowed = any(entry.allowed for entry in found.entries)
    verdict = Verdict.USED if used or not has_allowed else Verdict.IGNORED
    return TermUse(found, verdict, tuple(sorted(set(used))))


def _with_fixes(use: TermUse, target: str, kept: Sequence[tuple[int, int]]) -> TermUse:
    """A use with its fixes, unless they would change other terms that are used correctly."""
    touched = {place for span in kept for place in range(*span)}
    if any(not touched.isdisjoint(range(*span)) for span in use.spans):
        return use
    targets = [target for entry in use.found.entries for target in entry.targets]
    preferred = [each.text for each in targets if each.usage is Usage.PREFERRED]
    preferred = preferred or [each.text for each in targets if each.usage is Usage.ADMITTED]
    forbidden = [each.text for each in targets if each.usage is Usage.FORBIDDEN]
    fixes = replacements(target, use.spans, forbidden, [*dict.fromkeys(preferred)])
    is_used = bool(fixes) and _use(use.found, substitute(target, fixes)).verdict is Verdict.USED
    return replace(use, fixes=fixes) if is_used else use


@lru_cache(maxsize=2_000)
def _pattern(term: str) -> re.Pattern[str]:
    forms = sorted(inflections(term), key=len, reverse=True)
    texts = "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
    if is_unspaced(term):
        return re.compile(texts, re.IGNORECASE)
    return re.compile(rf"(?<!\w)(?:{texts})(?!\w)", re.IGNORECASE)

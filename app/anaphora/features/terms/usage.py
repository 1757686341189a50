"""The use of a term in a translation: used, ignored, or a forbidden translation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from anaphora.core.segment import Segment, Status
from anaphora.core.term_entries import TermEntry, Usage
from anaphora.features.terms.recognition import FoundTerm
from anaphora.features.terms.substitution import Pairs, instead_of_forbidden, substitute
from anaphora.features.terms.word_edges import is_unspaced
from anaphora_text.inflections import inflections

_NON, _DENIED = (re.compile(rf"\b{no}[\s-]+$", re.IGNORECASE) for no in ("non", "non?"))
"""After it a term says the opposite: 不可抗力 is no "non force majeure"; "no" where nothing else denies."""
_DENY = re.compile("[不非无無未没沒勿莫否别別]")


class Verdict(Enum):
    USED = "used"
    IGNORED = "ignored"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class TermUse:
    """A term of a source text in its translation.

    Attributes:
        found: the first of its occurrences in the source.
        spans: where the translation uses it, or uses what is forbidden: (start, end).
        mends: where it is forbidden and one way to mend that is safe: words, and what is to stand there.
    """

    found: FoundTerm
    verdict: Verdict
    spans: tuple[tuple[int, int], ...] = ()
    mends: Pairs = ()


def is_judged(segment: Segment) -> bool:
    """True if the text contains a translation."""
    state = segment.state  # asked of each segment when a project is opened
    return state.status is not Status.NOT_STARTED and bool(state.target) and not state.target.isspace()


def check_terms(found: Sequence[FoundTerm], target: str, source: str = "") -> tuple[TermUse, ...]:
    """The use of each term of the source in a translation, each term once, in the order of the source.

    A term is used where one of its target terms stands in any form, and no forbidden one that is not part of
    an allowed one. It may occur less often than in the source: a pronoun may stand for it.
    """
    seen: dict[tuple[TermEntry, ...], FoundTerm] = {}
    for each in found:
        seen.setdefault(each.entries, each)
    uses = [_use(each, target, source) for each in seen.values()]
    kept = [span for use in uses if use.verdict is Verdict.USED for span in use.spans]
    return tuple(_with_mends(use, target, kept) if use.verdict is Verdict.FORBIDDEN else use for use in uses)


def occurrences(term: str, target: str) -> tuple[tuple[int, int], ...]:
    """Positions of a target term in a text, in any of its forms, whole words, in any case."""
    return tuple(match.span() for match in _pattern(term).finditer(target))


def _use(found: FoundTerm, target: str, source: str = "") -> TermUse:
    of_term = len(_DENY.findall(source, found.start, found.end))
    denied = _DENIED if of_term and len(_DENY.findall(source)) == of_term else _NON
    every = (span for entry in found.entries for term in entry.allowed for span in occurrences(term, target))
    used = [span for span in every if not denied.search(target, max(span[0] - 6, 0), span[0])]
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
    has_answer = any(entry.allowed for entry in found.entries)
    verdict = Verdict.USED if used or not has_answer else Verdict.IGNORED
    return TermUse(found, verdict, tuple(sorted(set(used))))


def _with_mends(use: TermUse, target: str, kept: Sequence[tuple[int, int]]) -> TermUse:
    """A use with its fix; without one if that would touch other terms, which are used."""
    touched = {place for span in kept for place in range(*span)}
    if any(not touched.isdisjoint(range(*span)) for span in use.spans):
        return use
    targets = [target for entry in use.found.entries for target in entry.targets]
    preferred = [each.text for each in targets if each.usage is Usage.PREFERRED]
    preferred = preferred or [each.text for each in targets if each.usage is Usage.ADMITTED]
    forbidden = [each.text for each in targets if each.usage is Usage.FORBIDDEN]
    mends = instead_of_forbidden(target, use.spans, forbidden, [*dict.fromkeys(preferred)])
    is_used = bool(mends) and _use(use.found, substitute(target, mends)).verdict is Verdict.USED
    return replace(use, mends=mends) if is_used else use


@lru_cache(maxsize=2_000)
def _pattern(term: str) -> re.Pattern[str]:
    forms = sorted(inflections(term), key=len, reverse=True)
    texts = "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
    if is_unspaced(term):
        return re.compile(texts, re.IGNORECASE)
    return re.compile(rf"(?<!\w)(?:{texts})(?!\w)", re.IGNORECASE)

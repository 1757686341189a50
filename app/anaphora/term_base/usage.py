"""What a translation makes of a term: used, ignored, or named as it must not be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from anaphora.core.text import has_han
from anaphora.term_base.entries import Entry
from anaphora.term_base.inflections import inflections
from anaphora.term_base.recognition import FoundTerm


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
    """

    found: FoundTerm
    verdict: Verdict
    spans: tuple[tuple[int, int], ...] = ()


def check_terms(found: Sequence[FoundTerm], target: str) -> tuple[TermUse, ...]:
    """What a translation makes of each term of its source, each term once, in the order of the source.

    A term is used where one of its target terms stands in any form, and no forbidden one that is not part of
    an allowed one. That it occurs as often as in the source is not asked for: a pronoun may stand for it.
    """
    seen: dict[tuple[Entry, ...], FoundTerm] = {}
    for each in found:
        seen.setdefault(each.entries, each)
    return tuple(_use(each, target) for each in seen.values())


def occurrences(term: str, target: str) -> tuple[tuple[int, int], ...]:
    """Where a target term stands in a text, in any of its forms, whole words, of whatever case."""
    return tuple(match.span() for match in _pattern(term).finditer(target))


def _use(found: FoundTerm, target: str) -> TermUse:
    used = [span for entry in found.entries for term in entry.allowed for span in occurrences(term, target)]
    forbidden = [
        span
        for entry in found.entries
        for term in entry.forbidden
        for span in occurrences(term, target)
        if not any(start <= span[0] and span[1] <= end for start, end in used)
    ]
    if forbidden:
        return TermUse(found, Verdict.FORBIDDEN, tuple(sorted(set(forbidden))))
    has_answer = any(entry.allowed for entry in found.entries)
    verdict = Verdict.USED if used or not has_answer else Verdict.IGNORED
    return TermUse(found, verdict, tuple(sorted(set(used))))


@lru_cache(maxsize=20_000)
def _pattern(term: str) -> re.Pattern[str]:
    forms = sorted(inflections(term), key=len, reverse=True)
    texts = "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
    if has_han(term):
        return re.compile(texts, re.IGNORECASE)
    return re.compile(rf"(?<!\w)(?:{texts})(?!\w)", re.IGNORECASE)

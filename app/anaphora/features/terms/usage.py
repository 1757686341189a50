"""Checks how translations use terms, and replaces forbidden translations, keeping number and case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from anaphora.core.search import with_capitals_of
from anaphora.core.segment import Segment, Status
from anaphora.core.term_entries import TermEntry, Usage
from anaphora.features.terms.recognition import FoundTerm, is_unspaced
from anaphora_text.function_words import article
from anaphora_text.han import HANGUL, UNSPACED_LETTERS
from anaphora_text.inflections import inflections, plural

Pairs = tuple[tuple[str, str], ...]
"""Tuples (words to replace in a target, their replacement)."""

_ARTICLE = re.compile(r"(?<!\w)(an?)\s+$", re.IGNORECASE)
_BEFORE_VERBS = re.compile(
    r"(?<!\w)(?:to|not|will|would|can|could|may|might|must|shall|should)\s+$", re.IGNORECASE
)
_LETTER = rf"[^\W{UNSPACED_LETTERS}{HANGUL}]"
"""A letter of a script with spaces. A match beside such a letter is only part of a word."""
_CONTEXT_LENGTH = 12


def replacements(
    target: str, spans: Sequence[tuple[int, int]], forbidden: Sequence[str], preferred: Sequence[str]
) -> Pairs:
    """Replacements of forbidden translations, in the same number and case; empty if one of them is unclear.

    Args:
        spans: positions of the forbidden translations in the target.
        preferred: the term's preferred translations; replacements are unclear unless there is exactly one.
    """
    if len(preferred) != 1:
        return ()
    pairs: dict[str, str] = {}
    for start, end in spans:
        old = target[start:end]
        new = _inflected(" ".join(old.split()), forbidden, preferred[0])
        before = target[max(start - _CONTEXT_LENGTH, 0) : start]
        present, needed = _ARTICLE.search(before), article(new)
        if not new or (present and not needed) or _BEFORE_VERBS.search(before):
            return ()
        if present and needed != present[1].lower():
            old, new = present[0] + old, f"{with_capitals_of(present[1], needed)} {new}"
        if pairs.setdefault(old, new) != new:
            return ()
    return tuple(pairs.items())


def substitute(target: str, pairs: Pairs) -> str:
    """A target with its words replaced as in `pairs`; a replacement takes the case of its word."""
    words = {old.lower(): new for old, new in pairs} | dict(pairs)

    def replacement(match: re.Match[str]) -> str:
        return words.get(match[0]) or with_capitals_of(match[0], words[match[0].lower()])

    pattern = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return (
        re.sub(f"(?<!{_LETTER})(?:{pattern})(?!{_LETTER})", replacement, target, flags=re.IGNORECASE)
        if pairs
        else target
    )


def _inflected(used: str, forbidden: Sequence[str], preferred: str) -> str:
    """The preferred translation in the number and case of `used`; "" if the form is unknown."""
    for term in forbidden:
        singular = " ".join(term.split())
        for form, new in ((singular, preferred), (plural(singular), plural(preferred))):
            if form and used.casefold() == form.casefold():
                if used == form:
                    return new
                return new[:1].upper() + new[1:] if used == form[:1].upper() + form[1:] else ""
    return ""


_NON, _NEGATED = (re.compile(rf"\b{no}[\s-]+$", re.IGNORECASE) for no in ("non", "non?"))
"""`_NON` finds "non" before a translation, `_NEGATED` finds "no" or "non". These reverse its meaning."""
_NEGATION = re.compile("[不非无無未没沒勿莫否别別]")


class Verdict(Enum):
    USED = "used"
    IGNORED = "ignored"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class TermUse:
    """The use of a source term in the translation.

    Attributes:
        found: the first occurrence of the term in the source.
        spans: positions in the target: of forbidden translations if there are any, else of allowed ones.
        fixes: replacements of forbidden translations; empty if they are not safe.
    """

    found: FoundTerm
    verdict: Verdict
    spans: tuple[tuple[int, int], ...] = ()
    fixes: Pairs = ()


def is_translated(segment: Segment) -> bool:
    state = segment.state  # read once: this runs for each segment when a project is opened
    return state.status is not Status.NOT_STARTED and bool(state.target) and not state.target.isspace()


def check_terms(found: Sequence[FoundTerm], target: str, source: str = "") -> tuple[TermUse, ...]:
    """How a translation uses the terms of its source, each term once, in the order of the source.

    A term is used if the target contains an allowed translation in any form, without an added negation, and
    no forbidden translation outside allowed ones. One occurrence is enough, because pronouns may replace the
    others. A term that has no allowed translations counts as used if no forbidden translation occurs.
    """
    seen: dict[tuple[TermEntry, ...], FoundTerm] = {}
    for each in found:
        seen.setdefault(each.entries, each)
    uses = [_use(each, target, source) for each in seen.values()]
    kept = [span for use in uses if use.verdict is Verdict.USED for span in use.spans]
    return tuple(_with_fixes(use, target, kept) if use.verdict is Verdict.FORBIDDEN else use for use in uses)


def occurrences(term: str, target: str) -> tuple[tuple[int, int], ...]:
    """Positions of a translation in a text, in any form and case; whole words in scripts with spaces."""
    return tuple(match.span() for match in _pattern(term).finditer(target))


def _use(found: FoundTerm, target: str, source: str = "") -> TermUse:
    term_negations = len(_NEGATION.findall(source, found.start, found.end))
    negation = _NEGATED if term_negations and len(_NEGATION.findall(source)) == term_negations else _NON
    spans = (span for entry in found.entries for term in entry.allowed for span in occurrences(term, target))
    used = [span for span in spans if not negation.search(target, max(span[0] - 6, 0), span[0])]
    covered = {offset for span in used for offset in range(*span)}
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
    """The use with its fixes; without fixes if these would change correct translations of terms (`kept`)."""
    touched = {offset for span in kept for offset in range(*span)}
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

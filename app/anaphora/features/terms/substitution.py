"""Replacements for forbidden translations of terms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora.core.search import with_capitals_of
from anaphora_text.determiners import article
from anaphora_text.han import HANGUL, UNSPACED_LETTERS
from anaphora_text.inflections import plural

Pairs = tuple[tuple[str, str], ...]
"""(whole words as they stand in a translation, what is to stand there)."""

_ARTICLE = re.compile(r"(?<!\w)(an?)\s+$", re.IGNORECASE)
_BEFORE_VERBS = re.compile(
    r"(?<!\w)(?:to|not|will|would|can|could|may|might|must|shall|should)\s+$", re.IGNORECASE
)
_LETTER = rf"[^\W{UNSPACED_LETTERS}{HANGUL}]"
"""A letter beside which no word ends."""
_NEAR = 12
"""Characters before a word in which an article or an auxiliary verb is looked for."""


def instead_of_forbidden(
    target: str, spans: Sequence[tuple[int, int]], forbidden: Sequence[str], preferred: Sequence[str]
) -> Pairs:
    """Replacements for forbidden terms, in their number and case; empty if one of them is unclear.

    Args:
        spans: where they stand in the target.
        preferred: what the term is to be called; there has to be one.
    """
    if len(preferred) != 1:
        return ()
    pairs: dict[str, str] = {}
    for start, end in spans:
        old = target[start:end]
        new = _in_number(" ".join(old.split()), forbidden, preferred[0])
        before = target[max(start - _NEAR, 0) : start]
        said, right = _ARTICLE.search(before), article(new)
        if not new or (said and not right) or _BEFORE_VERBS.search(before):
            return ()
        if said and right != said[1].lower():
            old, new = said[0] + old, f"{with_capitals_of(said[1], right)} {new}"
        if pairs.setdefault(old, new) != new:
            return ()
    return tuple(pairs.items())


def substitute(target: str, pairs: Pairs) -> str:
    """A target with what is to stand there, in either case."""
    words = {old.lower(): new for old, new in pairs} | dict(pairs)

    def instead(match: re.Match[str]) -> str:
        return words.get(match[0]) or with_capitals_of(match[0], words[match[0].lower()])

    said = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return (
        re.sub(f"(?<!{_LETTER})(?:{said})(?!{_LETTER})", instead, target, flags=re.IGNORECASE)
        if pairs
        else target
    )


def _in_number(said: str, forbidden: Sequence[str], preferred: str) -> str:
    """A preferred term in the number of a forbidden one; "" for forms that are neither it nor its plural."""
    for term in forbidden:
        one = " ".join(term.split())
        many = plural(one)
        for form, new in ((one, preferred), (many, plural(preferred))):
            if form and said.casefold() == form.casefold():
                if said == form:
                    return new
                return new[:1].upper() + new[1:] if said == form[:1].upper() + form[1:] else ""
    return ""

"""Replacements for forbidden translations of terms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora_text.determiners import article
from anaphora_text.inflections import plural

Pairs = tuple[tuple[str, str], ...]
"""(whole words as they stand in a translation, what is to stand there)."""

_ARTICLE = re.compile(r"(?<!\w)(an?)\s+$", re.IGNORECASE)
_BEFORE_VERBS = re.compile(
    r"(?<!\w)(?:to|not|will|would|can|could|may|might|must|shall|should)\s+$", re.IGNORECASE
)
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
        said = _ARTICLE.search(before)
        is_wrong = said is not None and article(new) != said[1].lower()
        if not new or is_wrong or _BEFORE_VERBS.search(before) or pairs.setdefault(old, new) != new:
            return ()
    return tuple(pairs.items())


def substitute(target: str, pairs: Pairs) -> str:
    """A target with what is to stand there."""
    for old, new in sorted(pairs, key=lambda pair: -len(pair[0])):
        target = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _, new=new: new, target)  # type: ignore[misc]
    return target


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

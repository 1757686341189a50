"""What is to stand where a translation calls a term what it must not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora_text.determiners import article
from anaphora_text.inflections import plural

Pairs = tuple[tuple[str, str], ...]
"""(whole words as they stand in a translation, what is to stand there)."""

_ARTICLE = re.compile(r"(?<!\w)(an?)(\s+)$", re.IGNORECASE)
_BEFORE_VERBS = re.compile(
    r"(?<!\w)(?:to|not|will|would|can|could|may|might|must|shall|should)\s+$", re.IGNORECASE
)
_NEAR = 12
"""Characters before a word in which an article or an auxiliary verb is looked for."""


def instead_of_forbidden(
    target: str, spans: Sequence[tuple[int, int]], forbidden: Sequence[str], preferred: Sequence[str]
) -> Pairs:
    """What stands in for forbidden terms, in their number and case; nothing where one of them is not clear.

    Args:
        spans: where they stand in the target.
        preferred: what the term is to be called; there has to be one.
    """
    if len(preferred) != 1:
        return ()
    pairs: dict[str, str] = {}
    for start, end in spans:
        new = _in_number(" ".join(target[start:end].split()), forbidden, preferred[0])
        before = target[max(start - _NEAR, 0) : start]
        if not new or _BEFORE_VERBS.search(before):
            return ()
        begin, put = _with_article(target, start, end, new)
        if not put or pairs.setdefault(target[begin:end], put) != put:
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


def _with_article(target: str, start: int, end: int, new: str) -> tuple[int, str]:
    """Where what goes begins, and what comes: with the article before it, if that has to change."""
    match = _ARTICLE.search(target[max(start - _NEAR, 0) : start])
    if match is None:
        return start, new
    wanted = article(new)
    if not wanted:
        return start, ""
    if wanted == match[1].lower():
        return start, new
    shown = wanted.capitalize() if match[1][0].isupper() else wanted
    return start - len(match.group()), f"{shown}{match[2]}{new}"

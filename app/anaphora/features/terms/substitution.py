"""Replacements for forbidden translations of terms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora.core.search import with_capitals_of
from anaphora_text.function_words import article
from anaphora_text.han import HANGUL, UNSPACED_LETTERS
from anaphora_text.inflections import plural

Pairs = tuple[tuple[str, str], ...]
"""(whole words of a translation, their replacement)."""

_ARTICLE = re.compile(r"(?<!\w)(an?)\s+$", re.IGNORECASE)
_BEFORE_VERBS = re.compile(
    r"(?<!\w)(?:to|not|will|would|can|could|may|might|must|shall|should)\s+$", re.IGNORECASE
)
_LETTER = rf"[^\W{UNSPACED_LETTERS}{HANGUL}]"
"""A letter of a script with spaces: no word ends beside it."""
_NEAR = 12
"""Number of characters before a word that are searched for an article or an auxiliary verb."""


def replacements(
    target: str, spans: Sequence[tuple[int, int]], forbidden: Sequence[str], preferred: Sequence[str]
) -> Pairs:
    """Replacements of forbidden translations in their number and case; empty if any is unclear.

    Args:
        spans: positions of the forbidden translations in the target.
        preferred: the term's preferred translations; must be exactly one.
    """
    if len(preferred) != 1:
        return ()
    pairs: dict[str, str] = {}
    for start, end in spans:
        old = target[start:end]
        new = _in_number(" ".join(old.split()), forbidden, preferred[0])
        before = target[max(start - _NEAR, 0) : start]
        present, right = _ARTICLE.search(before), article(new)
        if not new or (present and not right) or _BEFORE_VERBS.search(before):
            return ()
        if present and right != present[1].lower():
            old, new = present[0] + old, f"{with_capitals_of(present[1], right)} {new}"
        if pairs.setdefault(old, new) != new:
            return ()
    return tuple(pairs.items())


def substitute(target: str, pairs: Pairs) -> str:
    """A target with its words replaced, in their case."""
    words = {old.lower(): new for old, new in pairs} | dict(pairs)

    def replacement(match: re.Match[str]) -> str:
        return words.get(match[0]) or with_capitals_of(match[0], words[match[0].lower()])

    pattern = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return (
        re.sub(f"(?<!{_LETTER})(?:{pattern})(?!{_LETTER})", replacement, target, flags=re.IGNORECASE)
        if pairs
        else target
    )


def _in_number(used: str, forbidden: Sequence[str], preferred: str) -> str:
    """The preferred translation in the number and case of the one used; "" if the form is unknown."""
    for term in forbidden:
        one = " ".join(term.split())
        many = plural(one)
        for form, new in ((one, preferred), (many, plural(preferred))):
            if form and used.casefold() == form.casefold():
                if used == form:
                    return new
                return new[:1].upper() + new[1:] if used == form[:1].upper() + form[1:] else ""
    return ""

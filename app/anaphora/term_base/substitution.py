"""What is to stand where a translation calls a term what it must not, or writes it in other pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora_text.determiners import article
from anaphora_text.inflections import inflections, plural

Pairs = tuple[tuple[str, str], ...]
"""(whole words as they stand in a translation, what is to stand there)."""

_ARTICLE = re.compile(r"(?<!\w)(an?)(\s+)$", re.IGNORECASE)
_BEFORE_VERBS = re.compile(
    r"(?<!\w)(?:to|not|will|would|can|could|may|might|must|shall|should)\s+$", re.IGNORECASE
)
_NEAR = 12
"""Characters before a word in which an article or an auxiliary verb is looked for."""
_PIECE = re.compile(r"\w+")


def instead_of_forbidden(
    target: str, spans: Sequence[tuple[int, int]], forbidden: Sequence[str], preferred: Sequence[str]
) -> Pairs:
    """What stands in for forbidden terms, in their number and case; nothing where one of them is not clear.

    Args:
        spans: where they stand in the target.
        forbidden: the term base's forbidden terms.
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


def written_otherwise(target: str, allowed: Sequence[str]) -> Pairs:
    """A term that stands in a target with other blanks or hyphens ("data set"), and what it is written as.

    Nothing where none stands there, or several do.
    """
    letters = _letters(target)
    forms = {_letters(form): form for text in allowed for form in reversed(inflections(text))}
    wanted = {key: form for key, form in forms.items() if key and key in letters}
    found = {target[start:end] for start, end in _stretches(target, wanted)} if wanted else set()
    if len(found) != 1:
        return ()
    (old,) = found
    form = wanted[_letters(old)]
    return ((old, form[:1].upper() + form[1:] if old[:1].isupper() else form),)


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


def _stretches(target: str, wanted: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Where words stand, with blanks or hyphens between them, that are joined one of the wanted."""
    pieces = [match.span() for match in _PIECE.finditer(target)]
    longest = max(map(len, wanted))
    for number, (start, _) in enumerate(pieces):
        for place, (begin, end) in enumerate(pieces[number:], number):
            if place > number and target[pieces[place - 1][1] : begin].strip(" -\u00a0"):
                break
            key = _letters(target[start:end])
            if len(key) > longest:
                break
            if key in wanted:
                yield start, end


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()

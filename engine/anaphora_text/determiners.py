"""Articles and other determiners of English beside a term: which of them do not go with it."""

from __future__ import annotations

from collections.abc import Iterable

_SAID = (
    "a an the this that these those both each every either neither some any all no my your his her its our "
    "their"
)
_DETERMINERS = frozenset(_SAID.split())
_SAID_BEFORE = "the a an one two this these those its their your each every some any"
_BEFORE = tuple(_SAID_BEFORE.split())
"""Words that stand before no determiner: "the both parties", "two each"."""


def article(word: str) -> str:
    """ "a" or "an"; "" if the letters do not decide: an hour, a user, an SQL query."""
    first = word[:1].lower()
    if not first.isalpha() or word[:2].isupper() or first in "hu" or word[:2].lower() in ("eu", "on"):
        return ""
    return "an" if first in "aeio" else "a"


def clashes(forms: Iterable[str]) -> tuple[str, ...]:
    """Wrong words before the forms of a term in English: "the both", "a archive"."""
    found: dict[str, None] = {}
    for first in dict.fromkeys(form.split()[0] for form in forms if form.strip() and form.isascii()):
        if first.lower() in _DETERMINERS:
            found |= dict.fromkeys(f"{before} {first}" for before in _BEFORE)
        elif right := article(first):
            wrong = "a" if right == "an" else "an"
            found |= {f"{wrong} {first}": None, f"{wrong} {first[:1].upper()}{first[1:]}": None}
    return tuple(found)

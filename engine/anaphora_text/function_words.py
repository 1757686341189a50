"""Function words and stop words of English and Chinese, and words that cannot precede an English term."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"


def read_table(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def read_pairs(name: str) -> dict[str, str]:
    return dict(line.split("\t") for line in read_table(name).splitlines())


FUNCTION_WORDS = frozenset(read_table("function_en.txt").split())
PRONOUNS = frozenset(("any", "either", "each", "every", "all", "both"))
"""First words of English renderings of pronouns, such as "either Party" for 任何一方."""
CHINESE_FUNCTION_WORDS = frozenset(read_table("function_zh.txt").split())
STOP_WORDS = frozenset(read_table("stop_en.txt").split())
CHINESE_STOP_WORDS = frozenset(read_table("stop_zh.txt").split())


_DETERMINER_LIST = (
    "a an the this that these those both each every either neither some any all no my your his her its our "
    "their"
)
_DETERMINERS = frozenset(_DETERMINER_LIST.split())
_PRECEDING_LIST = "the a an one two this these those its their your each every some any"
_PRECEDING_WORDS = tuple(_PRECEDING_LIST.split())
"""Words that cannot precede a determiner: "the both parties" and "two each" are wrong."""


def article(word: str) -> str:
    """ "a" or "an" for a word; "" if its spelling does not decide: an hour, a user, an SQL query."""
    first = word[:1].lower()
    if not first.isalpha() or word[:2].isupper() or first in "hu" or word[:2].lower() in ("eu", "on"):
        return ""
    return "an" if first in "aeio" else "a"


def clashes(forms: Iterable[str]) -> tuple[str, ...]:
    """Wrong pairs of a word and the first word of an ASCII form of a term: "the both", "a archive"."""
    pairs: dict[str, None] = {}
    for first in dict.fromkeys(form.split()[0] for form in forms if form.strip() and form.isascii()):
        if first.lower() in _DETERMINERS:
            pairs |= dict.fromkeys(f"{before} {first}" for before in _PRECEDING_WORDS)
        elif correct := article(first):
            wrong = "a" if correct == "an" else "an"
            pairs |= {f"{wrong} {first}": None, f"{wrong} {first[:1].upper()}{first[1:]}": None}
    return tuple(pairs)

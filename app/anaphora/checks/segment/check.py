"""What a check is: what it says, what it is about, how it finds and how it mends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from anaphora.core.folding import plain_width
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora.core.tags import MARK
from anaphora.core.text import URL

MOST = 100
"""Findings of one check that are looked for in the other text: each of them costs a pass over it."""

Find = Callable[[str, str, LanguagePair], Iterable[str]]
"""Gives what a warning names, one text for each warning, from source, target and their languages."""
Mend = Callable[[str, str, str], str]
"""Gives the mended target, from source, target and what a warning names; the same one if none is safe."""


@dataclass(frozen=True)
class Check:
    """A check of one segment.

    Attributes:
        name: for scripts; it never changes, whatever language the warning is in.
        says: the warning, {0} being what it names; marked for translation by `translate`.
        kind: what the warning is about.
        find: finds what to warn of.
        mend: the safe way to mend it, where there is one.
        of_the_whole: whether it can be said only when nothing more of a translation is to come.
    """

    name: str
    says: str
    kind: RemarkKind
    find: Find
    mend: Mend | None = None
    of_the_whole: bool = False


def translate(_context: str, text: str) -> str:
    """Mark a text for the tools that gather what is to be translated; the text itself."""
    return text


def bare(text: str) -> str:
    """The text without tags and addresses, full-width digits and marks made plain."""
    return plain_width(URL.sub(" ", MARK.sub(" ", text)))

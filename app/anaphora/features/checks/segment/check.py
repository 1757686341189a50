"""A check: its remark, its kind and its fix."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from anaphora.core.folding import plain_width
from anaphora.core.language_pair import LanguagePair
from anaphora.core.tags import MARK
from anaphora.core.text import URL
from anaphora.features.checks.remarks import RemarkKind
from anaphora_text.numbers.signs import SUPERSCRIPTS, narrowed
from anaphora_text.punctuation import WIDE_COMMAS

MOST = 100
"""Findings of one check that are looked for in the other text: each of them costs a pass over it."""

_POWER = re.compile(f"(?<=\\d)[{SUPERSCRIPTS}]+")
_POWER_OF_UNIT = re.compile(r"(?<=[A-Za-z])[²³]|(?<=(?<![A-Za-z])m)[23]\b|(?<=(?<![A-Za-z])[cdkm]m)[23]\b")
_COMMA = re.compile(f"(?<![０-９])[{WIDE_COMMAS}]|[{WIDE_COMMAS}](?![０-９]{{3}})")
"""A plain one before a figure would be of a number: 赢家，53%."""
_VULGAR = re.compile(r"(?:(?<!\d)(\d{1,6}) ?)?([¼-¾⅐-⅞])")
_MIXED = re.compile(r"(?<![\d/.,])(\d{1,3})[ -]([1-9])/([2-9]|1[0-6])(?![\d/])")

Mend = Callable[[str, str, str], str]
"""Gives the fixed target, from source, target and what a warning names; the same one if none is safe."""


@dataclass(frozen=True)
class Check:
    """One kind of warning.

    Attributes:
        name: for scripts; the same in every language.
        says: the warning, with {0} for the text found; marked for translation by `translate`.
        kind: what the warning is about.
        mend: the safe way to mend it, where there is one.
        at_once: True if the warning does not wait until the translation is typed.
    """

    name: str
    says: str
    kind: RemarkKind
    mend: Mend | None = None
    at_once: bool = False


Said = tuple[Check, str]
"""A check, and what its warning names."""
Find = Callable[[str, str, LanguagePair], Iterable[Said]]
"""Finds what to warn of in a source, its target and their languages."""


def translate(_context: str, text: str) -> str:
    """Mark a text for the tools that gather what is to be translated; the text itself."""
    return text


def bare(text: str) -> str:
    """The text without tags, addresses and the powers of units, full-width digits and marks made plain."""
    return plain_width(_POWER_OF_UNIT.sub("", plain_signs(text)))


def plain_signs(text: str) -> str:
    """The text without tags and addresses, wide forms made plain, 10³ as 10^3 and 1½ as 1.5."""
    plain = narrowed(_COMMA.sub(r"\g<0> ", URL.sub(" ", MARK.sub(" ", text))))
    plain = _POWER.sub(
        lambda power: f"^{unicodedata.normalize('NFKC', power.group()).replace('−', '-')}", plain
    )
    plain = _VULGAR.sub(lambda found: _decimal(found[1], unicodedata.numeric(found[2])), plain)
    return _MIXED.sub(lambda found: _decimal(found[1], int(found[2]) / int(found[3])), plain)


def _decimal(whole: str | None, part: float) -> str:
    return f"{int(whole or 0) + round(part, 3):g}"


def not_in(text: str, found: Iterable[str]) -> Iterator[str]:
    """Those of some findings, each once, that a text does not hold; of very many the first `MOST`."""
    return (each for each in islice(dict.fromkeys(found), MOST) if each not in text)

"""Remarks about translations, the type of a check, and normalisation of texts for checks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import islice

from anaphora.core.language_pair import LanguagePair
from anaphora.core.tags import MARK
from anaphora.core.text import URL, plain_width
from anaphora_text.numbers.signs import SUPERSCRIPTS, narrowed
from anaphora_text.punctuation import WIDE_COMMAS


class RemarkKind(Enum):
    TAGS = "tags"
    NUMBERS = "numbers"
    TERMS = "terms"
    CONSISTENCY = "consistency"
    NAMES = "names"
    WORDING = "wording"
    LENGTH = "length"
    LEFT_OVER = "left over"
    ENGINE = "engine"


class Remark(str):
    """A warning about a translation, in the user's language.

    Attributes:
        template: the check's message with placeholders for `values`; empty for the engine's remarks.
        key: identifies the remark within its segment: the text in English, or the engine's text.
        values: the texts for the placeholders. If one of them was shortened, its full form follows. Fixes
            of a term follow as pairs: words of the target, and their replacement.
    """

    kind: RemarkKind
    key: str
    template: str
    values: tuple[str, ...]

    def __new__(cls, text: str) -> Remark:
        """A remark of the engine, whose key is its text."""
        new = super().__new__(cls, text)
        new.kind, new.key, new.template, new.values = RemarkKind.ENGINE, text, "", ()
        return new

    @classmethod
    def from_template(
        cls, kind: RemarkKind, localise: Callable[[str], str], template: str, values: tuple[str, ...]
    ) -> Remark:
        new = cls(localise(template).format(*values))
        new.kind, new.key, new.template, new.values = kind, template.format(*values), template, values
        return new

    def localised(self, localise: Callable[[str], str]) -> Remark:
        return self.from_template(self.kind, localise, self.template, self.values) if self.template else self

    @classmethod
    def of(cls, text: str) -> Remark:
        return text if isinstance(text, cls) else cls(text)


MAX_FINDINGS = 100
"""Maximum number of findings of one check, and of remarks that are fixed together."""

_TAG = re.compile(rf"{MARK.pattern}|%[0-9]{{1,2}}\$")
"""A tag, or the position of a printf argument."""
_POWER = re.compile(f"(?<=\\d)[{SUPERSCRIPTS}]+")
_POWER_OF_UNIT = re.compile(r"(?<=[A-Za-z])[²³]|(?<=(?<![A-Za-z])m)[23]\b|(?<=(?<![A-Za-z])[cdkm]m)[23]\b")
_COMMA = re.compile(f"(?<![０-９])[{WIDE_COMMAS}]|[{WIDE_COMMAS}](?![０-９]{{3}})")
"""A wide comma that does not group digits: 赢家，53%. `plain_signs` adds a space to keep digits apart."""
_VULGAR = re.compile(r"(?:(?<!\d)(\d{1,6}) ?)?([¼-¾⅐-⅞])")
_MIXED = re.compile(r"(?<![\d/.,])(\d{1,3})[ -]([1-9])/([2-9]|1[0-6])(?![\d/])")

Fix = Callable[[str, str, str], str]
"""Takes source, target and the reported text; returns the target, which is unchanged if there is no fix."""


@dataclass(frozen=True)
class Check:
    """A fault that translations are checked for.

    Attributes:
        name: identifier for scripts, not translated.
        message: text of the remark, with {0} for the reported text; marked by `translate`.
        fix: None if the fault has no fix, or the remark's values contain the fixes.
        is_immediate: True if the remark is shown even while the translation is typed.
    """

    name: str
    message: str
    kind: RemarkKind
    fix: Fix | None = None
    is_immediate: bool = False


Finding = tuple[Check, str]
"""A check, and the text that its remark reports."""
Finder = Callable[[str, str, LanguagePair], Iterable[Finding]]
"""Checks a source and its target, with their languages."""


def translate(_context: str, text: str) -> str:
    """Mark a text for translation (lupdate); return it unchanged."""
    return text


def without_unit_powers(text: str) -> str:
    """The text as `plain_signs` returns it, with narrow punctuation and without powers of units (m²)."""
    return plain_width(_POWER_OF_UNIT.sub("", plain_signs(text)))


@lru_cache(maxsize=16)  # several checks read the same texts
def plain_signs(text: str) -> str:
    """The text without tags and addresses; letters, digits and signs are narrow, 10³ is 10^3, 1½ is 1.5."""
    plain = narrowed(_COMMA.sub(r"\g<0> ", URL.sub(" ", _TAG.sub(" ", text))))
    plain = _POWER.sub(
        lambda power: f"^{unicodedata.normalize('NFKC', power.group()).replace('−', '-')}", plain
    )
    plain = _VULGAR.sub(lambda found: _decimal(found[1], unicodedata.numeric(found[2])), plain)
    return _MIXED.sub(lambda found: _decimal(found[1], int(found[2]) / int(found[3])), plain)


def _decimal(whole: str | None, part: float) -> str:
    return f"{int(whole or 0) + round(part, 3):g}"


def not_in(text: str, found: Iterable[str]) -> Iterator[str]:
    """The texts that are not part of `text`, among the first `MAX_FINDINGS` different texts in `found`."""
    return (each for each in islice(dict.fromkeys(found), MAX_FINDINGS) if each not in text)

"""Properties of languages by code: scripts, punctuation, encodings, names.

The app has no other list of languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import regex


class _Row(NamedTuple):
    """A row of the list of languages. Spaces separate values in a column; marks are written without spaces.

    Attributes:
        code: the shortest ISO 639 code.
        others: other codes of the language.
        region: the default region for programs that require a region.
        names: names of the language in the column headers of tables, in lower case.
        scripts, question_marks, blank_before, encodings: see `Language`.
    """

    code: str
    others: str
    scripts: str
    region: str
    question_marks: str
    blank_before: str
    encodings: str
    names: str


_TABLE = files("anaphora_resources").joinpath("languages.tsv").read_text("utf-8")
_ROWS = tuple(_Row(*line.split("\t")) for line in _TABLE.strip("\n").split("\n")[1:])
_BY_CODE = {code: row for row in _ROWS for code in (row.code, *row.others.split())}
_UNKNOWN = _Row(*([""] * 8))
LANGUAGE_NAMES = {name: row.code for row in _ROWS for name in row.names.split()}
_UNSPACED = frozenset(("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"))
_RIGHT_TO_LEFT = frozenset(("Arabic", "Hebrew"))
_UNDETERMINED = frozenset(("und", "mul", "mis", "zxx"))
"""ISO 639 codes for: undetermined, several languages, a language without a code, text without language."""


@dataclass(frozen=True, slots=True)
class Language:
    """Properties of a language.

    Attributes:
        code: the short code (zh, en); for an unlisted language, its code as given; "" for unknown.
        scripts: Unicode names of the language's scripts; empty if unknown.
        question_marks: the language's own question marks, besides "?".
        blank_before: the punctuation marks that are written after a space.
        encodings: legacy encodings for texts of the language.
    """

    code: str
    scripts: tuple[str, ...]
    question_marks: str = ""
    blank_before: str = ""
    encodings: tuple[str, ...] = ()

    @property
    def is_spaced(self) -> bool:
        return not _UNSPACED & {*self.scripts} or self.code == "ko"

    @property
    def is_wide(self) -> bool:
        """True if punctuation marks are as wide as letters: in Chinese and Japanese."""
        return bool({"Han", "Hiragana"} & {*self.scripts}) and self.code != "ko"

    @property
    def is_right_to_left(self) -> bool:
        return bool(_RIGHT_TO_LEFT & {*self.scripts})

    def letter_pattern(self) -> regex.Pattern[str]:
        """A pattern for a letter of the language's scripts; for any letter if the scripts are unknown."""
        return _letter_pattern(self.scripts)

    def has_letter_in(self, text: str) -> bool:
        return self.letter_pattern().search(text) is not None


def known_codes() -> tuple[str, ...]:
    return tuple(sorted(row.code for row in _ROWS if len(row.code) == 2))


@lru_cache(maxsize=1024)
def language_of(code: str) -> Language:
    """The language with a code such as zh, zho_Hans or zh-CN; only the part before "-" or "_" counts."""
    base = regex.split("[-_]", code.strip().lower())[0]
    row = _BY_CODE.get(base, _UNKNOWN)
    scripts, encodings = tuple(row.scripts.split()), tuple(row.encodings.split())
    return Language(row.code or base, scripts, row.question_marks, row.blank_before, encodings)


def code_of(long_code: str) -> str:
    """The short code of a language with a code in any form; "" for an undetermined language."""
    short = language_of(long_code).code
    return "" if short in _UNDETERMINED else short


def tag_of(code: str) -> str:
    """The BCP 47 tag for a language code: en for eng_Latn, zh-Hant for zho_Hant, pt-BR for pt_br. The tag
    contains the code's script only for Chinese and Serbian."""
    base, *rest = regex.split("[-_]", code.strip())
    short = language_of(base).code
    scripts = [part.title() for part in rest if len(part) == 4 and part.isalpha() and short in ("zh", "sr")]
    regions = [part.upper() for part in rest if (len(part) == 2 and part.isalpha()) or part.isdigit()]
    return "-".join((short, *scripts[:1], *regions[:1]))


def regional_tag_of(code: str) -> str:
    """The tag of a language, with a region and without a script, for programs that require a region: en-US
    for en. If no region is known, the tag is the language's short code."""
    base, *rest = tag_of(code).split("-")
    if any(len(part) != 4 for part in rest):
        return "-".join((base, rest[-1]))
    region = "TW" if "Hant" in rest else _BY_CODE.get(base, _UNKNOWN).region
    return f"{base}-{region}" if region else base


@lru_cache(maxsize=64)
def _letter_pattern(scripts: tuple[str, ...]) -> regex.Pattern[str]:
    classes = "".join(rf"\p{{Script={name}}}" for name in scripts)
    return regex.compile(f"(?=\\p{{L}})[{classes}]" if scripts else r"\p{L}")

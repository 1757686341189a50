"""Adapt translations to files (language, fonts, line breaks, escapes); recognise words of a language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property, lru_cache
from importlib.resources import files

import regex

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import code_of, language_of, regional_tag_of, tag_of
from anaphora.core.text import HAN
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.splicing import spliced

_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LINE_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_FORBIDDEN_CHARS = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff" + "".join(
    chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
)
_FORBIDDEN = re.compile(f"[{_FORBIDDEN_CHARS}]")
_TO_CLEAN = re.compile(f"[{_FORBIDDEN_CHARS}\r\x0b\x0c\x85\u2028\u2029]")


def with_joined_halves(text: str) -> str:
    """Join each surrogate pair in a text into one character."""
    return _SURROGATE_PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


def clean_target(text: str, source: str = "") -> str:
    """A target with joined surrogate pairs, and without characters that text files must not contain.

    Line breaks other than "\\n" become "\\n".

    Args:
        source: the source text; line breaks and characters that occur in it are also allowed in the target.
    """
    if not _TO_CLEAN.search(text):
        return text
    text = with_joined_halves(text)
    text = _LINE_BREAK.sub(lambda match: match[0] if match[0] in source else "\n", text)
    return _FORBIDDEN.sub(lambda match: match[0] if match[0] in source else "", text)


_NO_CHARACTER = "\ufffd"
"""The result of an escape that means no character."""


def escapes_in(text: str, pattern: re.Pattern[str], meaning: Callable[[str], str]) -> dict[str, str]:
    """For each character that a text contains only in escaped form, the first of its escapes.

    Args:
        pattern: finds all escapes.
        meaning: returns the text that an escape means.
    """
    raws = dict.fromkeys(match.group() for match in pattern.finditer(text))
    if not raws:
        return {}
    bare = {*pattern.sub("", text), _NO_CHARACTER}
    table = {meaning(raw): raw for raw in reversed(raws)}
    return {char: raw for char, raw in table.items() if len(char) == 1 and char not in bare}


def with_escapes(text: str, table: Mapping[str, str], escape_rest: Callable[[str], str]) -> str:
    """Escape a new text with a file's escapes from `table`, and all other characters with `escape_rest`."""
    if table.keys().isdisjoint(text):
        return escape_rest(text)
    escaped_chars = [char for char in table if char in text]
    parts = re.split(f"([{re.escape(''.join(escaped_chars))}])", text)
    return "".join(table.get(part) or escape_rest(part) for part in parts if part)


TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
"""A language tag; files may have template syntax in its place."""


class ScriptGroup(Enum):
    """The groups of scripts for which office programs store separate languages and fonts."""

    LATIN = "latin"
    EAST_ASIAN = "east asian"
    COMPLEX = "complex"


_EAST_ASIAN = frozenset(("Han", "Hangul"))
_COMPLEX = frozenset(
    ("Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Thai", "Lao", "Khmer", "Myanmar")
)


@cache
def _fonts() -> tuple[tuple[tuple[re.Pattern[str], frozenset[str]], ...], Mapping[str, str]]:
    """(pattern of names, supported scripts) of known fonts, and the replacement font for each script."""
    table = json.loads(files("anaphora_resources").joinpath("fonts.json").read_text("utf-8"))
    known = ((re.compile(font["names"], re.I), frozenset(font["scripts"])) for font in table["known"])
    return tuple(known), table["replacements"]


@dataclass(frozen=True)
class TargetLanguage:
    """The target language as files name it; the languages of `pair` are known and differ."""

    pair: LanguagePair

    @classmethod
    def of(cls, pair: LanguagePair) -> TargetLanguage | None:
        """The target language of a pair; None if a language is unknown, or both are the same."""
        source, target = code_of(pair.source), code_of(pair.target)
        return cls(pair) if source and target and source != target else None

    @cached_property
    def tag(self) -> str:
        """The tag for formats that need no region, such as "en"."""
        return tag_of(self.pair.target)

    @cached_property
    def regional(self) -> str:
        """The tag for formats that need a region, such as "en-US"."""
        return regional_tag_of(self.pair.target)

    def spelled_like(self, value: str) -> str:
        """The tag in the style of the existing tag `value`: en-US for zh-CN, en_US for zh_CN, en for zh."""
        if "-" not in value and "_" not in value:
            return self.tag.partition("-")[0]
        return self.regional.replace("-", "_") if "_" in value else self.regional

    @cached_property
    def is_right_to_left(self) -> bool:
        return self.pair.target_language.is_right_to_left

    @cached_property
    def script_group(self) -> ScriptGroup:
        scripts = {*self.pair.target_language.scripts}
        if scripts & _EAST_ASIAN:
            return ScriptGroup.EAST_ASIAN
        return ScriptGroup.COMPLEX if scripts & _COMPLEX else ScriptGroup.LATIN

    def replaces(self, value: str) -> bool:
        """True if `value` is a tag of the source language."""
        return TAG.fullmatch(value) is not None and code_of(value) == self.pair.source_language.code

    def differs_from(self, value: str) -> bool:
        """True if `value` is a tag of a language other than the target."""
        return TAG.fullmatch(value) is not None and code_of(value) != self.pair.target_language.code

    def font_for(self, font: str) -> str:
        """The replacement for a font that is known to lack the target's letters; "" if there is none."""
        script, (fonts, replacements) = self._script, _fonts()
        supported = next((scripts for known, scripts in fonts if known.match(font.strip(" '\"@"))), None)
        if supported is None or (script if script != "Hant" else "Han") in supported:
            return ""
        return replacements.get(script, "")

    @cached_property
    def _script(self) -> str:
        """The script that fonts must support ("Vietnamese" and "Hant" count as scripts); "" if unknown."""
        language = self.pair.target_language
        if language.code == "vi":
            return "Vietnamese"
        if language.code in ("ja", "ko"):
            return "Hiragana" if language.code == "ja" else "Hangul"
        if language.code == "zh" and {"Hant", "TW", "HK", "MO"} & {*self.tag.split("-")}:
            return "Hant"
        return language.scripts[0] if language.scripts else ""


def with_language(
    data: bytes, options: ReadOptions, target: TargetLanguage, *patterns: re.Pattern[str]
) -> bytes:
    """Replace tags of the source language (the group `language` in the patterns) by the target's."""
    decoded = decode(data, options.language, options.encoding)
    changes = {
        (*match.span("language"), target.spelled_like(match["language"]))
        for pattern in patterns
        for match in pattern.finditer(decoded.text)
        if target.replaces(match["language"])
    }
    return decoded.encode(spliced(decoded.text, changes)) if changes else data


_QUOTED = re.compile(r'"([^"]*)"')
_MARKUP = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class SourceWords:
    """Recognises the words of the language with the code `language`; "" counts as Chinese."""

    language: str = ""

    @property
    def differ_from_code(self) -> bool:
        """True if the language's letters differ from the Latin letters of code."""
        return not self.language or "Latin" not in (language_of(self.language).scripts or ("Latin",))

    def in_text(self, text: str) -> bool:
        """True if a text contains a word; where spaces separate words, one letter is not a word."""
        return _word(self.language).search(text) is not None

    def in_code(self, code: str) -> bool:
        """True if code contains a word of the language; always False for a language in Latin letters."""
        return self.differ_from_code and self.in_text(code)

    def in_strings(self, code: str) -> bool:
        """True if code contains a word of the language; for Latin letters, only in quotation marks."""
        return self.in_code(code) or any(map(self.in_text, _QUOTED.findall(code)))

    def in_markup(self, markup: str) -> bool:
        """True if markup contains a word of the language; for Latin letters, tags do not count."""
        return self.in_text(markup if self.differ_from_code else _MARKUP.sub(" ", markup))


@lru_cache(maxsize=64)
def _word(code: str) -> re.Pattern[str] | regex.Pattern[str]:
    """A pattern for a word of a language: one letter, or two in a language that separates words by spaces."""
    if not code:
        return HAN
    language = language_of(code)
    letter = language.letter_pattern()
    return regex.compile(f"(?:{letter.pattern}){{2}}") if language.is_spaced else letter

"""The texts of gettext messages: their placeholders, plural forms, and how gettext breaks their lines."""

from __future__ import annotations

import gettext
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from anaphora.formats.base.marked_text import marked
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.placeholders import ALWAYS
from anaphora.formats.bilingual.po_file import escape
from anaphora_text.han import ALL_HAN, KANA

_CHUNK = re.compile(rf"[{ALL_HAN}{KANA}][^\w\s]*\s*|[^{ALL_HAN}{KANA}]+")
_PRINTF = r"%(?:[0-9]+\$)?[-+ #0'I]*(?:\*(?:[0-9]+\$)?|[0-9]+)?(?:\.(?:\*(?:[0-9]+\$)?|[0-9]+)?)?"
_C = _PRINTF + r"(?:(?:hh?|ll?|[Lqjzt])?[diouxXeEfFgGaAcCsSpnm%@]|<PRI[A-Za-z0-9]{1,12}>)"
_BRACE = r"\{[^{}\s]{0,60}\}|\{\{|\}\}"
_PATTERNS = {
    "c-format": _C,
    "objc-format": _C,
    "gcc-internal-format": _C + r"|%[-+ #0q]*[a-zA-Z<>']",
    "php-format": _C,
    "awk-format": _C,
    "lua-format": _C,
    "perl-format": _C,
    "tcl-format": _C,
    "go-format": _PRINTF + r"(?:\[[0-9]+\])?[a-zA-Z%]",
    "object-pascal-format": _PRINTF + r"[a-zA-Z%]",
    "python-format": r"%\([^()]{1,80}\)[-+ #0]*[0-9]*(?:\.[0-9]+)?[diouxXeEfFgGcrsa]|" + _C,
    "python-brace-format": _BRACE,
    "perl-brace-format": _BRACE,
    "csharp-format": _BRACE,
    "java-format": _BRACE,
    "java-printf-format": _C,
    "c++-format": _BRACE,
    "rust-format": _BRACE,
    "d-format": _C,
    "javascript-format": _C,
    "qt-format": r"%L?(?:[1-9][0-9]?|n)",
    "qt-plural-format": r"%L?(?:[1-9][0-9]?|n)",
    "kde-format": r"%[1-9][0-9]?",
    "kde-kuit-format": r"%[1-9][0-9]?",
    "boost-format": r"%[1-9][0-9]?%|" + _C,
    "sh-format": r"\$\{[A-Za-z0-9_]+\}|\$[A-Za-z_][A-Za-z0-9_]*",
    "sh-printf-format": _C,
    "ruby-format": r"%<[^<>]{1,80}>[-+ #0]*[0-9]*(?:\.[0-9]+)?[a-zA-Z]|%\{[^{}]{1,80}\}|" + _C,
}
_REORDERABLE = frozenset(("c-format", "objc-format", "php-format", "gcc-internal-format"))
_PLURAL = re.compile(r"nplurals\s*=\s*([0-9]{1,2})\s*;\s*plural\s*=\s*([^;\n]{1,400})", re.IGNORECASE)
_WIDTH = 79
_EXAMPLES = 200


@dataclass(frozen=True, slots=True)
class Plurals:
    """The plural forms of a catalogue's language.

    Attributes:
        examples: for each form the first numbers that take it.
    """

    examples: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        return len(self.examples)

    def takes_singular(self, form: int) -> bool:
        """Whether a form is translated from msgid, as it is for 1 (and 0) only; else from msgid_plural.

        Russian's first form, for 1, 21, 31…, has to name its number: "a year" cannot be its source.
        """
        return form < self.count and 1 in self.examples[form] and set(self.examples[form]) <= {0, 1}

    def numbers(self, form: int) -> str:
        """Which numbers take a form, for a translator; "" where nobody knows."""
        found = self.examples[form] if form < self.count else ()
        numbers = ", ".join(str(number) for number in found[:5]) + ("…" if len(found) > 5 else "")
        return f"n = {numbers}" if numbers else ""


def parse_plurals(field: str) -> Plurals | None:
    """The header's Plural-Forms field; None where it is missing, a template's, or makes no sense."""
    match = _PLURAL.search(field)
    if match is None or not 1 <= int(match[1]) <= 10:
        return None
    examples: list[list[int]] = [[] for _ in range(int(match[1]))]
    try:
        rule = gettext.c2py(match[2].strip())
        for number in range(_EXAMPLES):
            examples[int(rule(number))].append(number)
    except (ValueError, IndexError, ArithmeticError, RecursionError, SyntaxError, MemoryError):
        return None
    return Plurals(tuple(tuple(numbers) for numbers in examples))


def placeholder_pattern(flags: Iterable[str]) -> re.Pattern[str]:
    """What the flags of a message declare to be placeholders, and what is in every message."""
    return _pattern(tuple(flag for flag in flags if flag in _PATTERNS))


@lru_cache(maxsize=64)
def _pattern(flags: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join((*dict.fromkeys(_PATTERNS[flag] for flag in flags), ALWAYS)))


def pieces_of(text: str, flags: Sequence[str], source: Sequence[Piece] | None = None) -> list[Piece]:
    """A message's text with placeholders and markup as tags.

    Placeholders are those of the message's flags, template syntax and entities of HTML. Markup is what is
    written in angle brackets and well formed: every opening tag has its end.

    Args:
        source: of a target, its source's pieces: markup is what is markup there.
    """
    known = None if source is None else {piece.raw for piece in source if piece.kind is not Kind.TEXT}
    return marked(text, placeholder_pattern(flags), known)


def text_of(pieces: Sequence[Piece], flags: Sequence[str], source: Sequence[Piece]) -> str:
    """The pieces as the message's text; printf arguments that have moved get their numbers."""
    moved = _numbered(pieces, source) if _REORDERABLE & set(flags) else list(pieces)
    return "".join(piece.text if piece.kind is Kind.TEXT else piece.raw for piece in moved)


def _numbered(pieces: Sequence[Piece], source: Sequence[Piece]) -> list[Piece]:
    wanted = [piece for piece in source if _takes_argument(piece)]
    found = [piece for piece in pieces if _takes_argument(piece)]
    raws = [piece.raw for piece in wanted]
    is_plain = not any("$" in raw or "*" in raw for raw in raws)
    if not is_plain or sorted(piece.raw for piece in found) != sorted(raws):
        return list(pieces)
    if [piece.raw for piece in found] == raws and all(a is b for a, b in zip(found, wanted, strict=True)):
        return list(pieces)
    places = {id(piece): place for place, piece in enumerate(wanted, start=1)}
    if any(id(piece) not in places for piece in found):
        return list(pieces)
    return [
        Piece(Kind.ALONE, raw=f"%{places[id(piece)]}${piece.raw[1:]}") if id(piece) in places else piece
        for piece in pieces
    ]


def _takes_argument(piece: Piece) -> bool:
    raw = piece.raw if piece.kind is Kind.ALONE else None
    return isinstance(raw, str) and raw.startswith("%") and raw[-1] not in "%m"


def literal(text: str, keyword: str, line_end: str, wrap: bool) -> str:
    """A text as gettext's tools write it behind a keyword: on one line if it fits, else line by line."""
    if not text:
        return '""'
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    whole = f'"{escape(text)}"'
    if len(lines) == 1 and (not wrap or len(keyword) + 1 + _columns(whole) <= _WIDTH):
        return whole
    parts = [part for line in lines for part in (_wrapped(line) if wrap else [escape(line)])]
    return line_end.join(['""', *(f'"{part}"' for part in parts)])


def _wrapped(line: str) -> list[str]:
    """A line's escaped text in parts that fit between quotes."""
    parts: list[str] = []
    current, width = "", 0
    for word in re.findall(r"\S+[^\S\n]*\n?|\s+", line):
        for chunk in _chunks(word):
            raw = escape(chunk)
            columns = _columns(raw)
            if current and width + _columns(raw.rstrip(" ")) > _WIDTH - 2:
                parts.append(current)
                current, width = "", 0
            current += raw
            width += columns
    if current:
        parts.append(current)
    return parts


def _chunks(word: str) -> list[str]:
    """A word in the parts between which a line may break: each wide character is one."""
    if word.isascii():
        return [word]
    return _CHUNK.findall(word)


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)

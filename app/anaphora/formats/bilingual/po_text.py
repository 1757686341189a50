"""The texts of gettext messages: their placeholders, plural forms, and how gettext breaks their lines."""

from __future__ import annotations

import gettext
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.placeholders import ALWAYS
from anaphora.formats.bilingual.po_file import escape
from anaphora_text.han import ALL_HAN, KANA

_WORD = re.compile(rf"[{ALL_HAN}{KANA}][^\w\s]*\s*|[^\s{ALL_HAN}{KANA}]+[^\S\n]*\n?|\s+")
"""What stays on one line: a word, or a wide character, with the blanks behind it."""
_PRINTF = r"%(?:[0-9]+\$)?[-+ #0'I]*(?:\*(?:[0-9]+\$)?|[0-9]+)?(?:\.(?:\*(?:[0-9]+\$)?|[0-9]+)?)?"
_C = _PRINTF + r"(?:(?:hh?|ll?|[Lqjzt])?[diouxXeEfFgGaAcCsSpnm%@]|<PRI[A-Za-z0-9]{1,12}>)"
_FLAGS = {
    _C: "c objc php awk lua perl tcl java-printf d javascript sh-printf",
    r"\{[^{}\s]{0,60}\}|\{\{|\}\}": "python-brace perl-brace csharp java c++ rust",
    r"%L?(?:[1-9][0-9]?|n)": "qt qt-plural",
    r"%[1-9][0-9]?": "kde kde-kuit",
    _C + r"|%[-+ #0q]*[a-zA-Z<>']": "gcc-internal",
    _PRINTF + r"(?:\[[0-9]+\])?[a-zA-Z%]": "go object-pascal",
    r"%\([^()]{1,80}\)[-+ #0]*[0-9]*(?:\.[0-9]+)?[diouxXeEfFgGcrsa]|" + _C: "python",
    r"%[1-9][0-9]?%|" + _C: "boost",
    r"\$\{[A-Za-z0-9_]+\}|\$[A-Za-z_][A-Za-z0-9_]*": "sh",
    r"%<[^<>]{1,80}>[-+ #0]*[0-9]*(?:\.[0-9]+)?[a-zA-Z]|%\{[^{}]{1,80}\}|" + _C: "ruby",
}
_PATTERNS = {f"{name}-format": pattern for pattern, names in _FLAGS.items() for name in names.split()}
_REORDERABLE = frozenset(("c-format", "objc-format", "php-format", "gcc-internal-format"))
_PLURAL = re.compile(r"nplurals\s*=\s*([0-9]{1,2})\s*;\s*plural\s*=\s*([^;\n]{1,400})", re.IGNORECASE)
_WIDTH = 79
_EXAMPLES = 200


@dataclass(frozen=True, slots=True)
class Plurals:
    """The plural forms of a catalogue's language: for each the first numbers that take it."""

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


@lru_cache(maxsize=64)
def placeholders(flags: tuple[str, ...]) -> re.Pattern[str]:
    """What is a tag in a message with some flags: their placeholders, template syntax and entities."""
    known = (_PATTERNS[flag] for flag in flags if flag in _PATTERNS)
    return re.compile("|".join((*dict.fromkeys(known), ALWAYS)))


def text_of(pieces: Sequence[Piece], flags: Sequence[str], source: Sequence[Piece]) -> str:
    """The pieces as the message's text; printf arguments that have moved get their numbers."""
    moved = _numbered(pieces, source) if _REORDERABLE & set(flags) else pieces
    return "".join(piece.text if piece.kind is Kind.TEXT else piece.raw for piece in moved)


def _numbered(pieces: Sequence[Piece], source: Sequence[Piece]) -> Sequence[Piece]:
    places = {id(piece): place for place, piece in enumerate(filter(_takes_argument, source), start=1)}
    order = [places.get(id(piece), 0) for piece in pieces if _takes_argument(piece)]
    says_order = any("$" in piece.raw or "*" in piece.raw for piece in source if _takes_argument(piece))
    if says_order or order == [*places.values()] or sorted(order) != [*places.values()]:
        return pieces
    return [
        Piece(Kind.ALONE, raw=f"%{places[id(piece)]}${piece.raw[1:]}") if id(piece) in places else piece
        for piece in pieces
    ]


def _takes_argument(piece: Piece) -> bool:
    raw = piece.raw if piece.kind is Kind.ALONE else None
    return isinstance(raw, str) and raw.startswith("%") and raw[-1] not in "%m"


def literal(text: str, keyword: str, line_end: str, wrap: bool) -> str:
    """A text as gettext's tools write it behind a keyword: on one line if it fits, else line by line."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    whole = f'"{escape(text)}"'
    if len(lines) < 2 and (not wrap or len(keyword) + 1 + _columns(whole) <= _WIDTH):
        return whole
    parts = [part for line in lines for part in (_wrapped(line) if wrap else [escape(line)])]
    return line_end.join(['""', *(f'"{part}"' for part in parts)])


def _wrapped(line: str) -> list[str]:
    parts = [""]
    for word in _WORD.findall(line):
        raw = escape(word)
        if parts[-1] and _columns(parts[-1] + raw.rstrip(" ")) > _WIDTH - 2:
            parts.append("")
        parts[-1] += raw
    return parts


def _columns(text: str) -> int:
    return len(text) + (
        0 if text.isascii() else sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    )

"""Titles, descriptions and other texts in the front matter (YAML or TOML) of a Markdown file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from anaphora.core.text import is_translatable
from anaphora.formats.base.pieces import Kind, Piece

_FRONT_MATTER = re.compile(
    r"(---|\+\+\+)[ \t]*(?:\r\n|\n|\r).*?(?:\r\n|\n|\r)(?:\1|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)", re.DOTALL
)
_TRANSLATABLE = (
    r"title|subtitle|linkTitle|shortTitle|description|summary|abstract|excerpt|lead|tagline|caption|details|text"
    r"|sidebar_label|sidebarTitle|pagination_label|headline"
)
_LINE = re.compile(
    rf"(?:\A|(?<=[\r\n]))[ \t]*(?:-[ \t]+)?(?P<key>{_TRANSLATABLE})[ \t]*(?::[ \t]+|=[ \t]*)"
    r"(?:\"(?P<double>(?:[^\"\\\r\n]|\\[\"\\])*)\"|'(?P<single>(?:[^'\r\n]|'')*)'|(?P<plain>[^\s\"'|>&*!%@`{\[#][^\r\n]*?))"
    r"[ \t]*(?:[ \t]#[^\r\n]*)?(?=[\r\n]|\Z)"
)
_ESCAPES = re.compile(r"\\[\"\\]|''|[^\\']+|.")
LANGUAGE = re.compile(
    r"""\A(?:---|\+\+\+)[ \t]*+(?>\r\n|\n|\r)(?:(?!---|\+\+\+|\.\.\.)[^\r\n]*+(?>\r\n|\n|\r))*?"""
    r"""(?:lang|language|locale)[ \t]*[:=][ \t]*["']?(?P<language>[\w-]+)"""
)
"""Matches the start of a file up to the language in its front matter (the group `language`)."""
_NEEDS_QUOTES = re.compile(
    r"[-?:,\[\]{}#&*!|>'\"%@`\s]|.*(?::(?:\s|$)|\s#|\s$)|(?:true|false|yes|no|null|on|off|~|[-+.\d][\d.,:_eE+-]*)$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class FrontValue:
    """A text in the front matter; the offsets are inside its quotation marks. `quote` is "" without marks."""

    start: int
    end: int
    key: str
    quote: str
    pieces: tuple[Piece, ...]


def front_matter_end(text: str) -> int:
    """The end of a file's front matter; 0 for a file without front matter."""
    match = _FRONT_MATTER.match(text)
    return match.end() if match else 0


def translatable_values(text: str, end: int) -> Iterator[FrontValue]:
    """The translatable texts in the front matter, which ends at `end`."""
    for match in _LINE.finditer(text, 0, end):
        group = match.lastgroup if match.lastgroup != "key" else "plain"
        assert group is not None
        quote = {"double": '"', "single": "'"}.get(group, "")
        if is_translatable(match[group]):
            yield FrontValue(*match.span(group), match["key"], quote, tuple(_pieces(match[group], quote)))


def escaped_value(pieces: list[Piece], quote: str) -> str:
    """Escape a translated value for its quotation marks; an unquoted value gets quotation marks if needed."""
    text = "".join(" ".join(piece.text.splitlines()) if piece.raw is None else piece.text for piece in pieces)
    if quote == "'":
        return text.replace("'", "''")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    if quote:
        return escaped
    return f'"{escaped}"' if _NEEDS_QUOTES.match(text) else text


def _pieces(value: str, quote: str) -> Iterator[Piece]:
    for part in _ESCAPES.findall(value) if quote else [value]:
        is_escape = (quote == '"' and part[0] == "\\") or (quote == "'" and part == "''")
        yield Piece(Kind.TEXT, part[1:] if is_escape else part, part)

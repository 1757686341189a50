"""MDX: Markdown with components (JSX), expressions in braces, imports and exports.

Code is taken away before the parser sees the text: lines of imports, exports and tags become blank, tags and
expressions inside sentences are masked. Indented text is text, and between tags there is Markdown.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.text.markdown_masks import MASKS, masks

_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?P<fence>`{3,}|~{3,})")
_MODULE = re.compile(
    r"import\s*[\w*{\"']|export\s+(?:const|let|var|function|default|class|async)\b|export\s*[{*]"
)
_MOST_LINES = 300
"""Lines of an import or export that has blank lines in it."""
_TOKEN = re.compile(
    r"(?<!`)(?P<marks>`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S]){1,500}?(?<!`)(?P=marks)(?!`)|\\[{}<`\\]"
    r"|(?P<brace>[{}])|(?P<tag></?(?=[A-Za-z>]))"
)
_PART = re.compile(
    rf"\s+|[{MASKS}]+|(?P<name>[A-Za-z_$][\w$:.-]*)|=|(?P<string>\"[^\"]{{0,4000}}\"|'[^']{{0,4000}}')|(?P<end>/?>)"
)
_PLAIN = re.compile(
    r"</?[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'))?)*\s*/?>"
)
"""Tags that the parser takes for such."""
_SPEAKING = re.compile(
    "title|subtitle|label|alt|description|caption|summary|placeholder|tooltip|heading|header|text"
)
"""Attributes whose values are words."""
_GAP = re.compile(r"\n[ \t]*\n")
_CODE_COMMENT = re.compile(r"/\*[\s\S]*?\*/|(?<!:)//[^\n]*")
_REFERENCE = re.compile(r"&#?\w+;|[^&]+|&")


@dataclass(frozen=True, slots=True)
class Value:
    """The words of an attribute: where they stand in their line, and its name."""

    row: int
    start: int
    end: int
    key: str


@dataclass(frozen=True, slots=True)
class Code:
    """What of a text is code.

    Attributes:
        text: the text without it, as long as before and with the same lines.
        values: attributes of tags on lines of their own, which can be translated.
        rest: all other code.
    """

    text: str
    values: tuple[Value, ...] = ()
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Tag:
    start: int
    end: int
    strings: tuple[tuple[str, int, int], ...] = ()


def apart(text: str) -> Code:
    """Take the code of a text away in which formulas and templates are masked."""
    lines = text.split("\n")
    blank = _module_lines(lines, _fenced(lines))
    modules = tuple(lines[row] for row in sorted(blank))
    for row in blank:
        lines[row] = " " * len(lines[row])
    return _without_tags("\n".join(lines), modules)


def mask_code(masked: str) -> str:
    """Mask tags and expressions in a sentence, as `apart` does in its document."""
    return _inline(masked, _code_spans(masked)) if "{" in masked or "<" in masked else masked


def pieces_of(words: str) -> tuple[Piece, ...]:
    """The words of an attribute as they stand in the file."""
    return tuple(Piece(Kind.TEXT, html.unescape(part), part) for part in _REFERENCE.findall(words))


def written(pieces: Sequence[Piece], quote: str) -> str:
    """A translated value as it stands between its quotation marks."""
    out = []
    for piece in pieces:
        text = " ".join(piece.text.splitlines()) if piece.raw is None else str(piece.raw)
        if piece.raw is None:
            text = text.replace("&", "&amp;").replace(quote, "&quot;" if quote == '"' else "&#39;")
        out.append(text)
    return "".join(out)


def _fenced(lines: Sequence[str]) -> frozenset[int]:
    """The rows of code blocks, their fences included."""
    rows = set()
    fence = ""
    for row, line in enumerate(lines):
        match = _FENCE.match(line)
        if not fence and match:
            fence = match["fence"]
            rows.add(row)
        elif fence:
            rows.add(row)
            is_end = match and match["fence"].startswith(fence) and not line[match.end() :].strip()
            fence = "" if is_end else fence
    return frozenset(rows)


def _module_lines(lines: Sequence[str], fenced: frozenset[int]) -> set[int]:
    """The rows of imports and exports: to the blank line behind which no bracket is open."""
    rows: set[int] = set()
    depths = [*accumulate((_opened(line) for line in lines), initial=0)]
    row = 0
    while row < len(lines):
        begins = not row or not lines[row - 1].strip() or row - 1 in rows
        if row in fenced or not begins or not _MODULE.match(lines[row]):
            row += 1
            continue
        end = _end_of_module(lines, depths, row)
        rows.update(range(row, end))
        row = end
    return rows


def _opened(line: str) -> int:
    return sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))


def _end_of_module(lines: Sequence[str], depths: Sequence[int], start: int) -> int:
    """The row behind it; the first blank one where its brackets never close."""
    blank = [row for row in range(start, min(start + _MOST_LINES, len(lines))) if not lines[row].strip()]
    closed = (row for row in blank if depths[row] <= depths[start])
    return next(closed, blank[0] if blank else min(start + _MOST_LINES, len(lines)))


def _without_tags(text: str, modules: tuple[str, ...]) -> Code:
    """The text with lines of tags blank, and tags and expressions inside sentences masked."""
    fenced = _fenced(text.split("\n"))
    rows = text.split("\n")
    searched = "\n".join(" " * len(line) if row in fenced else line for row, line in enumerate(rows))
    tags = _code_spans(searched)
    flat = list(searched)
    for tag in tags:
        flat[tag.start : tag.end] = [char if char == "\n" else "" for char in flat[tag.start : tag.end]]
    left = "".join(flat).split("\n")
    alone = {
        row for row, line in enumerate(left) if not line.strip() and searched and rows[row].strip()
    } - fenced
    values: list[Value] = []
    inside: list[_Tag] = []
    rest = [*modules]
    row = done = 0
    for tag in tags:
        row += text.count("\n", done, tag.start)
        done = tag.start
        last = row + text.count("\n", tag.start, tag.end)
        if not all(each in alone for each in range(row, last + 1)):
            if not _GAP.search(text, tag.start, tag.end):
                inside.append(tag)
                rest.append(text[tag.start : tag.end])
            continue
        code = text[tag.start : tag.end]
        for name, start, end in tag.strings:
            words = text[start + 1 : end - 1]
            if _SPEAKING.fullmatch(name) and "\n" not in words and any(map(str.isalpha, words)):
                line = text.rfind("\n", 0, start) + 1
                place = row + text.count("\n", tag.start, start)
                values.append(Value(place, start + 1 - line, end - 1 - line, name))
                code = code.replace(words, "", 1)
        rest.append(code)
    shown = _inline(text, inside).split("\n")
    shown = [" " * len(line) if row in alone else line for row, line in enumerate(shown)]
    return Code("\n".join(shown), tuple(values), tuple(_CODE_COMMENT.sub(" ", code) for code in rest))


def _inline(text: str, tags: Sequence[_Tag]) -> str:
    """The text with expressions masked, and those tags that the parser does not know."""
    out: list[str] = []
    done = 0
    for tag in tags:
        raw = text[tag.start : tag.end]
        if "{" in raw or not _PLAIN.fullmatch(raw):
            out += (text[done : tag.start], masks(raw, plays_word=raw.startswith("{") and "/*" not in raw))
            done = tag.end
    return "".join((*out, text[done:]))


def _code_spans(text: str) -> list[_Tag]:
    """Tags and outermost expressions, in order."""
    tokens = [match for match in _TOKEN.finditer(text) if match["brace"] or match["tag"]]
    ends = _ends_of_braces(tokens)
    out: list[_Tag] = []
    done = 0
    for match in tokens:
        if match.start() < done:
            continue
        found = None
        if match["tag"]:
            found = _tag(text, match.start(), match.end(), ends)
        elif match.start() in ends:
            found = _Tag(match.start(), ends[match.start()])
        if found:
            out.append(found)
            done = found.end
    return out


def _ends_of_braces(tokens: Sequence[re.Match[str]]) -> dict[int, int]:
    ends: dict[int, int] = {}
    opened: list[int] = []
    for match in tokens:
        if match["brace"] == "{":
            opened.append(match.start())
        elif match["brace"] and opened:
            ends[opened.pop()] = match.end()
    return ends


def _tag(text: str, start: int, at: int, ends: dict[int, int]) -> _Tag | None:
    """The tag that begins there; None where it is none."""
    strings: list[tuple[str, int, int]] = []
    name = ""
    while at < len(text):
        if text[at] == "{":
            if at not in ends:
                return None
            at = ends[at]
            continue
        part = _PART.match(text, at)
        if part is None or "\n\n" in part.group():
            return None
        if part["string"]:
            strings.append((name, part.start(), part.end()))
        elif part["name"]:
            name = part["name"]
        at = part.end()
        if part["end"]:
            return _Tag(start, at, tuple(strings))
    return None

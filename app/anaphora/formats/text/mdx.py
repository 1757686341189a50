"""MDX: Markdown with components (JSX), expressions in braces, imports and exports.

Before parsing, lines that contain only imports, exports, tags or expressions are made blank, and tags and
expressions inside sentences are masked. Indented text is ordinary text; text between tags is Markdown.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import accumulate

from anaphora.core.segment import Span
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.splicing import spliced
from anaphora.formats.text.markdown_dialect import Code, MarkdownDialect, Value
from anaphora.formats.text.markdown_masks import MASKS, mask, mask_all

_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?P<fence>`{3,}|~{3,})")
_MODULE = re.compile(
    r"import\s*[\w*{\"']|export\s+(?:const|let|var|function|default|class|async)\b|export\s*[{*]"
)
_MAX_LINES = 300
"""Maximum number of lines of an import or export that contains blank lines."""
_BRACES = r"\{[^{}]*+\}"
for _ in range(5):
    _BRACES = rf"\{{(?:[^{{}}]++|{_BRACES})*+\}}"
_CODE = re.compile(
    r"(?<!`)(?P<marks>`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S]){1,500}?(?<!`)(?P=marks)(?!`)|\\[{}<`\\]"
    rf"|(?P<code>{_BRACES}|</?(?=[A-Za-z>])(?:(?!\n\n)[\w\s$:.=/{MASKS}-]|\"[^\"]{{0,4000}}\"|'[^']{{0,4000}}'"
    rf"|{_BRACES})*+>)",
    re.ASCII,
)
"""Code between backticks, escapes, and (group `code`) tags and expressions with up to six nested braces."""
_BARE = re.compile(r"(?<!\\)([{}<])")
_ATTRIBUTE = re.compile(
    r"""(?<![\w$:.-])(?P<name>[A-Za-z_$][\w$:.-]*)\s*=\s*(?P<quote>["'])(?P<words>.*?)(?P=quote)"""
)
_PLAIN_TAG = re.compile(
    r"</?[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'))?)*\s*/?>"
)
_TRANSLATABLE = frozenset((
    "title", "subtitle", "label", "alt", "description", "caption", "summary", "placeholder", "tooltip",
    "heading", "header", "text",
))  # fmt: skip
_GAP = re.compile(r"\n[ \t]*\n")
_REFERENCE = re.compile(r"&#?\w+;|[^&]+|&")


class Mdx(MarkdownDialect):
    disabled_rules = ("html_block", "code", "autolink")
    special = re.compile(r"([\\`*_\[\]<>~&!${}])")

    def code(self, text: str) -> Code:
        return _without_code(mask(text))

    def mask_inline(self, text: str) -> str:
        masked = mask(text)
        return _mask_inline(masked, _code_spans(masked)) if "{" in masked or "<" in masked else masked

    def escape_code(self, text: str) -> str:
        return _BARE.sub(r"\\\1", text)


def _without_code(text: str) -> Code:
    lines = text.split("\n")
    fenced = _fenced_rows(lines)
    modules = _module_rows(lines, fenced)
    lines = [" " * len(line) if row in modules else line for row, line in enumerate(lines)]
    searched = "\n".join(" " * len(line) if row in fenced else line for row, line in enumerate(lines))
    tags = _code_spans(searched)
    rest = spliced(searched, ((start, end, "\n" * searched.count("\n", start, end)) for start, end in tags))
    code_rows = {
        row for row, line in enumerate(rest.split("\n")) if not line.strip() and lines[row].strip()
    } - fenced
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    values: list[Value] = []
    inline_tags: list[Span] = []
    row = 0
    for start, end in tags:
        while starts[row + 1] <= start:
            row += 1
        if not code_rows.issuperset(range(row, row + searched.count("\n", start, end) + 1)):
            if not _GAP.search(searched, start, end):
                inline_tags.append((start, end))
            continue
        for match in _ATTRIBUTE.finditer(searched, start, end):
            if match["name"] in _TRANSLATABLE and any(map(str.isalpha, match["words"])):
                value_row = row + searched.count("\n", start, match.start("words"))
                first, last = (at - starts[value_row] for at in match.span("words"))
                values.append(Value(value_row, first, last, match["name"]))
    shown = _mask_inline("\n".join(lines), inline_tags).split("\n")
    shown = [" " * len(line) if row in code_rows else line for row, line in enumerate(shown)]
    return Code("\n".join(shown), values)


def pieces_of(words: str) -> tuple[Piece, ...]:
    """The words of an attribute as pieces."""
    return tuple(Piece(Kind.TEXT, html.unescape(part), part) for part in _REFERENCE.findall(words))


def escaped_value(pieces: Sequence[Piece], quote: str) -> str:
    """Escape a translated value for its quotation marks."""
    out = []
    for piece in pieces:
        text = str(piece.raw)
        if piece.raw is None:
            text = " ".join(piece.text.splitlines()).replace("&", "&amp;")
            text = text.replace(quote, "&quot;" if quote == '"' else "&#39;")
        out.append(text)
    return "".join(out)


def _fenced_rows(lines: Sequence[str]) -> frozenset[int]:
    rows = set()
    fence = ""
    for row, line in enumerate(lines):
        match = _FENCE.match(line)
        if fence or match:
            rows.add(row)
        if not fence:
            fence = match["fence"] if match else ""
        elif match and match["fence"].startswith(fence) and not line[match.end() :].strip():
            fence = ""
    return frozenset(rows)


def _module_rows(lines: Sequence[str], fenced: frozenset[int]) -> set[int]:
    """The rows of imports and exports, each of which ends before the first blank line outside brackets."""
    rows: set[int] = set()
    depths = [*accumulate((_open_brackets(line) for line in lines), initial=0)]
    for row, line in enumerate(lines):
        may_begin = not row or not lines[row - 1].strip() or row - 1 in rows
        if row not in fenced and row not in rows and may_begin and _MODULE.match(line):
            end = min(row + _MAX_LINES, len(lines))
            blank = [each for each in range(row, end) if not lines[each].strip()]
            closed = (each for each in blank if depths[each] <= depths[row])
            rows.update(range(row, next(closed, blank[0] if blank else end)))
    return rows


def _open_brackets(line: str) -> int:
    return sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))


def _mask_inline(text: str, tags: Sequence[Span]) -> str:
    changes = []
    for start, end in tags:
        raw = text[start:end]
        if "{" in raw or not _PLAIN_TAG.fullmatch(raw):
            changes.append((start, end, mask_all(raw, is_word=raw.startswith("{") and "/*" not in raw)))
    return spliced(text, changes)


def _code_spans(text: str) -> list[Span]:
    return [match.span() for match in _CODE.finditer(text) if match["code"]]

"""Convert Markdown's inline markup to pieces, and pieces to equivalent Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from markdown_it.helpers import parseLinkDestination, parseLinkTitle
from markdown_it.token import Token

from anaphora.core.long_work import check_cancelled
from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.text.markdown_dialect import WIDE, MarkdownDialect
from anaphora.formats.text.markdown_masks import separate_masked, unmasked
from anaphora.formats.text.markdown_pairs import (
    EMPHASIS,
    Shortcut,
    pair_html,
    with_references,
    with_visible_emphasis,
)

_SOFT_BREAK = re.compile(r" *\n[ \t]*")
_HARD_BREAK = re.compile(r"(?: {2,}|\\)\n[ \t]*")
_SPACE_WITH_BREAK = re.compile(r"(?<!\s)\s*[\r\n\u2028\u2029]\s*")
_LINE_START = re.compile(r"(?:\r\n|\r|\n)[ \t>]*")
_MARKUP = re.compile(r"[\\`*_\[\](){}<>~&!$#:]")
_BLOCK_START = re.compile(
    r"(?P<number>\d{1,9})[.)](?=\s|$)|[-+*](?=\s|$)|\#{1,6}(?=\s|$)|>|`{3}|~{3}|<[A-Za-z/!?]|\[[^\]]+\]:"
    r"|(?:[-*_]\s*){3,}$|[-=]+\s*$|(?:!{3}|\?{3}\+?|={3}|[:~])(?=\s)|:{3,}|\[!|\*\[[^\]]{1,200}\]:"
)
"""Text that begins a block in CommonMark or in a dialect of `markdown_lines`."""


class NotLocatedError(Exception):
    """A token or a block was not found in its source text."""


def inline_pieces(tokens: Sequence[Token], content: str) -> list[Piece]:
    """The tokens as pieces whose joined `raw` strings are `content`; NotLocatedError if one is missing."""
    walker = _Walker(content)
    walker.walk(tokens)
    if walker.position != len(content):
        raise NotLocatedError(f"{len(content) - walker.position} characters are left over")
    return pair_html(walker.pieces)


class _Walker:
    """Walks through a text and its tokens in parallel; `position` is the offset after the current token."""

    def __init__(self, content: str) -> None:
        self._content = content
        self._opened: list[int] = []
        self._pairs = 0
        self.position = 0
        self.pieces: list[Piece] = []

    def walk(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            check_cancelled()
            token = tokens[index]
            if token.type == "link_open" and token.markup == "autolink":
                self._add_standalone(self._content.find(">", self.position) + 1, WORD)
                index += 3
                continue
            self._locate(token)
            index += 1

    def _locate(self, token: Token) -> None:
        if token.type == "text":
            self._add_text(token.content, token.content)
        elif token.type == "text_special":
            self._add_text(token.markup, token.content)
        elif token.type == "softbreak":
            self._add_break(_SOFT_BREAK, Kind.TEXT)
        elif token.type == "hardbreak":
            self._add_break(_HARD_BREAK, Kind.BREAK)
        elif token.type == "code_inline":
            self._add_standalone(self._end_of_code(token.markup), WORD)
        elif token.type == "html_inline":
            self._expect(token.content)
            self._add_standalone(self.position + len(token.content), "")
        elif token.type == "image":
            self._begin_pair("![", "image")
            self.walk(token.children or ())
            self._end_pair(self._end_of_link(), "image")
        elif token.type == "link_open":
            self._begin_pair("[", "link")
        elif token.type == "link_close":
            self._end_pair(self._end_of_link(), "link")
        elif token.nesting == 1:
            self._begin_pair(token.markup, _NAMES.get(token.tag, token.tag))
        elif token.nesting == -1:
            self._expect(token.markup)
            self._end_pair(self.position + len(token.markup), _NAMES.get(token.tag, token.tag))
        else:
            raise NotLocatedError(f"a token of the unknown type {token.type}")

    def _expect(self, raw: str) -> None:
        if not self._content.startswith(raw, self.position):
            raise NotLocatedError(f"“{raw}” is not at {self.position}")

    def _add_text(self, raw: str, text: str) -> None:
        self._expect(raw)
        self.position += len(raw)
        if not raw:
            return
        if raw != text and len(text) != 1:
            self.pieces.append(Piece(Kind.ALONE, WORD, raw, label=raw))
        else:
            self.pieces.append(Piece(Kind.TEXT, text, raw))

    def _add_break(self, pattern: re.Pattern[str], kind: Kind) -> None:
        match = pattern.match(self._content, self.position)
        if match is None:
            raise NotLocatedError(f"no line break at {self.position}")
        before = self._content[match.start() - 1 : match.start()]
        after = self._content[match.end() : match.end() + 1]
        joined = bool(WIDE.match(before) and WIDE.match(after))
        self.position = match.end()
        self.pieces.append(Piece(kind, "" if joined or kind is Kind.BREAK else " ", match.group()))

    def _add_standalone(self, end: int, text: str) -> None:
        if end <= self.position:
            raise NotLocatedError(f"markup at {self.position} has no end")
        raw = self._content[self.position : end]
        self.pieces.append(Piece(Kind.ALONE, text, raw, label=raw))
        self.position = end

    def _begin_pair(self, raw: str, label: str) -> None:
        self._expect(raw)
        self._pairs += 1
        self._opened.append(self._pairs)
        self.pieces.append(Piece(Kind.OPEN, "", raw, self._pairs, label))
        self.position += len(raw)

    def _end_pair(self, end: int, label: str) -> None:
        if not self._opened:
            raise NotLocatedError("markup closes that never opened")
        raw = self._content[self.position : end]
        if label in ("link", "image") and raw in ("]", "][]"):
            raw = Shortcut(raw)
        self.pieces.append(Piece(Kind.CLOSE, "", raw, self._opened.pop(), label))
        self.position = end

    def _end_of_code(self, fence: str) -> int:
        self._expect(fence)
        runs = re.compile(r"`+").finditer(self._content, self.position + len(fence))
        return next((run.end() for run in runs if len(run.group()) == len(fence)), 0)

    def _end_of_link(self) -> int:
        self._expect("]")
        content, after = self._content, self.position + 1
        if content.startswith("(", after):
            end = self._end_of_target(after + 1)
            if end:
                return end
        if content.startswith("[", after):
            close = content.find("]", after)
            if close > 0:
                return close + 1
        return after

    def _end_of_target(self, position: int) -> int:
        content, maximum = self._content, len(self._content)
        position = _skip_space(content, position)
        destination = parseLinkDestination(content, position, maximum)
        if destination.ok:
            position = _skip_space(content, destination.pos)
            title: Any = parseLinkTitle(content, position, maximum)
            if title.ok:
                position = _skip_space(content, title.pos)
        return position + 1 if content.startswith(")", position) else 0


_NAMES = {"strong": "bold", "em": "italic", "s": "struck out"}


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\n":
        position += 1
    return position


def to_markdown(pieces: Sequence[Piece], dialect: MarkdownDialect, kind: str) -> str:
    """Join pieces; new text is escaped only if it would otherwise be read as markup.

    Args:
        kind: "cell", where `|` is always escaped; "heading", where the start needs no escape; or "paragraph".
    """
    pieces = with_visible_emphasis(_tidy(with_references(pieces)))
    wanted = _signature(pieces)

    def escape_openings(text: str) -> str:
        # If closing brackets were escaped, too, Markdown would read \[…\] as a formula.
        return dialect.escape(text).replace(r"\]", "]")

    methods: Sequence[tuple[Callable[[str], str] | None, Callable[[str], str]]] = (
        (None, dialect.escape_code),
        (dialect.escape, dialect.escape),
        (escape_openings, escape_openings),
        (_escape_as_references, _escape_as_references),
    )
    correct = (method for tried, method in methods if _signature_of(_join(pieces, tried), dialect) == wanted)
    return _join(pieces, next(correct, dialect.escape), kind, keeps_prefixes=True)


def _escape_as_references(text: str) -> str:
    """Replace markup characters by references, because a backslash can also begin markup (a formula)."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", text)


def _signature_of(plain: str, dialect: MarkdownDialect) -> list[tuple[str, str]] | None:
    masked = dialect.mask_inline(plain)
    try:
        return _signature(_unmasked_pieces(inline_pieces(dialect.parse_inline(masked), masked), plain))
    except NotLocatedError:
        return None


def _unmasked_pieces(pieces: Sequence[Piece], plain: str) -> list[Piece]:
    out: list[Piece] = []
    position = 0
    for piece in separate_masked(pieces):
        end = position + len(piece.raw)
        out.append(unmasked(piece, plain[position:end]))
        position = end
    return out


def _tidy(pieces: Sequence[Piece]) -> list[Piece]:
    """Remove line breaks from new text, move white space out of emphasis, and remove empty emphasis."""
    out: list[Piece] = []
    for piece in pieces:
        if piece.kind is Kind.TEXT and piece.raw is None:
            text = _SPACE_WITH_BREAK.sub(" ", piece.text)
            stripped = text.lstrip()
            if out and out[-1].kind is Kind.OPEN and out[-1].raw in EMPHASIS and stripped != text:
                out.insert(len(out) - 1, Piece(Kind.TEXT, " "))
                text = stripped
            if text:
                out.append(piece._replace(text=text))
            continue
        if piece.kind is Kind.CLOSE and piece.raw in EMPHASIS and out:
            last = out[-1]
            if last.kind is Kind.OPEN and last.raw == piece.raw:
                out.pop()
                continue
            if last.raw is None and last.text[-1:].isspace():
                out[-1:] = [last._replace(text=last.text.rstrip()), piece, Piece(Kind.TEXT, " ")]
                continue
        out.append(piece)
    return out


def _signature(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """Text and markup in order without white space; texts with equal signatures are equivalent."""
    signature: list[tuple[str, str]] = []
    for piece in pieces:
        if piece.kind is Kind.TEXT:
            text = "".join(piece.text.split())
            if signature and signature[-1][0] == "text":
                text = signature.pop()[1] + text
            if text:
                signature.append(("text", text))
        else:
            signature.append(("markup", "" if _is_break(piece) else "".join(_in_content(piece).split())))
    return signature


def _join(
    pieces: Sequence[Piece], escape: Callable[[str], str] | None, kind: str = "", keeps_prefixes: bool = False
) -> str:
    out: list[str] = []
    line_start = kind != "heading"
    for piece in pieces:
        if piece.raw is not None:
            out.append(piece.raw if keeps_prefixes else _in_content(piece))
            line_start = _is_break(piece)
            continue
        text = escape(piece.text) if escape else piece.text
        if kind == "cell":
            text = re.sub(r"(?<!\\)\|", r"\\|", text)
        elif line_start and keeps_prefixes:
            text = _escape_block_start(text)
        out.append(text)
        line_start = False
    return "".join(out)


def _is_break(piece: Piece) -> bool:
    raw = piece.raw or ""
    return piece.kind is Kind.BREAK or (piece.kind is Kind.TEXT and ("\n" in raw or "\r" in raw))


def _in_content(piece: Piece) -> str:
    if not _is_break(piece):
        return _LINE_START.sub("\n", piece.raw)
    return "\n" if piece.kind is Kind.TEXT else ("  \n" if "<" not in piece.raw else piece.raw)


def _escape_block_start(text: str) -> str:
    match = _BLOCK_START.match(text)
    if match is None:
        return text
    at = len(match["number"]) if match["number"] else 0
    return f"{text[:at]}\\{text[at:]}"

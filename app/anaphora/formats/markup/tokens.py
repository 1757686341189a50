"""Split XML and HTML, even if it is broken, into tags, texts and attributes with offsets, in linear time.

No maintained library gives the source positions of attributes and end tags. The tokens are those of the HTML
standard ("13.2.5 Tokenization"), which include those of XML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import NamedTuple

from anaphora.formats.base.format import MAX_ATTRIBUTES, check_attributes, check_markup
from anaphora_text.protected import TEMPLATE

_ATTRIBUTE = r"""=?[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"'][^\s>]*+)?+)?+"""
_TAG = re.compile(rf"</?([^\s/>]++)(?:[\s/]++|=|{_ATTRIBUTE})*+>?")
_PARTS = re.compile(r"""(=?[^\s/>=]++)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>"'][^\s>]*+))?+)?+""")
_QUOTES = ("", "", '"', "'", "")
"""The quotation mark around each group of `_PARTS`: the whole match, the name, three kinds of values."""
_DECLARATION = re.compile(r"<![^>\[]*+(?:\[[^\]]*+\]*+\s*+)?+>?")
_HTML_COMMENT_END = re.compile(r"--!?>")
REFERENCE = re.compile(r"&(?:#[0-9]{1,9}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{0,40});")
"""A reference to an entity or a character."""
_RAW_TEXT = frozenset(("script", "style", "xmp", "iframe", "noembed", "noframes", "title", "textarea"))
"""HTML elements whose content contains no tags."""
_READABLE = frozenset(("title", "textarea"))
"""Those of `_RAW_TEXT` whose content is text for readers."""
_MAX_CODE_LENGTH = 10_000
"""Maximum length of one block of server-side code, in characters."""
_MIN_CROWDED_LENGTH = 2 * MAX_ATTRIBUTES
"""The length in characters that every tag with too many attributes exceeds."""
_VOID = frozenset((
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
))  # fmt: skip


class TokenKind(Enum):
    """Kinds of tokens: EMPTY is the single tag of an empty element; OTHER a comment, declaration or code."""

    TEXT = "text"
    OPEN = "open"
    CLOSE = "close"
    EMPTY = "empty"
    CDATA = "cdata"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int


class Token(NamedTuple):
    """A part of the source; `name` is a tag's element, in lower case for HTML, and "" for other tokens."""

    kind: TokenKind
    start: int
    end: int
    name: str = ""


class Attribute(NamedTuple):
    """An attribute: the offset of its name, its raw value with offsets, and its quotation mark or ""."""

    name_start: int
    value: str
    start: int
    end: int
    quote: str


def tokens(source: str, is_xml: bool, maximum: int = 0) -> list[Token]:
    """All tokens of a source, in order, without gaps.

    Raises:
        FormatError: there are more tokens than `maximum` (unless 0), or a tag has too many attributes.
    """
    all_tokens: list[Token] = []
    for token in scan(source, is_xml):
        all_tokens.append(token)
        if len(all_tokens) > maximum > 0:
            check_markup(len(all_tokens), maximum)
        if token.end - token.start > _MIN_CROWDED_LENGTH and token.kind in (TokenKind.OPEN, TokenKind.EMPTY):
            parts = _PARTS.finditer(source, token.start, token.end)
            check_attributes(sum(1 for _ in islice(parts, MAX_ATTRIBUTES + 2)) - 1)
    return all_tokens


def partners(all_tokens: Sequence[Token]) -> dict[int, int]:
    """The index of the matching token for each OPEN and CLOSE token that has one."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    open_counts: dict[str, int] = {}
    for index, token in enumerate(all_tokens):
        if token.kind is TokenKind.OPEN:
            opened.append(index)
            open_counts[token.name] = open_counts.get(token.name, 0) + 1
        elif token.kind is TokenKind.CLOSE and open_counts.get(token.name, 0):
            while True:
                last = opened.pop()
                open_counts[all_tokens[last].name] -= 1
                if all_tokens[last].name == token.name:
                    pairs[last], pairs[index] = index, last
                    break
    return pairs


def attributes(source: str, token: Token) -> dict[str, Attribute]:
    """A tag's attributes with values, by lower-case name; if a name is repeated, the first one counts."""
    by_name: dict[str, Attribute] = {}
    position = token.start + 1 + len(token.name)
    for match in _PARTS.finditer(source, position, token.end):
        group = match.lastindex or 1
        if group > 1:
            value = Attribute(match.start(), match[group], *match.span(group), _QUOTES[group])
            by_name.setdefault(match[1].lower(), value)
    return by_name


def entity_at(source: str, position: int, end: int) -> tuple[str, int] | None:
    """The text of the reference at an "&" ("" for an unknown entity), and its end; None if there is none."""
    match = REFERENCE.match(source, position, end)
    if match is None:
        return None
    text = html.unescape(match.group())
    return ("" if text == match.group() else text), match.end()


unescape = html.unescape
"""Resolve the references in a text or an attribute's value."""


def scan(source: str, is_xml: bool) -> Iterator[Token]:
    """The tokens of a source, in order, without gaps."""
    position = text_start = 0
    size = len(source)
    templates = iter(()) if is_xml else (match.span() for match in TEMPLATE.finditer(source))
    template = next(templates, None)
    while position < size:
        mark = source.find("<", position)
        if mark < 0:
            break
        while template is not None and template[1] <= mark:
            template = next(templates, None)
        if template is not None and text_start <= template[0] < mark:
            position = template[1]  # the "<" in {% if n < 2 %} is not a tag
            continue
        token = _markup_at(source, mark, is_xml)
        if token is None:
            position = mark + 1
            continue
        if mark > text_start:
            yield Token(TokenKind.TEXT, text_start, mark)
        yield token
        position = text_start = token.end
        if not is_xml and token.kind is TokenKind.OPEN and token.name in _RAW_TEXT:
            position = text_start = end = _end_of_raw_text(source, token.end, token.name)
            if end > token.end:
                kind = TokenKind.TEXT if token.name in _READABLE else TokenKind.OTHER
                yield Token(kind, token.end, end)
    if text_start < size:
        yield Token(TokenKind.TEXT, text_start, size)


def _markup_at(source: str, mark: int, is_xml: bool) -> Token | None:
    """The tag, comment, declaration or code at a "<"; None if the "<" is ordinary text."""
    follower = source[mark + 1 : mark + 2]
    if follower == "!":
        return _declaration_at(source, mark, is_xml)
    if follower == "%" and not is_xml:
        end = source.find("%>", mark, mark + _MAX_CODE_LENGTH)
        return Token(TokenKind.OTHER, mark, end + 2) if end > 0 else None
    if follower == "?":
        end = source.find("?>", mark, mark + _MAX_CODE_LENGTH)
        if end > 0 and source.startswith(("<?php", "<?="), mark):
            return Token(TokenKind.OTHER, mark, end + 2)
        end = source.find("?>" if is_xml else ">", mark)
        return Token(TokenKind.OTHER, mark, len(source) if end < 0 else end + (2 if is_xml else 1))
    is_close = follower == "/"
    first = source[mark + 2 : mark + 3] if is_close else follower
    begins_name = (first.isalpha() and (is_xml or first.isascii())) or (is_xml and first in ("_", ":"))
    if not first or not begins_name:
        if not (is_close and first):
            return None
        end = source.find(">", mark)
        return Token(TokenKind.OTHER, mark, len(source) if end < 0 else end + 1)
    match = _TAG.match(source, mark)
    if match is None:
        return None
    name, end = match[1] if is_xml else match[1].lower(), match.end()
    if is_close:
        return Token(TokenKind.CLOSE, mark, end, name)
    is_marked = source[end - 2 : end] == "/>"
    is_empty = is_marked if is_xml else name in _VOID or (is_marked and name not in _RAW_TEXT and ":" in name)
    return Token(TokenKind.EMPTY if is_empty else TokenKind.OPEN, mark, end, name)


def _declaration_at(source: str, mark: int, is_xml: bool) -> Token:
    if source.startswith("<!--", mark):
        if source.startswith(("<!-->", "<!--->"), mark) and not is_xml:
            return Token(TokenKind.OTHER, mark, source.index(">", mark) + 1)
        closing = _HTML_COMMENT_END.search(source, mark + 4)
        return Token(TokenKind.OTHER, mark, closing.end() if closing else len(source))
    if is_xml and source.startswith("<![CDATA[", mark):
        end = source.find("]]>", mark)
        return Token(TokenKind.CDATA, mark, len(source) if end < 0 else end + 3)
    match = _DECLARATION.match(source, mark)
    return Token(TokenKind.OTHER, mark, match.end() if match else len(source))


def _end_of_raw_text(source: str, start: int, name: str) -> int:
    match = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(source, start)
    return match.start() if match else len(source)

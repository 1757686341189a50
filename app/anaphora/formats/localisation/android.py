"""Android's strings.xml: strings, plurals and arrays; references and untranslatable strings stay.

An `xliff:g` element and its content become one tag, other markup becomes pairs of tags, and CDATA stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.target_language import (
    TargetLanguage,
    escapes_in,
    with_escapes,
    with_joined_halves,
    with_language,
)
from anaphora.formats.bilingual.xml_text import Node, XmlText
from anaphora.formats.localisation.texts import CatalogueString, Markup, notes_of, with_plural_forms
from anaphora.formats.localisation.xml_catalogue import ContentWriter, XmlCatalogue, pieces_of, with_comments

_LANGUAGE = re.compile(r"""<resources\b[^<>]*?\btools:locale=["'](?P<language>[\w-]+)""")
_HOLDERS = ("plurals", "string-array", "array")
_REFERENCE = re.compile(r"[@?](?:\+?[\w.:]+/)?[\w.:]+|@null|@empty")
_LAYOUT = " \t\n\v\f\r"
"""White space that only lays out the file; other white space, such as a no-break space, is text."""
_PART = re.compile(rf'\\u([0-9A-Fa-f]{{4}})|\\(.)|(")|([{_LAYOUT}]+)', re.DOTALL)
_CODE, _MARKUP = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|.)", re.DOTALL), re.compile(r"<[^<>]*>")
_CHAR_BY_NAME = {"n": "\n", "t": "\t"}
_TO_ESCAPE = re.compile(r"""[\\'"\n\t]""")
_COLLAPSED_SPACES = re.compile(r"\A +| +\Z|(?<= ) +")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)


class Android(XmlCatalogue):
    name = "android"
    label = "Android strings"
    extensions: tuple[str, ...] = (".xml",)
    kind, root = "Android strings.xml", "resources"

    def entries(self, document: XmlText) -> Iterator[CatalogueString]:
        for node, comment in with_comments(document, document.root):
            name = node.get("name")
            is_string = node.name == "string" or (node.name == "item" and node.get("type") == "string")
            if node.get("translatable") == "false" or not (is_string or node.name in _HOLDERS):
                continue
            notes = notes_of(name, comment)
            if is_string:
                yield _entry(document, node, f"string/{name}", notes)
                continue
            items = [item for item in node.children if item.name == "item"]
            strings = []
            for number, item in enumerate(items):
                form = item.get("quantity")
                place = (str(number + 1), str(len(items)))
                is_plural = node.name == "plurals"
                item_notes = (*notes, Note(NoteKind.PLURAL_FORM, form, place)) if is_plural else notes
                strings.append(_entry(document, item, f"{node.name}/{name}/{form or number}", item_notes))
            yield from with_plural_forms(strings, document.text) if node.name == "plurals" else strings

    def content(self, document: XmlText, entries: Sequence[CatalogueString]) -> ContentWriter:
        nodes = (entry.node for entry in entries if entry.node is not None)
        content = "".join(document.text[node.inner_start : node.inner_end] for node in nodes)
        plain = _MARKUP.sub("", content)
        table = {char: raw for char, raw in escapes_in(plain, _CODE, _meaning).items() if raw[:2] == r"\u"}
        return partial(_new_content, document, table)

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        return with_language(data, options, target, _LANGUAGE)


def _entry(document: XmlText, node: Node, address: str, notes: tuple[Note, ...]) -> CatalogueString:
    is_quoted = False
    pieces: list[Piece] = []
    for piece in _without_edges(pieces_of(document, node, "g")):
        if piece.kind is Kind.TEXT:
            text, is_quoted = _unescaped(piece.text, is_quoted)
            piece = piece._replace(text=text)
        pieces.append(piece)
    text = "".join(piece.text for piece in pieces)
    if _REFERENCE.fullmatch(document.plain(node)):
        pieces, text = [], ""
    return CatalogueString(address, node.start, node.end, text, notes, tuple(pieces), node)


def _without_edges(pieces: list[Piece]) -> list[Piece]:
    if pieces and pieces[0].kind is Kind.TEXT:
        pieces[0] = pieces[0]._replace(text=pieces[0].text.lstrip(_LAYOUT))
    if pieces and pieces[-1].kind is Kind.TEXT:
        text = pieces[-1].text.rstrip(_LAYOUT)
        pieces[-1] = pieces[-1]._replace(text=f"{text} " if text.endswith("\\") else text)
    return pieces


def _unescaped(raw: str, is_quoted: bool) -> tuple[str, bool]:
    """A text as programs read it, and True if it ends between quotation marks, where white space stays."""
    out: list[str] = []
    copied_end = 0
    for match in _PART.finditer(raw):
        out.append(raw[copied_end : match.start()])
        copied_end = match.end()
        if match[1]:
            out.append(chr(int(match[1], 16)))
        elif match[2]:
            out.append(_CHAR_BY_NAME.get(match[2], match[2]))
        elif match[3]:
            is_quoted = not is_quoted
        else:
            out.append(match[4] if is_quoted else " ")
    return with_joined_halves("".join((*out, raw[copied_end:]))), is_quoted


def _meaning(escape: str) -> str:
    return _unescaped(escape, is_quoted=True)[0]


def _new_content(document: XmlText, table: Mapping[str, str], node: Node, pieces: Iterable[Piece]) -> str:
    raw = document.text[node.inner_start : node.inner_end]
    cdata = None if node.children else _CDATA.fullmatch(raw)
    content, start = (cdata[1], cdata.start(1)) if cdata else (raw, 0)
    core = content.strip(_LAYOUT)
    start += content.index(core)
    is_quoted = _is_quoted(core)
    parts: list[str] = []
    for piece in pieces:
        if isinstance(piece.raw, Markup):
            parts.append(piece.raw)
            continue
        text = piece.text if piece.raw is None else str(piece.raw)
        text = with_escapes(text, table, partial(_escaped, is_quoted=is_quoted))
        if not parts and text[:1] in ("@", "?"):
            text = "\\" + text
        parts.append(text.replace("]]>", "]]&gt;") if cdata else document.escape(text))
    new = "".join(parts)
    if not is_quoted:
        new = _COLLAPSED_SPACES.sub(lambda spaces: r"\u0020" * len(spaces[0]), new)
    new = f'"{new}"' if is_quoted else new
    return f"{raw[:start]}{new}{raw[start + len(core) :]}"


def _is_quoted(text: str) -> bool:
    return len(text) > 1 and text[0] == text[-1] == '"' and not text.endswith('\\"')


def _escaped(text: str, is_quoted: bool) -> str:
    def escape(match: re.Match[str]) -> str:
        if match[0] == "'" and is_quoted:
            return "'"
        return {"\n": "\\n", "\t": "\\t"}.get(match[0], "\\" + match[0])

    return _TO_ESCAPE.sub(escape, text)


FORMAT = Android()

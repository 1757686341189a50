"""Apple's .strings and .stringsdict: values change; keys, comments and order stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.encoding import DecodedText
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.pieces import Piece, text_of
from anaphora.formats.base.placeholders import APPLE
from anaphora.formats.base.target_language import escapes_in, with_escapes, with_joined_halves
from anaphora.formats.bilingual.xml_text import Node, XmlText
from anaphora.formats.localisation import texts
from anaphora.formats.localisation.texts import CatalogueString, Writer, key_path, with_plural_forms
from anaphora.formats.localisation.xml_catalogue import XmlCatalogue, plain_text
from anaphora_text.icu import PLURAL_FORMS

_STRING = r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'"""
"""A string in double or single quotation marks; new strings are written with double quotation marks."""
_TOKEN = re.compile(
    rf"\s++|//[^\r\n]*+|/\*(?P<comment>.*?)\*/|(?P<key>{_STRING}|[\w.$:/-]++)\s*+"
    rf"(?:=\s*+(?P<value>{_STRING}|[\w.$:/-]++)\s*+)?;",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:[uU]([0-9A-Fa-f]{4})|([0-7]{3})|(.))", re.DOTALL)
_CHAR_BY_NAME = {"n": "\n", "t": "\t", "r": "\r"}
_TO_ESCAPE = re.compile(r'["\\\n\t\r]')
_ESCAPE_BY_CHAR = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_TYPES = frozenset(("NSStringFormatSpecTypeKey", "NSStringFormatValueTypeKey"))


class AppleStrings(texts.TextCatalogue):
    name = "strings"
    label = "Apple strings"
    extensions: tuple[str, ...] = (".strings", ".stringsdict")
    pattern = APPLE

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        return _PROPERTY_LIST.open(data, options) if _is_property_list(data) else super().open(data, options)

    def entries(self, source: DecodedText) -> Iterator[CatalogueString]:
        text, comment, position = source.text, "", 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise texts.damage_error("Apple strings", text, position)
            position = match.end()
            if match["comment"] is not None:
                comment = " ".join(match["comment"].split())
            elif match["key"] is not None:
                key = _unescaped(match["key"])
                # A key without a value is its own value.
                span = match.span("value") if match["value"] is not None else (match.end("key"),) * 2
                value = _unescaped(match["value"] or match["key"])
                yield CatalogueString(key, *span, value, texts.notes_of(key, comment))
                comment = ""

    def writer(self, source: DecodedText, entries: Sequence[CatalogueString]) -> Writer:
        literals = "".join(source.text[each.start + 1 : each.end - 1] for each in entries)
        table = escapes_in(literals, _ESCAPE, _meaning)

        def write(entry: CatalogueString, pieces: list[Piece]) -> str:
            text = f'"{with_escapes(text_of(pieces), table, _escaped)}"'
            return text if entry.start < entry.end else f" = {text}"

        return write


class _PropertyList(XmlCatalogue):
    kind, root, pattern = "property list", "plist", APPLE

    def entries(self, document: XmlText) -> Iterator[CatalogueString]:
        return with_plural_forms(self._entries(document), document.text)

    def _entries(self, document: XmlText) -> Iterator[CatalogueString]:
        stack: list[tuple[Node, str, str]] = [(child, "", "") for child in reversed(document.root.children)]
        while stack:
            node, path, key = stack.pop()
            if node.name == "string" and not node.children and key not in _TYPES:
                form = (Note(NoteKind.CONTEXT, key),) if key in PLURAL_FORMS else ()
                notes = (*texts.notes_of(texts.dotted_path(path)), *form)
                yield CatalogueString(
                    path, node.start, node.end, plain_text(document, node), notes, node=node
                )
            elif node.name == "dict":
                stack += reversed(list(_members(document, node, path)))
            elif node.name == "array":
                stack += reversed([(item, key_path(path, at), "") for at, item in enumerate(node.children)])


_PROPERTY_LIST = _PropertyList()


def _is_property_list(data: bytes) -> bool:
    if data.startswith(b"bplist"):
        raise FormatError(
            "This is a binary property list.",
            "Convert it first: plutil -convert xml1 FILE.",
        )
    return (
        data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")
        .replace(b"\0", b"")
        .startswith((b"<?xml", b"<!DOCTYPE", b"<plist"))
    )


def _unescaped(raw: str) -> str:
    if raw[:1] not in ('"', "'"):
        return raw

    def resolve(match: re.Match[str]) -> str:
        if match[1] or match[2]:
            return chr(int(match[1] or match[2], 16 if match[1] else 8))
        return _CHAR_BY_NAME.get(match[3], match[3])

    return texts.SURROGATE.sub("\ufffd", with_joined_halves(_ESCAPE.sub(resolve, raw[1:-1])))


def _meaning(escape: str) -> str:
    return _unescaped(f'"{escape}"')


def _escaped(text: str) -> str:
    return _TO_ESCAPE.sub(lambda match: _ESCAPE_BY_CHAR.get(match[0], "\\" + match[0]), text)


def _members(document: XmlText, holder: Node, path: str) -> Iterable[tuple[Node, str, str]]:
    key = ""
    for child in holder.children:
        if child.name == "key":
            key = document.plain(child)
        else:
            yield child, key_path(path, key), key


FORMAT = AppleStrings()

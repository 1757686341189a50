"""Apple's .strings and .stringsdict: values change; keys, comments and order stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError, Reading
from anaphora.formats.base.pieces import Piece
from anaphora.formats.base.placeholders import APPLE
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.spellings import spelled, spellings
from anaphora.formats.base.splicing import Fillings, spliced
from anaphora.formats.base.targets import with_joined_halves
from anaphora.formats.bilingual.xml_nodes import Node
from anaphora.formats.bilingual.xml_text import XmlText
from anaphora.formats.localisation.texts import (
    Catalogue,
    Entry,
    below,
    check_size,
    damaged,
    name_note,
    text_of,
)
from anaphora.formats.localisation.xml_catalogue import filled, opened
from anaphora_text.icu import PLURAL_FORMS

_STRING = r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'"""
"""Property lists may hold either; what is written stands in double quotation marks."""
_TOKEN = re.compile(
    rf"\s++|//[^\r\n]*+|/\*(?P<comment>.*?)\*/|(?P<key>{_STRING}|[\w.$:/-]++)\s*+"
    rf"(?:=\s*+(?P<value>{_STRING}|[\w.$:/-]++)\s*+)?;",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:[uU]([0-9A-Fa-f]{4})|([0-7]{3})|(.))", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r"}
_TO_ESCAPE = re.compile(r'["\\\n\t\r]')
_NAMES = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_HALF = re.compile("[\ud800-\udfff]")
_TYPES = frozenset(("NSStringFormatSpecTypeKey", "NSStringFormatValueTypeKey"))


class AppleStrings:
    """Reader and writer of Apple's strings, and of those that are property lists."""

    name = "strings"
    label = "Apple strings"
    extensions: tuple[str, ...] = (".strings", ".stringsdict")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`. A value is a segment, whatever sentences it has."""
        check_size(data)
        if _is_list(data):
            document = opened(data, "property list", "plist")
            found = (entry for entry, _ in _list_entries(document))
            return Parsed(Catalogue(found, APPLE).blocks(), document.encoding)
        decoded = decode(data, reading.language, reading.encoding)
        return Parsed(Catalogue(_entries(decoded.text), APPLE).blocks(), decoded.encoding)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`."""
        if _is_list(data):
            return _filled_list(data, fillings)
        decoded = decode(data, reading.language, reading.encoding)
        text = decoded.text
        entries = [*_entries(text)]
        table = spellings("".join(text[each.start + 1 : each.end - 1] for each in entries), _ESCAPE, _meaning)
        changed = (
            (entry.start, entry.end, _literal(entry, spelled(text_of(pieces), table, _escaped)))
            for entry, pieces in Catalogue(entries, APPLE).filled(fillings)
        )
        return decoded.encode(spliced(text, changed))


def _is_list(data: bytes) -> bool:
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


def _entries(text: str) -> Iterator[Entry]:
    """The values, in order."""
    comment, place = "", 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.end() == place:
            raise damaged("Apple strings", text, place)
        place = match.end()
        if match["comment"] is not None:
            comment = " ".join(match["comment"].split())
        elif match["key"] is not None:
            key = _unescaped(match["key"])
            notes = (name_note(key), *((Note(NoteKind.COMMENT, comment),) if comment else ()))
            if match["value"] is not None:
                yield Entry(key, *match.span("value"), _unescaped(match["value"]), notes)
            else:
                yield Entry(key, match.end("key"), match.end("key"), key, notes)
            comment = ""


def _unescaped(raw: str) -> str:
    if raw[:1] not in ('"', "'"):
        return raw
    if "\\" not in raw:
        return raw[1:-1]

    def one(match: re.Match[str]) -> str:
        if match[1] or match[2]:
            return chr(int(match[1] or match[2], 16 if match[1] else 8))
        return _NAMED.get(match[3], match[3])

    text = _ESCAPE.sub(one, raw[1:-1])
    return _HALF.sub("\ufffd", with_joined_halves(text))


def _literal(entry: Entry, text: str) -> str:
    """A value as it is written; one that stood nowhere was its key."""
    return f'"{text}"' if entry.start < entry.end else f' = "{text}"'


def _meaning(escape: str) -> str:
    return _unescaped(f'"{escape}"')


def _escaped(text: str) -> str:
    return _TO_ESCAPE.sub(lambda match: _NAMES.get(match[0], "\\" + match[0]), text)


def _list_entries(document: XmlText) -> Iterator[tuple[Entry, Node]]:
    """The strings of a property list, those that name types of arguments left out."""
    waiting: list[tuple[Node, str, str]] = [(child, "", "") for child in reversed(document.root.children)]
    while waiting:
        node, path, key = waiting.pop()
        if node.name == "string" and not node.children and key not in _TYPES:
            shown = path[1:].replace("/", ".").replace("~1", "/").replace("~0", "~")
            notes = (name_note(shown), *((Note(NoteKind.CONTEXT, key),) if key in PLURAL_FORMS else ()))
            text = "".join(each for each in document.content(node) if isinstance(each, str))
            yield Entry(path, node.start, node.end, text.replace("\r\n", "\n"), notes), node
        elif node.name == "dict":
            waiting += reversed(list(_members(document, node, path)))
        elif node.name == "array":
            waiting += reversed([(child, below(path, at), "") for at, child in enumerate(node.children)])


def _members(document: XmlText, holder: Node, path: str) -> Iterable[tuple[Node, str, str]]:
    key = ""
    for child in holder.children:
        if child.name == "key":
            key = document.plain(child)
        else:
            yield child, below(path, key), key


def _filled_list(data: bytes, fillings: Fillings) -> bytes:
    document = opened(data, "property list", "plist")
    found = list(_list_entries(document))
    nodes = {entry.start: node for entry, node in found}
    catalogue = Catalogue((entry for entry, _ in found), APPLE)

    def written(document: XmlText, node: Node, pieces: Sequence[Piece]) -> str:
        return document.escape_in(node, text_of(pieces))

    return filled(document, catalogue, nodes, fillings, written) or data


FORMAT = AppleStrings()

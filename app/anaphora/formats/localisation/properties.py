r"""Java's .properties: values change; keys, comments, line ends and the style of escaping stay.

Characters outside ASCII are written as \uXXXX, which every program understands, unless the file is UTF-8 or
UTF-16 and has such characters in its values. A file that contains \uXXXX and is neither UTF-8, UTF-16 nor GBK
is read as ISO-8859-1, as Java does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from anaphora.formats.base.encoding import DecodedText
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.placeholders import JAVA
from anaphora.formats.base.target_language import escapes_in, with_escapes
from anaphora.formats.localisation.texts import SURROGATE, CatalogueString, TextCatalogue, Writer, notes_of

_LINE = re.compile(
    r"[ \t\f]*+(?:([#!])([^\r\n]*+)"
    r"|((?:\\(?:(?:\r\n|[\r\n])[ \t\f]*+|.|\Z)|[^\\\s=:])*+)"
    r"((?:[ \t\f]|\\(?:\r\n|[\r\n]))*+[=:]?(?:[ \t\f]|\\(?:\r\n|[\r\n]))*+)"
    r"((?:\\(?:\r\n|.|\Z)|[^\\\r\n])*+))(?:\r\n|\n|\r|\Z)",
    re.DOTALL,
)
_MARK, _COMMENT, _KEY, _SEPARATOR, _VALUE = 1, 2, 3, 4, 5
_ESCAPE = re.compile(r"((?:\\u+[0-9A-Fa-f]{4})+)|\\(?:(?:\r\n|[\r\n])[ \t\f]*|(.)|\Z)", re.DOTALL)
_CHAR_BY_NAME = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
_ESCAPE_BY_CHAR = {char: "\\" + name for name, char in _CHAR_BY_NAME.items()} | {"\\": "\\\\"}
_TO_ESCAPE = re.compile(r"[\\\n\t\r\f]")
_MESSAGE = re.compile(r"\{[0-9]|'[{}]|''\w")
_APOSTROPHES = re.compile(r"\{[0-9]+\s*,[^{}]*\}|'+")
"""Apostrophes, or an argument with a format, such as {0,date,yyyy'年'}, in which apostrophes stay."""
_CODED = re.compile(r"\\u[0-9A-Fa-f]{4}")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


class Properties(TextCatalogue):
    name = "properties"
    label = "Java properties"
    extensions: tuple[str, ...] = (".properties",)
    pattern = JAVA

    def source(self, data: bytes, options: ReadOptions) -> DecodedText:
        source = super().source(data, options)
        is_java = _CODED.search(source.text) and not source.codec.startswith(("utf", "gb"))
        return DecodedText(data.decode("iso8859-1"), "iso8859-1", "iso8859-1") if is_java else source

    def entries(self, source: DecodedText) -> Iterator[CatalogueString]:
        comments: list[str] = []
        for line in _LINE.finditer(source.text):
            if line[_MARK]:
                comments.append(line[_COMMENT].strip())
                continue
            if line[_KEY] or line[_SEPARATOR].strip():
                key = _unescaped(line[_KEY])
                notes = notes_of(key, "\n".join(comments[-20:]).strip())
                yield CatalogueString(key, *line.span(_VALUE), _unescaped(line[_VALUE]), notes)
            comments = []  # a comment before a blank line is about the file

    def writer(self, source: DecodedText, entries: Sequence[CatalogueString]) -> Writer:
        values = "".join(source.text[each.start : each.end] for each in entries)
        table = escapes_in(values, _ESCAPE, _unescaped)
        escape = partial(_escaped, is_ascii=values.isascii() or not source.codec.startswith("utf"))

        def write(entry: CatalogueString, pieces: list[Piece]) -> str:
            value = with_escapes(_new_value(entry, pieces), table, escape)
            # A leading space would be read as a part of the separator.
            return "\\" + value if value[:1] == " " else value

        return write


def _unescaped(raw: str) -> str:
    def resolve(match: re.Match[str]) -> str:
        if match[1]:
            codes = re.findall(r"[0-9A-Fa-f]{4}(?=\\|\Z)", match[1])
            units = b"".join(int(code, 16).to_bytes(2, "big") for code in codes)
            return SURROGATE.sub("\ufffd", units.decode("utf-16-be", "surrogatepass"))
        return "" if match[2] is None else _CHAR_BY_NAME.get(match[2], match[2])

    return _ESCAPE.sub(resolve, raw) if "\\" in raw else raw


def _new_value(entry: CatalogueString, pieces: Iterable[Piece]) -> str:
    """A new value; single apostrophes in new text are doubled if MessageFormat reads the value."""
    is_message = _MESSAGE.search(entry.text) is not None
    return "".join(
        _APOSTROPHES.sub(lambda run: run[0] + "'" * (run[0][0] == "'" and len(run[0]) % 2), piece.text)
        if piece.raw is None and is_message
        else piece.text
        if piece.kind is Kind.TEXT
        else str(piece.raw)
        for piece in pieces
    )


def _escaped(value: str, is_ascii: bool) -> str:
    escaped = _TO_ESCAPE.sub(lambda match: _ESCAPE_BY_CHAR[match[0]], value)
    return _NOT_ASCII.sub(_coded, escaped) if is_ascii else escaped


def _coded(char: re.Match[str]) -> str:
    return re.sub("(....)", r"\\u\1", char[0].encode("utf-16-be", "surrogatepass").hex())


FORMAT = Properties()

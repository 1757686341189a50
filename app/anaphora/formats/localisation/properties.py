r"""Java's .properties: values change; keys, comments, line ends and the way of escaping stay.

A file that is ASCII gets other letters as \uXXXX, which every reader of such files understands; one that
holds letters in its own encoding (UTF-8, ISO-8859-1) keeps writing them so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.encoding import DecodedText, decode
from anaphora.formats.base.format import Reading
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.placeholders import JAVA
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.spellings import spelled, spellings
from anaphora.formats.base.splicing import Fillings, spliced
from anaphora.formats.localisation.texts import Catalogue, Entry, check_size, name_note

_LINE = re.compile(
    r"[ \t\f]*+(?:([#!])([^\r\n]*+)"
    r"|((?:\\(?:(?:\r\n|[\r\n])[ \t\f]*+|.|\Z)|[^\\\s=:])*+)"
    r"((?:[ \t\f]|\\(?:\r\n|[\r\n]))*+[=:]?(?:[ \t\f]|\\(?:\r\n|[\r\n]))*+)"
    r"((?:\\(?:\r\n|.|\Z)|[^\\\r\n])*+))(?:\r\n|\n|\r|\Z)",
    re.DOTALL,
)
_MARK, _COMMENT, _KEY, _SEPARATOR, _VALUE = 1, 2, 3, 4, 5
_ESCAPE = re.compile(r"((?:\\u+[0-9A-Fa-f]{4})+)|\\(?:(?:\r\n|[\r\n])[ \t\f]*|(.)|\Z)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
_NAMES = {char: "\\" + name for name, char in _NAMED.items()} | {"\\": "\\\\"}
_TO_ESCAPE = re.compile(r"[\\\n\t\r\f]")
_ARGUMENT = re.compile(r"\{[0-9]")
_APOSTROPHE = re.compile("(?<!')'(?!')")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_HALF = re.compile("[\ud800-\udfff]")


class Properties:
    """Reader and writer of Java's properties."""

    name = "properties"
    label = "Java properties"
    extensions: tuple[str, ...] = (".properties",)

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`. A value is a segment, whatever sentences it has."""
        check_size(data)
        decoded = decode(data, reading.language, reading.encoding)
        return Parsed(Catalogue(_entries(decoded.text), JAVA).blocks(), decoded.encoding)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`."""
        decoded = decode(data, reading.language, reading.encoding)
        text = decoded.text
        lower = re.search(r"\\u[0-9A-F]*[a-f]", text) is not None
        entries = [*_entries(text)]
        said = "".join(text[each.start : each.end] for each in entries)
        table = spellings(said, _ESCAPE, _unescaped)
        usual = partial(_escaped, decoded=decoded, lower=lower)
        changed = (
            (entry.start, entry.end, _written(spelled(_new(entry, pieces), table, usual)))
            for entry, pieces in Catalogue(entries, JAVA).filled(fillings)
        )
        return decoded.encode(spliced(text, changed))


def _entries(text: str) -> Iterator[Entry]:
    comments: list[str] = []
    place = 0
    while place < len(text):
        line = _LINE.match(text, place)
        if line is None:  # cannot be: each line is a comment, blank, or a key
            return
        place = line.end()
        if line[_MARK]:
            comments.append(line[_COMMENT].strip())
        elif line[_KEY] or line[_SEPARATOR].strip():
            key = _unescaped(line[_KEY])
            comment = "\n".join(comments[-20:]).strip()
            notes = (name_note(key), *((Note(NoteKind.COMMENT, comment),) if comment else ()))
            yield Entry(key, *line.span(_VALUE), _unescaped(line[_VALUE]), notes)
            comments = []
        else:
            # A comment that a blank line follows is about the file.
            comments = []


def _unescaped(raw: str) -> str:
    def one(match: re.Match[str]) -> str:
        if match[1]:
            codes = re.findall(r"[0-9A-Fa-f]{4}(?=\\|\Z)", match[1])
            units = b"".join(int(code, 16).to_bytes(2, "big") for code in codes)
            return _HALF.sub("\ufffd", units.decode("utf-16-be", "surrogatepass"))
        return "" if match[2] is None else _NAMED.get(match[2], match[2])

    return _ESCAPE.sub(one, raw) if "\\" in raw else raw


def _new(entry: Entry, pieces: Iterable[Piece]) -> str:
    """A new value. In one with arguments, which MessageFormat reads, an apostrophe is written twice."""
    is_message = _ARGUMENT.search(entry.text) is not None
    return "".join(
        _APOSTROPHE.sub("''", piece.text)
        if piece.raw is None and is_message
        else piece.text
        if piece.kind is Kind.TEXT
        else str(piece.raw)
        for piece in pieces
    )


def _written(value: str) -> str:
    """A value behind its separator: a blank that it begins with would be read as a part of that."""
    return "\\" + value if value[:1] == " " else value


def _escaped(value: str, decoded: DecodedText, lower: bool) -> str:
    value = _TO_ESCAPE.sub(lambda match: _NAMES[match[0]], value)
    codec = "ascii" if decoded.text.isascii() else decoded.codec
    return _NOT_ASCII.sub(lambda match: _coded(match[0], codec, lower), value)


def _coded(char: str, codec: str, lower: bool) -> str:
    try:
        char.encode(codec)
    except UnicodeEncodeError:
        units = char.encode("utf-16-be", "surrogatepass")
        codes = (units[at : at + 2].hex() for at in range(0, len(units), 2))
        return "".join("\\u" + (code if lower else code.upper()) for code in codes)
    return char


FORMAT = Properties()

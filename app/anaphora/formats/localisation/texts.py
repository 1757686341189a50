"""The common base of catalogues: read and fill strings, name nested keys, add missing plural forms.

A string is one segment even if it has several sentences; `registry.OpenFile` splits ICU messages.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Generic, NamedTuple, Protocol, TypeVar

from anaphora.core.errors import Message
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.encoding import DecodedText, decode
from anaphora.formats.base.format import FormatError, ReadOptions, check_sentences
from anaphora.formats.base.marked_text import split_markup, with_positions
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.pieces import WORD, Block, Kind, Piece, text_of
from anaphora.formats.base.placeholders import COMMON, UNTRANSLATABLE
from anaphora.formats.base.segments import units_of
from anaphora.formats.base.splicing import Fillings, assemble, spliced
from anaphora.formats.bilingual.xml_text import Node
from anaphora_text.icu import PLURAL_FORMS, lacks_plurals, missing_forms

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which is not a character."""
_MAX_KEY_LENGTH = 200
"""Maximum number of characters of a path of keys, and of a key in a note; longer ones are shortened."""
_MAX_BYTES = 48 * 2**20


class CatalogueString(NamedTuple):
    """A string of a catalogue.

    Attributes:
        address: the key, or the path of nested keys.
        start, end: offsets of the literal (in XML, of the element) in the file.
        text: the text with escapes resolved.
        pieces: texts and markup, if the file's syntax allows markup in the string; otherwise empty.
        node: in an XML file, the element that contains the string.
        prefix: for a string that the file lacks, the text to insert before it at `end`.
    """

    address: str
    start: int
    end: int
    text: str
    notes: tuple[Note, ...] = ()
    pieces: tuple[Piece, ...] = ()
    node: Node | None = None
    prefix: str = ""


Writer = Callable[[CatalogueString, list[Piece]], str]
"""Writes a new literal from its pieces."""


class Markup(str):
    """Markup of the file's syntax, which is written without escaping."""

    __slots__ = ()


class EncodedText(Protocol):
    """A file's text, and the encoder for a new text."""

    @property
    def text(self) -> str: ...
    @property
    def encoding(self) -> str: ...
    def encode(self, text: str) -> bytes: ...


S = TypeVar("S", bound=EncodedText)


class Catalogue(Generic[S]):
    """A format with strings: finds their positions, and writes new literals; `pattern` finds placeholders."""

    pattern = COMMON

    def source(self, data: bytes, options: ReadOptions) -> S:
        """The file's text; FormatError if it is damaged or in another format."""
        raise NotImplementedError

    def entries(self, source: S) -> Iterator[CatalogueString]:
        """The strings, in order; FormatError if the file is damaged."""
        raise NotImplementedError

    def writer(self, source: S, entries: Sequence[CatalogueString]) -> Writer:
        """A function that writes a new literal with the file's escapes."""
        raise NotImplementedError

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        source = self.source(data, options)
        entries: list[CatalogueString] = []
        texts: list[tuple[CatalogueString, Block]] = []
        addresses = _Addresses()
        for entry in self.entries(source):
            entries.append(entry)
            check_sentences(len(entries))
            if UNTRANSLATABLE.fullmatch(entry.text.strip()) is None:
                parts = entry.pieces or (Piece(Kind.TEXT, entry.text),)
                pieces = _with_markup(parts, self.pattern)
                texts.append((entry, Block(addresses.unique(entry.address), pieces, entry.notes)))

        def fill(fillings: Fillings) -> bytes:
            write, changes = self.writer(source, entries), []
            for entry, block in texts:
                if (translated := fillings.of(block.address, block.pieces)) is not None:
                    start = entry.end if entry.prefix else entry.start
                    new = assemble(translated)
                    if not entry.prefix or not lacks_plurals(text_of(new)):  # Japanese needs no "one"
                        changes.append((start, entry.end, entry.prefix + write(entry, new)))
            return source.encode(spliced(source.text, changes))

        return Opened(lambda: units_of(block for _, block in texts), fill, encoding=source.encoding)


class TextCatalogue(Catalogue[DecodedText]):
    def source(self, data: bytes, options: ReadOptions) -> DecodedText:
        check_size(data)
        return decode(data, options.language, options.encoding)


def _with_markup(parts: Iterable[Piece], pattern: re.Pattern[str]) -> tuple[Piece, ...]:
    all_pieces: list[Piece] = []
    pairs = 0
    for piece in parts:
        inner = [piece]
        if piece.kind is Kind.TEXT:
            inner = split_markup(piece.text, pattern, stand_in=WORD, numbered=True)
            inner = [each._replace(pair=each.pair + pairs) if each.is_half else each for each in inner]
            pairs += len(inner)
        all_pieces += inner
    return tuple(with_positions(all_pieces))


class _Addresses:
    def __init__(self) -> None:
        self._used: set[str] = set()
        self._numbers: dict[str, int] = {}

    def unique(self, address: str) -> str:
        """A unique address: empty and repeated keys get a number."""
        unique, number = address or "#1", self._numbers.get(address, 1)
        while unique in self._used:
            number += 1
            unique = f"{address}#{number}"
        self._numbers[address] = number
        self._used.add(unique)
        return unique


def key_path(path: str, key: str | int) -> str:
    """The path of a key in an object as a JSON Pointer (RFC 6901); a long path is shortened."""
    pointer = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
    if len(pointer) > _MAX_KEY_LENGTH:
        return f"{pointer[: _MAX_KEY_LENGTH // 2]}~{zlib.crc32(pointer.encode('utf-8', 'replace')):08x}"
    return pointer


def dotted_path(path: str) -> str:
    """A path in the notation of programs: keys joined by dots."""
    return path[1:].replace("/", ".").replace("~1", "/").replace("~0", "~")


def notes_of(key: str, comment: str = "") -> tuple[Note, ...]:
    """Notes with a string's key, which often describes the text, and with a comment."""
    name = Note(NoteKind.NAME, key if len(key) <= _MAX_KEY_LENGTH else key[:_MAX_KEY_LENGTH] + "…")
    return (name, Note(NoteKind.COMMENT, comment)) if comment else (name,)


def check_size(data: bytes) -> None:
    if len(data) > _MAX_BYTES:
        raise FormatError(
            Message("{what} is too large.", what=Message("The file")), "Split the document into smaller ones."
        )


def damage_error(kind: str, text: str, offset: int) -> FormatError:
    """The error for a file that is not a valid `kind` at `offset`."""
    line = len(re.findall(r"\r\n|\n|\r", text[:offset])) + 1
    rest = text[offset : offset + 40].splitlines()
    return FormatError(
        Message(
            "Line {line} of the file is not valid {kind}: “{text}”.",
            line=line,
            kind=kind,
            text=rest[0] if rest else "",
        ),
        "The file is damaged, incomplete or in another format. Repair it in a text editor.",
    )


_OTHER = "other"
_JSON = re.compile(r"[\ufeff\s]*\{")
_COUNT = re.compile(r"\{\{\s*count")
_SIGN, _LINE_END = re.compile(r"[\s{,]"), re.compile(r"[\r\n]")
_SEARCH_WIDTH = 400
"""Maximum number of characters in which a key, or the white space before it, is searched for."""
_FORM = re.compile(rf"(?P<stem>.*[/_])(?P<form>{'|'.join(PLURAL_FORMS)}|plural)", re.DOTALL)
_FLOW = re.compile(r"\s*[,}]")


def with_plural_forms(entries: Iterable[CatalogueString], text: str) -> Iterator[CatalogueString]:
    """The strings of a file, and after each plural form "other" the English forms that the file lacks.

    A key "other" or "…_other" (i18next) is a plural form if all keys with the same beginning are forms, or if
    its text contains `{{count}}`.
    """
    listed = [*entries]
    # Only the first line is searched, because this runs for each plural of an Android file.
    line_end = "\r\n" if text[: text.find("\n")].endswith("\r") else "\n"
    is_json = _JSON.match(text) is not None
    groups: dict[str, set[str]] = defaultdict(set)
    addresses = {entry.address for entry in listed}
    for entry in listed:
        stem, sign, last = entry.address.rpartition("_")
        groups[stem + sign].add(last)
        path = entry.address
        while "/" in path:
            path, _, last = path.rpartition("/")
            groups[path + "/"].add(last)
    for entry in listed:
        key = _FORM.fullmatch(entry.address) if entry.node is None else None
        if key and (_OTHER in groups[key["stem"]] or key["stem"][:-1] in addresses):
            entry = entry._replace(notes=(*entry.notes, Note(NoteKind.CONTEXT, key["form"])))
        yield entry
        stem = entry.address.removesuffix(_OTHER)
        present = groups[stem] if stem[-1:] in ("/", "_") and stem != entry.address else set()
        if present <= PLURAL_FORMS or _COUNT.search(entry.text):
            lacking = missing_forms(present, entry.text, stem.endswith("_ordinal_"))
            for number, form in enumerate(lacking, start=len(present) + 1):
                notes = tuple(_note_on_form(note, form, str(number)) for note in entry.notes)
                prefix = _form_prefix(text, entry, form, line_end, is_json)
                yield entry._replace(address=stem + form, notes=notes, prefix=prefix)


def _note_on_form(note: Note, form: str, number: str) -> Note:
    if not note.text.endswith(_OTHER):
        return note
    details = (number, number) if note.kind is NoteKind.PLURAL_FORM else note.details
    return replace(note, text=note.text.removesuffix(_OTHER) + form, details=details)


def _form_prefix(text: str, entry: CatalogueString, form: str, line_end: str, is_json: bool) -> str:
    stop = entry.start if entry.node is None else entry.node.inner_start
    at = text.rindex(_OTHER, 0, stop)
    after = text[at + len(_OTHER) : stop]
    if entry.node is None:
        start = at - len(_SIGN.split(text[max(at - _SEARCH_WIDTH, 0) : at])[-1])
        after = after[: after.index(":") + 1] + " "
        separator = ", " if is_json or _FLOW.match(text, entry.end) else " "
    else:
        start, separator = text.rindex("<", 0, at), ""
    indent = _LINE_END.split(text[max(start - _SEARCH_WIDTH, 0) : start])[-1]
    if not indent.strip(" \t-"):
        separator = separator.rstrip() + line_end + indent.replace("-", " ")
    return f"{separator}{text[start:at]}{form}{after}"

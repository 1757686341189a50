"""JSON catalogues (i18next, Vue, Chrome, ARB, …): string values are offered, keys never.

Left out is what is no text: addresses, colours, what speaks about a text (`@key` and `@@…` of ARB,
`description` beside `message`) or about the file (`$schema`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base import plain_language
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import Reading
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.splicing import Fillings, spliced
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.localisation.json_file import Container, Spelling, Text, read_json
from anaphora.formats.localisation.texts import Catalogue, Entry, check_size, name_note, text_of
from anaphora_text.icu import PLURAL_FORMS

_LANGUAGE = re.compile(r'"@@locale"\s*:\s*"(?P<language>[\w-]+)"')
_ONLY_KEY = re.compile(r'\A\ufeff?\s*\{\s*"(?P<language>[\w-]+)"\s*:\s*\{')
_SUFFIX = re.compile(r"(.+?)(?:_ordinal)?_(zero|one|two|few|many|other)", re.DOTALL)
_MESSAGE = frozenset(("message", "defaultMessage", "translation", "string"))
"""Keys of a text that has others beside it, of Chrome, VS Code, FormatJS, go-i18n and Transifex."""
_ABOUT = frozenset(("id", "description", "comment", "placeholders", "context", "meaning"))
"""What these say of it."""
_KNOWN = _MESSAGE | _ABOUT | PLURAL_FORMS
_COMMENTS = ("description", "comment", "context", "meaning")
_NO_STRINGS = frozenset(("$schema", "$id", "$ref", "$comment", "//"))


class Json:
    """Reader and writer of JSON documents."""

    name = "json"
    label = "JSON strings"
    extensions: tuple[str, ...] = (".json", ".arb")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`. A string is a segment, whatever sentences it has."""
        check_size(data)
        decoded = decode(data, reading.language, reading.encoding)
        catalogue = Catalogue(_entries(read_json(decoded.text)))
        return Parsed(catalogue.blocks(), decoded.encoding)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`. Strings are escaped as the file escapes its own."""
        decoded = decode(data, reading.language, reading.encoding)
        text, spelling = decoded.text, Spelling(decoded.text)
        changed = (
            (entry.start, entry.end, spelling.literal(text_of(pieces), text[entry.start : entry.end]))
            for entry, pieces in Catalogue(_entries(read_json(text))).filled(fillings)
        )
        return decoded.encode(spliced(text, changed))

    def name_language(self, data: bytes, reading: Reading, target: TargetLanguage) -> bytes:
        """See `NamesLanguage.name_language`: ARB's `@@locale`, and a language as the one outermost key."""
        root = read_json(decode(data, reading.language, reading.encoding).text)
        patterns = (_LANGUAGE, _ONLY_KEY) if len(root.named) == 1 else (_LANGUAGE,)
        return plain_language.with_language(data, reading, target, *patterns)


def _entries(root: Container) -> Iterator[Entry]:
    """The texts, in order."""
    waiting = [_Open(root)]
    while waiting:
        place = waiting[-1]
        item = next(place.items, None)
        if item is None:
            waiting.pop()
        elif item.key in place.left_out or _is_metadata(item.key, place.container):
            continue
        elif isinstance(item, Container):
            waiting.append(_Open(item))
        else:
            notes = (
                name_note(_shown(item.path)),
                *place.plurals.get(item.key, ()),
                *_said(place.container, item),
            )
            yield Entry(item.path, item.start, item.end, item.value, notes)


class _Open:
    """An object or array that is being walked through.

    Attributes:
        container: it.
        items: those that are left.
        left_out: keys whose strings are no texts of the program.
        plurals: see `_plurals`.
    """

    def __init__(self, container: Container) -> None:
        self.container = container
        self.items = iter(container.items)
        self.left_out = _NO_STRINGS | (_ABOUT if _is_message(container) else frozenset())
        self.plurals = _plurals(container)


def _shown(path: str) -> str:
    """A path as programs write it."""
    return path[1:].replace("/", ".").replace("~1", "/").replace("~0", "~")


def _is_metadata(key: str, holder: Container) -> bool:
    """Whether a key is one of ARB's that speak about a text or the file."""
    return key.startswith("@") and not holder.is_array and (key.startswith("@@") or key[1:] in holder.named)


def _is_message(container: Container) -> bool:
    """Whether it holds a text and what is said about it."""
    keys = container.named.keys()
    is_text = bool(keys & _MESSAGE) or {"id", "other"} <= keys
    return is_text and bool(keys & _ABOUT) and keys <= _KNOWN and (container.text("id") or "").isascii()


def _said(container: Container, item: Text) -> Iterator[Note]:
    """What the file says about a text."""
    holder = container.child("@" + item.key)
    if holder is None and item.key not in _ABOUT and _is_message(container):
        holder = container
    if holder is not None:
        for key in _COMMENTS:
            for text in _texts(holder, key):
                yield Note(NoteKind.CONTEXT if key == "context" else NoteKind.COMMENT, text)


def _texts(holder: Container, key: str) -> Iterator[str]:
    """A comment, which may be a list of lines."""
    if said := holder.text(key):
        yield said
    lines = holder.child(key)
    if lines is not None and lines.is_array:
        yield "\n".join(each.value for each in lines.items if isinstance(each, Text))


def _plurals(container: Container) -> Mapping[str, tuple[Note, ...]]:
    """By key the plural forms that i18next tells by suffixes, where a key has several or "other"."""
    groups: dict[str, list[str]] = {}
    for item in container.items:
        match = _SUFFIX.fullmatch(item.key) if isinstance(item, Text) and "_" in item.key else None
        if match is not None:
            groups.setdefault(item.key[: match.start(2)], []).append(item.key)
    found: dict[str, tuple[Note, ...]] = {}
    for stem, keys in groups.items():
        if len(keys) > 1 or keys[0] == f"{stem}other":
            for number, key in enumerate(keys, start=1):
                form = Note(NoteKind.PLURAL_FORM, key.removeprefix(stem), (str(number), str(len(keys))))
                found[key] = (form,)
    return found


FORMAT = Json()

"""JSON catalogues (i18next, Vue, Chrome, ARB, …): string values are translated, keys never.

Some values are not translated: addresses, colours, and data about a text (`@key` in ARB, `description`
beside `message`) or about the file (`@@locale` in ARB, `$schema`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.encoding import DecodedText, decode
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.pieces import text_of
from anaphora.formats.base.target_language import TargetLanguage, with_language
from anaphora.formats.localisation.json_file import Container, StringEscapes, Text, read_json
from anaphora.formats.localisation.texts import (
    CatalogueString,
    TextCatalogue,
    Writer,
    dotted_path,
    notes_of,
    with_plural_forms,
)
from anaphora_text.icu import PLURAL_FORMS

_LANGUAGE = re.compile(r'"@@locale"\s*:\s*"(?P<language>[\w-]+)"')
_ONLY_KEY = re.compile(r'\A\ufeff?\s*\{\s*"(?P<language>[\w-]+)"\s*:\s*\{')
_TEXT_KEYS = frozenset(("message", "defaultMessage", "translation", "string"))
"""Keys of texts with data in neighbouring keys, in Chrome, VS Code, FormatJS, go-i18n and Transifex."""
_METADATA = frozenset(("id", "description", "comment", "placeholders", "context", "meaning"))
_KNOWN = _TEXT_KEYS | _METADATA | PLURAL_FORMS
_COMMENTS = ("description", "comment", "context", "meaning")
_NO_STRINGS = frozenset(("$schema", "$id", "$ref", "$comment", "//"))


class Json(TextCatalogue):
    name = "json"
    label = "JSON strings"
    extensions: tuple[str, ...] = (".json", ".arb")

    def entries(self, source: DecodedText) -> Iterator[CatalogueString]:
        return with_plural_forms(_entries(read_json(source.text)), source.text)

    def writer(self, source: DecodedText, entries: Sequence[CatalogueString]) -> Writer:
        text, escapes = source.text, StringEscapes(source.text)
        return lambda entry, pieces: escapes.literal(text_of(pieces), text[entry.start : entry.end])

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        root = read_json(decode(data, options.language, options.encoding).text)
        patterns = (_LANGUAGE, _ONLY_KEY) if len(root.by_key) == 1 else (_LANGUAGE,)
        return with_language(data, options, target, *patterns)


def _entries(container: Container) -> Iterator[CatalogueString]:
    is_message = _is_message(container)
    excluded = _NO_STRINGS | (_METADATA if is_message else frozenset())
    for item in container.items:
        if item.key in excluded or _is_metadata(item.key, container):
            continue
        if isinstance(item, Container):
            yield from _entries(item)
            continue
        data = container.child("@" + item.key)
        holder = data if data is not None else container if is_message and item.key not in _METADATA else None
        data_notes = _notes_about(holder) if holder is not None else ()
        notes = (*notes_of(dotted_path(item.path)), *data_notes)
        yield CatalogueString(item.path, item.start, item.end, item.value, notes)


def _is_metadata(key: str, holder: Container) -> bool:
    return key.startswith("@") and not holder.is_array and (key.startswith("@@") or key[1:] in holder.by_key)


def _is_message(container: Container) -> bool:
    keys = container.by_key.keys()
    is_text = bool(keys & _TEXT_KEYS) or {"id", "other"} <= keys
    return is_text and bool(keys & _METADATA) and keys <= _KNOWN and (container.text("id") or "").isascii()


def _notes_about(holder: Container) -> Iterator[Note]:
    for key in _COMMENTS:
        kind = NoteKind.CONTEXT if key == "context" else NoteKind.COMMENT
        if comment := holder.text(key):
            yield Note(kind, comment)
        lines = holder.child(key)
        if lines is not None and lines.is_array:
            yield Note(kind, "\n".join(each.value for each in lines.items if isinstance(each, Text)))


FORMAT = Json()

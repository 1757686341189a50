"""Plural forms that English has and a catalogue in a language without plurals lacks: texts of their own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.localisation.texts import Entry
from anaphora_text.icu import PLURAL_FORMS, lacking_forms

_OTHER = "other"
_COUNT = re.compile(r"\{\{\s*count")
_KEY_END = re.compile(r"[^:]*:[ \t]*")
_KEY_START = re.compile(r"[^ \t\r\n{,]*\Z")
_FLOW = re.compile(r"\s*[,}]")


def with_forms(entries: Iterable[Entry], text: str) -> Iterator[Entry]:
    """The strings of a file, and behind each form "other" those that English has besides.

    Keys are i18next's ("files_other"), or the form alone. With other keys beside it, it is no plural.
    """
    listed = [*entries]
    groups: dict[str, set[str]] = defaultdict(set)
    for entry in listed:
        for sign in "/_":
            stem, _, last = entry.address.rpartition(sign)
            groups[stem + sign].add(last)
    for entry in listed:
        yield entry
        stem = entry.address.removesuffix(_OTHER)
        held = groups[stem] if stem[-1:] in ("/", "_") else set()
        if held <= PLURAL_FORMS or _COUNT.search(entry.text):
            lacking = lacking_forms(held, entry.text, stem.endswith("_ordinal_"))
            for number, form in enumerate(lacking, start=len(held) + 1):
                notes = tuple(_renamed(note, form, str(number)) for note in entry.notes)
                yield entry._replace(address=stem + form, notes=notes, before=_before(text, entry, form))


def _renamed(note: Note, form: str, number: str) -> Note:
    if not note.text.endswith(_OTHER):
        return note
    details = (number, number) if note.kind is NoteKind.PLURAL_FORM else note.details
    return replace(note, text=note.text.removesuffix(_OTHER) + form, details=details)


def _before(text: str, entry: Entry, form: str) -> str:
    """What stands between a form and the next one: a separator, and how that one begins."""
    if entry.node is not None:
        at = text.rindex(_OTHER, 0, entry.node.inner_start)
        begin, end, separator = text.rindex("<", 0, at), entry.node.inner_start, ""
    else:
        at = text.rindex(_OTHER, 0, entry.start)
        line = _KEY_START.search(text, max(at - 300, 0), at)
        begin, end = line.start(), _KEY_END.match(text, at).end()
        separator = ", " if _FLOW.match(text, entry.end) or text.lstrip("\ufeff \t\r\n")[:1] == "{" else " "
    indent = text[max(text.rfind("\n", 0, begin), text.rfind("\r", 0, begin)) + 1 : begin]
    if not indent.strip(" \t-"):
        line_end = "\r\n" if "\r\n" in text else "\n"
        separator = separator.rstrip() + line_end + indent.replace("-", " ")
    return f"{separator}{text[begin:at]}{form}{text[at + len(_OTHER) : end]}"

"""Plural forms that English has and a catalogue in a language without plurals lacks: texts of their own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.localisation.texts import CatalogueString
from anaphora_text.icu import PLURAL_FORMS, lacking_forms

_OTHER = "other"
_JSON = re.compile(r"[\ufeff\s]*\{")
_COUNT = re.compile(r"\{\{\s*count")
_SIGN, _LINE_END = re.compile(r"[\s{,]"), re.compile(r"[\r\n]")
_LONGEST = 400
"""Characters of a key, or of the blank before it."""
_FLOW = re.compile(r"\s*[,}]")


def with_forms(entries: Iterable[CatalogueString], text: str) -> Iterator[CatalogueString]:
    """The strings of a file, and behind each form "other" those that English has besides.

    Keys are i18next's ("files_other"), or the form alone. With other keys beside it, it is no plural.
    """
    listed = [*entries]
    # Found at the text's beginning: this is asked for each plural of an Android file.
    line_end = "\r\n" if text[: text.find("\n")].endswith("\r") else "\n"
    is_json = _JSON.match(text) is not None
    groups: dict[str, set[str]] = defaultdict(set)
    for entry in listed:
        for sign in "/_":
            stem, _, last = entry.address.rpartition(sign)
            groups[stem + sign].add(last)
    for entry in listed:
        yield entry
        stem = entry.address.removesuffix(_OTHER)
        held = groups[stem] if stem[-1:] in ("/", "_") and stem != entry.address else set()
        if held <= PLURAL_FORMS or _COUNT.search(entry.text):
            lacking = lacking_forms(held, entry.text, stem.endswith("_ordinal_"))
            for number, form in enumerate(lacking, start=len(held) + 1):
                notes = tuple(_renamed(note, form, str(number)) for note in entry.notes)
                before = _before(text, entry, form, line_end, is_json)
                yield entry._replace(address=stem + form, notes=notes, before=before)


def _renamed(note: Note, form: str, number: str) -> Note:
    if not note.text.endswith(_OTHER):
        return note
    details = (number, number) if note.kind is NoteKind.PLURAL_FORM else note.details
    return replace(note, text=note.text.removesuffix(_OTHER) + form, details=details)


def _before(text: str, entry: CatalogueString, form: str, line_end: str, is_json: bool) -> str:
    """What stands between a form and the next one: a separator, and how that one begins."""
    stop = entry.start if entry.node is None else entry.node.inner_start
    at = text.rindex(_OTHER, 0, stop)
    behind = text[at + len(_OTHER) : stop]
    if entry.node is None:
        begin = at - len(_SIGN.split(text[max(at - _LONGEST, 0) : at])[-1])
        behind = behind[: behind.index(":") + 1] + " "
        separator = ", " if is_json or _FLOW.match(text, entry.end) else " "
    else:
        begin, separator = text.rindex("<", 0, at), ""
    indent = _LINE_END.split(text[max(begin - _LONGEST, 0) : begin])[-1]
    if not indent.strip(" \t-"):
        separator = separator.rstrip() + line_end + indent.replace("-", " ")
    return f"{separator}{text[begin:at]}{form}{behind}"

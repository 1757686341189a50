"""Words in formats of numbers and dates (`0.0"万元"`): cells and charts show them, nobody translates them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.core.errors import Message
from anaphora.formats.base import remarks
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.package import Package
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.office.opc import Part, content_types, load

_STYLES = re.compile(r"spreadsheetml\.styles\+xml$")
_CHARTS = re.compile(r"drawingml\.chart\+xml$")


def note_on_formats(package: Package, words: SourceWords) -> tuple[Message, ...]:
    """A sentence for `Parsed.notes` where formats in use have words to translate."""
    codes: set[str] = set()
    for name, kind in content_types(package).items():
        formats = _of_cells if _STYLES.search(kind) else _of_charts if _CHARTS.search(kind) else None
        if formats is None or name not in package.names:
            continue
        try:
            codes.update(formats(load(package, name)))
        except FormatError:
            continue  # nothing else of it is read here
    count = sum(map(words.in_strings, codes))
    note = Message("Formats of numbers and dates keep their words: {count}.")
    return remarks.counted([(note, count)])


def _of_cells(part: Part) -> Iterator[str]:
    root = part.tree.getroot()
    used = {form.get("numFmtId") for form in root.iterfind("{*}cellXfs/{*}xf")}
    for each in root.iterfind("{*}numFmts/{*}numFmt"):
        if each.get("numFmtId") in used:
            yield each.get("formatCode", "")


def _of_charts(part: Part) -> Iterator[str]:
    for element in part.tree.iter("{*}numFmt", "{*}formatCode"):
        yield element.get("formatCode") or element.text or ""

"""Rename sheets and the columns of tables in formulas, links and pivot tables that refer to them.

If formulas may build references from strings (`INDIRECT`, or a sheet's name in quotation marks), or if the
workbook has macros, the names of sheets are not translated.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lxml import etree  # type: ignore[import-untyped]

from anaphora.formats.base.format import FormatError
from anaphora.formats.base.package import Package
from anaphora.formats.base.xml import Element, clean, local_name
from anaphora.formats.office.opc import Part, S, content_types, load, relations

_FORBIDDEN = re.compile(r"[\[\]:*?/\\\r\n\t]+")
_MAX_NAME_LENGTH, _MAX_COLUMN_LENGTH = 31, 255
_DIGITS = "0123456789"
_STRING = r'"(?:[^"]|"")*+"'
_WORDS = re.compile(_STRING)
_LETTER = r"[\w.\u0080-\uffff]"
_REFERENCE = re.compile(
    rf"(?P<string>{_STRING})|(?<!')'(?P<quoted>(?:[^']|'')*+)'!"
    rf"|(?<!{_LETTER})(?P<bare>{_LETTER}++(?::{_LETTER}++)?+)!"
)
_STRUCTURED = re.compile(
    rf"(?P<string>{_STRING})|(?:(?<!{_LETTER})(?P<table>{_LETTER}++))?+"
    r"\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*+\])*+\]",
    re.S,
)
_COLUMN = re.compile(r"\[(?P<at>@?)(?P<column>(?:[^\[\]#@']|'.)++)\]", re.S)
_PLAIN_NAME = re.compile(r"[^\W\d][\w.]*")
_CELL_NAME = re.compile(r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*[Cc][0-9]*|[Rr]|[Cc]")
_FORMULAS = ("f", "formula", "formula1", "formula2", "definedName", "calculatedColumnFormula")
_REFERRING_ATTRIBUTES = {"hyperlink": "location", "worksheetSource": "sheet"}
_REFERRING = tuple(f"{{*}}{name}" for name in (*_FORMULAS, *_REFERRING_ATTRIBUTES))
_MARKS = (b"<f", b":f>", b":f ", b"ormula", b"location", b"sheet=")
"""Each part that refers to a sheet or a column contains one of these byte strings."""
_WITH_FORMULAS = re.compile(
    r"[.](main|worksheet|chartsheet|chart|table|pivotCacheDefinition|drawing)\+xml$", re.IGNORECASE
)

_Columns = Mapping[str, Mapping[str, str]]
"""New names of columns by old name, by the table's name, and by the part whose formulas omit that name."""


def sheet_title(text: str) -> str:
    """A sheet's name from its translation, without forbidden characters, within Excel's limit, not empty."""
    title = _FORBIDDEN.sub(" ", clean(text)).strip().strip("'").strip()
    return title[:_MAX_NAME_LENGTH].rstrip() or "Sheet"


def rename(
    package: Package,
    main: Part,
    entries: Sequence[Element],
    old_names: Sequence[str],
    changed: Mapping[str, Part],
    strings: Part | None,
) -> dict[str, Part]:
    """Make the names of sheets unique, and update all references to sheets and columns of tables.

    Args:
        entries: the workbook's `sheet` elements with translated names.
        old_names: the names of these sheets before the translation.
        changed: the parts that translations have changed; they are edited in place, other parts are loaded.
    Returns:
        the parts that this function changed.
    """
    renaming = _Renaming(package, {**changed, main.name: main})
    names = _new_names(old_names, entries)
    columns = _new_columns(renaming, strings)
    if names or columns:
        renaming.rewrite(names, columns)
    return renaming.changed_parts


class _Renaming:
    """The parts of a workbook that may refer to names; `changed_parts` are those changed by `rename`."""

    def __init__(self, package: Package, loaded: Mapping[str, Part]) -> None:
        self._package = package
        self._types = content_types(package)
        self._loaded: dict[str, Part | None] = dict(loaded)
        self.changed_parts: dict[str, Part] = {}

    def part(self, name: str, marks: Iterable[bytes] = (b"",)) -> Part | None:
        """A part in its current state; None if it cannot be read or, when first read, has none of `marks`."""
        if name not in self._loaded:
            try:
                data = self._package.read(name)
                has_marks = any(mark in data for mark in marks)
                self._loaded[name] = load(self._package, name) if has_marks else None
            except FormatError:
                self._loaded[name] = None
        return self._loaded[name]

    def tables(self) -> Iterator[tuple[Part, Part]]:
        for name, kind in self._types.items():
            try:
                links = relations(self._package, name) if kind.endswith(".worksheet+xml") else {}
            except FormatError:
                continue
            for link in links.values():
                table = self.part(link.target) if link.kind == "table" else None
                sheet = self.part(name) if table is not None else None
                if sheet is not None and table is not None:
                    yield sheet, table

    def rewrite(self, names: Mapping[str, str], columns: _Columns) -> None:
        """Update formulas, links inside the book, and sources of pivot tables."""
        referring = [name for name, kind in self._types.items() if _WITH_FORMULAS.search(kind)]
        for part in filter(None, (self.part(name, _MARKS) for name in referring)):
            for element in part.tree.iter(*_REFERRING):
                attribute = _REFERRING_ATTRIBUTES.get(local_name(element))
                old = element.get(attribute) if attribute else element.text
                if not old:
                    continue
                if attribute == "sheet":
                    new = names.get(old, old)
                else:
                    new = _with_columns(_with_sheets(old, names), columns, part.name)
                if new != old:
                    self.changed_parts[part.name] = part
                    if attribute:
                        element.set(attribute, new)
                    else:
                        element.text = new


def must_keep_names(formulas: Iterable[str], names: Sequence[str]) -> bool:
    """True if sheets must keep their names, because formulas may build references from strings."""
    known = re.compile("|".join(re.escape(name) for name in names if name) or r"(?!)")
    for formula in formulas:
        if "INDIRECT" in formula.upper():
            return True
        # Search the whole formula first, which is faster than extracting its strings.
        if '"' in formula and known.search(formula) and known.search(" ".join(_WORDS.findall(formula))):
            return True
    return False


def _new_names(old_names: Sequence[str], entries: Sequence[Element]) -> dict[str, str]:
    pairs = list(zip(old_names, entries, strict=True))
    used = {old_name.lower() for old_name, entry in pairs if entry.get("name", "") == old_name}
    new_names = {}
    for old_name, entry in pairs:
        name = entry.get("name", "")
        if name != old_name:
            new_names[old_name] = _unique_name(name, used, " ({})", _MAX_NAME_LENGTH)
            entry.set("name", new_names[old_name])
    return new_names


def _unique_name(name: str, used: set[str], ending: str, max_length: int) -> str:
    unique, number = name, 2
    while unique.lower() in used:
        suffix = ending.format(number)
        unique, number = name[: max_length - len(suffix)] + suffix, number + 1
    used.add(unique.lower())
    return unique


def _new_columns(renaming: _Renaming, strings: Part | None) -> _Columns:
    """Rename the columns of tables after their header cells, as Excel does; return the changed names.

    If several columns of a table would get one name, numbers are added to it, also in the header cells.
    """
    items = strings.tree.getroot().iterchildren(S + "si") if strings is not None else ()
    shared = {str(number): item for number, item in enumerate(items)}
    new_names: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for sheet, table in renaming.tables():
        used: set[str] = set()
        for column, cell in _headers(sheet, table):
            old_name, header = column.get("name", ""), _cell_text(cell, shared)
            unique = _unique_name(old_name if header is None else header, used, "{}", _MAX_COLUMN_LENGTH)
            if header not in (None, unique):
                del cell[:]
                cell.set("t", "inlineStr")
                etree.SubElement(etree.SubElement(cell, S + "is"), S + "t").text = unique
                renaming.changed_parts[sheet.name] = sheet
            if header is not None and unique != old_name:
                column.set("name", unique)
                renaming.changed_parts[table.name] = table
                for holder in (table.tree.getroot().get("displayName", ""), table.name, sheet.name):
                    new_names[holder][old_name] = unique
    return new_names


def _headers(sheet: Part, table: Part) -> Sequence[tuple[Element, Element]]:
    """The columns of a table, each with its header cell; nothing if there are not enough cells."""
    root = table.tree.getroot()
    start, _, end = root.get("ref", "").partition(":")
    cell = next((cell for cell in sheet.tree.iter(S + "c") if cell.get("r") == start), None)
    if cell is None or root.get("headerRowCount") == "0":
        return ()
    pairs = [*zip(root.iter(S + "tableColumn"), (cell, *cell.itersiblings(S + "c")), strict=False)]
    has_all = pairs and pairs[-1][1].get("r", "").rstrip(_DIGITS) == end.rstrip(_DIGITS)
    return pairs if has_all else ()


def _cell_text(cell: Element, shared: Mapping[str, Element]) -> str | None:
    """A cell's text as a column's name; None without a text."""
    string = shared.get(cell.findtext(S + "v")) if cell.get("t") == "s" else cell.find(S + "is")
    if string is None:
        return None
    texts = (node.text or "" for node in string.iter(S + "t") if node.getparent().tag != S + "rPh")
    return "".join(texts).replace("\r", "_x000d_").replace("\n", "_x000a_")


def _with_sheets(formula: str, names: Mapping[str, str]) -> str:
    def replaced(match: re.Match[str]) -> str:
        if match["string"] is not None:
            return match.group()
        inner = (match["quoted"] or "").replace("''", "'") if match["quoted"] is not None else match["bare"]
        if inner.startswith("["):
            return match.group()
        parts = inner.split(":")
        if not any(part in names for part in parts):
            return match.group()
        return _quoted([names.get(part, part) for part in parts]) + "!"

    return _REFERENCE.sub(replaced, formula) if names and "!" in formula else formula


def _quoted(names: Sequence[str]) -> str:
    simple = all(_PLAIN_NAME.fullmatch(name) and not _CELL_NAME.fullmatch(name) for name in names)
    joined = ":".join(names)
    return joined if simple and joined.isascii() else "'" + joined.replace("'", "''") + "'"


def _with_columns(formula: str, columns: _Columns, part: str) -> str:
    """A formula with the columns of tables renamed: `T[名称]`, `T[[#This Row],[名称]]`, `[@名称]`."""

    def replaced(match: re.Match[str]) -> str:
        names = columns.get(match["table"] or part, {}) if match["string"] is None else {}
        return _COLUMN.sub(lambda column: _new_column(column, names), match.group())

    return _STRUCTURED.sub(replaced, formula) if columns and "[" in formula else formula


def _new_column(match: re.Match[str], names: Mapping[str, str]) -> str:
    name = re.sub(r"'(.)", r"\1", match["column"])
    if name not in names:
        return match.group()
    escaped = re.sub(r"(['\[\]#@])", r"'\1", names[name])
    at = match["at"]
    return f"[{at}[{escaped}]]" if at and not escaped.isalnum() else f"[{at}{escaped}]"

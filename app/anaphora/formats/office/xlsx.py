"""Excel workbooks: texts of cells, names of sheets, comments, headers, drawings; no numbers or formulas.

A text that several cells share is one entry in the file and therefore one segment. Sheets and columns of
tables are also renamed in formulas that refer to them (`xlsx_names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.errors import Message
from anaphora.formats.base import xml
from anaphora.formats.base.format import MAX_RUNS, FormatError, check_markup
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import SourceWords
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.drawing import (
    TIP,
    Attributes,
    LocatedText,
    PlainHolder,
    TextPlace,
    attribute_places,
    property_places,
    shapes_places,
)
from anaphora.formats.office.office_file import OfficeFile, OfficeFormat, omission_notes
from anaphora.formats.office.opc import Part, R, S, content_types, core_properties, load, main_part, relations
from anaphora.formats.office.runs import RunHolder
from anaphora.formats.office.xlsx_names import must_keep_names, rename, sheet_title

_CODE = re.compile(
    r'&(?:(?P<section>[LCR])|(?P<field>[PNDTFAZG])(?:[+-][0-9]+)?|(?P<look>"[^"]*+"|[0-9]{1,3}|K[0-9A-Fa-f+-]{6}'
    r"|[BIUESXYOH])|(?P<ampersand>&))|(?P<text>[^&]+|&)"
)
_FIELDS = {
    "P": "page number", "N": "number of pages", "D": "date", "T": "time", "F": "file name",
    "A": "name of the sheet", "Z": "folder", "G": "picture",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HeaderHolder:
    """A header or footer of a sheet; see `drawing.TextHolder`."""

    element: Element

    def pieces(self) -> list[Piece]:
        """The text; sections (left, centre, right) end sentences; fields and formats are tags."""
        return [_piece(match) for match in _CODE.finditer(self.element.text or "")]

    def fill(self, pieces: list[Piece]) -> None:
        sources = (
            piece.raw
            if isinstance(piece.raw, str)
            else clean(" ".join(piece.text.split("\n"))).replace("&", "&&")
            for piece in pieces
        )
        self.element.text = "".join(sources)


def _piece(match: re.Match[str]) -> Piece:
    raw = match.group()
    if match["section"]:
        return Piece(Kind.BREAK, "", raw)
    if match["field"]:
        return Piece(Kind.ALONE, WORD, raw, label=_FIELDS[match["field"]])
    if match["look"]:
        return Piece(Kind.ALONE, "", raw, label="look")
    return Piece(Kind.TEXT, match["text"] or "&", raw)


_MAIN = re.compile(r"(spreadsheetml|ms-excel)\.(sheet|template)(\.macroEnabled)?\.main\+xml$", re.IGNORECASE)
_HEADERS = tuple(S + page + part for page in ("odd", "even", "first") for part in ("Header", "Footer"))
_SHEETS = ("worksheet", "chartsheet", "dialogsheet")
_COMMENTS = ("comments", "threadedComment")
_DRAWINGS = ("drawing", "chart", "chartEx", "chartUserShapes", "diagramData")
MAX_CELLS = 16_384
"""Maximum number of cells in a row, as in Excel."""
MAX_FORMULAS = 500_000
"""Maximum number of formulas in a workbook; each takes 0.01 ms, or more if sheet names are translated."""
_ROW, _CELL = re.compile(rb"<(?:\w+:)?row[\s/>]"), re.compile(rb"<(?:\w+:)?c[\s/>]")
_FORMULA, _RUN = re.compile(rb"<(?:\w+:)?f[\s/>]"), re.compile(rb"<(?:\w+:)?r[\s/>]")
_CELLS = etree.XPath(
    "s:c[@t = 's' or @t = 'inlineStr' or s:f[../@t = 'str' or contains(., '\"') "
    "or contains(translate(., 'indrect', 'INDRECT'), 'INDIRECT')]]",
    namespaces={"s": S[1:-1]},
)
"""The cells of a row with a text, or with a formula that returns a text, contains one or uses INDIRECT."""
_CONDITIONS = ("{*}formula", "{*}formula1", "{http://schemas.microsoft.com/office/excel/2006/main}f")
_PROMPTS = {
    "promptTitle": "Title of an input message", "prompt": "Input message",
    "errorTitle": "Title of an error alert", "error": "Error alert",
}  # fmt: skip
_MAX_LENGTHS = {"promptTitle": 32, "prompt": 255, "errorTitle": 32, "error": 225}
"""Maximum number of characters that Excel accepts; with longer texts it reports a damaged workbook."""
_SHEET_ATTRIBUTES: Attributes = {
    S + "dataValidation": _PROMPTS,
    "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}dataValidation": _PROMPTS,
    S + "hyperlink": {"tooltip": TIP},
}
_BEFORE_CALCULATION = frozenset(("sheets", "functionGroups", "externalReferences", "definedNames"))
"""Children of a workbook that must precede `calcPr`."""


class _Sheet:
    """Data about a sheet, which is read as a stream to save memory.

    Attributes:
        entry, label: the sheet's part in the package, and the sheet's description for notes.
        shared: indexes of the shared strings in its cells, in order, with the first cell of each.
        has_texts: True if the sheet's part itself contains texts: in cells, headers, prompts or tips.
        formulas: the number of formulas.
        text_results: the number of formulas that return a text.
        text_formulas: the formulas with quotation marks or INDIRECT.
    """

    def __init__(self, package: Package, entry: str, label: str, formulas_before: int) -> None:
        self.entry, self.label = entry, label
        self.shared: dict[int, str] = {}
        self.has_texts = False
        self.text_results = 0
        self.text_formulas: list[str] = []
        data = package.read(entry).replace(b"http://purl.oclc.org/ooxml/spreadsheetml/main", S[1:-1].encode())
        self.formulas = len(_FORMULA.findall(data))
        _check_sizes(data, formulas_before + self.formulas)
        for element in xml.stream(data, (S + "row", *_HEADERS, *_SHEET_ATTRIBUTES, *_CONDITIONS), entry):
            if element.tag == S + "row":
                self._scan_row(element)
            elif element.tag in _SHEET_ATTRIBUTES:
                self.has_texts = self.has_texts or any(map(element.get, _SHEET_ATTRIBUTES[element.tag]))
            elif element.tag in _HEADERS:
                self.has_texts = True
            else:
                self._note_formula(element.text or "")

    def _scan_row(self, row: xml.Element) -> None:
        """Collect data about a row, in a separate function so that no reference to a cell remains."""
        for cell in _CELLS(row):
            kind = cell.get("t", "n")
            self.has_texts = self.has_texts or kind == "inlineStr"
            for value in cell.iterchildren(S + "v") if kind == "s" else ():
                index = (value.text or "").strip()
                if index.isdecimal() and len(index) < 10:
                    self.shared.setdefault(int(index), cell.get("r", ""))
            for formula in cell.iterchildren(S + "f"):
                self.text_results += kind == "str"
                self._note_formula(formula.text or "")

    def _note_formula(self, formula: str) -> None:
        if '"' in formula or "INDIRECT" in formula.upper():
            self.text_formulas.append(formula)

    def position_of(self, cell: str) -> str:
        """The note on a cell's position; some programs do not write the cell's name (`cell` is "")."""
        return f"{self.label}, cell {cell}" if cell else self.label


def _check_sizes(data: bytes, formulas: int) -> None:
    """Raise FormatError for a sheet that is too large; `formulas` also counts those of earlier sheets."""
    for row in _ROW.split(data):
        # `xml.stream` keeps a whole row in memory.
        if len(row) > 4 * MAX_CELLS and len(_CELL.findall(row)) > MAX_CELLS:
            raise FormatError(
                Message("A row in the sheet has more than {limit} cells.", limit=MAX_CELLS),
                "The file is damaged. Repair it in the program that made it and save it again.",
            )
    check_markup(len(_RUN.findall(data)), MAX_RUNS)
    if formulas > MAX_FORMULAS:
        raise FormatError(
            Message("The workbook has more than {limit} formulas.", limit=MAX_FORMULAS),
            Message("Split it into smaller documents."),
        )


class _Book(OfficeFile):
    def __init__(self, package: Package, words: SourceWords) -> None:
        super().__init__(package, words)
        self._main = load(package, main_part(package, _MAIN, Message("Excel workbook")))
        links = relations(package, self._main.name)
        strings = next((link.target for link in links.values() if link.kind == "sharedStrings"), None)
        self._strings = load(package, strings) if strings else None
        self._entries = list(self._main.tree.iter(S + "sheet"))
        self._names = [entry.get("name", "") for entry in self._entries]
        sheets: dict[str, _Sheet] = {}
        for entry, name in zip(self._entries, self._names, strict=True):
            link = links.get(entry.get(R + "id", ""))
            # A damaged book may name one part thousands of times.
            if link is not None and link.kind in _SHEETS and link.target not in sheets:
                label = f"Sheet “{name}”" + ("" if entry.get("state", "visible") == "visible" else ", hidden")
                formulas = sum(sheet.formulas for sheet in sheets.values())
                sheets[link.target] = _Sheet(package, link.target, label, formulas)
        self._sheets = list(sheets.values())
        self._loaded: dict[str, Part] = {}
        text_formulas = [formula for sheet in self._sheets for formula in sheet.text_formulas]
        defined = [name.text or "" for name in self._main.tree.iter(S + "definedName")]
        self._text_formulas = [*text_formulas, *(formula for formula in defined if '"' in formula)]
        has_macros = any(link.kind == "vbaProject" for link in links.values())
        self._keeps_names = has_macros or must_keep_names([*text_formulas, *defined], self._names)

    def places(self) -> Iterator[TextPlace]:
        for entry in () if self._keeps_names else self._entries:
            note = "Name of a sheet: at most 31 characters, must not contain []:*?/\\"
            yield TextPlace(self._main, PlainHolder(entry, "name", sheet_title), note)
        shared = list(self._strings.tree.getroot().findall(S + "si")) if self._strings is not None else []
        read_strings: set[int] = set()
        read_parts: set[str] = set()
        for sheet in self._sheets:
            for index, cell in sheet.shared.items():
                if index < len(shared) and index not in read_strings and self._strings is not None:
                    read_strings.add(index)
                    yield TextPlace(self._strings, RunHolder(shared[index]), sheet.position_of(cell))
            if sheet.has_texts:
                yield from _sheet_places(self._part(sheet.entry), sheet)
            for entry, kind in self._related_parts(sheet.entry, read_parts):
                yield from _places(self._part(entry), kind, sheet.label)
        yield from property_places(core_properties(self.package), self.words)

    def _related_parts(self, sheet: str, seen: set[str]) -> Iterator[tuple[str, str]]:
        """Yield (entry, kind) of a sheet's comments and drawings not in `seen`; add them to `seen`."""
        queue = [sheet]
        while queue:
            links = relations(self.package, queue.pop(0)).values()
            for kind, target in sorted((link.kind, link.target) for link in links):
                if kind in (*_COMMENTS, *_DRAWINGS) and target not in seen:
                    seen.add(target)
                    yield target, kind
                    queue += [target] if kind in _DRAWINGS else []

    def _part(self, entry: str) -> Part:
        """A part, which is loaded only once so that all translations change one tree."""
        if entry not in self._loaded:
            self._loaded[entry] = load(self.package, entry)
        return self._loaded[entry]

    def notes(self, _: Sequence[LocatedText]) -> tuple[Message, ...]:
        notes = []
        count = sum(map(self.words.in_strings, self._text_formulas))
        if count:
            notes.append(
                Message(
                    "Formulas are not translated. Formulas that contain text: {count}. If a formula "
                    "compares this text with a cell, change the formula in Excel.",
                    count=count,
                )
            )
        if self._keeps_names:
            notes.append(Message("Sheet names are not translated because formulas or macros may use them."))
        if any("pivotCache" in kind for kind in content_types(self.package).values()):
            notes.append(Message("Pivot tables show the source text until they are refreshed in Excel."))
        return (*notes, *omission_notes(self.package, self.words, (), {}))

    def fill(self, texts: Sequence[LocatedText], fillings: Fillings) -> dict[str, Part]:
        changed = super().fill(texts, fillings)
        if not changed:
            return {}
        changed |= rename(self.package, self._main, self._entries, self._names, changed, self._strings)
        if any(sheet.text_results for sheet in self._sheets):
            _force_calculation(self._main)
            changed[self._main.name] = self._main
        return changed


def _sheet_places(part: Part, sheet: _Sheet) -> Iterator[TextPlace]:
    for element in part.tree.iter(S + "is", *_HEADERS, *_SHEET_ATTRIBUTES):
        if element.tag == S + "is":
            cell = "".join(each.get("r", "") for each in element.iterancestors(S + "c"))
            yield TextPlace(part, RunHolder(element), sheet.position_of(cell))
        elif element.tag in _HEADERS:
            name = "header" if element.tag.endswith("Header") else "footer"
            yield TextPlace(part, HeaderHolder(element), f"{sheet.label}, {name}")
        else:
            for place in attribute_places(part, element, _SHEET_ATTRIBUTES[element.tag], sheet.label):
                yield _with_limit(place)


def _with_limit(place: TextPlace) -> TextPlace:
    holder = place.holder
    assert isinstance(holder, PlainHolder)
    max_length = _MAX_LENGTHS.get(holder.attribute)
    if max_length is None:
        return place
    cut = PlainHolder(holder.element, holder.attribute, partial(_cut, max_length))
    return TextPlace(place.part, cut, f"{place.note}: at most {max_length} characters")


def _cut(max_length: int, text: str) -> str:
    return xml.clean(text)[:max_length]


def _places(part: Part, kind: str, note: str) -> Iterator[TextPlace]:
    """The texts of a part of a sheet, without a chart's copies of cells, which Excel updates."""
    if kind in _DRAWINGS:
        yield from shapes_places(part, note, caches=False)
    for text in part.tree.iter(S + "text") if kind == "comments" else ():
        cell = text.getparent().get("ref", "") if text.getparent() is not None else ""
        yield TextPlace(part, RunHolder(text), f"{note}, comment on {cell}")
    for text in part.tree.iter("{*}text") if kind == "threadedComment" else ():
        yield TextPlace(part, PlainHolder(text), f"{note}, comment")


def _force_calculation(main: Part) -> None:
    """Make Excel recalculate when the book is opened, because cells store results with the old words."""
    root = main.tree.getroot()
    properties = root.find(S + "calcPr")
    if properties is None:
        properties = etree.Element(S + "calcPr")
        before = [child for child in root if xml.local_name(child) in _BEFORE_CALCULATION]
        before[-1].addnext(properties)
    properties.set("fullCalcOnLoad", "1")


FORMAT = OfficeFormat("xlsx", "Excel workbook", (".xlsx", ".xltx", ".xlsm", ".xltm"), _Book)

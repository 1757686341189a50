"""Excel workbooks: texts of cells, names of sheets, comments, headers, drawings; no number or formula.

A text that several cells share is one segment, as it is one entry in the file. Names of sheets and the heads
of tables are renamed wherever formulas refer to them (`xlsx_names`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.errors import Message
from anaphora.formats.base import remarks, xml
from anaphora.formats.base.format import FormatError, Reading
from anaphora.formats.base.limits import MAX_RUNS, check_markup
from anaphora.formats.base.package import Package
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.office.drawing import (
    PlainHolder,
    RunHolder,
    TextPlace,
    blocks_of,
    drawing_of,
    fill_translated,
    in_reading_order,
    located,
    located_twins,
    outside,
    property_places,
    shapes_places,
)
from anaphora.formats.office.languages import with_languages
from anaphora.formats.office.number_formats import note_on_formats
from anaphora.formats.office.opc import Part, R, S, content_types, core_properties, load, main_part, relations
from anaphora.formats.office.run_styles import RunStyle
from anaphora.formats.office.runs import RunDialect, described, local_name
from anaphora.formats.office.tips import (
    LINK_TIPS,
    attribute_places,
    more_places,
)
from anaphora.formats.office.xlsx_header import HeaderHolder
from anaphora.formats.office.xlsx_labels import (
    ON_SHEETS,
    X14,
    looks_for_words,
    sheet_label_places,
)
from anaphora.formats.office.xlsx_names import column_number, keeps_names, rename, sheet_title

_MAIN = re.compile(r"(spreadsheetml|ms-excel)\.(sheet|template)(\.macroEnabled)?\.main\+xml$")
_LABELS = {
    "b": "bold", "i": "italic", "u": "underlined", "strike": "struck out", "superscript": "superscript",
    "subscript": "subscript",
    "color": "colour", "sz": "size",
}  # fmt: skip
_HEADERS = frozenset(
    S + name for name in ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")
)
_DRAWN = ("drawing", "chart")
_ON = ("1", "true")
_COLUMN, _COLUMNS = re.compile(r"[A-Z]{1,3}"), re.compile(r"[0-9]{1,5} [0-9]{1,5}")
MAX_CELLS = 16_384
"""Cells of a row: Excel has so many columns."""
MAX_FORMULAS = 500_000
"""Formulas of a workbook: one takes some 0.01 ms, and more where names of sheets are translated."""
_ROW, _CELL = re.compile(rb"<(?:\w+:)?row[\s/>]"), re.compile(rb"<(?:\w+:)?c[\s/>]")
_FORMULA, _RUN = re.compile(rb"<(?:\w+:)?f[\s/>]"), re.compile(rb"<(?:\w+:)?r[\s/>]")
_CELLS = etree.XPath(
    "s:c[@t = 's' or @t = 'inlineStr' or s:f[../@t = 'str' or contains(., '\"') "
    "or contains(translate(., 'indrect', 'INDRECT'), 'INDIRECT')]]",
    namespaces={"s": S[1:-1]},
)
"""Cells of a row that hold texts, and formulas that do."""
_UNSEEN = frozenset(("family", "charset", "scheme", "rFont"))


_CONDITIONS = (S + "conditionalFormatting", S + "autoFilter", X14 + "conditionalFormatting")
_BEFORE_CALCULATION = frozenset(("sheets", "functionGroups", "externalReferences", "definedNames"))


def _describe(style: RunStyle) -> str:
    if style.properties is None:
        return "plain"
    names = (
        str(child.get("val")) if local_name(child) == "vertAlign" else local_name(child)
        for child in style.properties
    )
    return described(list(names), _LABELS)


STRINGS = RunDialect(
    space=S,
    line_break="",
    first=frozenset(),
    last=frozenset(("phoneticPr",)),
    dropped=frozenset(("rPh",)),
    unseen=_UNSEEN,
    marks_space=True,
    describe=_describe,
)


@dataclass(slots=True)
class _Sheet:
    """What is known of a sheet after a look through it.

    Attributes:
        entry: its part.
        title: its name.
        shared: indexes of the shared strings that its cells show, in order, with the first cell of each.
        inline: whether cells hold texts of their own.
        headers: whether it has texts for printed pages.
        labels: whether it has prompts or tips.
        formulas: how many it has.
        conditions: formats and filters whose conditions hold words to translate.
        choices: lists to choose from that hold words to translate.
        texts_by_formula: how many formulas give a text.
        wordy: formulas with words in quotation marks, or with INDIRECT.
        is_hidden: whether the program shows nothing of it.
        hidden_columns: numbers of the columns that it does not show, from 1, all before `hidden_until`.
        hidden: indexes of the shared strings that are shown by none of its cells that one sees.
    """

    entry: str
    title: str
    is_hidden: bool = False
    hidden_columns: set[int] = field(default_factory=set)
    hidden_until: int = 0
    hidden: set[int] = field(default_factory=set)
    shared: dict[int, str] = field(default_factory=dict)
    inline: bool = False
    headers: bool = False
    labels: bool = False
    formulas: int = 0
    choices: int = 0
    conditions: int = 0
    texts_by_formula: int = 0
    wordy: list[str] = field(default_factory=list)

    def where(self, is_hidden: bool = False) -> str:
        """The sheet, for a note.

        Args:
            is_hidden: whether a cell is, although its sheet is not.
        """
        return f"Sheet “{self.title}”, hidden" if self.is_hidden or is_hidden else f"Sheet “{self.title}”"

    def where_is(self, cell: str, is_hidden: bool) -> str:
        """A cell, for a note; some programs write none of the places of cells."""
        return f"{self.where(is_hidden)}, cell {cell}" if cell else self.where(is_hidden)

    def hides(self, cell: xml.Element) -> bool:
        """Whether a cell stands in a row or a column that is not shown."""
        row = cell.getparent()
        if row is not None and row.get("hidden") in _ON:
            return True
        if not self.hidden_columns:
            return False
        letters = _COLUMN.match(cell.get("r", ""))
        return letters is not None and column_number(letters.group()) in self.hidden_columns


class Xlsx:
    """Reader and writer of Excel workbooks."""

    name = "xlsx"
    label = "Excel workbook"
    extensions: tuple[str, ...] = (".xlsx", ".xltx", ".xlsm", ".xltm")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`."""
        book = _Book(Package(data), SourceWords.of(reading))
        return Parsed(blocks_of(located(book.places())), notes=book.notes())

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`. Parts without translations keep their bytes."""
        return _Book(Package(data), SourceWords.of(reading)).filled(fillings)

    def name_language(self, data: bytes, reading: Reading, target: TargetLanguage) -> bytes:
        """See `NamesLanguage.name_language`."""
        return with_languages(data, target)


class _Book:
    """A workbook that is being read or written."""

    def __init__(self, package: Package, words: SourceWords) -> None:
        self._package, self._words = package, words
        self._main = load(package, main_part(package, _MAIN, Message("Excel workbook")))
        links = relations(package, self._main.name)
        self._entries = list(self._main.tree.iter(S + "sheet"))
        strings = next((link.target for link in links.values() if link.kind == "sharedStrings"), None)
        self._strings = load(package, strings) if strings else None
        self._sheets: list[_Sheet] = []
        seen: set[str] = set()
        for entry in self._entries:
            link = links.get(entry.get(R + "id", ""))
            known = link is not None and link.kind in ("worksheet", "chartsheet", "dialogsheet")
            # A damaged book may name one part thousands of times.
            if link is not None and known and link.target not in seen:
                seen.add(link.target)
                formulas = sum(sheet.formulas for sheet in self._sheets)
                title = entry.get("name", "")
                is_hidden = entry.get("state", "visible") != "visible"
                sheet = _Sheet(link.target, title, is_hidden)
                _look_through(sheet, package, formulas, words)
                self._sheets.append(sheet)
        self._names = [entry.get("name", "") for entry in self._entries]
        self._done_parts: set[str] = set()
        self._loaded: dict[str, Part] = {}
        self._properties = core_properties(package)
        defined = [name.text or "" for name in self._main.tree.iter(S + "definedName")]
        wordy = [formula for sheet in self._sheets for formula in sheet.wordy]
        self._wordy = [*wordy, *(formula for formula in defined if '"' in formula)]
        self._keeps_names = keeps_names([*wordy, *defined], self._names)

    def places(self) -> Iterator[TextPlace]:
        """The texts: the sheets' names, then sheet by sheet what each shows."""
        return outside((S + "is", S + "si", S + "t"), self._all_places())

    def _all_places(self) -> Iterator[TextPlace]:
        for entry in () if self._keeps_names else self._entries:
            note = "Name of a sheet: at most 31 characters, none of []:*?/\\"
            yield TextPlace(self._main, PlainHolder(entry, "name", sheet_title), note)
        shared = self._strings.tree.getroot().findall(S + "si") if self._strings is not None else []
        done: set[int] = set()
        seen: set[str] = set()
        charts: set[str] = set()
        self._done_parts = set()
        for sheet in self._sheets:
            for index, cell in sheet.shared.items():
                if index < len(shared) and index not in done and self._strings is not None:
                    done.add(index)
                    note = sheet.where_is(cell, index in sheet.hidden)
                    yield TextPlace(self._strings, RunHolder(shared[index], STRINGS), note)
            yield from in_reading_order(
                (*self._own_places(sheet), *self._places_besides(sheet, seen, charts))
            )
        yield from property_places(self._properties, self._words)

    def _own_places(self, sheet: _Sheet) -> Iterator[TextPlace]:
        """Texts in a sheet's part itself, and in the comments, drawings and charts that belong to it."""
        note = sheet.where()
        if sheet.inline or sheet.headers:
            part = self._part(sheet.entry)
            for element in part.tree.iter(S + "is", *_HEADERS):
                if element.tag == S + "is":
                    cell = element.getparent()
                    where = note if cell is None else sheet.where_is(cell.get("r", ""), sheet.hides(cell))
                    yield TextPlace(part, RunHolder(element, STRINGS), where)
                else:
                    yield TextPlace(part, HeaderHolder(element), f"{note}, {_header_name(element)}")
        for entry, kind in self._belonging(sheet.entry):
            part = self._part(entry)
            if kind == "comments":
                for text in part.tree.iter(S + "text"):
                    cell = text.getparent().get("ref", "") if text.getparent() is not None else ""
                    yield TextPlace(part, RunHolder(text, STRINGS), f"{note}, comment on {cell}")
            elif kind == "threadedComment":
                for text in part.tree.iter("{*}text"):
                    yield TextPlace(part, PlainHolder(text), f"{note}, comment")
            else:
                yield from (place for place in shapes_places(part, note) if _is_shown(place))

    def _places_besides(self, sheet: _Sheet, seen: set[str], charts: set[str]) -> Iterator[TextPlace]:
        """Prompts and tips of a sheet, and what is drawn besides; parts that the sets name are done."""
        note = sheet.where()
        if sheet.labels:
            yield from sheet_label_places(self._part(sheet.entry), note)
        for drawing in self._linked(sheet.entry, ("drawing",), seen):
            yield from attribute_places(self._part(drawing), LINK_TIPS, note)
            for entry in self._drawn_besides(drawing, seen):
                yield from (place for place in shapes_places(self._part(entry), note) if _is_shown(place))
                yield from more_places([(self._part(entry), note)])
            for entry in (drawing, *self._linked(drawing, ("chart",), charts)):
                yield from more_places([(self._part(entry), note)])

    def _drawn_besides(self, drawing: str, seen: set[str]) -> Iterator[str]:
        """Diagrams, charts of newer kinds, and what is drawn over charts."""
        yield from self._linked(drawing, ("chartEx", "diagramData"), seen)
        for chart in self._linked(drawing, ("chart",), seen):
            yield from self._linked(chart, ("chartUserShapes",), seen)

    def _linked(self, entry: str, kinds: Collection[str], seen: set[str]) -> list[str]:
        """The parts of some kinds that a part links to, each once in the book."""
        links = {link.target for link in relations(self._package, entry).values() if link.kind in kinds}
        found = sorted(links - seen)
        seen.update(found)
        return found

    def _diagrams(self) -> dict[str, Part]:
        """The drawings of diagrams, by the parts with their data."""
        seen: set[str] = set()
        found: dict[str, Part] = {}
        for sheet in self._sheets:
            for drawing in self._linked(sheet.entry, ("drawing",), seen):
                drawn = self._linked(drawing, ("diagramDrawing",), seen)
                for data in self._linked(drawing, ("diagramData",), seen):
                    twin = drawing_of(data, drawn)
                    if twin:
                        found[data] = self._part(twin)
        return found

    def _part(self, entry: str) -> Part:
        """A part, loaded once: of two trees of it one would be written."""
        if entry not in self._loaded:
            self._loaded[entry] = load(self._package, entry)
        return self._loaded[entry]

    def _belonging(self, entry: str) -> Iterator[tuple[str, str]]:
        """A sheet's comments, drawings and their charts, each once in the book."""
        for link in sorted(
            relations(self._package, entry).values(), key=lambda link: (link.kind, link.target)
        ):
            if link.kind not in ("comments", "threadedComment", *_DRAWN) or link.target in self._done_parts:
                continue
            self._done_parts.add(link.target)
            yield link.target, link.kind
            if link.kind == "drawing":
                yield from self._belonging(link.target)

    def notes(self) -> tuple[Message, ...]:
        """What a translator should know before translating it."""
        found = []
        wordy = sum(map(self._words.in_strings, self._wordy))
        if wordy:
            found.append(
                Message(
                    "Formulas stay as they are; so many hold words to translate: {count}. Where one compares "
                    "them with a cell's text, change the formula in Excel.",
                    count=wordy,
                )
            )
        if self._keeps_names:
            found.append(Message("Sheets keep their names, because formulas build references from words."))
        if any("pivotCache" in kind for kind in content_types(self._package).values()):
            found.append(Message("Pivot tables show the old words until they are refreshed in Excel."))
        counts = {
            Message("Lists to choose from in cells keep their words: {count}."): sum(
                sheet.choices for sheet in self._sheets
            ),
            Message("Conditional formats and filters look for the old words: {count}."): sum(
                sheet.conditions for sheet in self._sheets
            ),
        }
        return (*found, *remarks.counted(counts.items()), *note_on_formats(self._package, self._words))

    def filled(self, fillings: Fillings) -> bytes:
        """The workbook with translations in place."""
        found = located(self.places())
        changed = fill_translated([*found, *located_twins(self._diagrams(), found)], fillings)
        if not changed:
            return self._package.rewrite({})
        changed |= rename(self._package, self._main, self._entries, self._names, changed, self._strings)
        if any(sheet.texts_by_formula for sheet in self._sheets):
            _ask_for_calculation(self._main)
            changed[self._main.name] = self._main
        return self._package.rewrite({name: part.data() for name, part in changed.items()})


def _look_through(sheet: _Sheet, package: Package, formulas: int, words: SourceWords) -> None:
    """Look through a sheet without holding it in memory as a tree.

    Args:
        formulas: of the sheets before.
    """
    data = package.read(sheet.entry).replace(
        b"http://purl.oclc.org/ooxml/spreadsheetml/main", S[1:-1].encode()
    )
    _check_rows(data)
    check_markup(len(_RUN.findall(data)), MAX_RUNS)
    sheet.formulas = len(_FORMULA.findall(data))
    if formulas + sheet.formulas > MAX_FORMULAS:
        raise FormatError(
            Message("The workbook has more than {limit} formulas.", limit=MAX_FORMULAS),
            Message("Split it into smaller documents."),
        )
    looked_at = (S + "col", S + "row", *_HEADERS, *ON_SHEETS, *_CONDITIONS)
    for element in xml.stream(data, looked_at, sheet.entry):
        if element.tag == S + "row":
            _note_row(sheet, element)
        elif element.tag == S + "col":
            _note_column(sheet, element)
        elif element.tag in _CONDITIONS:
            sheet.conditions += looks_for_words(element, words)
        elif element.tag in ON_SHEETS:
            _note_label(sheet, element, words)
        else:
            sheet.headers = True


def _check_rows(data: bytes) -> None:
    """Refuse a row with more cells than Excel's columns: it would be held in memory as a whole."""
    for row in _ROW.split(data):
        if len(row) > 4 * MAX_CELLS and len(_CELL.findall(row)) > MAX_CELLS:
            raise FormatError(
                Message("A row of the sheet has more than {limit} cells.", limit=MAX_CELLS),
                "It is damaged: let its own program repair it and save it again.",
            )


def _note_label(sheet: _Sheet, element: xml.Element, words: SourceWords) -> None:
    said = [element.get(name, "") for name in ON_SHEETS[element.tag]]
    sheet.labels = sheet.labels or any(said)
    formulas = [child.text or "" for child in element.iter("{*}formula1", "{*}f")]
    sheet.choices += any('"' in formula and words.in_strings(formula) for formula in formulas)


def _note_column(sheet: _Sheet, element: xml.Element) -> None:
    first, last = element.get("min", ""), element.get("max", "")
    # Columns stand in order: what begins among those before is damaged, and may be without end.
    if element.get("hidden") in _ON and _COLUMNS.fullmatch(f"{first} {last}"):
        end = min(int(last), MAX_CELLS) + 1
        sheet.hidden_columns.update(range(max(int(first), sheet.hidden_until), end))
        sheet.hidden_until = max(end, sheet.hidden_until)


def _note_row(sheet: _Sheet, element: xml.Element) -> None:
    """A function of its own, so that nothing refers to a cell when `xml.stream` empties the row."""
    for cell in _CELLS(element):
        _note_cell(sheet, cell)


def _note_cell(sheet: _Sheet, element: xml.Element) -> None:
    kind = element.get("t", "n")
    # The library's own search for a child takes ten times as long.
    held = {child.tag: child for child in reversed(element)}
    value = held[S + "v"].text or "" if S + "v" in held else None
    formula = held[S + "f"].text or "" if S + "f" in held else None
    if kind == "s" and value is not None and value.strip().isdecimal() and len(value) < 10:
        _note_shared(sheet, element, int(value))
    elif kind == "inlineStr":
        sheet.inline = True
    if formula is not None:
        sheet.texts_by_formula += kind == "str"
        if '"' in formula or "INDIRECT" in formula.upper():
            sheet.wordy.append(formula)


def _note_shared(sheet: _Sheet, cell: xml.Element, index: int) -> None:
    """Note the first cell that shows a string, or the first one that one sees."""
    if index in sheet.shared and index not in sheet.hidden:
        return
    is_hidden = sheet.hides(cell)
    if index not in sheet.shared or not is_hidden:
        sheet.shared[index] = cell.get("r", "")
    (sheet.hidden.add if is_hidden else sheet.hidden.discard)(index)


def _header_name(element: xml.Element) -> str:
    return "header" if element.tag.endswith("Header") else "footer"


def _is_shown(place: TextPlace) -> bool:
    """Cached words of charts are left out: Excel takes them from the cells."""
    return not (isinstance(place.holder, PlainHolder) and not place.holder.attribute)


def _ask_for_calculation(main: Part) -> None:
    """Have Excel calculate on opening: what formulas made of the old words is stored in their cells."""
    root = main.tree.getroot()
    properties = root.find(S + "calcPr")
    if properties is None:
        properties = etree.Element(S + "calcPr")
        before = [child for child in root if local_name(child) in _BEFORE_CALCULATION]
        before[-1].addnext(properties)
    properties.set("fullCalcOnLoad", "1")


FORMAT = Xlsx()

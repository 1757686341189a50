"""Try every format with a folder of other people's files, and print what became of them (not in CI).

The folder is searched for files of all formats; nothing is fetched (`gather_foreign.py` brings them
together). The table shows for each format how many were tried, opened and refused (the reasons follow it),
how many came back byte for byte when nothing was translated, which share of their letters is offered, how
many could be read again with every translation in them, and how many of these LibreOffice opened, of those
that it opens as they are. The text to compare with is LibreOffice's own for office files (`soffice` makes
flat OpenDocument files of them), else what html.parser, polib, pysubs2, lxml and those of `program_texts.py`
find, by a walk that knows nothing of the readers here. More than 100 % means that more is offered than that
program reads (tips, prompts, titles of tables).

    python tests/golden/check_foreign.py FOLDER [--formats docx odt …] [--no-libreoffice]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import polib
import program_texts
import pysubs2
from lxml import etree

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.document import SourceDocument
from anaphora.core.segment import SegmentState, Status
from anaphora.core.tags import MARK
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.registry import FORMATS, fill, read, read_bytes

OFFICE = ("docx", "odt", "pptx", "xlsx")
KINDS = {"docx": "fodt", "odt": "fodt", "pptx": "fodp", "xlsx": "fods"}
SECONDS = 60
_SPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE, _TABLE, _PRESENTATION = (f"{{{_SPACE}{name}:1.0}}" for name in ("office", "table", "presentation"))
_CHART = f"{{{_SPACE}chart:1.0}}chart"
_UNSHOWN = frozenset(("tracked-changes", "forms", "scripts", "handout-master", "index-body"))
_APART = frozenset(("note", "annotation", "frame", "custom-shape", "g", "ruby-text", "page-number"))
_REFERENCES = frozenset(("bookmark-ref", "reference-ref", "sequence-ref", "note-ref"))
"""They repeat another text of the document, and are kept as fields."""
_SOURCES = {"xliff": "{*}source", "tmx": "{*}seg"}
_WORD = re.compile(r"Q\d+Z")


@dataclass
class Row:
    """The outcome of the files of a format."""

    tried: int = 0
    opened: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    same: int = 0
    offered: int = 0
    shown: int = 0
    read_again: int = 0
    translated: int = 0
    openable: int = 0
    shown_again: int = 0
    unopened: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Waiting:
    """An office file for LibreOffice.

    Attributes:
        path: of the file. document: as it was read.
        rendered: with every translation; b"" for one without texts.
    """

    path: Path
    document: SourceDocument
    rendered: bytes = b""


def main() -> int:
    """Print the table; 1 if a file crashed, changed, or lost a translation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--formats", nargs="*", default=[known.name for known in FORMATS])
    parser.add_argument("--no-libreoffice", action="store_true")
    options = parser.parse_args()
    rows: dict[str, Row] = {}
    suffixes = {suffix: known.name for known in FORMATS for suffix in known.extensions}
    waiting: list[Waiting] = []
    for path in sorted(options.folder.rglob("*")):
        name = suffixes.get(path.suffix.lower(), "")
        if (
            path.is_file()
            and name in options.formats
            and path.name != "SOURCES.md"
            and path.parent.name != "licences"
        ):
            waiting += try_file(path, rows.setdefault(name, Row()))
    if not options.no_libreoffice:
        compare_office(waiting, rows)
    print_table(rows)
    return int(any(row.problems for row in rows.values()))


def try_file(path: Path, row: Row) -> list[Waiting]:
    """Open a file, write it untouched and translated, and read it again; returns what LibreOffice may see."""
    row.tried += 1
    try:
        document = read(path)
    except FormatError as error:
        row.refused[str(error.message).partition("opened. ")[2] or str(error.message)] += 1
        return []
    except Exception as error:
        row.problems.append(f"{path}: crashed: {error!r}")
        return []
    row.opened += 1
    if _rendered(document, {}) == document.data:
        row.same += 1
    else:
        row.problems.append(f"{path}: changed")
    if document.format not in OFFICE:
        compare(document, row)
    untranslated = [Waiting(path, document)] if document.format in OFFICE else []
    if not document.segments:
        return untranslated
    row.translated += 1
    wanted = {s.id: _target(n, s.source) for n, s in enumerate(document.segments) if s.status < Status.LOCKED}
    try:
        rendered = _rendered(document, wanted)
        again = read_bytes(rendered, path.name, choices=document.choices)
    except Exception as error:
        row.problems.append(f"{path}: not read again: {error!r}")
        return untranslated
    found = {word for s in again.segments for text in (s.source, s.target) for word in _WORD.findall(text)}
    lost = [target for target in wanted.values() if target.split()[0] not in found]
    # Properties of documents are offered only as long as they are Chinese.
    is_property = {
        s.id for s in document.segments if any(note.text.endswith(" the document") for note in s.notes)
    }
    lost = [target for key, target in wanted.items() if target in lost and key not in is_property]
    if lost:
        row.problems.append(f"{path}: lost {len(lost)} of {len(wanted)}: {lost[:3]}")
    else:
        row.read_again += 1
    return [Waiting(path, document, rendered)] if document.format in OFFICE else []


def _target(number: int, source: str) -> str:
    return f"Q{number}Z {pseudo_translation(source)}"


def _rendered(document: SourceDocument, wanted: dict[str, str]) -> bytes:
    states = {key: SegmentState(text, Status.CONFIRMED) for key, text in wanted.items()}
    segments = [segment.with_state(states.get(segment.id, segment.state)) for segment in document.segments]
    return fill(document.data, document.format, segments, ReadOptions(document.language, document.encoding))


def compare(document: SourceDocument, row: Row) -> None:
    """Count the characters that are offered, and those that another library finds."""
    try:
        shown = others(document)
    except (OSError, ValueError, pysubs2.Pysubs2Error):
        shown = ""  # the library cannot read the file, so there is nothing to compare with
    if shown:
        row.offered += letters_of(document)
        row.shown += _letters(shown)


def letters_of(document: SourceDocument) -> int:
    """How many letters are offered."""
    return _letters(MARK.sub("", "".join(segment.source for segment in document.segments)))


def _letters(text: str) -> int:
    return sum(char.isalpha() for char in text)


def compare_office(waiting: Sequence[Waiting], rows: dict[str, Row]) -> None:
    """Let LibreOffice open what was read and what was translated."""
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted({each.document.format for each in waiting}):
            files = [each for each in waiting if each.document.format == name]
            before = {f"{n}{each.path.suffix}": each.document.data for n, each in enumerate(files)}
            after = {
                f"{n}-again{each.path.suffix}": each.rendered for n, each in enumerate(files) if each.rendered
            }
            made = convert(before | after, KINDS[name], Path(folder) / name)
            # Documents of Writer/Web have no flat form.
            left = {key: data for key, data in (before | after).items() if Path(key).stem not in made}
            opened = made.keys() | convert(left, "pdf", Path(folder) / f"{name}-pages").keys()
            for number, each in enumerate(files):
                shown = made.get(str(number))
                if shown is not None and (letters := sum(map(_letters, texts_of(shown, name)))):
                    rows[name].offered += letters_of(each.document)
                    rows[name].shown += letters
                if str(number) not in opened:
                    rows[name].unopened.append(f"{each.path}: LibreOffice does not open it as it is")
                elif each.rendered:
                    rows[name].openable += 1
                    rows[name].shown_again += f"{number}-again" in opened
                    if f"{number}-again" not in opened:
                        rows[name].problems.append(f"{each.path}: not opened by LibreOffice once translated")


def convert(files: Mapping[str, bytes], kind: str, folder: Path) -> dict[str, Path]:
    """Flat OpenDocument files that LibreOffice made of some files, by their names without suffix."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    profile = f"-env:UserInstallation=file://{tempfile.gettempdir()}/anaphora-office"
    command = ["soffice", "--headless", profile, "--convert-to", kind, "--outdir", str(folder / "made")]

    def run(names: Sequence[str]) -> None:
        with suppress(subprocess.TimeoutExpired):
            paths = [str(folder / name) for name in names]
            subprocess.run([*command, *paths], capture_output=True, timeout=SECONDS * len(paths), check=False)

    # Together, as starting takes longest. One that ends LibreOffice is tried by itself (it may have ended for
    # one before) and left out of the next try.
    waiting = list(files)
    while waiting:
        run(waiting)
        left = [name for name in waiting if not (folder / "made" / name).with_suffix(f".{kind}").exists()]
        run(left[:1])
        waiting = left[1:]
    return {path.stem: path for path in (folder / "made").glob(f"*.{kind}")}


def texts_of(path: Path, name: str) -> Iterable[str]:
    """The visible text of a flat OpenDocument file: paragraphs and alternative texts, no computed fields.

    Cells with the same text share it in a workbook, so each text of cells counts once; numbers, dates and
    results of formulas are not texts of the file, and charts repeat cells. LibreOffice lays pivot tables out
    again, from data that no cell holds: workbooks with some are not compared.
    """
    root = etree.parse(path, etree.XMLParser(huge_tree=True, resolve_entities=False)).getroot()
    if any(True for _ in root.iter(_TABLE + "data-pilot-table")):
        return ()
    repeated = _REFERENCES if name == "odt" else frozenset()
    found: list[str] = []
    cells: set[str] = set()
    for element in root.iter("{*}p", "{*}h", "{*}title", "{*}desc"):
        space = etree.QName(element).namespace or ""
        if not space.endswith((":text:1.0", ":svg-compatible:1.0")):
            continue
        around = list(element.iterancestors())
        if any(etree.QName(each).localname in _UNSHOWN or _is_prompt(each) for each in around):
            continue
        if etree.QName(element).localname == "desc" and any(each.tag == _CHART for each in around):
            continue  # the range of cells, as LibreOffice notes it
        if name == "xlsx" and any(each.get(_TABLE + "name") == "local-table" for each in around):
            continue  # what a chart keeps of cells
        cell = around[0] if name == "xlsx" and etree.QName(around[0]).localname == "table-cell" else None
        if cell is None:
            found.append("".join(_own(element, repeated)))
        elif cell.get(_OFFICE + "value-type") == "string" and cell.get(_TABLE + "formula") is None:
            cells.add("".join(_own(element, repeated)))
    return [*found, *cells]


def _own(element: etree._Element, left_out: frozenset[str]) -> Iterable[str]:
    """A paragraph's characters without those of paragraphs in its notes and frames."""
    yield element.text or ""
    for child in element:
        name = etree.QName(child).localname if isinstance(child.tag, str) else "note"
        if name not in _APART and name not in left_out:
            yield from _own(child, left_out)
        yield child.tail or ""


def _is_prompt(element: etree._Element) -> bool:
    """True for a placeholder of a master slide, which is visible on no slide."""
    return bool(element.get(_PRESENTATION + "class")) and any(
        etree.QName(each).localname == "master-page" for each in element.iterancestors()
    )


class _Texts(HTMLParser):
    """The texts of a page outside of code and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._closed = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._closed += tag in _CODE

    def handle_endtag(self, tag: str) -> None:
        self._closed -= tag in _CODE and self._closed > 0

    def handle_data(self, data: str) -> None:
        if not self._closed:
            self.texts.append(data)


_CODE = frozenset(("script", "style", "pre", "code", "kbd", "samp", "tt", "math", "var"))


def others(document: SourceDocument) -> str:
    """A document's text as a library reads it."""
    if document.format == "epub":
        return ""
    if document.format in _SOURCES:
        root = etree.fromstring(document.data, etree.XMLParser(resolve_entities=False))
        found = list(root.iter(_SOURCES[document.format]))
        if document.format == "tmx":
            return ""
        return "".join(text for element in found for text in element.itertext())
    text = document.data.decode(document.encoding or "utf-8", "replace")
    if document.format == "html":
        parser = _Texts()
        parser.feed(text)
        return "".join(parser.texts)
    if document.format == "po":
        entries = [entry for entry in polib.pofile("\n" + text) if not entry.obsolete]
        return "".join(entry.msgid + entry.msgid_plural for entry in entries)
    if document.format in ("srt", "ass"):
        events = pysubs2.SSAFile.from_string(text).events
        return "".join(event.plaintext for event in events if not event.is_comment and not event.is_drawing)
    if document.format in program_texts.READERS:
        return "".join(program_texts.READERS[document.format](text, document))
    return text if document.format == "txt" else ""


def print_table(rows: dict[str, Row]) -> None:
    """The counts by format, then why files were refused and what went wrong."""
    columns: Sequence[str] = ("tried", "opened", "refused", "same", "offered", "again", "LibreOffice")
    print("format    " + "  ".join(f"{column:>11}" for column in columns))
    for name, row in rows.items():
        share = f"{100 * row.offered / row.shown:.1f} %" if row.shown else "–"
        shown = f"{row.shown_again}/{row.openable}" if name in OFFICE else "–"
        refused = sum(row.refused.values())
        values = (
            row.tried,
            row.opened,
            refused,
            row.same,
            share,
            f"{row.read_again}/{row.translated}",
            shown,
        )
        print(f"{name:10}" + "  ".join(f"{value:>11}" for value in values))
    for name, row in rows.items():
        for reason, count in row.refused.most_common():
            print(f"{name}: refused {count}: {reason}")
        for problem in [*row.unopened, *row.problems]:
            print(f"{name}: {problem}")


if __name__ == "__main__":
    sys.exit(main())

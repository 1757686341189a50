"""Try every format with a folder of other people's files, and print what became of them (not in CI).

The folder is searched for files of all formats; nothing is fetched. For each format the table says how many
were tried, opened and refused (why is listed below it), how many came back byte for byte when nothing was
translated, which share of their letters is offered, how many could be read again with every translation in
them, and how many LibreOffice opened again. The text to compare with is LibreOffice's own (`soffice`) for
office files, else what html.parser, polib, pysubs2 or lxml find, by a walk that knows nothing of the readers
here. More than 100 % means that more is offered than that program shows (comments, alternative texts).

    python tests/golden/check_foreign.py FOLDER [--formats docx odt …] [--no-libreoffice]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import polib
import pysubs2
from lxml import etree

from anaphora.core.segment import SegmentState, Status
from anaphora.core.source import SourceDocument
from anaphora.core.tags import MARK
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import FORMATS, read, read_bytes, render

OFFICE = ("docx", "odt", "pptx", "xlsx")
BILINGUAL = ("po", "xliff", "tmx")
FILTERS = {"docx": "txt:Text (encoded):UTF8", "odt": "txt:Text (encoded):UTF8", "pptx": "pdf", "xlsx": "pdf"}
SECONDS = 90
_SOURCES = {"xliff": "{*}source", "tmx": "{*}seg"}
_WORD = re.compile(r"Q\d+Z")


@dataclass
class Row:
    """What became of the files of a format."""

    tried: int = 0
    opened: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    same: int = 0
    offered: int = 0
    shown: int = 0
    read_again: int = 0
    translated: int = 0
    shown_again: int = 0
    problems: list[str] = field(default_factory=list)


def main() -> int:
    """Print the table; 1 if a file crashed, changed, or lost a translation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--formats", nargs="*", default=[known.name for known in FORMATS])
    parser.add_argument("--no-libreoffice", action="store_true")
    options = parser.parse_args()
    rows: dict[str, Row] = {}
    suffixes = {suffix: known.name for known in FORMATS for suffix in known.extensions}
    for path in sorted(options.folder.rglob("*")):
        name = suffixes.get(path.suffix.lower(), "")
        if (
            path.is_file()
            and name in options.formats
            and path.name != "SOURCES.md"
            and path.parent.name != "licences"
        ):
            try_file(path, rows.setdefault(name, Row()), not options.no_libreoffice)
    print_table(rows)
    return int(any(row.problems for row in rows.values()))


def try_file(path: Path, row: Row, office: bool) -> None:
    """Open a file, write it untouched and translated, and read it again."""
    row.tried += 1
    try:
        document = read(path)
    except FormatError as error:
        row.refused[str(error.message).partition("opened. ")[2] or str(error.message)] += 1
        return
    except Exception as error:
        row.problems.append(f"{path}: crashed: {error!r}")
        return
    row.opened += 1
    if render(document.data, document.format, {}) == document.data:
        row.same += 1
    else:
        row.problems.append(f"{path}: changed")
    compare(path, document, row, office)
    if not document.segments:
        return
    row.translated += 1
    wanted = {s.id: _target(n, s.source) for n, s in enumerate(document.segments) if s.status < Status.LOCKED}
    try:
        rendered = _rendered(document, wanted)
        again = read_bytes(rendered, path.name)
    except Exception as error:
        row.problems.append(f"{path}: not read again: {error!r}")
        return
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
    if office and document.format in OFFICE and libreoffice(rendered, path.suffix, document.format):
        row.shown_again += 1


def _target(number: int, source: str) -> str:
    return " ".join([f"Q{number}Z", *(match.group() for match in MARK.finditer(source))])


def _rendered(document: SourceDocument, wanted: dict[str, str]) -> bytes:
    if document.format not in BILINGUAL:
        return render(document.data, document.format, wanted)
    states = {s.id: s.state for s in document.segments}
    states |= {key: SegmentState(text, Status.CONFIRMED) for key, text in wanted.items()}
    targets = {key: state.target for key, state in states.items()}
    statuses = {key: state.status for key, state in states.items()}
    return render(document.data, document.format, targets, statuses=statuses)


def compare(path: Path, document: SourceDocument, row: Row, office: bool) -> None:
    """Count the characters that are offered, and those that another program shows."""
    offered = MARK.sub("", "".join(segment.source for segment in document.segments))
    if document.format in OFFICE:
        shown = libreoffice(document.data, path.suffix, document.format) if office else ""
    else:
        try:
            shown = others(document)
        except (OSError, ValueError, pysubs2.Pysubs2Error):
            shown = ""  # the library cannot read the file, so there is nothing to compare with
    if shown:
        row.offered += _letters(offered)
        row.shown += _letters(shown)


def _letters(text: str) -> int:
    return sum(char.isalpha() for char in text)


def libreoffice(data: bytes, suffix: str, name: str) -> str:
    """A document's text as LibreOffice shows it; "" where it opens nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        path.write_bytes(data)
        options = ["--headless", f"-env:UserInstallation=file://{tempfile.gettempdir()}/anaphora-office"]
        command = ["soffice", *options, "--convert-to", FILTERS[name], "--outdir", folder, str(path)]
        try:
            subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return ""
        kind = FILTERS[name].partition(":")[0]
        made = path.with_suffix(f".{kind}")
        if not made.exists():
            return ""
        if kind == "pdf":
            text = subprocess.run(["pdftotext", str(made), "-"], capture_output=True, check=False).stdout
            return text.decode("utf-8", "replace") or " "
        return made.read_text("utf-8", "replace") or " "


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
    return text if document.format == "txt" else ""


def print_table(rows: dict[str, Row]) -> None:
    """The counts by format, then why files were refused and what went wrong."""
    columns: Sequence[str] = ("tried", "opened", "refused", "same", "offered", "again", "LibreOffice")
    print("format    " + "  ".join(f"{column:>11}" for column in columns))
    for name, row in rows.items():
        share = f"{100 * row.offered / row.shown:.1f} %" if row.shown else "–"
        shown = f"{row.shown_again}/{row.translated}" if name in OFFICE else "–"
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
        for problem in row.problems:
            print(f"{name}: {problem}")


if __name__ == "__main__":
    sys.exit(main())

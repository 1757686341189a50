"""Macros, strange names, false data and excessive sizes in untrusted files are never run or followed."""

from __future__ import annotations

import io
import struct
import sys
import zipfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read_bytes
from anaphora.formats.text.markdown import MAX_MARKS

GOLDEN = Path(__file__).parents[2] / "golden"
PACKAGES = [next((GOLDEN / kind).glob(f"*.{kind}")) for kind in ("docx", "odt", "pptx", "xlsx", "epub")]
MACRO = b'Attribute VB_Name\x00Sub AutoOpen(): Shell "touch /tmp/x": End Sub\xff'
STRANGE = {
    "word/vbaProject.bin": MACRO,
    "customUI/customUI.xml": b"<customUI onLoad='AutoOpen'/>",
    "Basic/Standard/Module1.xml": b"<script:module>Shell</script:module>",
    "Scripts/python/run.py": b"import os; os.system('touch /tmp/x')",
    "META-INF/run.js": b"alert(1)",
    "../../../../outside.txt": "在外面。".encode(),
    "/etc/outside.txt": "在外面。".encode(),
    "C:\\outside.xml": b"<a/>",
    "x" * 5000 + ".xml": b"<a/>",
}


@pytest.fixture
def started() -> Iterator[list[str]]:
    """Collects programs that are started and files that are written."""
    seen: list[str] = []
    watching = [True]

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if not watching:
            return
        is_write = event == "open" and isinstance(arguments[1], str) and set("wax+") & set(arguments[1])
        if is_write or event.startswith(
            ("subprocess.", "os.exec", "os.system", "os.spawn", "socket.", "os.mk")
        ):
            seen.append(f"{event} {arguments}")

    sys.addaudithook(hook)
    yield seen
    watching.clear()


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.suffix)
def test_macros_scripts_and_strange_names_are_only_kept(path: Path, started: list[str]) -> None:
    data = samples.repacked(path.read_bytes(), {}, STRANGE)
    document = read_bytes(data, path.name)
    rendered = render(data, document.format, {segment.id: "English" for segment in document.segments})
    entries = samples.entries(rendered)
    assert {name: entries[name] for name in STRANGE} == STRANGE
    assert list(entries) == list(samples.entries(data))
    assert rendered != data and started == []


def test_scripts_in_pages_are_not_changed() -> None:
    script = "<script>if (a<b) location='http://192.0.2.7/'; document.write('文字')</script>"
    page = f'<html><body onload="run()"><p onclick="go()">账本。</p>{script}</body></html>'
    document = read_bytes(page.encode(), "a.html")
    assert [segment.source for segment in document.segments] == ["账本。"]
    target = {document.segments[0].id: "Ledger <script>x</script>"}
    rendered = render(document.data, "html", target).decode()
    assert rendered.count("<script") == 1 and script in rendered and 'onclick="go()"' in rendered


@pytest.mark.slow
def test_entry_with_wrong_offset_is_refused_or_copied() -> None:
    data = bytearray(samples.report())
    records = [start for start in range(len(data)) if data.startswith(b"PK\x01\x02", start)]
    far = product((records[0], records[4], records[-1]), (2**24, 2**31))
    for record, place in (*((record, 10) for record in records), *far):
        broken = bytearray(data)
        struct.pack_into("<L", broken, record + 42, place)
        try:
            document = read_bytes(bytes(broken), "a.docx")
            render(bytes(broken), "docx", {segment.id: "x" for segment in document.segments})
        except FormatError as error:
            assert error.advice


def test_sheet_listed_thousands_of_times_is_read_once() -> None:
    data = (GOLDEN / "xlsx" / "course.xlsx").read_bytes()
    book = samples.entries(data)["xl/workbook.xml"]
    start = book.index(b"<sheet ")
    sheet = book[start : book.index(b"/>", start) + 2]
    flood = samples.repacked(data, {"xl/workbook.xml": book.replace(sheet, sheet * 5000, 1)})
    texts = [segment.source for segment in read_bytes(flood, "a.xlsx").segments]
    once = [segment.source for segment in read_bytes(data, "a.xlsx").segments]
    assert set(texts) == set(once) and len([text for text in texts if text == once[-1]]) == 1


@pytest.mark.slow
def test_too_much_markdown_is_refused() -> None:
    with pytest.raises(FormatError, match="lines and Markdown marks"):
        read_bytes(b"* a\n" * MAX_MARKS, "a.md")


def test_a_memory_whose_variant_has_no_segment_gets_the_translation() -> None:
    unit = '<tu><tuv xml:lang="en"></tuv><tuv xml:lang="zh"><seg>账本</seg></tuv></tu>'
    data = f'<tmx version="1.4"><header srclang="zh"/><body>{unit}</body></tmx>'.encode()
    document = read_bytes(data, "a.tmx")
    state = SegmentState("Ledger", Status.CONFIRMED)
    rendered = render(
        data, "tmx", {document.segments[0].id: state.target}, statuses={document.segments[0].id: state.status}
    )
    assert [segment.target for segment in read_bytes(rendered, "a.tmx").segments] == ["Ledger"]


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.srt", "a.html", "a.docx"])
def test_control_characters_in_a_translation_do_not_make_a_file_binary(name: str) -> None:
    data = {
        "a.docx": samples.paragraph("<w:r><w:t>账本。</w:t></w:r>"),
        "a.srt": "1\n00:00:01,000 --> 00:00:02,000\n账本。\n".encode(),
        "a.html": "<p>账本。</p>".encode(),
    }.get(name, "账本。\n".encode())
    document = read_bytes(data, name)
    target = "A\x00led\x01ger\x7f\ud800\uffff."
    rendered = render(data, document.format, {document.segments[0].id: target})
    assert [segment.source for segment in read_bytes(rendered, name).segments] == ["Aledger."]


def test_a_package_in_a_package_is_not_opened() -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as package:
        package.writestr("a.txt", "里面。")
    data = samples.repacked(samples.report(), {}, {"word/embeddings/inner.docx": inner.getvalue()})
    assert all("里面" not in segment.source for segment in read_bytes(data, "a.docx").segments)

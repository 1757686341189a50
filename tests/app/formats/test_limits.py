"""Too large files are refused early with a clear message; files near the limits are read."""

from __future__ import annotations

import functools
import io
import time
import tracemalloc
import zipfile
from pathlib import Path

import docx_samples as samples
import pytest
from growth import takes_less_than
from rendering import render

from anaphora.core.document import SourceDocument
from anaphora.formats.base.format import MAX_ATTRIBUTES, MAX_MARKUP, MAX_RUNS, MAX_TAGS, FormatError
from anaphora.formats.base.package import Package
from anaphora.formats.office.xlsx import MAX_CELLS
from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[2] / "golden"
XLIFF = (
    '<xliff version="1.2"><file><body><trans-unit id="1"><source>{}</source></trans-unit>'
    "</body></file></xliff>"
)
TMX = (
    '<tmx version="1.4"><header srclang="zh"/><body><tu><tuv xml:lang="zh"><seg>{}</seg></tuv></tu>'
    "</body></tmx>"
)
UNITS = {
    "a.tmx": (
        '<tmx version="1.4"><header srclang="zh"/><body>{}</body></tmx>',
        '<tu><tuv xml:lang="zh"><seg>一</seg></tuv></tu>',
    ),
    "a.xlf": (
        '<xliff version="1.2"><file><body>{}</body></file></xliff>',
        '<trans-unit id="1"><source>一</source></trans-unit>',
    ),
    "a.xliff": (
        '<xliff version="2.0"><file>{}</file></xliff>',
        '<unit id="1"><segment><source>一</source></segment></unit>',
    ),
}


@pytest.mark.parametrize(
    "fragment",
    [
        "&amp;",
        "&",
        "&#20013;",
        "<img alt='&amp;&amp;'>",
        "<br>",
        "<b></b>",
        "<p>字</p>",
        "<i>",
        "</i>",
        "<!---->",
    ],
)
@pytest.mark.slow
def test_floods_of_markup_are_refused_at_once(fragment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the limit, with which code that copies the rest of the page takes over a second."""
    monkeypatch.setattr("anaphora.formats.base.format.MAX_MARKUP", MAX_MARKUP // 5)
    monkeypatch.setattr("anaphora.formats.markup.blocks.MAX_MARKUP", MAX_MARKUP // 5)
    page = "<p>字" + fragment * (MAX_MARKUP // 5 + 1)
    begun = time.process_time()
    with pytest.raises(FormatError, match="more than"):
        read_bytes(page.encode(), "a.html")
    assert time.process_time() - begun < 1


@functools.cache
def _tag(attribute: str, times: int) -> str:
    """A tag with the given number of attributes."""
    return f"<x {' '.join(attribute.format(number) for number in range(times))}/>"


@pytest.mark.parametrize("name", ["a.html", "a.xhtml", "a.xlf", "a.tmx", "a.docx"])
@pytest.mark.parametrize("value", ['a{}="1"', 'a{}=">"', "a{}='\"'", 'a{}="=="'])
@pytest.mark.slow
def test_tag_with_too_many_attributes_is_refused(name: str, value: str) -> None:
    def built(times: int) -> bytes:
        tag = _tag(value, times)
        if name == "a.docx":
            return samples.repacked(samples.report(), {"word/document.xml": tag.encode()})
        page = {"a.xlf": XLIFF, "a.tmx": TMX}.get(name, "<p>字{}</p>").format("字" + tag)
        return (('<?xml version="1.0"?>' if name == "a.xhtml" else "") + page).encode()

    flood = built(300_000)
    tracemalloc.start()
    with pytest.raises(FormatError, match="attributes"):
        read_bytes(flood, name)
    assert tracemalloc.get_traced_memory()[1] < 50 * 2**20
    tracemalloc.stop()
    if name != "a.docx":
        assert read_bytes(built(MAX_ATTRIBUTES - 1), name).segments


def test_a_picture_of_megabytes_in_an_attribute_is_read() -> None:
    page = f'<p>字<img alt="图" src="data:image/png;base64,{"A" * 3_000_000}">字</p>'
    document = read_bytes(page.encode(), "a.html")
    assert [segment.source for segment in document.segments] == ["字{1/}字", "图"]
    rendered = render(document.data, "html", {document.segments[0].id: "a{1/}b"})
    assert len(rendered) == len(page.encode()) - 4 and rendered.startswith(b"<p>a<img")


@pytest.mark.parametrize(
    ("name", "page", "tag"),
    [
        ("a.xlf", XLIFF, '<x id="1"/>'),
        ("a.tmx", TMX, "<ph/>"),
        ("a.tmx", TMX, "<hi>字</hi>"),
        ("a.html", "<p>{}</p>", "<b>字</b>"),
    ],
)
@pytest.mark.slow
def test_segment_with_too_many_tags_is_refused(name: str, page: str, tag: str) -> None:
    with pytest.raises(FormatError, match="tags"):
        read_bytes(page.format("字" + tag * (MAX_TAGS + 1)).encode(), name)
    assert read_bytes(page.format("字" + tag * (MAX_TAGS // 10)).encode(), name).segments


@pytest.mark.slow
def test_too_many_runs_are_refused_at_once() -> None:
    data = samples.paragraph("<w:r><w:t>字</w:t></w:r>" * (MAX_RUNS + 1))
    begun = time.process_time()
    with pytest.raises(FormatError, match="tags and texts"):
        read_bytes(data, "a.docx")
    assert time.process_time() - begun < 3


@pytest.mark.slow
def test_run_with_many_line_breaks_takes_linear_time() -> None:
    def seconds(times: int) -> float:
        data = samples.paragraph("<w:r><w:t>字</w:t>" + "<w:br/><w:t>字</w:t>" * times + "</w:r>")
        begun = time.process_time()
        document = read_bytes(data, "a.docx")
        render(data, "docx", {segment.id: "x" for segment in document.segments})
        return time.process_time() - begun

    seconds(100)
    assert takes_less_than(14, lambda: seconds(400), lambda: seconds(3200))


@pytest.mark.slow
def test_cell_with_many_runs_takes_linear_time() -> None:
    """lxml empties a row in quadratic time as long as a run of it is referenced."""

    def seconds(times: int) -> float:
        runs = "<r><t>字</t></r>" * times
        data = _with_rows(f'<row><c r="A9" t="inlineStr"><is>{runs}</is></c></row>')
        begun = time.process_time()
        assert read_bytes(data, "a.xlsx").segments
        return time.process_time() - begun

    seconds(100)
    assert takes_less_than(14, lambda: seconds(8_000), lambda: seconds(64_000))


def test_run_with_too_many_properties_is_refused() -> None:
    def run(times: int) -> bytes:
        properties = '<w:x w:val="1"/>' * times
        return samples.paragraph(f"<w:r><w:rPr>{properties}</w:rPr><w:t>字</w:t></w:r>")

    assert read_bytes(run(MAX_ATTRIBUTES), "a.docx").segments
    with pytest.raises(FormatError, match="1000 attributes"):
        read_bytes(run(MAX_ATTRIBUTES + 1), "a.docx")


@pytest.mark.parametrize("fragment", ["<x/>", "<note>x</note>", "<tu/>"])
@pytest.mark.slow
def test_floods_of_elements_in_bilingual_files_are_refused_at_once(fragment: str) -> None:
    begun = time.process_time()
    for name, (page, _) in UNITS.items():
        with pytest.raises(FormatError, match="tags"):
            read_bytes(page.format(fragment * (2 * MAX_MARKUP + 1)).encode(), name)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("name", "page", "text"),
    [
        ("a.txt", "{}", "一\n"),
        ("a.txt", "{}", "一。"),
        ("a.html", "{}", "<p>一"),
        ("a.html", '<img alt="{}">', "一。"),
        ("a.srt", "{}", "1\n00:00:01,000 --> 00:00:02,000\n一\n\n"),
        ("a.po", 'msgid ""\nmsgstr ""\n\n{}', 'msgid "一"\nmsgstr ""\n\n'),
        *((name, *parts) for name, parts in UNITS.items()),
    ],
)
def test_document_with_too_many_sentences_is_refused(
    name: str, page: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anaphora.formats.base.format.MAX_SENTENCES", 500)
    assert len(read_bytes(page.format(text * 499).encode(), name).segments) >= 499
    with pytest.raises(FormatError, match="500 sentences"):
        read_bytes(page.format(text * 501).encode(), name)


def test_word_document_with_too_many_paragraphs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anaphora.formats.office.docx.MAX_PARAGRAPHS", 50)
    parts = samples.entries(samples.report())
    name = "word/document.xml"

    def read(paragraphs: str) -> SourceDocument:
        changed = parts[name].decode().replace("</w:body>", paragraphs + "</w:body>")
        return read_bytes(samples.repacked(samples.report(), {name: changed.encode()}), "a.docx")

    paragraph = "<w:p><w:r><w:t>字</w:t></w:r></w:p>"
    assert read("<w:p/>" * 200 + paragraph).segments
    with pytest.raises(FormatError, match="50 sentences"):
        read(paragraph * 51)


def test_row_with_more_cells_than_columns_is_refused() -> None:
    path = GOLDEN / "xlsx" / "project-plan.xlsx"
    sheet = "xl/worksheets/sheet1.xml"

    def read(cells: int) -> SourceDocument:
        row = "<row>" + '<c r="A9"><v>1</v></c>' * cells + "</row></sheetData>"
        content = samples.entries(path.read_bytes())[sheet].decode().replace("</sheetData>", row)
        return read_bytes(samples.repacked(path.read_bytes(), {sheet: content.encode()}), path.name)

    assert read(MAX_CELLS).segments
    with pytest.raises(FormatError, match="16384 cells"):
        read(MAX_CELLS + 1)


def test_text_too_long_for_xml_parser_is_reported_as_too_large() -> None:
    text = f"<w:r><w:t>{'字' * 3_500_000}</w:t></w:r>"
    parts = samples.entries(samples.report())
    changed = parts["word/document.xml"].decode().replace("</w:body>", f"<w:p>{text}</w:p></w:body>")
    data = samples.repacked(samples.report(), {"word/document.xml": changed.encode()})
    with pytest.raises(FormatError, match="too large"):
        read_bytes(data, "a.docx")


def _with_rows(rows: str) -> bytes:
    """A workbook with additional rows, stored without compression."""
    data = (GOLDEN / "xlsx" / "project-plan.xlsx").read_bytes()
    parts = samples.entries(data)
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b"</sheetData>", rows.encode() + b"</sheetData>")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return out.getvalue()


def test_too_many_formulas_are_refused_before_parsing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("anaphora.formats.office.xlsx.MAX_FORMULAS", 2000)
    row = '<row><c r="A9"><f>A1&amp;"字"</f><v>1</v></c></row>'
    assert read_bytes(_with_rows(row * 1500), "a.xlsx").segments
    begin = time.process_time()
    with pytest.raises(FormatError, match="2000 formulas"):
        read_bytes(_with_rows(row * 100_000), "a.xlsx")
    assert time.process_time() - begin < 1


def test_workbook_with_many_equal_rows_survives_round_trip() -> None:
    """With maximum compression, such rows look like a zip bomb."""
    sheet = "xl/worksheets/sheet1.xml"
    data = _with_rows('<row><c r="A9"><v>1</v></c></row>' * 530_000)
    package = Package(data)
    content = package.read(sheet)
    assert len(content) > 16 * 2**20
    again = Package(package.rewrite({sheet: content + b" "}))
    assert again.read(sheet) == content + b" "
    with zipfile.ZipFile(io.BytesIO(again.rewrite({}))) as file:
        assert file.testzip() is None


def test_message_with_too_many_lines_is_refused() -> None:
    """A million lines took more than 10 s, because each was appended to a growing text."""

    def catalogue(lines: int) -> bytes:
        head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        return (head + "msgid " + '"字"\n' * lines + 'msgstr ""\n').encode()

    with pytest.raises(FormatError, match="message in the file has more than 20000 lines"):
        read_bytes(catalogue(MAX_TAGS + 1), "a.po")
    assert len(read_bytes(catalogue(MAX_TAGS // 10), "a.po").segments) == 1


@pytest.mark.parametrize(
    ("name", "head", "line"),
    [
        ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n", "一句话。\n"),
        ("a.srt", "1\r\n00:00:01,000 --> 00:00:02,000\r\n", "一句话。\r\n"),
        ("a.ass", "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,", "\\N一句话。"),
    ],
)
def test_subtitle_with_too_many_lines_is_refused(name: str, head: str, line: str) -> None:
    """A million lines took more than 10 s."""
    with pytest.raises(FormatError, match="subtitle in the file has more than 20000 lines"):
        read_bytes((head + line * (MAX_TAGS + 2)).encode(), name)
    assert len(read_bytes((head + line * (MAX_TAGS // 10)).encode(), name).segments) == 1

"""Texts of workbooks and presentations outside cells and shapes are read, counted, and written back."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx_samples as samples
from rendering import render

from anaphora.core.document import SourceDocument
from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[3] / "golden"
PLAN = (GOLDEN / "xlsx" / "project-plan.xlsx").read_bytes()
CONF = (GOLDEN / "pptx" / "react-conf.pptx").read_bytes()
SHEET = "xl/worksheets/sheet1.xml"
VALIDATION = (
    '<dataValidations count="1"><dataValidation type="list" sqref="A1" promptTitle="填写" '
    'prompt="请选择一项。" '
    'errorTitle="错误" error="没有这一项。"><formula1>"是,否"</formula1></dataValidation></dataValidations>'
)
TIP = '<hyperlinks><hyperlink ref="A1" location="A2" tooltip="跳到下面"/></hyperlinks>'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def offered(data: bytes, name: str) -> SourceDocument:
    return read_bytes(data, name)


def translated(data: bytes, name: str, targets: dict[str, str]) -> dict[str, str]:
    document = offered(data, name)
    assert set(targets) <= {segment.source for segment in document.segments}
    wanted = {s.id: targets[s.source] for s in document.segments if s.source in targets}
    parts = samples.entries(render(data, document.format, wanted))
    return {name: part.decode() for name, part in parts.items() if name.endswith((".xml", ".rels"))}


def sheet(added: str, behind: str) -> bytes:
    """The sample workbook with additional XML in its first sheet."""
    content = samples.entries(PLAN)[SHEET].decode()
    assert behind in content
    return samples.repacked(PLAN, {SHEET: content.replace(behind, behind + added, 1).encode()})


def test_prompts_messages_and_tips_of_cells_are_translated_and_numbers_stay() -> None:
    data = sheet(VALIDATION + TIP, "</sheetData>")
    document = offered(data, "a.xlsx")
    assert any("contain text: 2" in note for note in document.notes)
    long = "word " * 60
    targets = {
        "请选择一项。": long,
        "没有这一项。": "No such item.",
        "跳到下面": "Down",
        "填写": "Entry",
        "错误": "Error",
    }
    written = translated(data, "a.xlsx", targets)[SHEET]
    assert f'prompt="{long[:255].strip()}"' in written.replace(' "', '"')
    assert 'error="No such item."' in written and 'tooltip="Down"' in written and "是,否" in written


def test_cells_and_prompts_of_a_sheet_are_written_together() -> None:
    row = '<row r="99"><c r="A99" t="inlineStr"><is><t>格里的字</t></is></c></row></sheetData>' + VALIDATION
    content = samples.entries(PLAN)[SHEET].decode().replace("</sheetData>", row, 1)
    data = samples.repacked(PLAN, {SHEET: content.encode()})
    written = translated(data, "a.xlsx", {"格里的字": "In the cell", "错误": "Error"})[SHEET]
    assert "<t>In the cell</t>" in written and 'errorTitle="Error"' in written


def with_diagram() -> bytes:
    """The sample workbook with a diagram (data and drawing) on its first sheet."""
    parts = samples.entries(PLAN)
    rels = "xl/worksheets/_rels/sheet1.xml.rels"
    link = (
        f'<Relationship Id="rX" Type="{OFFICE}/drawing" Target="../drawings/drawing9.xml"/></Relationships>'
    )
    start = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    sheet_links = parts[rels].decode() if rels in parts else f"{start}</Relationships>"
    added = {
        "xl/drawings/drawing9.xml": "<xdr:wsDr "
        f'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" {A}>'
        '<a:hlinkClick tooltip="去别处"/></xdr:wsDr>',
        "xl/drawings/_rels/drawing9.xml.rels": f'{start}<Relationship Id="r1" Type="{OFFICE}/diagramData" '
        'Target="../diagrams/data9.xml"/><Relationship Id="r2" Type="http://schemas.microsoft.com/office/2007/'
        'relationships/diagramDrawing" Target="../diagrams/drawing9.xml"/></Relationships>',
        "xl/diagrams/data9.xml": f"<d {A}><a:p><a:r><a:t>流程一</a:t></a:r></a:p></d>",
        "xl/diagrams/drawing9.xml": f"<d {A}><a:p><a:r><a:t>流程一</a:t></a:r></a:p></d>",
    }
    changed = {rels: sheet_links.replace("</Relationships>", link).encode()}
    return samples.repacked(PLAN, changed, {name: part.encode() for name, part in added.items()} | changed)


def test_diagrams_of_workbooks_and_tips_of_shapes_are_translated() -> None:
    parts = translated(with_diagram(), "a.xlsx", {"流程一": "Step 1", "去别处": "Elsewhere"})
    assert "Step 1" in parts["xl/diagrams/data9.xml"] and "Step 1" in parts["xl/diagrams/drawing9.xml"]
    assert 'tooltip="Elsewhere"' in parts["xl/drawings/drawing9.xml"]


def test_sections_tips_and_shapes_over_charts_of_presentations_are_translated() -> None:
    parts = samples.entries(CONF)
    main = parts["ppt/presentation.xml"].decode()
    sections = (
        '<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst '
        'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="第一节"/>'
        '<p14:section name="Default Section"/></p14:sectionLst></p:ext></p:extLst></p:presentation>'
    )
    slide = parts["ppt/slides/slide1.xml"].decode()
    run = (
        '<a:p><a:r><a:rPr><a:hlinkClick xmlns:r="r" tooltip="点这里"/></a:rPr><a:t>链接的字</a:t></a:r></a:p>'
        "</p:txBody>"
    )
    chart = next(name for name in parts if name.startswith("ppt/charts/chart") and name.endswith(".xml"))
    rels = chart.replace("charts/", "charts/_rels/") + ".rels"
    link = (
        f'<Relationship Id="rX" Type="{OFFICE}/chartUserShapes" Target="../drawings/over.xml"/>'
        "</Relationships>"
    )
    start = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    links = parts[rels].decode() if rels in parts else f"{start}</Relationships>"
    changed = {
        "ppt/presentation.xml": main.replace("</p:presentation>", sections).encode(),
        "ppt/slides/slide1.xml": slide.replace("</p:txBody>", run, 1).encode(),
        rels: links.replace("</Relationships>", link).encode(),
    }
    over = {"ppt/drawings/over.xml": f"<c {A}><a:p><a:r><a:t>标在图上</a:t></a:r></a:p></c>".encode()}
    data = samples.repacked(CONF, changed, {rels: changed[rels], **over})
    targets = {"第一节": "Part 1", "点这里": "Click", "标在图上": "Over it", "链接的字": "Linked"}
    written = translated(data, "a.pptx", targets)
    assert 'name="Part 1"' in written["ppt/presentation.xml"]
    assert 'name="Default Section"' in written["ppt/presentation.xml"]
    assert (
        'tooltip="Click"' in written["ppt/slides/slide1.xml"] and "Linked" in written["ppt/slides/slide1.xml"]
    )
    assert "Over it" in written["ppt/drawings/over.xml"]


def test_escaped_underscore_turns_escape_into_text() -> None:
    cell = '<c r="A99" t="inlineStr"><is><t>键_x005F_x000D_名_x005f_x4E2D_</t></is></c>'
    row = f'<row r="99">{cell}</row></sheetData>'
    content = samples.entries(PLAN)[SHEET].decode().replace("</sheetData>", row, 1)
    document = read_bytes(samples.repacked(PLAN, {SHEET: content.encode()}), "a.xlsx")
    (segment,) = [each for each in document.segments if "键" in each.source]
    assert segment.source == "键_x000D_名_x4E2D_"
    sheet = samples.entries(render(document.data, "xlsx", {segment.id: "Key _x000D_"}))[SHEET].decode()
    assert "<t>Key _x005F_x000D_</t>" in sheet


def test_damaged_part_without_texts_does_not_block_workbook() -> None:
    part, types = "xl/tables/table9.xml", samples.entries(PLAN)["[Content_Types].xml"]
    content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"
    named = types.replace(
        b"</Types>", f'<Override PartName="/{part}" ContentType="{content_type}"/></Types>'.encode()
    )
    out = io.BytesIO(samples.repacked(PLAN, {"[Content_Types].xml": named}))
    with zipfile.ZipFile(out, "a") as package:
        package.writestr(part, b"<table broken")
    texts = [segment.source for segment in read_bytes(out.getvalue(), "a.xlsx").segments]
    assert texts == [segment.source for segment in read_bytes(PLAN, "a.xlsx").segments]

"""Texts of a Word document outside its body are read, counted independently, and written back."""

from __future__ import annotations

import docx_samples as samples
import pytest
from docx_samples import TEXT, offered, translated

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
NUMBERED = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr></w:pPr>' + TEXT.format("概述")
NUMBERING = (
    f'<w:numbering {W}><w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0">'
    '<w:lvlText w:val="第%1章"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="4">'
    '<w:lvl w:ilvl="0"><w:lvlText w:val="附录%1"/></w:lvl></w:abstractNum><w:num w:numId="7">'
    '<w:abstractNumId w:val="3"/></w:num><w:num w:numId="8"><w:abstractNumId w:val="4"/></w:num>'
    "</w:numbering>"
)
CHART = (
    '<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" '
    f'{A}><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="2"><cx:pt idx="0">北方</cx:pt>'
    '<cx:pt idx="1">南方</cx:pt></cx:lvl></cx:strDim><cx:numDim><cx:lvl><cx:pt idx="0">3</cx:pt></cx:lvl>'
    "</cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>销量图</cx:v></cx:txData>"
    "</cx:tx></cx:title></cx:chart></cx:chartSpace>"
)
DRAWN_OVER = (
    f'<c:userShapes xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" {A}><a:p><a:r>'
    "<a:t>标在图上</a:t></a:r></a:p></c:userShapes>"
)
PARTS = {
    "numbering": ("word/numbering.xml", f"{OFFICE}/relationships/numbering", "wordprocessingml.numbering"),
    "chart": ("word/charts/chartEx1.xml", "", "ms-office.chartex"),
    "shapes": ("word/drawings/drawing1.xml", "", "drawingml.chartshapes"),
}


def with_part(data: bytes, kind: str, content: str) -> bytes:
    """A document with one part replaced."""
    name, relation, content_type = PARTS[kind]
    parts = samples.entries(data)
    changed = {name: content.encode()}
    if name not in parts:
        override = f'<Override PartName="/{name}" ContentType="application/vnd.{content_type}+xml"/></Types>'
        types = parts["[Content_Types].xml"].decode()
        changed["[Content_Types].xml"] = types.replace("</Types>", override).encode()
    folder = "" if name.startswith("docProps") else "word/"
    rels = f"{folder}_rels/document.xml.rels" if folder else "_rels/.rels"
    if relation and relation not in parts[rels].decode():
        target = name.removeprefix(folder)
        link = f'<Relationship Id="rX{kind}" Type="{relation}" Target="{target}"/></Relationships>'
        changed[rels] = parts[rels].decode().replace("</Relationships>", link).encode()
    return samples.repacked(data, changed, {name: content.encode()})


@pytest.mark.parametrize(
    ("inner", "source"),
    [
        (f'<w:hyperlink w:tooltip="去看说明">{TEXT.format("这里")}</w:hyperlink>', "去看说明"),
        (f'<w:r><w:drawing><a:hlinkClick {A} tooltip="看图"/></w:drawing></w:r>', "看图"),
        (
            '<w:sdt><w:sdtPr><w:alias w:val="客户姓名"/></w:sdtPr><w:sdtContent>'
            + TEXT.format("张三")
            + "</w:sdtContent></w:sdt>",
            "客户姓名",
        ),
    ],
)
def test_only_tips_and_titles_are_translated(inner: str, source: str) -> None:
    data = samples.paragraph(TEXT.format("前面。") + inner)
    before = samples.entries(data)["word/document.xml"].decode()
    parts = translated(data, {source: 'A "tip" & \\more'})
    assert parts["word/document.xml"] == before.replace(source, "A &quot;tip&quot; &amp; \\more")


def test_labels_of_lists_that_are_in_use_are_translated() -> None:
    data = with_part(samples.paragraph(NUMBERED), "numbering", NUMBERING)
    assert [s.source for s in offered(data).segments] == ["概述", "第{1/}章"]
    numbering = translated(data, {"第{1/}章": "Chapter {1/}"})["word/numbering.xml"]
    assert '<w:lvlText w:val="Chapter %1"/>' in numbering and "附录%1" in numbering
    assert '"At 50% 1 of %1"' in translated(data, {"第{1/}章": "At 50%1 of {1/}"})["word/numbering.xml"]


def test_newer_charts_and_shapes_over_charts_are_offered() -> None:
    data = with_part(samples.paragraph(TEXT.format("正文。")), "chart", CHART)
    data = with_part(data, "shapes", DRAWN_OVER)
    assert [s.source for s in offered(data).segments] == ["正文。", "北方", "南方", "销量图", "标在图上"]
    parts = translated(data, {"北方": "North", "销量图": "Sales", "标在图上": "Over it"})
    assert ">North</cx:pt>" in parts["word/charts/chartEx1.xml"]
    assert ">Over it</a:t>" in parts["word/drawings/drawing1.xml"]

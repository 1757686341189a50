"""PowerPoint presentations: all texts of slides, in order."""

from __future__ import annotations

import re
from pathlib import Path

import docx_samples as samples
from rendering import render

from anaphora.core.structure import Structure, structure_of
from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[3] / "golden"
CONF = (GOLDEN / "pptx" / "react-conf.pptx").read_bytes()
COURSE = (GOLDEN / "xlsx" / "course.xlsx").read_bytes()
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'


def translate(data: bytes, targets: dict[str, str]) -> dict[str, str]:
    document = read_bytes(data, "a.pptx")
    assert set(targets) <= {segment.source for segment in document.segments}
    ids = {s.id: targets[s.source] for s in document.segments if s.source in targets}
    found = samples.entries(render(data, "pptx", ids))
    return {name: part.decode() for name, part in found.items() if name.endswith(".xml")}


def slide(paragraphs: str) -> bytes:
    """The presentation with other paragraphs on its first slide."""
    shape = f"<p:sp><p:txBody><a:bodyPr/>{paragraphs}</p:txBody></p:sp>"
    content = f"<p:sld {A} {P}><p:cSld><p:spTree>{shape}</p:spTree></p:cSld></p:sld>"
    return samples.repacked(CONF, {"ppt/slides/slide1.xml": content.encode()})


def test_slides_come_in_the_order_of_the_presentation() -> None:
    document = read_bytes(CONF, "a.pptx")
    notes = {segment.source: segment.notes[0].text for segment in document.segments}
    assert notes["React Conf 2021 回顾"] == "Slide 1"
    assert notes["表格与图表"] == "Slide 2"  # its file is slide3.xml
    assert notes["以下是大会分享内容的摘要："] == "Slide 3"
    assert notes["观看统计"] == "Slide 2, chart"
    assert notes["会议现场的照片"] == "Slide 2: Alternative text of a picture"
    assert (
        notes["应用程序可以升级到 React 18 并开始逐步采用并发功能，其工作量与任何其他主要版本相当。"]
        == "Slide 3, notes"
    )
    texts = [segment.source for segment in document.segments]
    assert texts.count("第一季度") == 1 and "组合图形中的文字" in texts


def test_chart_words_change_in_every_series() -> None:
    chart = next(part for name, part in translate(CONF, {"第一季度": "Q1"}).items() if "charts/chart" in name)
    assert chart.count("<c:v>Q1</c:v>") == 2 and "第一季度" not in chart


def test_runs_keep_style_and_edge_elements() -> None:
    data = slide(
        "<a:p><a:pPr lvl='1'/><a:r><a:rPr lang='zh-CN' dirty='0'/><a:t>缓存</a:t></a:r>"
        "<a:r><a:rPr lang='en-US'/><a:t>是</a:t></a:r><a:r><a:rPr b='1'/><a:t>关键</a:t></a:r>"
        "<a:r><a:t>部分。</a:t></a:r><a:br/><a:fld id='x' type='slidenum'><a:t>3</a:t></a:fld>"
        "<a:r><a:t>页面文字</a:t></a:r><a:endParaRPr lang='zh-CN'/></a:p>"
    )
    texts = [segment.source for segment in read_bytes(data, "a.pptx").segments]
    assert texts[:2] == ["缓存是{1}关键{/1}部分。", "{1/}页面文字"]
    targets = {texts[0]: "The cache is {1}key{/1}.", texts[1]: "Page {1/}\nmore"}
    paragraph = re.search(r"<a:p>.*</a:p>", translate(data, targets)["ppt/slides/slide1.xml"])
    assert paragraph is not None
    assert re.findall(r"<a:t>(.*?)</a:t>", paragraph.group()) == [
        "The cache is ",
        "key",
        ".",
        "Page ",
        "3",
        "more",
    ]
    assert paragraph.group().startswith('<a:p><a:pPr lvl="1"/>')
    assert paragraph.group().endswith('<a:endParaRPr lang="zh-CN"/></a:p>')
    assert paragraph.group().count("<a:br") == 2 and '<a:rPr b="1"/><a:t>key' in paragraph.group()


def test_a_diagrams_drawing_follows_its_data() -> None:
    data = slide("<a:p><a:r><a:t>图</a:t></a:r></a:p>")
    relations = samples.entries(data)["ppt/slides/_rels/slide1.xml.rels"].decode()
    added = "".join(
        f'<Relationship Id="rIdX{number}" Type="http://x/{kind}" Target="../diagrams/{name}1.xml"/>'
        for number, (kind, name) in enumerate((("diagramData", "data"), ("diagramDrawing", "drawing")))
    )
    words = f"<x {A}><a:p><a:r><a:t>流程</a:t></a:r></a:p><a:p><a:r><a:t>步骤</a:t></a:r></a:p></x>"
    data = samples.repacked(
        data,
        {"ppt/slides/_rels/slide1.xml.rels": relations.replace("</Rel", added + "</Rel").encode()},
        {"ppt/diagrams/data1.xml": words.encode(), "ppt/diagrams/drawing1.xml": words.encode()},
    )
    texts = [segment.source for segment in read_bytes(data, "a.pptx").segments]
    assert texts.count("流程") == 1
    parts = translate(data, {"流程": "Process"})
    for name in ("data", "drawing"):
        assert re.findall(r"<a:t>(.*?)</a:t>", parts[f"ppt/diagrams/{name}1.xml"]) == ["Process", "步骤"]


def test_only_visible_texts_of_layouts_are_read() -> None:
    layouts = samples.entries(CONF)
    relations = layouts["ppt/slides/_rels/slide1.xml.rels"].decode()
    found = re.search(r"slideLayouts/(slideLayout\d+\.xml)", relations)
    assert found is not None
    name = f"ppt/slideLayouts/{found[1]}"
    body = "<p:txBody><a:p><a:r><a:t>公司标语</a:t></a:r></a:p></p:txBody>"
    shape = f"<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr>{body}</p:sp>"
    changed = layouts[name].decode().replace("</p:spTree>", shape + "</p:spTree>")
    texts = [
        segment.source
        for segment in read_bytes(samples.repacked(CONF, {name: changed.encode()}), "a.pptx").segments
    ]
    assert "公司标语" in texts and not any("Click to edit" in text for text in texts)


def test_nested_paragraph_is_counted_but_not_translated() -> None:
    """The translation of the outer paragraph would replace it."""
    path = Path(__file__).parents[3] / "golden" / "pptx" / "react-conf.pptx"
    name = "ppt/slides/slide1.xml"
    inner = "<a:p><a:r><a:t>夹带文字</a:t></a:r></a:p>"
    slide = samples.entries(path.read_bytes())[name].decode()
    changed = slide.replace("</a:t></a:r>", f"</a:t>{inner}</a:r>", 1).encode()
    document = read_bytes(samples.repacked(path.read_bytes(), {name: changed}), path.name)
    assert not any("夹带文字" in segment.source for segment in document.segments)


def test_titles_items_and_cells_of_slides_are_recognised() -> None:
    def shape(placeholder: str, *paragraphs: str) -> str:
        kind = f"<p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>"
        return f"<p:sp>{kind}<p:txBody><a:bodyPr/>{''.join(paragraphs)}</p:txBody></p:sp>"

    def paragraph(text: str, properties: str = "") -> str:
        return f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"

    cell = f"<a:tc><a:txBody><a:bodyPr/>{paragraph('格')}</a:txBody></a:tc>"
    shapes = (
        shape('<p:ph type="ctrTitle"/>', paragraph("标题")),
        shape('<p:ph type="subTitle" idx="1"/>', paragraph("副标题")),
        shape('<p:ph idx="1"/>', paragraph("一层"), paragraph("二层", '<a:pPr lvl="1"/>')),
        shape('<p:ph idx="1"/>', paragraph("无点", "<a:pPr><a:buNone/></a:pPr>")),
        shape("", paragraph("文字框"), paragraph("有点", '<a:pPr><a:buChar char="•"/></a:pPr>')),
        f"<p:graphicFrame><a:graphic><a:tbl><a:tr>{cell}</a:tr></a:tbl></a:graphic></p:graphicFrame>",
    )
    content = f"<p:sld {A} {P}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:sld>"
    data = samples.repacked(CONF, {"ppt/slides/slide1.xml": content.encode()})
    found = {s.source: structure_of(s) for s in read_bytes(data, "a.pptx").segments}
    wanted = {
        "标题": (Structure.HEADING, 1), "副标题": (Structure.HEADING, 2), "一层": (Structure.LIST_ITEM, 1),
        "二层": (Structure.LIST_ITEM, 2), "无点": (Structure.PARAGRAPH, 0),
        "文字框": (Structure.PARAGRAPH, 0), "有点": (Structure.LIST_ITEM, 1), "格": (Structure.CELL, 0),
    }  # fmt: skip
    assert {text: (found[text].kind, found[text].level) for text in wanted} == wanted


def test_escaped_line_breaks_of_slides_are_breaks() -> None:
    data = slide("<a:p><a:r><a:t>第一行_x000B_第二行_x000D_</a:t></a:r></a:p>")
    parts = translate(data, {"第一行": "One _x0041_", "第二行": "Two"})
    assert "<a:t>One _x005F_x0041__x000B_Two_x000D_</a:t>" in parts["ppt/slides/slide1.xml"]


def test_hidden_slides_are_marked() -> None:
    entries = samples.entries(CONF)
    shown = entries["ppt/slides/slide1.xml"].decode()
    hidden = re.sub(r"<p:sld ", '<p:sld show="0" ', shown, count=1)
    assert hidden != shown
    document = read_bytes(samples.repacked(CONF, {"ppt/slides/slide1.xml": hidden.encode()}), "a.pptx")
    places = {segment.source: segment.notes[0].text for segment in document.segments}
    assert places["React Conf 2021 回顾"] == "Slide 1, hidden" and places["表格与图表"] == "Slide 2"


def test_words_in_formulas_of_slides_are_counted() -> None:
    spaces = (
        'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    )
    formula = f"<a14:m {spaces}><m:oMath><m:r><m:t>其中</m:t></m:r></m:oMath></a14:m>"
    data = slide(f"<a:p><a:r><a:t>公式</a:t></a:r>{formula}</a:p>")
    assert "Formulas are not translated: 1." in read_bytes(data, "a.pptx").notes


def test_superscript_is_never_the_base_style() -> None:
    raised = '<a:r><a:rPr baseline="30000"/><a:t>[1][2][3-15]</a:t></a:r>'
    data = slide(f"<a:p><a:r><a:t>见上文</a:t></a:r>{raised}<a:r><a:t>。</a:t></a:r></a:p>")
    assert read_bytes(data, "a.pptx").segments[0].source == "见上文{1}[1][2][3-15]{/1}。"
    cell = (
        '<row r="900"><c r="A900" t="inlineStr"><is><r><t>见上文</t></r><r><rPr>'
        '<vertAlign val="superscript"/></rPr><t>[1][2][3-15]</t></r></is></c></row>'
    )
    sheet = samples.entries(COURSE)["xl/worksheets/sheet1.xml"].decode()
    changed = sheet.replace("</sheetData>", f"{cell}</sheetData>").encode()
    found = read_bytes(samples.repacked(COURSE, {"xl/worksheets/sheet1.xml": changed}), "a.xlsx").segments
    assert "见上文{1}[1][2][3-15]{/1}" in [segment.source for segment in found]

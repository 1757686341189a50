"""Word documents: everything with text is found, and nothing else changes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx_samples as samples
import pytest
from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from rendering import render

from anaphora.core.notes import HIDDEN, Note, NoteKind
from anaphora.core.structure import Structure, structure_of
from anaphora.formats.registry import read_bytes


def sources(data: bytes) -> list[str]:
    return [segment.source for segment in read_bytes(data, "a.docx").segments]


def translate(data: bytes, targets: dict[str, str]) -> bytes:
    document = read_bytes(data, "a.docx")
    assert set(targets) <= {segment.source for segment in document.segments}
    return render(data, "docx", {s.id: targets[s.source] for s in document.segments if s.source in targets})


def body(data: bytes) -> str:
    return samples.entries(data)["word/document.xml"].decode()


def test_report_is_split_into_expected_segments() -> None:
    document = read_bytes(samples.report(), "a.docx")
    assert [segment.source for segment in document.segments] == [
        "系统设计",
        "缓存是{1}关键{/1}部分。",
        "它保存{1}最近{/1}的词。",
        "整句都是粗体。",
        "第一行",
        "第二行",
        "名称",
        "单元格里有一句。",
        "还有一句。",
        "页眉文字",
        "页脚{1/}文字",
    ]
    assert dict(document.segments[1].tags) == {"{1}": "bold"}
    assert dict(document.segments[10].tags) == {"{1/}": "tab"}


def test_runs_keep_their_style() -> None:
    result = translate(
        samples.report(),
        {
            "缓存是{1}关键{/1}部分。": "The cache is {1}key{/1}.",
            "它保存{1}最近{/1}的词。": "{1}Recent{/1} words stay.",
            "整句都是粗体。": "All bold.",
        },
    )
    paragraph = Document(io.BytesIO(result)).paragraphs[1]
    assert paragraph.text == "The cache is key. Recent words stay. All bold."
    looks = [(run.text, run.bold, run.italic) for run in paragraph.runs if run.text.strip()]
    assert looks == [
        ("The cache is ", None, None),
        ("key", True, None),
        (".", None, None),
        ("Recent", None, True),
        (" words stay.", None, None),
        ("All bold.", True, None),
    ]


def test_tables_headers_and_footers_are_translated() -> None:
    result = translate(
        samples.report(),
        {
            "单元格里有一句。": "A sentence.",
            "还有一句。": "Another.",
            "页眉文字": "Header",
            "页脚{1/}文字": "Foot{1/}er",
        },
    )
    document = Document(io.BytesIO(result))
    assert document.tables[0].cell(1, 1).text == "A sentence. Another."
    assert document.tables[0].cell(0, 1).text == "2024"
    assert document.sections[0].header.paragraphs[0].text == "Header"
    assert document.sections[0].footer.paragraphs[0].text == "Foot\ter"


def test_unchanged_parts_keep_their_bytes() -> None:
    data = samples.report()
    result = translate(data, {"页眉文字": "Header"})
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(io.BytesIO(result)) as after:
        assert after.testzip() is None
        assert before.namelist() == after.namelist()
        changed = [name for name in before.namelist() if before.read(name) != after.read(name)]
        assert changed == ["word/header1.xml"]
        for old, new in zip(before.infolist(), after.infolist(), strict=True):
            if old.filename not in changed:
                old_end = old.header_offset + 30 + len(old.filename.encode()) + old.compress_size
                new_end = new.header_offset + 30 + len(new.filename.encode()) + new.compress_size
                assert data[old.header_offset : old_end] == result[new.header_offset : new_end]


def test_line_breaks_end_sentences_and_stay() -> None:
    result = translate(samples.report(), {"第一行": "Line one", "第二行": "Line two"})
    assert Document(io.BytesIO(result)).paragraphs[2].text == "Line one\nLine two"


def test_footnotes_are_translated_and_their_marks_stay() -> None:
    data = samples.with_footnote()
    document = read_bytes(data, "a.docx")
    assert [segment.source for segment in document.segments] == ["正文有注{1/}释。", "脚注的文字。"]
    assert dict(document.segments[0].tags) == {"{1/}": "footnote"}
    lost = translate(data, {"正文有注{1/}释。": "The tag was lost.", "脚注的文字。": "A note."})
    assert body(lost).count('<w:footnoteReference w:id="2"/>') == 1
    notes = samples.entries(lost)["word/footnotes.xml"].decode()
    assert "A note." in notes and "<w:footnoteRef/>" in notes and "<w:separator/>" in notes
    doubled = translate(data, {"正文有注{1/}释。": "One{1/} two{1/}."})
    assert body(doubled).count("<w:footnoteReference") == 1


def test_both_forms_of_text_boxes_are_translated() -> None:
    data = samples.paragraph(f"<w:r><w:t>外面</w:t></w:r>{samples.TEXT_BOX}<w:r><w:t>文字</w:t></w:r>")
    assert sources(data) == ["外面{1/}文字", "框中文字。"]
    inner = body(translate(data, {"框中文字。": "In the box."}))
    assert inner.count("In the box.") == 2 and "框中" not in inner and "外面" in inner
    both = body(translate(data, {"框中文字。": "In the box.", "外面{1/}文字": "Text {1/}outside"}))
    assert both.count("In the box.") == 2 and both.index("Text ") < both.index("In the box.")
    outer = body(translate(data, {"外面{1/}文字": "Text {1/}outside"}))
    assert outer.count("框中文字。") == 2


def test_links_are_pairs_and_keep_their_targets() -> None:
    data = samples.paragraph(
        '<w:r><w:t>见</w:t></w:r><w:hyperlink r:id="rId9"><w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr>'
        "<w:t>文档</w:t></w:r></w:hyperlink><w:r><w:t>第一节。</w:t></w:r>"
    )
    assert sources(data) == ["见{1}文档{/1}第一节。"]
    result = body(translate(data, {"见{1}文档{/1}第一节。": "See section one of {1}the document{/1}."}))
    link = result[result.index("<w:hyperlink") : result.index("</w:hyperlink>")]
    assert 'r:id="rId9"' in link and "the document" in link and 'w:val="Hyperlink"' in link
    dropped = body(translate(data, {"见{1}文档{/1}第一节。": "See it."}))
    assert "<w:hyperlink" not in dropped and "See it." in dropped


def test_page_numbers_are_standalone_tags_and_links_are_pairs() -> None:
    page = samples.field("PAGE", "3")
    link = samples.field('HYPERLINK "http://a.example"', "网站")
    data = samples.paragraph(f"<w:r><w:t>第</w:t></w:r>{page}<w:r><w:t>页，见</w:t></w:r>{link}")
    assert sources(data) == ["第{1/}页，见{2}网站{/2}"]
    result = body(translate(data, {"第{1/}页，见{2}网站{/2}": "See {2}the site{/2}, page {1/}"}))
    assert result.count("fldCharType") == 6
    assert result.index("HYPERLINK") < result.index("the site") < result.index(" PAGE ")


def test_field_across_paragraphs_includes_no_other_text() -> None:
    data = samples.paragraph(samples.FIELD.format(code="TOC", result="目录项"))
    assert sources(data) == ["目录项"]
    result = body(translate(data, {"目录项": "Entry"}))
    assert result.index("TOC") < result.index('"separate"') < result.index("Entry")


def test_bookmarks_are_invisible_and_survive() -> None:
    data = samples.paragraph(
        '<w:r><w:t>书</w:t></w:r><w:bookmarkStart w:id="7" w:name="m"/><w:r><w:t>签在</w:t></w:r>'
        '<w:bookmarkEnd w:id="7"/><w:proofErr w:type="spellStart"/><w:r><w:t>这里</w:t></w:r>'
    )
    assert sources(data) == ["书签在这里"]
    result = body(translate(data, {"书签在这里": "A bookmark"}))
    assert result.index("bookmarkStart") < result.index("A bookmark") < result.index("bookmarkEnd")


def test_runs_with_equal_style_are_one_text() -> None:
    data = samples.paragraph(
        '<w:r><w:rPr><w:rFonts w:hint="eastAsia"/><w:lang w:eastAsia="zh-CN"/></w:rPr><w:t>安装</w:t></w:r>'
        '<w:r><w:rPr><w:lang w:val="en-US"/></w:rPr><w:t>Linux</w:t></w:r><w:r><w:t>系统</w:t></w:r>'
    )
    assert sources(data) == ["安装Linux系统"]
    assert 'w:hint="eastAsia"' not in body(translate(data, {"安装Linux系统": "Install “Linux”"}))


def test_literal_tags_survive() -> None:
    data = samples.paragraph("<w:r><w:t>写着{1}的</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>字</w:t></w:r>")
    assert sources(data) == ["写着{1}的{2}字{/2}"]
    result = translate(data, {"写着{1}的{2}字{/2}": "{2}Words{/2} saying {1}"})
    assert Document(io.BytesIO(result)).paragraphs[0].text == "Words saying {1}"


def test_characters_not_allowed_in_xml_are_left_out() -> None:
    data = samples.paragraph("<w:r><w:t>文字</w:t></w:r>")
    result = translate(data, {"文字": "a\x00b\x0bc\ud800d\tTab\nLine <&>"})
    assert Document(io.BytesIO(result)).paragraphs[0].text == "ab\ncd\tTab\nLine <&>"


@pytest.mark.parametrize("target", ["{/1}x{1}", "{1}x", "x{/1}", "{1}{1}x{/1}{/1}", "{2}x{/2}"])
def test_wrong_tags_never_break_the_document(target: str) -> None:
    result = translate(samples.report(), {"缓存是{1}关键{/1}部分。": target})
    assert "x" in Document(io.BytesIO(result)).paragraphs[1].text


WIZARD = (Path(__file__).parents[3] / "golden" / "docx" / "project-wizard.docx").read_bytes()


def test_comments_controls_and_pictures_are_translated_deleted_text_and_fields_are_not() -> None:
    document = read_bytes(WIZARD, "a.docx")
    notes = {segment.source: segment.notes for segment in document.segments}
    assert notes["安装向导的截图"] == (Note(NoteKind.PLACE, "Alternative text of a picture"),)
    assert notes["截图"] == (Note(NoteKind.PLACE, "Title of a picture"),)
    assert notes["安装手册"] == (Note(NoteKind.PLACE, "Header"),)
    assert (Note(NoteKind.PLACE, "Comment"),) in notes.values()
    assert (
        "不仅可以测试环境是否安装成功，对新用户也提供了一个MindSpore的入门介绍。" in notes
    )  # a content control
    assert "已经安装过conda的可以跳过此步骤。" in notes  # a table in a table's cell
    text = "".join(notes)
    assert "已删除" not in text and "PAGEREF" not in text and "HYPERLINK" not in text
    targets = {
        segment.id: "Target" for segment in document.segments if segment.source in ("安装向导的截图", "截图")
    }
    result = body(render(WIZARD, "docx", targets))
    assert 'descr="Target"' in result and 'title="Target"' in result and "已删除的文字" in result


def test_charts_and_diagrams_in_a_document() -> None:
    space = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    words = f"<x {space}><a:p><a:r><a:t>流程</a:t></a:r></a:p></x>".encode()
    parts = {"word/charts/chart1.xml": "chart", "word/diagrams/data1.xml": "diagramData"}
    office = "application/vnd.openxmlformats-officedocument"
    drawn = "application/vnd.ms-office.drawingml.diagramDrawing+xml"
    overrides = (
        "".join(
            f'<Override PartName="/{name}" ContentType="{office}.drawingml.{kind}+xml"/>'
            for name, kind in parts.items()
        )
        + f'<Override PartName="/word/diagrams/drawing1.xml" ContentType="{drawn}"/></Types>'
    )
    data = samples.report()
    types = samples.entries(data)["[Content_Types].xml"].decode().replace("</Types>", overrides)
    added = dict.fromkeys((*parts, "word/diagrams/drawing1.xml"), words)
    data = samples.repacked(data, {"[Content_Types].xml": types.encode()}, added)
    assert sources(data).count("流程") == 2
    result = samples.entries(translate(data, {"流程": "Process"}))
    assert all(b"<a:t>Process</a:t>" in result[name] for name in added)


def test_headings_and_items_are_recognised_by_their_styles() -> None:
    document = Document()
    document.styles.add_style("Own list", WD_STYLE_TYPE.PARAGRAPH).base_style = document.styles["List Number"]
    outlined = document.styles.add_style("Part", WD_STYLE_TYPE.PARAGRAPH)
    outlined.base_style = document.styles["List Bullet"]
    outlined.element.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {samples.NAMESPACES} w:val="1"/>'))
    styles = (
        "List Bullet", "List Bullet 2", "List Number", "Own list", "Part", "Normal", "List Continue", "Title",
        "Subtitle",
    )  # fmt: skip
    for style in styles:
        document.add_paragraph("项目。", style=style)
    plain = document.add_paragraph("不是项目。", style="List Bullet")
    none = f'<w:numPr {samples.NAMESPACES}><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>'
    plain._p.get_or_add_pPr().append(parse_xml(none))
    document.add_table(1, 1).cell(0, 0).paragraphs[0].style = "List Bullet"
    document.tables[0].cell(0, 0).paragraphs[0].text = "格中。"
    out = io.BytesIO()
    document.save(out)
    found = [structure_of(each) for each in read_bytes(out.getvalue(), "a.docx").segments]
    item, plain_text = Structure.LIST_ITEM, Structure.PARAGRAPH
    assert [(each.kind, each.level) for each in found] == [
        (item, 1), (item, 1), (item, 1), (item, 1), (Structure.HEADING, 2), (plain_text, 0), (plain_text, 0),
        (Structure.HEADING, 1), (Structure.HEADING, 2), (plain_text, 0), (item, 1),
    ]  # fmt: skip


LOOKS = (Path(__file__).parents[3] / "golden" / "fields" / "looks.docx").read_bytes()


def test_hidden_and_raised_text_is_never_the_base_style() -> None:
    document = read_bytes(LOOKS, "looks.docx")
    found = {segment.source: segment for segment in document.segments}
    hidden, hint = found["可见{1}隐藏内部注释{/1}文字。"], found["{1}双行{/1}合一"]
    assert (hidden.tags, hint.tags) == ((("{1}", "hidden"),), (("{1}", "combined characters"),))
    assert found["Na{1}+{/1}浓度见图{2}34.1{/2}所示"].tags[0] == ("{1}", "superscript")
    assert found["整段隐藏"].notes == (Note(NoteKind.PLACE, "Hidden text"),)
    targets = {hidden.id: "All that{1} note{/1} is seen.", hint.id: "{1}two{/1} in one"}
    written = Document(io.BytesIO(render(LOOKS, "docx", targets)))
    runs = {run.text: run for paragraph in written.paragraphs for run in paragraph.runs}
    assert [bool(runs[text].font.hidden) for text in ("All that", " note", " is seen.")] == [
        False,
        True,
        False,
    ]
    layout = f".//{qn('w:eastAsianLayout')}"
    combined = [runs[text]._r.find(layout) is not None for text in ("two", " in one")]
    assert combined == [True, False]


def test_a_hidden_sentence_beside_others_is_marked_as_hidden() -> None:
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>给编辑的话。</w:t></w:r>"
    segments = samples.offered(samples.paragraph(hidden + samples.TEXT.format("正文。"))).segments
    assert [(each.source, each.notes) for each in segments] == [("给编辑的话。", (HIDDEN,)), ("正文。", ())]


def test_a_new_text_is_proofread() -> None:
    data = samples.paragraph("<w:r><w:rPr><w:b/><w:noProof/></w:rPr><w:t>甲</w:t></w:r>")
    part = samples.translated(data, {"甲": "A"})["word/document.xml"]
    assert "<w:b/>" in part and "noProof" not in part

"""All visible text of Word is translated, counted independently, and stays translated."""

from __future__ import annotations

import re

import docx_samples as samples
import pytest
from docx_samples import TEXT, offered, translated
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.registry import read_bytes

RUBY = (
    '<w:r><w:rPr><w:b/></w:rPr><w:ruby><w:rubyPr><w:lid w:val="zh-CN"/></w:rubyPr><w:rt>'
    "<w:r><w:t>hàn</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>汉</w:t></w:r></w:rubyBase></w:ruby></w:r>"
    "<w:r><w:ruby><w:rt><w:r><w:t>zì</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>字</w:t></w:r></w:rubyBase>"
    "</w:ruby></w:r>"
)
WATERMARK = '<w:r><w:pict><v:shape id="a"><v:textpath string="机密"/></v:shape></w:pict></w:r>'
LIST = (
    '<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="苹果" w:value="1"/>'
    '<w:listItem w:displayText="香蕉" w:value="2"/>'
    "</w:dropDownList></w:sdtPr><w:sdtContent><w:r><w:t>苹果</w:t></w:r></w:sdtContent></w:sdt>"
)
FORM = (
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="f"/>'
    '<w:helpText w:type="text" w:val="填写帮助"/>'
    '<w:ddList><w:listEntry w:val="北京"/><w:listEntry w:val="上海"/></w:ddList></w:ffData></w:fldChar></w:r>'
    "<w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r>" + samples.FIELD_END
)
STORE = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}"
CORE = (
    "<w:dataBinding w:prefixMappings=\"xmlns:ns0='http://purl.org/dc/elements/1.1/' "
    "xmlns:ns1='http://schemas.openxmlformats.org/package/2006/metadata/core-properties'\" "
    f'w:xpath="/ns1:coreProperties[1]/ns0:title[1]" w:storeItemID="{STORE}"/>'
)


def control(binding: str, kind: str = "<w:text/>", text: str = "文档的题目") -> str:
    return (
        f"<w:sdt><w:sdtPr>{binding}{kind}</w:sdtPr><w:sdtContent>{TEXT.format(text)}</w:sdtContent></w:sdt>"
    )


def test_text_with_ruby_is_text() -> None:
    data = samples.paragraph(TEXT.format("学") + RUBY + TEXT.format("吧。再来。"))
    assert [segment.source for segment in offered(data).segments] == ["学汉字吧。", "再来。"]
    part = translated(data, {"再来。": "Again."})["word/document.xml"]
    assert part.count("<w:ruby>") == 2 and part.index("hàn") < part.index("zì") < part.index("Again.")
    part = translated(data, {"学汉字吧。": "Learn characters."})["word/document.xml"]
    assert "ruby" not in part and "hàn" not in part and "characters" in part


def test_ruby_across_sentences_is_not_repeated() -> None:
    ruby = RUBY.replace("汉", "汉。字").replace("<w:t>字</w:t>", "<w:t>典。</w:t>")
    data = samples.paragraph(TEXT.format("学") + ruby + TEXT.format("末尾。"))
    document = offered(data)
    first = {document.segments[-1].id: "The end."}
    part = samples.entries(render(data, "docx", first))["word/document.xml"].decode()
    assert part.count("<w:ruby>") == 2


def test_watermarks_are_translated() -> None:
    data = samples.paragraph(TEXT.format("正文。") + WATERMARK)
    assert [segment.source for segment in offered(data).segments] == ["正文。", "机密"]
    part = translated(data, {"机密": "Top “secret”", "正文。": "Body."})["word/document.xml"]
    assert 'string="Top “secret”"' in part and "Body." in part


def test_choices_of_lists_and_forms_are_translated_and_their_values_stay() -> None:
    data = samples.paragraph(TEXT.format("选：") + LIST + FORM)
    document = offered(data)
    assert [segment.source for segment in document.segments] == [
        "选：{1}苹果{/1}{2/}", "苹果", "香蕉", "填写帮助", "北京", "上海",
    ]  # fmt: skip
    assert document.segments[1].notes == (Note(NoteKind.PLACE, "A choice in a list"),)
    targets = {"苹果": "Apple", "香蕉": "Banana", "北京": "Beijing", "上海": "Shanghai", "填写帮助": "Help"}
    for more in ({}, {"选：{1}苹果{/1}{2/}": "Choose: {1}Apple{/1}{2/}"}):
        part = translated(data, targets | more)["word/document.xml"]
        assert re.findall(r"<w:listItem ([^>]*)/>", part) == [
            'w:displayText="Apple" w:value="1"', 'w:displayText="Banana" w:value="2"',
        ]  # fmt: skip
        assert re.findall(r'<w:listEntry w:val="([^"]*)"', part) == ["Beijing", "Shanghai"]


@pytest.mark.parametrize(
    "code", ["IF 1 = 1 &quot;是&quot; &quot;否&quot;", "QUOTE x", "REF m \\h", "DOCPROPERTY 名"]
)
def test_results_of_fields_are_translated(code: str) -> None:
    simple = f'<w:fldSimple w:instr=" {code} "><w:r><w:t>结果</w:t></w:r></w:fldSimple>'
    for field, marks in ((samples.field(code, "结果"), 3), (simple, 1)):
        data = samples.paragraph(TEXT.format("前") + field + TEXT.format("后"))
        assert [segment.source for segment in offered(data).segments] == ["前{1}结果{/1}后"]
        part = translated(data, {"前{1}结果{/1}后": "a {1}result{/1} b"})["word/document.xml"]
        assert len(re.findall(r"<w:fldChar |<w:fldSimple ", part)) == marks
        assert re.sub(r"<w:instrText.*?</w:instrText>|<[^>]*>", "", part).strip().startswith("a result b")


@pytest.mark.parametrize("code", ["PAGE", "NUMPAGES", "SEQ 图"])
def test_numeric_fields_are_standalone_tags(code: str) -> None:
    simple = f'<w:fldSimple w:instr=" {code} "><w:r><w:t>3</w:t></w:r></w:fldSimple>'
    for field in (samples.field(code, "3"), simple):
        data = samples.paragraph(TEXT.format("第") + field + TEXT.format("页"))
        assert [segment.source for segment in offered(data).segments] == ["第{1/}页"]


def test_untranslated_texts_are_counted() -> None:
    date = samples.field("DATE", "二〇二四年")
    simple = '<w:fldSimple w:instr=" TIME "><w:r><w:t>八点</w:t></w:r></w:fldSimple>'
    space = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    formula = f'<m:oMath xmlns:m="{space}"><m:r><m:t>速度</m:t></m:r></m:oMath>'
    data = samples.paragraph(TEXT.format("正文") + date + simple + formula)
    document = read_bytes(data, "a.docx")
    assert [note[-3:] for note in document.notes] == [" 2.", " 1."]


def test_runs_in_newer_markup_are_text() -> None:
    runs = (
        '<mc:AlternateContent><mc:Choice Requires="wps"><w:r><w:t>新标记</w:t></w:r></mc:Choice>'
        "<mc:Fallback><w:r><w:t>新标记</w:t></w:r></mc:Fallback></mc:AlternateContent>"
    )
    data = samples.paragraph(TEXT.format("一个") + runs + TEXT.format("。另一句。"))
    assert [segment.source for segment in offered(data).segments] == ["一个新标记。", "另一句。"]
    part = translated(data, {"一个新标记。": "New markup."})["word/document.xml"]
    assert part.count("New markup.") == 1 and "新标记" not in part and "另一句。" in part


def with_title(data: bytes) -> bytes:
    core = samples.entries(data)["docProps/core.xml"].decode()
    core = re.sub(r"<dc:title ?/>|<dc:title></dc:title>", "<dc:title>文档的题目</dc:title>", core)
    assert "文档的题目" in core
    return samples.repacked(data, {"docProps/core.xml": core.encode()})


def test_document_title_is_read() -> None:
    data = with_title(samples.paragraph(TEXT.format("正文。")))
    document = offered(data)
    assert document.segments[-1].source == "文档的题目"
    assert document.segments[-1].notes == (Note(NoteKind.PLACE, "Title of the document"),)
    parts = translated(data, {"文档的题目": "The title"})
    assert "<dc:title>The title</dc:title>" in parts["docProps/core.xml"]


def test_translated_control_loses_its_binding() -> None:
    data = with_title(samples.paragraph(TEXT.format("题：") + control(CORE)))
    parts = translated(data, {"题：{1}文档的题目{/1}": "Title: {1}About ledgers{/1}"})
    assert "dataBinding" not in parts["word/document.xml"] and "About ledgers" in parts["word/document.xml"]
    untouched = samples.paragraph(TEXT.format("题。") + control(CORE) + TEXT.format("。另一句。"))
    again = translated(with_title(untouched), {"另一句。": "Other."})
    assert "文档的题目" in again["word/document.xml"] and "dataBinding" in again["word/document.xml"]

"""OpenDocument texts: an element embedded in a sentence is one tag there and a separate text."""

from __future__ import annotations

from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.structure import Structure, structure_of
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.markup.odt import FORMAT
from anaphora.formats.registry import read_bytes

GOLDEN = (Path(__file__).parents[3] / "golden" / "odt" / "data-integration.odt").read_bytes()
NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"), ("text", "text"), ("style", "style"), ("draw", "drawing"),
        ("svg", "svg-compatible"), ("fo", "xsl-fo-compatible"), ("table", "table"),
    )
)  # fmt: skip
STYLES = "".join(
    f'<style:style style:name="{name}" style:family="text"><style:text-properties {look}/></style:style>'
    for name, look in (("T1", 'officeooo:rsid="1"'), ("T2", 'fo:font-weight="bold"'))
)
STYLES += '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Subtitle"/>'


def odt(body: str) -> bytes:
    """A document with this body."""
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {NAMES} '
        f'xmlns:officeooo="http://openoffice.org/2009/office"><office:automatic-styles>{STYLES}'
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )
    return samples.repacked(GOLDEN, {"content.xml": content.encode()})


def sources(body: str) -> list[str]:
    return [
        s.source
        for s in read_bytes(odt(body), "a.odt").segments
        if not s.notes or s.notes[0].text not in ("Header", "Footer")
    ]


def translate(body: str, targets: dict[str, str]) -> str:
    data = odt(body)
    document = read_bytes(data, "a.odt")
    assert set(targets) <= {segment.source for segment in document.segments}
    result = render(data, "odt", {s.id: targets[s.source] for s in document.segments if s.source in targets})
    content = samples.entries(result)["content.xml"].decode()
    return content.partition("<office:text>")[2].partition("</office:text>")[0]


CELL = "<table:table-cell>{}</table:table-cell>"
NOTE = (
    '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
    "<text:p>脚注。</text:p></text:note-body></text:note>"
)


def test_footnote_is_a_tag_of_its_sentence() -> None:
    body = f"<text:p>正文有{NOTE}注释。</text:p>"
    assert sources(body) == ["正文有{1/}注释。", "脚注。"]
    result = translate(body, {"正文有{1/}注释。": "The body has a note{1/}.", "脚注。": "Note."})
    assert result == "<text:p>The body has a note" + NOTE.replace("脚注。", "Note.") + ".</text:p>"
    assert translate(body, {"脚注。": "Note."}) == body.replace("脚注。", "Note.")


def test_spans_without_effect_are_not_tags() -> None:
    body = (
        '<text:p>缓<text:span text:style-name="T1">存是</text:span><text:span text:style-name="T2">关键'
        '</text:span>的<text:soft-page-break/><text:bookmark-start text:name="b"/>部分'
        '<text:bookmark-end text:name="b"/>。</text:p>'
    )
    assert sources(body) == ["缓存是{1}关键{/1}的部分。"]
    result = translate(body, {"缓存是{1}关键{/1}的部分。": "It is {1}key{/1}."})
    assert '<text:span text:style-name="T2">key</text:span>' in result
    assert result.count("<text:span") == result.count("</text:span>") == 2
    assert result.index("bookmark-start") < result.index("It is") < result.index("bookmark-end")


def test_white_space_is_written_as_elements() -> None:
    body = '<text:p>一<text:s text:c="3"/>二<text:tab/>三<text:line-break/>四</text:p>'
    assert sources(body) == ["一{1/}二{2/}三", "四"]
    result = translate(body, {"四": "a\tb\nc   d & <e>"})
    assert result.endswith('a<text:tab/>b<text:line-break/>c <text:s text:c="2"/>d &amp; &lt;e&gt;</text:p>')


def test_fields_changes_and_hidden_texts_are_not_shown() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>删掉的</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes><text:p>今天<text:date>5月</text:date>开会"
        '<text:change text:change-id="c"/>。</text:p>'
    )
    assert sources(body) == ["今天{1/}开会。"]
    tags = dict(read_bytes(odt(body), "a.odt").segments[0].tags)
    assert tags == {"{1/}": "field: date"}


def test_tags_crossing_a_line_break_keep_file_valid() -> None:
    body = '<text:p>甲<text:span text:style-name="T2">乙<text:line-break/>丙</text:span>丁</text:p>'
    found = sources(body)
    assert found == ["甲{1/}乙", "丙{1/}丁"]
    result = translate(body, {"甲{1/}乙": "A B {1/}", "丙{1/}丁": "{1/}C D"})
    assert result == (
        '<text:p>A B <text:span text:style-name="T2"><text:line-break/></text:span>C D</text:p>'
    )


def test_other_packages_and_passwords_are_refused() -> None:
    with pytest.raises(FormatError, match="not an OpenDocument"):
        read_bytes(samples.repacked(GOLDEN, {"mimetype": b"application/epub+zip"}), "a.odt")
    manifest = b"<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    with pytest.raises(FormatError, match="password"):
        read_bytes(samples.repacked(GOLDEN, {"META-INF/manifest.xml": manifest}), "a.odt")


def test_document_title_is_read_but_no_program_name() -> None:
    meta = (
        '<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0">'
        "<office:meta><dc:title>题目</dc:title><meta:generator>LibreOffice 中文版</meta:generator>"
        "<meta:keyword>关键词</meta:keyword><dc:subject>Plan</dc:subject></office:meta></office:document-meta>"
    )
    data = samples.repacked(odt("<text:p>正文</text:p>"), {"meta.xml": meta.encode()})
    document = read_bytes(data, "a.odt")
    assert [segment.source for segment in document.segments[-2:]] == ["题目", "关键词"]
    rendered = render(data, "odt", {document.segments[-2].id: "A\ntitle"})
    assert "<dc:title>A title</dc:title>" in samples.entries(rendered)["meta.xml"].decode()


LEVELS = (
    '<text:outline-style><text:outline-level-style style:num-prefix="第" style:num-suffix="章" '
    'loext:num-list-format="第%1%章" xmlns:loext="urn:loext"/>'
    '<text:outline-level-style style:num-suffix="."/></text:outline-style>'
)


def test_tips_list_labels_and_table_titles_are_read_in_order() -> None:
    tip = (
        '<text:a office:title="看&amp;点" xlink:title="去首页" xmlns:xlink="http://www.w3.org/1999/xlink">'
        "页</text:a>"
    )
    body = (
        f"{LEVELS}<text:p>甲{tip}</text:p><table:table><table:title>表一</table:title>"
        "<table:desc>说明</table:desc><table:table-row><table:table-cell><text:p>格</text:p></table:table-cell></table:table-row></table:table>"
    )
    assert sources(body) == [*("第", "章", "第%1%章", "甲{1}页{/1}", "看&点", "去首页", "表一", "说明", "格")]
    after = translate(body, {"第%1%章": "Chapter %1%", "看&点": 'A "tip" & more', "表一": "Table"})
    assert 'loext:num-list-format="Chapter %1%"' in after and "<table:title>Table</table:title>" in after
    assert 'office:title="A &quot;tip&quot; &amp; more"' in after and 'style:num-prefix="第"' in after


def test_texts_of_fields_and_forms_are_counted() -> None:
    body = (
        '<office:forms><form:form xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"><form:button '
        'form:label="确定"/></form:form></office:forms>'
        "<text:p>共<text:variable-set>三份</text:variable-set>，第<text:page-number>5</text:page-number>页"
        f'{NOTE}<text:text-input text:description="请输入姓名">5</text:text-input></text:p>'
    )
    document = read_bytes(odt(body), "a.odt")
    assert document.notes == (
        "Automatic fields are not translated. Fields that contain text: 2.",
        "Form labels are not translated: 1.",
    )


def test_titles_headings_items_and_cells_are_recognised() -> None:
    def cell(text: str) -> str:
        return f"<table:table><table:table-row>{CELL.format(text)}</table:table-row></table:table>"

    def items(text: str) -> str:
        return f"<text:list><text:list-item>{text}</text:list-item></text:list>"

    parts = (
        '<text:p text:style-name="Title">标题</text:p>',
        '<text:p text:style-name="P1">副标题</text:p>',
        '<text:h text:outline-level="3">三级</text:h>',
        "<text:h>无级</text:h>",
        items(f"<text:p>一层</text:p>{items('<text:p>二层</text:p>')}"),
        cell(f"<text:p>格</text:p>{items('<text:p>格中项</text:p>')}"),
        "<text:p>段落</text:p>",
    )
    found = {s.source: structure_of(s) for s in read_bytes(odt("".join(parts)), "a.odt").segments}
    wanted = {
        "标题": (Structure.HEADING, 1), "副标题": (Structure.HEADING, 2), "三级": (Structure.HEADING, 3),
        "无级": (Structure.HEADING, 1), "一层": (Structure.LIST_ITEM, 1), "二层": (Structure.LIST_ITEM, 2),
        "格": (Structure.CELL, 0), "格中项": (Structure.LIST_ITEM, 1), "段落": (Structure.PARAGRAPH, 0),
    }  # fmt: skip
    assert {text: (found[text].kind, found[text].level) for text in wanted} == wanted


def test_opendocument_rubies_become_base_text() -> None:
    ruby = (
        "<text:ruby><text:ruby-base>北京</text:ruby-base><text:ruby-text>Běijīng</text:ruby-text></text:ruby>"
    )
    body = f"<text:p>爱{ruby}城。</text:p>"
    assert translate(body, {"爱北京城。": "Love Beijing."}) == "<text:p>Love Beijing.</text:p>"


def with_character_style(attributes: str, looks: str) -> bytes:
    """A document in which 乙 has a separate style."""
    body = '<text:p>甲<text:span text:style-name="T9">乙</text:span>丙</text:p>'
    style = (
        f'<style:style style:name="T9" style:family="text" {attributes}>'
        f"<style:text-properties {looks}/></style:style>"
    )
    end = "</office:automatic-styles>"
    content = samples.entries(odt(body))["content.xml"].decode().replace(end, style + end)
    return samples.repacked(GOLDEN, {"content.xml": content.encode()})


def test_properties_and_styles_declare_target_language() -> None:
    meta = (
        '<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:language>zh-CN</dc:language>'
        "</office:meta></office:document-meta>"
    )
    styled = with_character_style("", 'fo:language="zh" fo:country="CN"')
    data = samples.repacked(styled, {"meta.xml": meta.encode()})
    target = TargetLanguage.of(CHINESE_TO_ENGLISH)
    assert target is not None
    named = samples.entries(FORMAT.name_language(data, ReadOptions("zh"), target))
    assert b"<dc:language>en-US</dc:language>" in named["meta.xml"]
    assert b'fo:language="en" fo:country="US"' in named["content.xml"]

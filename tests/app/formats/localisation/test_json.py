"""JSON catalogues: strings change, everything else keeps its bytes."""

from __future__ import annotations

import json

import pytest
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read_bytes

FILE = """{
  // 注释
  "greeting": "你好，{{name}}！", "n": 5,
\t"list": ["甲", null, "乙 %s <b>粗</b>"],
  "cart": {"item_one": "{{count}} 件", "item_other": "{{count}} 件商品", "url": "https://a.b/中文"},
  "escaped": "第一行\\n\\"引号\\" \\u4e2d 100%的",
  "empty": "", "number": "123", "colour": "#ffaa00", "键": true,
}
"""
ICU = (
    "篮子里有{count, plural, =0 {没有商品} one {# 件商品} other {<b>#</b> 件商品}}，"
    "{who, select, male {他} other {他们}}走了。"
)


def opened(text: str, name: str = "zh.json"):
    return read_bytes(text.encode(), name)


def sources(text: str, name: str = "zh.json") -> dict[str, str]:
    return {segment.block: segment.source for segment in opened(text, name).segments}


def put(text: str, wanted: dict[str, str]) -> str:
    return render(text.encode(), "json", wanted).decode()


def test_string_values_are_read_by_key() -> None:
    assert sources(FILE) == {
        "/greeting": "你好，{1/}！",
        "/list/0": "甲",
        "/list/2": "乙 {1/} {2}粗{/2}",
        "/cart/item_one": "{1/} 件",
        "/cart/item_other": "{1/} 件商品",
        "/escaped": '第一行\n"引号" 中 100%的',
    }
    document = opened(FILE)
    assert document.segments[0].tags == (("{1/}", "{{name}}"),)
    assert document.segments[3].notes == (Note(NoteKind.NAME, "cart.item_one"), Note(NoteKind.CONTEXT, "one"))
    assert render(document.data, "json", {}) == document.data


def test_only_translated_strings_change() -> None:
    text = put(FILE, {"/greeting": "Hello, {1/}!", "/list/2": "{2}B{/2} {1/}", "/escaped": 'A\n"b" \\'})
    assert text == (
        FILE.replace("你好，{{name}}！", "Hello, {{name}}!")
        .replace("乙 %s <b>粗</b>", "<b>B</b> %s")
        .replace('第一行\\n\\"引号\\" \\u4e2d 100%的', 'A\\n\\"b\\" \\\\')
    )


def test_icu_branches_are_separate_texts() -> None:
    text = json.dumps({"icu": ICU}, ensure_ascii=False)
    assert sources(text) == {
        "/icu": "篮子里有{2/}，{5/}走了。",
        "/icu{count:=0}": "没有商品",
        "/icu{count:one}": "{3/} 件商品",
        "/icu{count:other}": "{1}{4/}{/1} 件商品",
        "/icu{who:male}": "他",
        "/icu{who:other}": "他们",
    }
    wanted = {
        "/icu": "{5/} left with {2/}.",
        "/icu{count:one}": "{3/} item",
        "/icu{count:other}": "{1}{4/}{/1} items",
        "/icu{who:male}": "He",
    }
    assert json.loads(put(text, wanted))["icu"] == (
        "{who, select, male {He} other {他们}} left with "
        "{count, plural, =0 {没有商品} one {# item} other {<b>#</b> items}}."
    )
    assert json.loads(put(text, {"/icu{who:other}": "They"}))["icu"] == ICU.replace("他们", "They")


def test_metadata_of_arb_and_of_chrome_are_notes() -> None:
    arb = (
        '{"@@locale": "zh", "title": "标题", "@title": {"description": "页面的标题", "placeholders":'
        ' {"x": {"example": "例子"}}}}'
    )
    document = opened(arb, "app_zh.arb")
    assert [segment.source for segment in document.segments] == ["标题"]
    assert document.segments[0].notes[1:] == (Note(NoteKind.COMMENT, "页面的标题"),)
    chrome = (
        '{"hi": {"message": "$USER$ 你好", "description": "问候",'
        ' "placeholders": {"user": {"content": "$1"}}}}'
    )
    document = opened(chrome, "messages.json")
    assert [segment.source for segment in document.segments] == ["{1/} 你好"]
    assert document.segments[0].notes[1:] == (Note(NoteKind.COMMENT, "问候"),)


def test_links_and_placeholders_of_toolkits_are_protected() -> None:
    found = opened(
        '{"a": "见 $t(common.ok)、@:menu.file、%{count}、${x}、%1$s、%(n)s、{0, number} 和 <0>处</0>：'
        '%Y年%-m月%d日，50%B、%Bar"}'
    )
    (segment,) = found.segments
    text = "见 {1/}、{2/}、{3/}、{4/}、{5/}、{6/}、{7/} 和 {8}处{/8}：{9/}年{10/}月{11/}日，50%B、%Bar"
    assert segment.source == text


def test_broken_files_are_refused_with_their_line() -> None:
    for text, line in (
        ('{"a": "甲"', 1),
        ('{\n"a": "甲"\n"b": "乙"}', 3),
        ('{"a":\n"甲\n"}', 2),
        ('["甲"}', 1),
        ("{" * 5, 1),
        ('{"a":' * 300 + "1" + "}" * 300, 1),
        ("", 1),
        ('"甲"', 1),
        ('{"a": nul}', 1),
        ('{"a": "甲"} {}', 1),
    ):
        with pytest.raises(FormatError, match=f"Line {line} of the file is not valid JSON") as caught:
            opened(text)
        assert caught.value.advice

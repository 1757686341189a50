"""Android's strings.xml: strings, plurals and arrays change; escapes, CDATA and references stay."""

from __future__ import annotations

from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.registry import read_bytes

FILE = r"""<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
  <!-- 应用的名字 -->
  <string name="app">应用</string>
  <string name="no" translatable="false">不译</string>
  <string name="ref">@string/app</string>
  <string name="esc">第一行\n它\'s \"引\" &amp; &lt;b&gt;粗&lt;/b&gt; \u4e2d</string>
  <string name="g">你好 <xliff:g id="x" example="a">%1$s</xliff:g>，<b>粗</b>%2$dMB</string>
  <string name="c"><![CDATA[<b>粗</b>和 & 好]]></string>
  <string name="q">"  空 格  "</string>
  <plurals name="n"><item quantity="one">%d 个</item><item quantity="other">%d 些</item></plurals>
  <string-array name="ar"><item>甲</item><item>@string/app</item></string-array>
  <color name="x">#fff</color>
</resources>
"""


def test_only_layout_white_space_is_collapsed() -> None:
    file = (
        '<resources>\n<string name="a">\n    第一&#160;行\n    第二\u3000行\n</string>\n'
        '<string name="b"> <b>粗</b> 字 </string>\n<string name="c">&#160;前\\u0020</string>\n</resources>'
    )
    document = read_bytes(file.encode(), "strings.xml")
    assert [each.source for each in document.segments] == ["第一\xa0行 第二\u3000行", "{1}粗{/1} 字", "前"]
    wanted = {"string/a": "One\xa0line", "string/b": "{1}B{/1} b", "string/c": "C"}
    assert render(document.data, "android", wanted).decode() == (
        file.replace("第一&#160;行\n    第二\u3000行", "One&#160;line")
        .replace("粗</b> 字", "B</b> b")
        .replace("前", "C")
    )


def test_only_texts_are_translated() -> None:
    document = read_bytes(FILE.encode(), "strings.xml")
    assert {segment.block: segment.source for segment in document.segments} == {
        "string/app": "应用",
        "string/esc": '第一行\n它\'s "引" & {1}粗{/1} 中',
        "string/g": "你好 {1/}，{2}粗{/2}{3/}MB",
        "string/c": "{1}粗{/1}和 & 好",
        "string/q": "空 格",
        "plurals/n/one": "{1/} 个",
        "plurals/n/other": "{1/} 些",
        "string-array/ar/0": "甲",
    }
    assert document.segments[0].notes == (
        Note(NoteKind.NAME, "app"),
        Note(NoteKind.COMMENT, "应用的名字"),
    )
    assert document.segments[5].notes[1] == Note(NoteKind.PLURAL_FORM, "one", ("1", "2"))
    assert render(document.data, "android", {}) == document.data


def test_targets_are_escaped_like_their_sources() -> None:
    wanted = {
        "string/app": "?It's  mine",
        "string/esc": 'One\ntwo\t"q" \\ {1}b{/1} <',
        "string/g": "{3/}MB, {2}bold{/2} {1/}",
        "string/c": "{1}B{/1} it's ]]> 1",
        "string/q": "It's  open",
        "plurals/n/other": "{1/} items",
    }
    expected = (
        FILE.replace(">应用<", r">\?It\'s \u0020mine<")
        .replace(
            r"第一行\n它\'s \"引\" &amp; &lt;b&gt;粗&lt;/b&gt; \u4e2d",
            r"One\ntwo\t\"q\" \\ &lt;b&gt;b&lt;/b&gt; &lt;",
        )
        .replace(
            '你好 <xliff:g id="x" example="a">%1$s</xliff:g>，<b>粗</b>%2$dMB',
            '%2$dMB, <b>bold</b> <xliff:g id="x" example="a">%1$s</xliff:g>',
        )
        .replace("[<b>粗</b>和 & 好]", r"[<b>B</b> it\'s ]]&gt; 1]")
        .replace("空 格", "It's  open")
        .replace("%d 些", "%d items")
    )
    assert render(FILE.encode(), "android", wanted).decode() == expected

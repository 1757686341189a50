"""The app finds the same letters as other libraries in tables, WebVTT and catalogues of programs."""

from __future__ import annotations

import pytest
from program_texts import READERS

from anaphora.core.tags import MARK
from anaphora.formats.registry import read_bytes

SAMPLES = {
    "a.json": '{"标题": "你好 {{name}}", "n": {"a": ["一", "二\\n行", 3, null, true]}}',
    "a.arb": '{"@@locale": "zh", "k": "问候 {x}", "@k": {"description": "说明", "placeholders": {"x": {}}}}',
    "a.yml": (
        "zh:\n  a: &x '你好 %{name}'\n  b: |\n    多行\n    文字\n  c: [甲, \"乙\\u4e19\"]\n  d: *x # 注\n"
    ),
    "a.csv": '编号,中文,英文\n1,"你好,""世界""",\n2,"多\n行",\n3,,x\n',
    "a.tsv": "key\tzh\ten\na\t你好世界\t\nb\t  空白  \t\n",
    "a.vtt": (
        "WEBVTT 标题\n\nNOTE 注释\n\nSTYLE\n::cue { }\n\n一\n00:01.000 --> 00:02.000\n"
        "<v 张三>你好<b>世界</b>\n第二行\n"
    ),
    "a.properties": "# 注释\na=\\u4f60\\u597d {0}\n多 : 一行\\\n  又一行\n!二\n空=\nb 三\n",
    "a.resx": (
        '<root><data name="A"><value>保存</value><comment>不译</comment></data><data name="&gt;&gt;x">'
        '<value>不译</value></data><data name="I" type="System.Drawing.Bitmap"><value>不译</value></data>'
        "</root>"
    ),
    "a.xml": (
        '<resources><string name="a">你好 <b>粗</b> %1$s</string>'
        '<string name="b" translatable="false">不译</string>'
        '<plurals name="p"><item quantity="other">%d 个</item><item quantity="one">一</item></plurals>'
        '<string-array name="z"><item>一</item></string-array></resources>'
    ),
    "a.strings": '/* 说明 "x" = "不译"; */\n"键" = "你好 %@";\n// "y" = "不译";\nb = "值";\n',
    "a.ts": (
        '<!DOCTYPE TS><TS version="2.1" language="en"><context><name>名</name><message><source>保存(&amp;S)'
        '</source><comment>注</comment><translation type="unfinished"/></message></context></TS>'
    ),
}


def letters(text: str) -> int:
    return sum(char.isalpha() and ord(char) > 0x2E80 for char in text)


@pytest.mark.parametrize("name", SAMPLES)
def test_letters_found_match_other_libraries(name: str) -> None:
    text = SAMPLES[name]
    document = read_bytes(text.encode(), name)
    found = letters("".join(READERS[document.format](text, document)))
    offered = letters(MARK.sub("", "".join(segment.source for segment in document.segments)))
    assert found == offered > 0


def test_each_format_has_an_independent_reader() -> None:
    assert {read_bytes(text.encode(), name).format for name, text in SAMPLES.items()} == {*READERS}

"""Apple's .strings and .stringsdict: values change; keys, comments and order stay."""

from __future__ import annotations

import plistlib

import pytest
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read_bytes

FILE = r"""/* 问候，%@ 是名字 */
"hello" = "你好，%@！\n\"引\" \U4e2d";

// 单行
plain = "文字 %1$d";
"a\"b" = unquoted;
"url" = "https://a.b/c";
"self";
"""
LIST = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
\t<key>%d files</key>
\t<dict>
\t\t<key>NSStringLocalizedFormatKey</key>
\t\t<string>找到 %#@files@ &amp; 更多</string>
\t\t<key>files</key>
\t\t<dict>
\t\t\t<key>NSStringFormatSpecTypeKey</key>
\t\t\t<string>NSStringPluralRuleType</string>
\t\t\t<key>NSStringFormatValueTypeKey</key>
\t\t\t<string>d</string>
\t\t\t<key>other</key>
\t\t\t<string>%d 个文件</string>
\t\t</dict>
\t</dict>
</dict>
</plist>
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_values_are_read_and_replaced(encoding: str) -> None:
    document = read_bytes(FILE.encode(encoding), "Localizable.strings")
    assert {segment.block: segment.source for segment in document.segments} == {
        "hello": '你好，{1/}！\n"引" 中',
        "plain": "文字 {1/}",
        'a"b': "unquoted",
        "self": "self",
    }
    assert document.segments[0].notes == (
        Note(NoteKind.NAME, "hello"),
        Note(NoteKind.COMMENT, "问候，%@ 是名字"),
    )
    assert render(document.data, "strings", {}) == document.data
    data = render(document.data, "strings", {"hello": 'Hi {1/}\n"q" \\', 'a"b': "bare"})
    assert data.decode(encoding) == (
        FILE.replace(r"你好，%@！\n\"引\" \U4e2d", r"Hi %@\n\"q\" \\").replace("unquoted", '"bare"')
    )


def test_single_quotes_and_keys_without_value() -> None:
    text = '\'b\' = \'单 "x" \\\' 引\';\n"it\'s" = "二";\n"自身";\n键;\n'
    document = read_bytes(text.encode(), "a.strings")
    assert [(each.block, each.source) for each in document.segments] == [
        ("b", '单 "x" \' 引'),
        ("it's", "二"),
        ("自身", "自身"),
        ("键", "键"),
    ]
    assert render(document.data, "strings", {}) == document.data
    targets = {"b": 'It\'s "one"', "it's": "two", "自身": "Self", "键": "Key"}
    data = render(document.data, "strings", targets)
    assert data.decode().splitlines() == [
        '\'b\' = "It\\\'s \\"one\\"";',
        '"it\'s" = "two";',
        '"自身" = "Self";',
        '键 = "Key";',
    ]
    again = read_bytes(data, "a.strings")
    assert {each.block: each.source for each in again.segments} == targets


def test_plural_forms_of_a_property_list() -> None:
    document = read_bytes(LIST.encode(), "Localizable.stringsdict")
    assert [(segment.block, segment.source) for segment in document.segments] == [
        ("/%d files/NSStringLocalizedFormatKey", "找到 {1/} & 更多"),
        ("/%d files/files/other", "{1/} 个文件"),
        ("/%d files/files/one", "{1/} 个文件"),
    ]
    assert document.segments[1].notes[1:] == (Note(NoteKind.CONTEXT, "other"),)
    assert render(document.data, "strings", {}) == document.data
    data = render(document.data, "strings", {"/%d files/files/other": "{1/} <files>"})
    assert data.decode() == LIST.replace("%d 个文件", "%d &lt;files&gt;")
    assert plistlib.loads(data)["%d files"]["files"]["other"] == "%d <files>"


def test_broken_and_binary_files_are_refused() -> None:
    for text in ('"a" = "甲', '"a" "b";', '"a" = "甲"\n"b" = "乙";', "/* 甲"):
        with pytest.raises(FormatError, match="Line 1 of the file is not valid Apple strings"):
            read_bytes(text.encode(), "a.strings")
    with pytest.raises(FormatError, match="binary property list") as caught:
        read_bytes(plistlib.dumps({"a": "甲"}, fmt=plistlib.FMT_BINARY), "a.strings")
    assert "plutil" in caught.value.advice

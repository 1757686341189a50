"""Translations use the escapes of their file, and no others."""

from __future__ import annotations

import pytest

from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.registry import fill, read_bytes

CASES = {
    "a slash where the file has another bare": (
        "a.json",
        r'{"a": "<b>甲<\/b>", "b": "https://x/y", "c": "乙/丙"}',
        r'{"a": "<b>é\/…<\/b>", "b": "https://x/y", "c": "é/…"}',
        ["é/…", "é/…"],
    ),
    "signs of HTML and special blanks": (
        "a.json",
        r'{"a": "甲\u003cb\u003e乙\u003c/b\u003e\u00a0丙", "b": "丁"}',
        r'{"a": "é\u003cb\u003e\u003cé\u003c/b\u003e\u00a0é", "b": "é\u003e"}',
        ["é{1}<é{/1}\u00a0é", "é>"],
    ),
    "pictures": ("a.json", r'{"a": "甲\ud83d\ude00"}', r'{"a": "é\ud83d\ude00"}', ["é😀"]),
    "Xcode's": (
        "a.xcstrings",
        r'{"sourceLanguage":"zh","strings":{"k":{"localizations":{"zh":{"stringUnit":{"state":"translated",'
        r'"value":"甲\/乙"}},"en":{"stringUnit":{"state":"new","value":"x\/y"}}}}},"version":"1.0"}',
        r'{"sourceLanguage":"zh","strings":{"k":{"localizations":{"zh":{"stringUnit":{"state":"translated",'
        r'"value":"甲\/乙"}},"en":{"stringUnit":{"state":"translated","value":"é\/…"}}}}},"version":"1.0"}',
        ["é/…"],
    ),
    "of .strings": (
        "a.strings",
        r'"a" = "甲\'乙\U2026";' + '\n"b" = "丙";\n',
        r'"a" = "it\'s\U2026";' + '\n"b" = "é\\U2026";\n',
        ["it's…", "é…"],
    ),
    "half a character": (
        "a.strings", '"a" = "甲\\ud83d\\U2026";\n', '"a" = "é\\U2026\ufffd";\n', ["é…\ufffd"],
    ),
    "of properties": (
        "a.properties",
        "a = \\u7532\\: \\u4e59\nb=\\u4e19\n",
        "a = \\u00e9\\: x\nb=\\  \\:\n".replace("\\  ", "\\u00e9 "),
        ["é: x", "é :"],
    ),
    "of Android": (
        "strings.xml",
        r'<resources><string name="a">甲\u2026&#8212;丁</string><string name="b">乙</string></resources>',
        r'<resources><string name="a">é\u2026&#8212;é</string><string name="b">é\u2026</string></resources>',
        ["é…—é", "é…"],
    ),
    "of Qt": (
        "a.ts",
        "<!DOCTYPE TS><TS language=\"en\"><context><name>C</name><message><source>甲&apos;&quot;</source>"
        '<translation type="unfinished"></translation></message></context></TS>',
        "<!DOCTYPE TS><TS language=\"en\"><context><name>C</name><message><source>甲&apos;&quot;</source>"
        "<translation>It&apos;s &quot;é&quot; &gt;</translation></message></context></TS>",
        ["It's \"é\" >"],
    ),
    "a bare sign": (
        "a.resx",
        '<root><data name="a"><value>甲 > 乙</value></data></root>',
        '<root><data name="a"><value>é > ]]&gt; &lt;</value></data></root>',
        ["é > ]]> <"],
    ),
    "CDATA": (
        "a.resx",
        '<root><data name="a"><value> <![CDATA[<b>甲</b> & 乙]]></value></data></root>',
        '<root><data name="a"><value> <![CDATA[é & ]]]]><![CDATA[>]]></value></data></root>',
        ["é & ]]>"],
    ),
    "CDATA of a property list": (
        "a.stringsdict",
        "<plist><dict><key>k</key><string><![CDATA[甲 & 乙]]></string></dict></plist>",
        "<plist><dict><key>k</key><string><![CDATA[é & x]]></string></dict></plist>",
        ["é & x"],
    ),
    "codes without a letter": ("a.json", r'{"a": "\u7532\u2019"}', r'{"a": "\u00e9\u2019"}', ["é’"]),
    "signs as numbers among letters as they are": (
        "a.resx",
        '<root><data name="a"><value>Loading&#8230; &#160;</value></data></root>',
        '<root><data name="a"><value>中文é&#8230; &#160;</value></data></root>',
        ["中文é… \u00a0"],
    ),
    "letters as numbers in what is declared to be UTF-8": (
        "a.resx",
        '<?xml version="1.0" encoding="utf-8"?><root><data name="a"><value>Caf&#233;</value></data></root>',
        '<?xml version="1.0" encoding="utf-8"?><root><data name="a"><value>咖啡&#233;</value></data></root>',
        ["咖啡é"],
    ),
    "backslashes of YAML that are no escapes": (
        "a.yml",
        "# see C:\\Users\\me\na: Hello words\nb: |\n  One line\n  Two\nc: \"x\\u00a0y\"\n",
        "# see C:\\Users\\me\na: 中文é\nb: |\n  中\n  文\nc: \"é\\u00a0y\"\n",
        ["中文é", "中\n文", "é\u00a0y"],
    ),
    "a reference of WebVTT": (
        "a.vtt",
        "WEBVTT\n\n00:01.000 --> 00:02.000\nCaf&eacute; &amp; 乙\n",
        "WEBVTT\n\n00:01.000 --> 00:02.000\nCaf&eacute; &amp; x\n",
        ["Café & x"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_translation_is_escaped_like_its_file(case: str) -> None:
    name, text, wanted, targets = CASES[case]
    document = read_bytes(text.encode(), name)
    segments = [
        each.with_state(SegmentState(target, Status.CONFIRMED))
        for each, target in zip(document.segments, targets, strict=True)
    ]
    written = fill(document.data, document.format, segments, ReadOptions("", document.encoding))
    assert written.decode() == wanted
    again = [(each.target or each.source).strip() for each in read_bytes(written, name).segments]
    assert again == [text.strip() for text in targets if text]

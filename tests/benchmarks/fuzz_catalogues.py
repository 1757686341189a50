"""Small catalogues and subtitles with which the fuzz run begins."""

# ruff: noqa: E501

from __future__ import annotations

SMALL: dict[str, bytes] = {
    "a.csv": (
        '\ufeff"id","zh","en","note"\r\n"1","保存{0}个，<b>粗</b>","","按钮"\r\n"2","他说""好""\r\n第二行","He said","长"\r\n3,打开\r\n'
    ).encode(),
    "a.tsv": "sku\t名称\t描述\n1\t红茶 %s\t有{n, plural, other {# 种}}\n2\t绿茶\t好喝\t多\n\n".encode(),
    "a.vtt": (
        "WEBVTT 题\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nNOTE 注\r\n\r\n开\r\n00:01.000 --> 00:02.000 line:0\r\n"
        "<v 老师>你<c.a>好</c>，&amp;世界\r\n- <i>行</i><00:01.500>完\r\n\r\n00:00:03.000 --> 00:00:04.000\r\n第二\r\n"
    ).encode(),
    "a.json": (
        '{"a": "你好，{{name}}", "b": ["甲", 1, null, {"c_one": "<b>一</b> %s", "c_other": "多\\n\\u4e2d"}],\n "i": "有{n, plural,'
        ' =0 {无} one {# 只{x}} other {{g, select, f {她} other {他}}}}了。", "t": "题", "@t": {"description": "注"}}'
    ).encode(),
    "a.arb": '{"@@locale": "zh", "a": "\\u4f60\\ud83d\\ude00 {x}", "m": {"message": "$A$ 好", "description": "x"}}'.encode(),
    "a.yml": (
        "# 注\nzh:\n  a: 你好 # 尾\n  b: \"引\\n%{x}\"\n  c: '单''引'\n  d: [甲, {e: 乙}]\n  f: &a 锚\n  g: *a\n"
        '  h:\n    one: 一\n    other: "%{count} 天"\n  i: |-\n    第一\n      行\n\n    三\n  j: >\n    折\n    叠\n\n  k: 多\n    行\n'
    ).encode(),
    "a.properties": "# 注\r\na = 你好，{0}！'{'\r\nb:C\\:\\\\文 \\\r\n   续\r\nk\\ e\\=x 值\\u4e2d\\n完\r\ne=\r\n".encode(),
    "a.resx": (
        "<?xml version='1.0'?><root><resheader name='r'><value>x</value></resheader><data name='A' xml:space='preserve'><value>你好 {0:N2} "
        "&amp;</value><comment>注</comment></data><data name='B' type='x'><value>图</value></data></root>"
    ).encode(),
    "a.xml": (
        '<?xml version="1.0" encoding="utf-8"?>\n<resources xmlns:xliff="urn:x">\n<!-- 注 -->\n<string name="a">应\\n它\\\'s &amp; &lt;b&gt;粗&lt;/b&gt;'
        '</string>\n<string name="g">你 <xliff:g id="x">%1$s</xliff:g>，<b>粗</b>%2$d</string><string name="c"><![CDATA[<b>粗</b> & 好]]></string>'
        '<string name="q">"  空 格  "</string><plurals name="n"><item quantity="one">%d 个</item></plurals>'
        '<string-array name="r"><item>甲</item><item>@string/a</item></string-array></resources>'
    ).encode(),
    "a.strings": '/* 注 */\n"a" = "你好，%@\\n\\"引\\" \\U4e2d";\n// 行\nplain = "字 %1$d";\n"b\\"c" = bare;\n"s";\n'.encode(),
    "a.stringsdict": (
        '<?xml version="1.0"?>\n<plist version="1.0"><dict><key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>找 %#@f@</string>'
        "<key>f</key><dict><key>NSStringFormatValueTypeKey</key><string>d</string><key>other</key><string>%d 个</string></dict></dict></dict></plist>"
    ).encode(),
    "a.ts": (
        '<?xml version="1.0"?><!DOCTYPE TS><TS version="2.1" language="en"><context><name>窗</name><message><location filename="a.cpp" line="1"/>'
        '<source>开 %1 &amp;文</source><comment>注</comment><translation type="unfinished"></translation></message><message><source>关</source>'
        '<translation>Close</translation></message><message numerus="yes"><source>%n 个</source><translation type="unfinished"><numerusform>%n a'
        "</numerusform><numerusform></numerusform></translation></message></context></TS>"
    ).encode(),
    "a.xcstrings": (
        '{"sourceLanguage" : "zh-Hans", "strings" : {"你好，%@" : {"comment" : "问", "localizations" : {"en" : {"stringUnit" : {"state" : "new",'
        ' "value" : "Hi %@"}}}}, "再见" : {}, "n" : {"localizations" : {"en" : {"variations" : {"plural" : {"one" : {"stringUnit" : {"state" :'
        ' "needs_review", "value" : "%lld a"}}}}}, "zh-Hans" : {"stringUnit" : {"state" : "translated", "value" : "%lld 个"}}}}}, "version" : "1.0"}'
    ).encode(),
}

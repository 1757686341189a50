"""Files that grow: a fragment of each format is repeated; time and memory must grow with it, not faster."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

Builder: TypeAlias = Callable[[int], bytes]
Fragments: TypeAlias = Mapping[str, tuple[str, str, str]]
"""By name: what stands before a fragment that is repeated, the fragment, what stands behind it."""
GOLDEN = Path(__file__).parents[1] / "golden"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def _around(before: str, fragment: str, after: str = "") -> Builder:
    """The fragment, repeated, between two texts; `{n}` in it is its number."""

    def build(times: int) -> bytes:
        if "{n}" not in fragment:
            return (before + fragment * times + after).encode()
        return (before + "".join(fragment.replace("{n}", str(n)) for n in range(times)) + after).encode()

    return build


def _nested(before: str, opening: str, middle: str, closing: str, after: str = "") -> Builder:
    """Elements in each other."""

    def build(times: int) -> bytes:
        return (before + opening * times + middle + closing * times + after).encode()

    return build


def _in_part(golden: str, part: str, mark: str, inner: Builder) -> Builder:
    """A package with one part replaced: what `inner` builds stands before the last `mark` of the part."""
    path = GOLDEN / golden
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    at = parts[part].rfind(mark.encode())

    def build(times: int) -> bytes:
        out = io.BytesIO()
        changed = parts[part][:at] + inner(times) + parts[part][at:]
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
            for name, content in parts.items():
                package.writestr(name, changed if name == part else content)
        return out.getvalue()

    return build


def _xml(before: str, after: str, fragments: Fragments) -> dict[str, Builder]:
    return {
        name: _around(before + head, fragment, tail + after)
        for name, (head, fragment, tail) in fragments.items()
    }


_INLINE = {
    "characters": ("字", "字", ""),
    "sentences": ("", "一句话。", ""),
    "entities": ("字", "&amp;字", ""),
    "references": ("字", "&#20013;", ""),
    "ampersands": ("字", "&amp;", ""),
}


def _bilingual(
    file: tuple[str, str], unit: tuple[str, str], inside: Fragments, among: Fragments
) -> dict[str, Builder]:
    """What grows inside the source of a unit, and what grows among the units.

    Args:
        file: its begin and end. unit: what stands before and behind the source of its only unit.
    """
    return {
        **_xml(file[0] + unit[0], unit[1] + file[1], {**_INLINE, **inside}),
        **_xml(*file, among),
    }


_HTML = {
    **_xml("<p>", "</p>", _INLINE),
    "bare ampersands": _around("<p>字", "&", "</p>"),
    "bare less-than signs": _around("<p>字", "< ", "</p>"),
    "empty tags": _around("<p>字", "<b></b>", "</p>"),
    "tags": _around("<p>", "<b>字</b>", "</p>"),
    "open tags": _around("<p>字", "<b>", "</p>"),
    "closing tags": _around("<p>字", "</b>", "</p>"),
    "nested tags": _around("<p>字", "<i>字", "</p>"),
    "nested pairs": _nested("<p>", "<i>", "字", "</i>", "</p>"),
    "nested pairs with texts": _nested("<p>", "<i>", "一句话。", "</i>。二", "</p>"),
    "nested blocks": _nested("", "<div>", "字", "</div>字"),
    "nested lists": _nested("", "<ul><li>", "字", "</ul>"),
    "line breaks": _around("<p>字", "<br>字", "</p>"),
    "pictures": _around("<p>字", "<img alt=图>", "</p>"),
    "paragraphs": _around("", "<p>一句话。</p>"),
    "comments": _around("<p>字", "<!-- x -->", "</p>"),
    "open comments": _around("<p>字", "<!-- ", "</p>"),
    "attributes": _around("<p>字<b ", "a{n}=1 ", ">字</b></p>"),
    "attribute of characters": _around('<p>字<b title="', "字", '">字</b></p>'),
    "attribute of entities": _around('<p>字<b title="', "&amp;字", '">字</b></p>'),
    "scripts": _around("<p>字", "<script>x</script>", "</p>"),
    "cells": _around("<table>", "<tr><td>字", "</table>"),
    "textareas": _around("<p>字", "<textarea>字</textarea>", "</p>"),
}
_XLIFF = _bilingual(
    ('<xliff version="1.2"><file target-language="en"><body>', "</body></file></xliff>"),
    ('<trans-unit id="1"><source>', "</source></trans-unit>"),
    {
        "placeholders": ("字", '<x id="{n}"/>', ""),
        "same placeholders": ("字", '<x id="1"/>', ""),
        "pairs": ("字", '<g id="{n}">字</g>', ""),
        "escaped markup": ("字", "&lt;b&gt;字&lt;/b&gt;", ""),
        "open escaped markup": ("字", "&lt;b ", ""),
        "empty pairs": ("字", "<g></g>", ""),
        "attributes": ("字<x ", 'a{n}="1" ', "/>"),
        "attribute of characters": ('字<x id="', "字", '"/>'),
        "comments": ("字", "<!-- x -->", ""),
    },
    {
        "units": (
            "",
            '<trans-unit id="{n}"><source>一句话。</source><target>A sentence.</target></trans-unit>',
            "",
        ),
        "notes": ('<trans-unit id="1"><source>字</source>', "<note>注</note>", "</trans-unit>"),
        "segments": (
            '<trans-unit id="1"><source>字</source><seg-source>',
            '<mrk mtype="seg" mid="{n}">一句话。</mrk>',
            "</seg-source></trans-unit>",
        ),
        "deep groups": (
            "<group>" * 200,
            '<trans-unit id="{n}"><source>字</source></trans-unit>',
            "</group>" * 200,
        ),
    },
)
_TMX = _bilingual(
    ('<tmx version="1.4"><header srclang="zh"/><body>', "</body></tmx>"),
    ('<tu><tuv xml:lang="zh"><seg>', "</seg></tuv></tu>"),
    {
        "placeholders": ("字", '<ph x="{n}">%s</ph>', ""),
        "pairs": ("字", '<hi x="{n}">字</hi>', ""),
        "halves": ("字", '<bpt i="{n}">b</bpt>字<ept i="{n}">b</ept>', ""),
        "empty tags": ("字", "<ph/>", ""),
        "attributes": ("字<ph ", 'a{n}="1" ', "/>"),
    },
    {
        "units": (
            "",
            '<tu><tuv xml:lang="zh"><seg>一句话。</seg></tuv><tuv xml:lang="en"><seg>One.</seg></tuv></tu>',
            "",
        ),
        "variants": (
            '<tu><tuv xml:lang="zh"><seg>字</seg></tuv>',
            '<tuv xml:lang="l{n}"><seg>x</seg></tuv>',
            "</tu>",
        ),
    },
)


def _docx(head: str, fragment: str, tail: str = "") -> Builder:
    return _in_part("docx/privacy.docx", "word/document.xml", "<w:sectPr", _around(head, fragment, tail))


_RUN = "<w:r><w:t>字</w:t></w:r>"
_DOCX = {
    "paragraphs": _docx("", f"<w:p>{_RUN}</w:p>"),
    "characters": _docx("<w:p><w:r><w:t>", "字", "</w:t></w:r></w:p>"),
    "sentences": _docx("<w:p><w:r><w:t>", "一句话。", "</w:t></w:r></w:p>"),
    "runs": _docx("<w:p>", _RUN, "</w:p>"),
    "styles": _docx("<w:p>", f"{_RUN}<w:r><w:rPr><w:b/></w:rPr><w:t>粗</w:t></w:r>", "</w:p>"),
    "empty runs": _docx(f"<w:p>{_RUN}", "<w:r/>", "</w:p>"),
    "tabs": _docx(f"<w:p>{_RUN}<w:r>", "<w:tab/>", "</w:r></w:p>"),
    "line breaks": _docx("<w:p><w:r><w:t>字</w:t>", "<w:br/><w:t>字</w:t>", "</w:r></w:p>"),
    "links": _docx("<w:p>", f"<w:hyperlink>{_RUN}</w:hyperlink>", "</w:p>"),
    "fields": _docx(
        "<w:p>",
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF a</w:instrText></w:r><w:r>'
        f'<w:fldChar w:fldCharType="separate"/></w:r>{_RUN}<w:r><w:fldChar w:fldCharType="end"/></w:r>',
        "</w:p>",
    ),
    "open fields": _docx("<w:p>", f'<w:r><w:fldChar w:fldCharType="begin"/></w:r>{_RUN}', "</w:p>"),
    "bookmarks": _docx(f"<w:p>{_RUN}", '<w:bookmarkStart w:id="{n}" w:name="a"/>', f"{_RUN}</w:p>"),
    "properties": _docx("<w:p><w:r><w:rPr>", '<w:x w:val="{n}"/>', "</w:rPr><w:t>字</w:t></w:r></w:p>"),
    "attributes": _docx("<w:p ", 'a{n}="1" ', f">{_RUN}</w:p>"),
    "choices": _docx(
        "<w:p><w:sdt><w:sdtPr><w:dropDownList>",
        '<w:listItem w:displayText="字" w:value="1"/>',
        f"</w:dropDownList></w:sdtPr><w:sdtContent>{_RUN}</w:sdtContent></w:sdt></w:p>",
    ),
}


def _odt(head: str, fragment: str, tail: str = "") -> Builder:
    return _in_part("odt/privacy.odt", "content.xml", "</office:text>", _around(head, fragment, tail))


_ODT = {
    **{name: _odt(f"<text:p>{head}", fragment, "</text:p>") for name, (head, fragment, _) in _INLINE.items()},
    "paragraphs": _odt("", "<text:p>一句话。</text:p>"),
    "spans": _odt("<text:p>", "<text:a>字</text:a>", "</text:p>"),
    "empty tags": _odt("<text:p>字", "<text:tab/>", "</text:p>"),
    "notes": _odt(
        "<text:p>字",
        '<text:note text:note-class="footnote"><text:note-body><text:p>注</text:p></text:note-body>'
        "</text:note>",
        "</text:p>",
    ),
}


def _pptx(head: str, fragment: str, tail: str = "") -> Builder:
    shape = '<p:sp><p:nvSpPr><p:cNvPr id="99" name="x"/></p:nvSpPr><p:txBody>'
    inner = _around(shape + head, fragment, tail + "</p:txBody></p:sp>")
    return _in_part("pptx/react-conf.pptx", "ppt/slides/slide1.xml", "</p:spTree>", inner)


_PPTX = {
    "paragraphs": _pptx("", "<a:p><a:r><a:t>一句话。</a:t></a:r></a:p>"),
    "characters": _pptx("<a:p><a:r><a:t>", "字", "</a:t></a:r></a:p>"),
    "runs": _pptx("<a:p>", "<a:r><a:t>字</a:t></a:r>", "</a:p>"),
    "styles": _pptx("<a:p>", '<a:r><a:t>字</a:t></a:r><a:r><a:rPr b="1"/><a:t>粗</a:t></a:r>', "</a:p>"),
    "line breaks": _pptx("<a:p>", "<a:br/><a:r><a:t>字</a:t></a:r>", "</a:p>"),
}


def _xlsx(head: str, fragment: str, tail: str = "") -> Builder:
    inner = _around(head, fragment, tail)
    return _in_part("xlsx/project-plan.xlsx", "xl/worksheets/sheet1.xml", "</sheetData>", inner)


_CELL = '<c r="A9" t="inlineStr"><is><t>{0}</t></is></c>'
_XLSX = {
    "cells": _xlsx("<row>", _CELL.format("字"), "</row>"),
    "rows": _xlsx("", f"<row>{_CELL.format('一句话。')}</row>"),
    "characters": _xlsx('<row><c r="A9" t="inlineStr"><is><t>', "字", "</t></is></c></row>"),
    "runs": _xlsx('<row><c r="A9" t="inlineStr"><is>', "<r><t>字</t></r>", "</is></c></row>"),
    "numbers": _xlsx("", '<row><c r="A9"><v>1</v></c></row>'),
    "formulas": _xlsx("", '<row><c r="A9"><f>Sheet1!A1&amp;"字"</f><v>1</v></c></row>'),
    "formulas of a row": _xlsx("<row>", '<c r="A9"><f>Sheet1!A1&amp;"字"</f><v>1</v></c>', "</row>"),
}


def _epub(head: str, fragment: str, tail: str = "") -> Builder:
    name = "EPUB/text/ch001.xhtml"
    return _in_part("epub/privacy.epub", name, "</body>", _around(head, fragment, tail))


_EPUB = {
    **{name: _epub(f"<p>{head}", fragment, "</p>") for name, (head, fragment, _) in _INLINE.items()},
    "paragraphs": _epub("", "<p>一句话。</p>"),
    "tags": _epub("<p>", "<b>字</b>", "</p>"),
    "empty tags": _epub("<p>字", "<b/>", "</p>"),
    "attributes": _epub("<p>字<b ", 'a{n}="1" ', "/></p>"),
}
_CUE = "{n}\n00:00:01,000 --> 00:00:02,000\n一句话。\n\n"
_PLURAL = (
    "<dict><key>NSStringLocalizedFormatKey</key><string>%#@f@</string><key>f</key><dict>"
    "<key>NSStringFormatValueTypeKey</key><string>d</string>"
    "<key>other</key><string>%d 个</string></dict></dict>"
)
_STRING = '{"sourceLanguage": "zh", "strings": {"字": {"localizations": {"z": {"stringUnit": {"value": "字"}}'
_CONTEXT = '<TS version="2.1"><context><name>窗</name>'
_MESSAGE = "<source>第{n}句</source><translation type='unfinished'></translation>"
FRAGMENTS: dict[str, dict[str, Builder]] = {
    "txt": {
        "characters": _around("", "字"),
        "sentences": _around("", "一句话。"),
        "lines": _around("", "一句话。\n"),
        "blank lines": _around("字", "\n", "字"),
        "blanks": _around("字", " ", "字"),
        "full stops": _around("字", "。"),
        "letters": _around("字 ", "a. "),
    },
    "md": {
        "characters": _around("", "字"),
        "paragraphs": _around("", "一句话。\n\n"),
        "lines": _around("", "一句话。\n"),
        "stars": _around("字", "*"),
        "bold": _around("", "**字**"),
        "brackets": _around("字", "["),
        "links": _around("", "[字](a)"),
        "roles": _around("", "{ref}`字 <a>`"),
        "quotes": _around("", "> ", "字"),
        "lists": _around("", "- 字\n"),
        "cells": _around("|字|\n|-|\n", "|字|\n"),
        "columns": _around("|", "字|", "\n"),
        "backticks": _around("字", "`"),
        "html": _around("字", "<b>字</b>"),
        "entities": _around("字", "&amp;"),
    },
    "mdx": {
        "paragraphs": _around("", "一句话。\n\n"),
        "expressions": _around("字", "{x}字"),
        "braces": _around("字", "{"),
        "nested braces": _nested("字", "{", "字", "}"),
        "tags": _around("字", "<B a={x}>字</B>"),
        "lines of tags": _around("", '<B title="字">\n\n字\n\n</B>\n'),
        "open tags": _around("字", "<B "),
        "attributes": _around("字<B ", 'a{n}="字" ', "/>"),
        "open strings": _around("字", '<B "'),
        "blanks": _around("字<B", " ", "c>"),
        "imports": _around("", "import a from 'a'\n\n", "字"),
        "open exports": _around("", "export const a = {\n\n", "字"),
        "wiki links": _around("", "[[字|字]]"),
        "open wiki links": _around("字", "[[字|"),
        "fences": _around("", "```\n字\n```\n"),
    },
    "html": _HTML,
    "srt": {
        "cues": _around("", _CUE),
        "lines": _around("1\n00:00:01,000 --> 00:00:02,000\n", "一句话。\n"),
        "characters": _around("1\n00:00:01,000 --> 00:00:02,000\n", "字"),
        "tags": _around("1\n00:00:01,000 --> 00:00:02,000\n字", "<i>字</i>"),
        "open tags": _around("1\n00:00:01,000 --> 00:00:02,000\n字", "<i>"),
        "numbers": _around("1\n00:00:01,000 --> 00:00:02,000\n字\n", "9\n"),
    },
    "ass": {
        "lines": _around("[Events]\n", "Dialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,一句话。\n"),
        "overrides": _around("[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,字", "{\\i1}字{\\i0}"),
        "braces": _around("[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,字", "{"),
        "line breaks": _around("[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,字", "\\N字"),
    },
    "vtt": {
        "cues": _around("WEBVTT\n\n", "00:01.000 --> 00:02.000\n一句话。\n\n"),
        "lines": _around("WEBVTT\n\n00:01.000 --> 00:02.000\n", "一句话。\n"),
        "characters": _around("WEBVTT\n\n00:01.000 --> 00:02.000\n", "字"),
        "tags": _around("WEBVTT\n\n00:01.000 --> 00:02.000\n字", "<c.a>字</c>"),
        "open tags": _around("WEBVTT\n\n00:01.000 --> 00:02.000\n字", "<i>"),
        "entities": _around("WEBVTT\n\n00:01.000 --> 00:02.000\n字", "&amp;字"),
        "comments": _around("WEBVTT\n\n", "NOTE 注\n\n", "00:01.000 --> 00:02.000\n字"),
        "blank lines": _around("WEBVTT\n\n", "\n", "00:01.000 --> 00:02.000\n字"),
        "blanks": _around("WEBVTT\n\n", " ", "\n00:01.000 --> 00:02.000\n字"),
    },
    "json": {
        "strings": _around('{"z": 0', ', "k{n}": "一句话。"', "}"),
        "same keys": _around('{"z": 0', ', "k": "字"', "}"),
        "keys of characters": _around('{"', "字", '": "字"}'),
        "characters": _around('["', "字", '"]'),
        "escapes": _around('["', "\\n字\\u4e2d", '"]'),
        "items": _around('["字"', ', "字"', "]"),
        "numbers": _around("[0", ",0", "]"),
        "nested": _nested("", '{"k":', '"字"', "}"),
        "nested with strings": _nested("", '{"a":"字","k":', '"字"', ',"b":"字"}'),
        "comments": _around("[", "/* x */", '"字"]'),
        "open comments": _around('["字"', "/* ", "]"),
        "placeholders": _around('["字', "%s字{x}", '"]'),
        "braces": _around('["字', "{", '"]'),
        "open arguments": _around('["字', "{n, plural, one {字", '"]'),
        "nested arguments": _nested('["', "{n, plural, one {字", "字", "}}", '"]'),
        "arguments": _around('["字', "{n, plural, one {字} other {#}}", '"]'),
        "branches": _around('["字{n, select', ", x{n} {字}", '}"]'),
        "spaced branches": _around('["字{n, select,', " x{n} {字}", '}"]'),
        "tags": _around('["字', "<b>字</b>", '"]'),
        "open tags": _around('["字', "<b>", '"]'),
        "metadata": _around('{"z": 0', ', "k{n}": "字", "@k{n}": {"description": "注"}', "}"),
        "plural suffixes": _around('{"z": 0', ', "k{n}_one": "字", "k{n}_other": "字"', "}"),
        "links": _around('["字', "$t(a", '"]'),
    },
    "yml": {
        "strings": _around("a: 1\n", "k{n}: 一句话。\n"),
        "items": _around("", "- 一句话。\n"),
        "nested items": _around("字: ", "[", "字"),
        "flows": _around("[字", ", 字", "]"),
        "block": _around("a: |\n  字\n", "  一句话。\n"),
        "folded": _around("a: >\n  字\n", "  一句话。\n"),
        "characters": _around("a: ", "字"),
        "escapes": _around('a: "字', "\\n", '"'),
        "aliases": _around("a: &a 字\nb: [0", ", *a", "]\n"),
        "comments": _around("a: 字\n", "# 注\n"),
        "anchors": _around("a: ", "&a ", "字"),
    },
    "csv": {
        "rows": _around("id,zh\n", "{n},一句话。\n"),
        "cells": _around("一", ",一句话。", "\n"),
        "characters": _around("id,zh\n1,", "字"),
        "quotes": _around("id,zh\n1,", '"', "字"),
        "quoted cells": _around("id,zh\n", '"字",', "字"),
        "open quotes": _around("id,zh\n", '"字', "\n"),
        "halves of quotes": _around("id,zh\n", '"a"",', "字"),
        "doubled quotes": _around('id,zh\n1,"', '""字', '"'),
        "blank rows": _around("id,zh\n", "\n", "1,字"),
        "lines in a cell": _around('id,zh\n1,"', "字\r\n", '"'),
        "placeholders": _around("id,zh\n1,", "%s字{x}"),
    },
    "properties": {
        "values": _around("", "k{n}=一句话。\n"),
        "same keys": _around("", "k=字\n"),
        "characters": _around("a=", "字"),
        "escapes": _around("a=字", "\\u4e2d"),
        "lines": _around("a=字", "\\\n 字"),
        "comments": _around("", "# 注\n", "a=字"),
        "apostrophes": _around("a=字{0}", "'{", "字"),
        "blanks": _around("a", " ", "=字"),
        "backslashes": _around("a", "\\\n", "=字"),
    },
    "resx": {
        "strings": _around("<root>", '<data name="k{n}"><value>一句话。</value></data>', "</root>"),
        "characters": _around('<root><data name="k"><value>', "字", "</value></data></root>"),
    },
    "xml": {
        "strings": _around("<resources>", '<string name="k{n}">一句话。</string>', "</resources>"),
        "items": _around('<resources><array name="a">', "<item>一句话。</item>", "</array></resources>"),
        "characters": _around('<resources><string name="k">', "字", "</string></resources>"),
        "quotes": _around('<resources><string name="k">字', '" ', "</string></resources>"),
        "tags": _around('<resources><string name="k">', "<b>字</b>", "</string></resources>"),
        "nested tags": _nested('<resources><string name="k">', "<b>", "字", "</b>", "</string></resources>"),
        "comments": _around("<resources>", "<!-- 注 -->", '<string name="k">字</string></resources>'),
    },
    "strings": {
        "strings": _around("", '"k{n}" = "一句话。";\n'),
        "characters": _around('"k" = "', "字", '";\n'),
        "escapes": _around('"k" = "字', "\\n\\U4e2d", '";\n'),
        "comments": _around("", "/* 注 */\n", '"k" = "字";\n'),
        "open comments": _around('"k" = "字";\n', "/* "),
        "placeholders": _around('"k" = "字', "%@字", '";\n'),
        "quotes": _around('"k" = "字";\n', '"'),
    },
    "stringsdict": {
        "strings": _around("<plist><dict>", f"<key>k{{n}}</key>{_PLURAL}", "</dict></plist>"),
        "characters": _around("<plist><dict><key>k</key><string>", "字", "</string></dict></plist>"),
        "nested": _nested("<plist><dict>", "<key>k</key><dict>", "", "</dict>", "</dict></plist>"),
    },
    "xcstrings": {
        "strings": _around('{"sourceLanguage": "zh", "strings": {"z": {}', ', "一句话{n}。": {}', "}}"),
        "characters": _around('{"sourceLanguage": "zh", "strings": {"', "字", '": {}}}'),
        "languages": _around(_STRING, ', "x{n}": {"stringUnit": {"value": "字"}}', "}}}}"),
    },
    "ts": {
        "messages": _around(_CONTEXT, f"<message>{_MESSAGE}</message>", "</context></TS>"),
        "contexts": _around(
            "<TS>", f"<context><name>n{{n}}</name><message>{_MESSAGE}</message></context>", "</TS>"
        ),
        "characters": _around(
            f"{_CONTEXT}<message><source>", "字", "</source><translation/></message></context></TS>"
        ),
        "places": _around(
            f"{_CONTEXT}<message>",
            '<location filename="a" line="{n}"/>',
            f"{_MESSAGE}</message></context></TS>",
        ),
        "entities": _around(
            f"{_CONTEXT}<message><source>字", "&amp;", "</source><translation/></message></context></TS>"
        ),
    },
    "po": {
        "messages": _around(_HEADER, 'msgid "第{n}句"\nmsgstr ""\n\n'),
        "characters": _around(_HEADER + 'msgid "', "字", '"\nmsgstr ""\n'),
        "strings": _around(_HEADER + "msgid ", '"字"\n', 'msgstr ""\n'),
        "comments": _around(_HEADER, "#: a.c:1\n", 'msgid "字"\nmsgstr ""\n'),
        "tags": _around(_HEADER + 'msgid "', "<b>字</b>", '"\nmsgstr ""\n'),
        "open tags": _around(_HEADER + 'msgid "字', "<b>", '"\nmsgstr ""\n'),
        "placeholders": _around(_HEADER + '#, c-format\nmsgid "字', "%s", '"\nmsgstr ""\n'),
        "arguments": _around(_HEADER + 'msgid "字', "{n, plural, one {字} other {#}}", '"\nmsgstr ""\n'),
        "nested arguments": _nested(_HEADER + 'msgid "', "{n, plural, one {字", "字", "}}", '"\nmsgstr ""\n'),
        "branches": _around(_HEADER + 'msgid "字{n, select', ", x{n} {字}", '}"\nmsgstr ""\n'),
    },
    "xlf": _XLIFF,
    "tmx": _TMX,
    "docx": _DOCX,
    "odt": _ODT,
    "pptx": _PPTX,
    "xlsx": _XLSX,
    "epub": _EPUB,
}
"""By suffix, then by what is repeated."""

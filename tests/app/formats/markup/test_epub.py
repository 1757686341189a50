"""EPUB books: the chapters in reading order, the rest of the package untouched, locked books refused."""

from __future__ import annotations

import io
import zipfile
from codecs import BOM_UTF8
from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.markup.epub import FORMAT
from anaphora.formats.registry import read_bytes

GOLDEN = (Path(__file__).parents[3] / "golden" / "epub" / "privacy.epub").read_bytes()
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="b/book.opf"/></rootfiles></container>'
)
OPF = """<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>书名</dc:title><dc:creator>作者</dc:creator>
</metadata><manifest><item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="z" href="../z.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>
<spine toc="n"><itemref idref="z"/><itemref idref="a"/></spine></package>"""
NCX = """<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://x.invalid/ncx.dtd">
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><docTitle><text>书名</text></docTitle><navMap><navPoint>
<navLabel><text>第一章</text></navLabel></navPoint></navMap></ncx>"""


def book(added: dict[str, str] | None = None) -> bytes:
    """A small book."""
    parts = {
        "META-INF/container.xml": CONTAINER,
        "b/book.opf": OPF,
        "b/a b.xhtml": "<html><body><p>后一章&#160;文字</p></body></html>",
        "z.xhtml": "<html><body><p>前一章<a href='x'/>。</p></body></html>",
        "b/toc.ncx": NCX,
    } | (added or {})
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, content in parts.items():
            package.writestr(name, content)
    return out.getvalue()


def test_book_is_read_in_spine_order() -> None:
    document = read_bytes(book(), "a.epub")
    assert [segment.source for segment in document.segments] == [
        "书名",
        "前一章{1/}。",
        "后一章\u00a0文字",
        "书名",
        "第一章",
    ]
    assert document.segments[0].notes == (Note(NoteKind.PLACE, "Title of the book"),)


def test_only_translated_parts_change_and_mimetype_stays_first_and_stored() -> None:
    data = book()
    document = read_bytes(data, "a.epub")
    targets = dict(
        zip((s.id for s in document.segments), ["Title", "", "Last chapter", "", "One & two"], strict=True)
    )
    result = render(data, "epub", targets)
    assert result[30:58] == b"mimetypeapplication/epub+zip" and result[38:58] == data[38:58]
    before, after = samples.entries(data), samples.entries(result)
    assert list(before) == list(after)
    assert after["b/book.opf"].decode() == OPF.replace("书名", "Title")
    assert after["b/a b.xhtml"].decode().endswith("<p>Last chapter</p></body></html>")
    assert after["z.xhtml"] == before["z.xhtml"]
    assert after["b/toc.ncx"].decode() == NCX.replace("第一章", "One &amp; two")


def test_encrypted_books_are_refused_but_not_obfuscated_fonts() -> None:
    method = '<encryption><EncryptedData><EncryptionMethod Algorithm="{}"/></EncryptedData></encryption>'
    locked = book({"META-INF/encryption.xml": method.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")})
    with pytest.raises(FormatError, match="copy-protected"):
        read_bytes(locked, "a.epub")
    fonts = book({"META-INF/encryption.xml": method.format("http://www.idpf.org/2008/embedding")})
    assert len(read_bytes(fonts, "a.epub").segments) == 5


@pytest.mark.parametrize("name", ["META-INF/container.xml", "b/book.opf"])
def test_book_without_package_file_is_refused(name: str) -> None:
    with pytest.raises(FormatError):
        read_bytes(book({name: "<a/>"}).replace(b"b/book.opf", b"b/look.opf"), "a.epub")


def test_svg_pages_and_guide_titles_are_read() -> None:
    opf = OPF.replace("</manifest>", '<item id="s" href="c.svg" media-type="image/svg+xml"/></manifest>')
    opf = opf.replace(
        "</package>",
        '<tours><tour id="t" title="导览"><site title="一站" href="c.svg"/></tour></tours>'
        '<guide><reference type="cover" title="封面" href="c.svg"/></guide></package>',
    )
    svg = (
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><style>text{}</style>'
        '<text x="1">开始</text><text x="2">结束</text></svg>'
    )
    data = book({"b/book.opf": opf, "b/c.svg": svg})
    document = read_bytes(data, "a.epub")
    found = {segment.source: segment.id for segment in document.segments}
    assert {"导览", "一站", "封面", "开始", "结束"} <= set(found)
    parts = samples.entries(render(data, "epub", {found["封面"]: "Cover", found["开始"]: "Start"}))
    assert b'title="Cover"' in parts["b/book.opf"]
    assert parts["b/c.svg"].decode() == svg.replace("开始", "Start")


def test_book_rubies_become_base_text_and_formulas_get_labels() -> None:
    page = (
        "<html><body><p>我爱<ruby>北<rt>běi</rt>京<rt>jīng</rt></ruby>。</p>"
        "<p>解<math alttext='二次方程'><mi>x</mi></math>。</p></body></html>"
    )
    data = book({"z.xhtml": page})
    found = {segment.source: segment.id for segment in read_bytes(data, "a.epub").segments}
    assert {"我爱北京。", "二次方程"} <= set(found)
    written = samples.entries(render(data, "epub", {found["我爱北京。"]: "I love Beijing."}))[
        "z.xhtml"
    ].decode()
    assert written == page.replace(page[page.index("我爱") : page.index("</p>")], "I love Beijing.")


def test_escaped_html_in_description_becomes_tags() -> None:
    description = "&lt;p&gt;简介&lt;b class='a'&gt;粗&lt;/b&gt;字&amp;nbsp;末&lt;/p&gt;"
    opf = OPF.replace("</metadata>", f"<dc:description>{description}</dc:description></metadata>")
    assert opf != OPF
    data = book({"b/book.opf": opf})
    document = read_bytes(data, "a.epub")
    (segment,) = (each for each in document.segments if "简介" in each.source)
    assert segment.source == "简介{1/}粗{2/}字{3/}末"
    assert segment.tags == (("{1/}", "<b class='a'>"), ("{2/}", "</b>"), ("{3/}", "&nbsp;"))
    parts = samples.entries(render(data, "epub", {segment.id: "An {1/}in{2/}tro{3/}."}))
    assert "<dc:description>&lt;p&gt;An &lt;b class='a'&gt;in&lt;/b&gt;tro&amp;nbsp;.&lt;/p&gt;<" in (
        parts["b/book.opf"].decode()
    )


def test_book_and_pages_declare_target_language() -> None:
    """A page keeps its encoding and its byte order mark; missing letters become references."""
    page = '<?xml version="1.0" encoding="utf-16"?>\n<html xml:lang="zh"><body><p>前</p></body></html>'
    data = samples.repacked(
        book({"b/book.opf": OPF.replace("<dc:creator>", "<dc:language>zh</dc:language><dc:creator>")}),
        {
            "z.xhtml": page.encode("utf-16"),
            "b/a b.xhtml": '<html lang="zh"><p>后</p></html>'.encode("utf-8-sig"),
        },
    )
    target = TargetLanguage.of(CHINESE_TO_ENGLISH)
    assert target is not None
    parts = samples.entries(FORMAT.name_language(data, ReadOptions("zh"), target))
    assert b"<dc:language>en" in parts["b/book.opf"] and b">zh<" not in parts["b/book.opf"]
    assert parts["z.xhtml"][:2] == page.encode("utf-16")[:2]
    assert 'lang="en' in parts["z.xhtml"].decode("utf-16")
    assert 'lang="en' in parts["b/a b.xhtml"].decode("utf-8-sig") and parts["b/a b.xhtml"][:3] == BOM_UTF8
    assert parts["b/toc.ncx"] == samples.entries(data)["b/toc.ncx"]

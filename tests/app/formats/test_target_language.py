"""The declared language of translated files, format by format; untranslated files do not change."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.languages import regional_tag_of, tag_of
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.registry import fill, read_bytes

ENGLISH = TargetLanguage(CHINESE_TO_ENGLISH)
GOLDEN = Path(__file__).parents[2] / "golden"


def translated(
    data: bytes, name: str, target: str = "en", keep: tuple[str, ...] = (), names_language: bool = True
) -> bytes:
    """A file with a target in each segment, except segments that contain some words."""
    document = read_bytes(data, name)
    done = SegmentState("Words", Status.EDITED)
    segments = [
        each if any(words in each.source for words in keep) else each.with_state(done)
        for each in document.segments
    ]
    pair = LanguagePair("zh", target)
    reading = ReadOptions("zh", document.encoding)
    return fill(data, document.format, segments, reading, pair, names_language)


def package(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return out.getvalue()


def part(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return file.read(name).decode()


@pytest.mark.parametrize(
    ("code", "tag", "regional"),
    [
        ("en", "en", "en-US"),
        ("eng_Latn", "en", "en-US"),
        ("zho_Hant", "zh-Hant", "zh-TW"),
        ("pt_br", "pt-BR", "pt-BR"),
        ("zh-Hans-SG", "zh-Hans-SG", "zh-SG"),
        ("xx", "xx", "xx"),
    ],
)
def test_language_tags_follow_the_style_of_files(code: str, tag: str, regional: str) -> None:
    assert (tag_of(code), regional_tag_of(code)) == (tag, regional)


PAGE = (
    '<!DOCTYPE html><html lang="zh-CN"><head><meta property="og:locale" content="zh_CN">'
    "<title>标题</title></head><body>"
    '<p lang=zh>文字</p><p lang="fr">Texte</p><p lang="zh" translate="no">不译</p></body></html>'
)


def test_page_declares_target_language() -> None:
    assert translated(PAGE.encode(), "a.html", keep=("Texte",)).decode() == (
        '<!DOCTYPE html><html lang="en"><head><meta property="og:locale" content="en_US">'
        "<title>Words</title></head><body>"
        '<p lang=en>Words</p><p lang="fr">Texte</p><p lang="zh" translate="no">不译</p></body></html>'
    )
    assert b'<html lang="zh-CN">' in translated(PAGE.encode(), "a.html", names_language=False)


@pytest.mark.parametrize(
    ("root", "target", "expected"),
    [
        ("<html>", "en", '<html lang="en">'),
        ("<html>", "ar", '<html lang="ar" dir="rtl">'),
        ('<html dir="ltr" lang="zh">', "he", '<html dir="rtl" lang="he">'),
        ('<html lang="ja">', "de", '<html lang="de">'),
        ('<html lang="en-GB">', "en", '<html lang="en-GB">'),
        ('<html lang="{{ lang }}">', "en", '<html lang="{{ lang }}">'),
    ],
)
def test_root_element_always_declares_language(root: str, target: str, expected: str) -> None:
    page = f"{root}<body><p>文字</p></body></html>"
    assert translated(page.encode(), "a.html", target).decode() == page.replace(root, expected).replace(
        "文字", "Words"
    )


def test_book_and_pages_declare_target_language() -> None:
    pages = '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="zh"><body><p>文字</p>{}</body></html>'
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" xml:lang="zh"><text>图中</text></svg>'
    book = package({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles>'
        "</container>",
        "a.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title>书名</dc:title><dc:language>zh-CN</dc:language></metadata><manifest>"
        '<item id="p" href="p.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="p"/></spine></package>',
        "p.xhtml": pages.format(drawing),
    })  # fmt: skip
    done = translated(book, "a.epub")
    assert "<dc:language>en</dc:language>" in part(done, "a.opf")
    assert part(done, "p.xhtml").count('xml:lang="en"') == 2
    assert "zh-CN" in part(translated(book, "a.epub", names_language=False), "a.opf")


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def docx(theme_font: str = "等线", more: str = "") -> bytes:
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return package({
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="a" Type="{kinds}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document {W}><w:body><w:p><w:r><w:rPr><w:rFonts w:eastAsia="宋体"/>'
        f'<w:lang w:val="zh-CN"/></w:rPr><w:t>文字</w:t></w:r></w:p>{more}</w:body></w:document>',
        "word/styles.xml": f'<w:styles {W}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="zh-CN" '
        'w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>',
        "word/settings.xml": f'<w:settings {W}><w:themeFontLang w:val="zh-CN" w:eastAsia="zh-CN"/>'
        "</w:settings>",
        "word/theme/theme1.xml": f"<a:theme {A}><a:themeElements><a:fontScheme><a:minorFont>"
        f'<a:latin typeface="Calibri"/><a:ea typeface="{theme_font}"/><a:cs typeface="Calibri"/>'
        '<a:font script="Hang" typeface="맑은 고딕"/><a:font script="Arab" typeface="Arial"/>'
        "</a:minorFont></a:fontScheme></a:themeElements></a:theme>",
    })  # fmt: skip


def test_word_documents_declare_language_of_latin_letters() -> None:
    done = translated(docx(), "a.docx")
    assert 'w:val="en-US"' in part(done, "word/document.xml")
    assert '<w:lang w:val="en-US" w:eastAsia="zh-CN"/>' in part(done, "word/styles.xml")
    assert '<w:themeFontLang w:val="en-US" w:eastAsia="zh-CN"/>' in part(done, "word/settings.xml")
    assert part(done, "word/theme/theme1.xml") == part(docx(), "word/theme/theme1.xml")
    kept = translated(docx(), "a.docx", names_language=False)
    assert part(kept, "word/styles.xml") == part(docx(), "word/styles.xml")


def test_fonts_without_the_new_letters_are_replaced() -> None:
    korean = translated(docx(), "a.docx", "ko")
    assert '<w:lang w:val="zh-CN" w:eastAsia="ko-KR"/>' in part(korean, "word/styles.xml")
    assert '<a:ea typeface="Malgun Gothic"/>' in part(korean, "word/theme/theme1.xml")
    assert 'w:eastAsia="Malgun Gothic"' in part(korean, "word/document.xml")
    arabic = translated(docx(), "a.docx", "ar")
    assert 'w:bidi="ar-SA"' in part(arabic, "word/styles.xml")
    assert '<a:cs typeface="Arial"/>' in part(arabic, "word/theme/theme1.xml")


def test_slides_declare_target_language() -> None:
    data = (GOLDEN / "pptx" / "react-conf-impress.pptx").read_bytes()
    done = translated(data, "a.pptx")
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(io.BytesIO(done)) as after:
        slides = [name for name in before.namelist() if name.startswith("ppt/slides/slide")]
        assert any(b'lang="zh-CN"' in before.read(name) for name in slides)
        assert not any(b'lang="zh-CN"' in after.read(name) for name in slides)
        assert any(b'lang="en-US"' in after.read(name) for name in slides)


def test_opendocument_styles_but_not_dates_declare_language() -> None:
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    names = {"office": "office", "text": "text", "style": "style", "number": "datastyle"}
    heads = " ".join(f'xmlns:{key}="{space}{value}:1.0"' for key, value in names.items())
    heads += f' xmlns:fo="{space}xsl-fo-compatible:1.0"'
    default = (
        '<style:default-style style:family="paragraph"><style:text-properties fo:language="zh" '
        'fo:country="CN" style:language-asian="zh" style:country-asian="CN" style:font-name-asian="宋体"/>'
        "</style:default-style>"
    )
    date = '<number:date-style style:name="d" number:language="zh" number:country="CN"/>'
    data = package({
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"<office:document-content {heads}><office:body><office:text><text:p>文字</text:p>"
        "</office:text></office:body></office:document-content>",
        "styles.xml": f"<office:document-styles {heads}><office:styles>{default}{date}</office:styles>"
        "</office:document-styles>",
    })  # fmt: skip
    styles = part(translated(data, "a.odt"), "styles.xml")
    assert 'fo:language="en" fo:country="US"' in styles and 'style:language-asian="zh"' in styles
    assert date in styles
    korean = part(translated(data, "a.odt", "ko"), "styles.xml")
    assert 'style:language-asian="ko" style:country-asian="KR"' in korean
    assert "style:font-family-asian=\"'Malgun Gothic'\"" in korean and "宋体" not in korean


@pytest.mark.parametrize(
    ("name", "text", "before", "after"),
    [
        ("a.vtt", "WEBVTT\nKind: captions\nLanguage: zh\n\n00:01.000 --> 00:02.000\n文字\n", ": zh", ": en"),
        ("a.arb", '{"@@locale": "zh_CN", "a": "文字"}', '"zh_CN"', '"en_US"'),
        ("a.json", '{"zh-CN": {"a": "文字"}}', '"zh-CN"', '"en-US"'),
        ("a.json", '{"zh": {"a": "文字"}, "fr": {"a": "文字"}}', '"zh"', '"zh"'),
        ("a.yml", "# 目录\nzh-CN:\n  a: 文字\n", "zh-CN:", "en-US:"),
        ("a.yml", "zh:\n  a: 文字\nfr:\n  a: 文字\n", "zh:", "zh:"),
        ("a.md", "---\nlang: zh-CN\ntitle: 文字\n---\n\nlang: zh 文字\n", "-\nlang: zh-CN", "-\nlang: en-US"),
        (
            "strings.xml",
            '<resources xmlns:tools="t" tools:locale="zh"><string name="a">文字</string></resources>',
            '"zh"',
            '"en"',
        ),
    ],
)  # fmt: skip
def test_text_formats_declare_language_if_possible(name: str, text: str, before: str, after: str) -> None:
    document = read_bytes(text.encode(), name)
    kept = translated(text.encode(), name, names_language=False).decode()
    assert translated(text.encode(), name).decode() == kept.replace(before, after, 1)
    assert before in kept
    assert fill(text.encode(), document.format, document.segments, names_language=True) == text.encode()


def test_units_without_a_target_language_get_one() -> None:
    data = (
        '<xliff version="1.2"><file original="a" source-language="zh" datatype="x"><body>'
        '<trans-unit id="1"><source>文字</source></trans-unit></body></file></xliff>'
    )
    assert b'target-language="en"' in translated(data.encode(), "a.xliff")
    named = data.replace("datatype", 'target-language="en-GB" datatype')
    assert b'target-language="en-GB"' in translated(named.encode(), "a.xliff")


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx", "odt", "epub", "html"])
def test_untranslated_files_keep_their_bytes(kind: str) -> None:
    for path in sorted((GOLDEN / kind).glob(f"*.{kind}"))[:2]:
        data = path.read_bytes()
        document = read_bytes(data, path.name)
        segments = [replace(each, state=SegmentState("", Status.NOT_STARTED)) for each in document.segments]
        assert fill(data, document.format, segments, pair=CHINESE_TO_ENGLISH, names_language=True) == data


def test_no_language_is_declared_without_languages() -> None:
    assert TargetLanguage.of(LanguagePair("", "en")) is None
    assert TargetLanguage.of(LanguagePair("zh-CN", "zh-TW")) is None

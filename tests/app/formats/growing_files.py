"""Files of each format with a given number of texts."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

GOLDEN = Path(__file__).parents[2] / "golden"
_PLURAL = (
    "<dict><key>NSStringLocalizedFormatKey</key><string>%#@f@</string><key>f</key><dict>"
    "<key>NSStringFormatValueTypeKey</key><string>d</string>"
    "<key>other</key><string>%d 个</string></dict></dict>"
)
_TAGS = "WEBVTT\n\n00:01.000 --> 00:02.000\n字"
_HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
_MESSAGE = "<message><source>第{n}句</source><translation type='unfinished'></translation></message>"
_UNIT = '<trans-unit id="{n}"><source>一句话。</source><target>A sentence.</target></trans-unit>'
_VARIANTS = '<tuv xml:lang="zh"><seg>一句话。</seg></tuv><tuv xml:lang="en"><seg>One.</seg></tuv>'
_SLIDE = '<p:sp><p:nvSpPr><p:cNvPr id="99" name="x"/></p:nvSpPr><p:txBody>'
TEXTS = {
    "ass": ("[Events]\n", "Dialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,一句话。\n", ""),
    "csv": ("id,zh\n", "{n},一句话。\n", ""),
    "html": ("", "<p>一句话。</p>", ""),
    "json": ('{"z": 0', ', "k{n}": "一句话。"', "}"),
    "md": ("", "一句话。\n\n", ""),
    "mdx": ("", "一句话。\n\n", ""),
    "po": (_HEADER, 'msgid "第{n}句"\nmsgstr ""\n\n', ""),
    "properties": ("", "k{n}=一句话。\n", ""),
    "resx": ("<root>", '<data name="k{n}"><value>一句话。</value></data>', "</root>"),
    "srt": ("", "{n}\n00:00:01,000 --> 00:00:02,000\n一句话。\n\n", ""),
    "strings": ("", '"k{n}" = "一句话。";\n', ""),
    "stringsdict": ("<plist><dict>", f"<key>k{{n}}</key>{_PLURAL}", "</dict></plist>"),
    "tmx": (
        '<tmx version="1.4"><header srclang="zh"/><body>',
        f"<tu>{_VARIANTS}</tu>",
        "</body></tmx>",
    ),
    "ts": ('<TS version="2.1"><context><name>窗</name>', _MESSAGE, "</context></TS>"),
    "txt": ("", "一句话。\n", ""),
    "vtt": ("WEBVTT\n\n", "00:01.000 --> 00:02.000\n一句话。\n\n", ""),
    "xcstrings": ('{"sourceLanguage": "zh", "strings": {"z": {}', ', "一句话{n}。": {}', "}}"),
    "xlf": (
        '<xliff version="1.2"><file target-language="en"><body>',
        _UNIT,
        "</body></file></xliff>",
    ),
    "xml": ("<resources>", '<string name="k{n}">一句话。</string>', "</resources>"),
    "yml": ("a: 1\n", "k{n}: 一句话。\n", ""),
}
"""By suffix: the text before, the repeated text with its number `{n}`, and the text after."""
IN_PARTS = {
    "docx": (
        "docx/privacy.docx", "word/document.xml", "<w:sectPr",
        ("", "<w:p><w:r><w:t>字</w:t></w:r></w:p>", ""),
    ),
    "epub": ("epub/privacy.epub", "EPUB/text/ch001.xhtml", "</body>", ("", "<p>一句话。</p>", "")),
    "odt": ("odt/privacy.odt", "content.xml", "</office:text>", ("", "<text:p>一句话。</text:p>", "")),
    "pptx": (
        "pptx/react-conf.pptx", "ppt/slides/slide1.xml", "</p:spTree>",
        (_SLIDE, "<a:p><a:r><a:t>一句话。</a:t></a:r></a:p>", "</p:txBody></p:sp>"),
    ),
    "xlsx": (
        "xlsx/project-plan.xlsx", "xl/worksheets/sheet1.xml", "</sheetData>",
        ("", '<row><c r="A9" t="inlineStr"><is><t>一句话。</t></is></c></row>', ""),
    ),
}  # fmt: skip
"""By suffix: a golden file, its part, and the mark before whose last occurrence the texts are inserted."""


def with_texts(suffix: str, times: int) -> bytes:
    """A file with the given number of texts."""
    if suffix in TEXTS:
        return _repeated(TEXTS[suffix], times)
    golden, part, mark, texts = IN_PARTS[suffix]
    out = io.BytesIO()
    with zipfile.ZipFile(GOLDEN / golden) as package, zipfile.ZipFile(out, "w") as grown:
        for name in package.namelist():
            content = package.read(name)
            if name == part:
                at = content.rfind(mark.encode())
                content = content[:at] + _repeated(texts, times) + content[at:]
            grown.writestr(name, content)
    return out.getvalue()


def with_tags(times: int) -> bytes:
    """A subtitle file of one cue with the given number of tags."""
    return _repeated((_TAGS, "<c.a>字</c>", ""), times)


def _repeated(texts: tuple[str, str, str], times: int) -> bytes:
    before, text, after = texts
    return (before + "".join(text.replace("{n}", str(n)) for n in range(times)) + after).encode()

"""Generated Word documents: by python-docx, or from raw XML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from docx import Document
from docx.oxml import parse_xml
from rendering import render

from anaphora.core.document import SourceDocument
from anaphora.formats.registry import read_bytes
from anaphora.project.importing.sentence_rules import user_segmenter

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
FOOTNOTES = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:footnotes {NAMESPACES}><w:footnote w:id="-1" w:type="separator"><w:p><w:r><w:separator/></w:r></w:p>
</w:footnote><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>脚注的文字。</w:t></w:r></w:p>
</w:footnote></w:footnotes>"""
TEXT_BOX = """<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent><w:p>
<w:r><w:t>框中文字。</w:t></w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>
<v:textbox><w:txbxContent><w:p><w:r><w:t>框中文字。</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict>
</mc:Fallback></mc:AlternateContent></w:r>"""
FIELD = """<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> {code} </w:instrText></w:r><w:r>
<w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>{result}</w:t></w:r>"""
TEXT = "<w:r><w:t>{}</w:t></w:r>"
FIELD_END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def field(code: str, result: str) -> str:
    """A complex field in one paragraph."""
    return FIELD.format(code=code, result=result) + FIELD_END


def report() -> bytes:
    """Headings, mixed formatting, a table, a header, a footer, a line break and a page break."""
    document = Document()
    document.add_heading("系统设计", 1)
    paragraph = document.add_paragraph("缓存是")
    paragraph.add_run("关键").bold = True
    paragraph.add_run("部分。它保存")
    paragraph.add_run("最近").italic = True
    paragraph.add_run("的词。")
    paragraph.add_run("整句都是粗体。").bold = True
    document.add_paragraph("第一行\n第二行")
    document.add_page_break()
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "名称"
    table.cell(0, 1).text = "2024"
    table.cell(1, 1).text = "单元格里有一句。还有一句。"
    document.sections[0].header.paragraphs[0].text = "页眉文字"
    document.sections[0].footer.paragraphs[0].text = "页脚\t文字"
    return _saved(document)


def paragraph(inner: str) -> bytes:
    """A document with one paragraph of raw XML."""
    document = Document()
    element = parse_xml(f"<w:p {NAMESPACES}>{inner}</w:p>")
    document.element.body.insert(0, element)
    return _saved(document)


def with_footnote() -> bytes:
    """A paragraph with a footnote in the middle of its sentence."""
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    data = paragraph(f"<w:r><w:t>正文有注</w:t></w:r>{mark}<w:r><w:t>释。</w:t></w:r>")
    types = entries(data)["[Content_Types].xml"].decode()
    override = (
        '<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.footnotes+xml"/></Types>'
    )
    added = {"word/footnotes.xml": FOOTNOTES.encode()}
    return repacked(data, {"[Content_Types].xml": types.replace("</Types>", override).encode()}, added)


def offered(data: bytes, language: str = "") -> SourceDocument:
    """The texts to translate."""
    document = read_bytes(data, "a.docx", segmenter=user_segmenter(language))
    return document


def translated(data: bytes, targets: dict[str, str]) -> dict[str, str]:
    """The parts after translating."""
    document = offered(data)
    assert set(targets) <= {segment.source for segment in document.segments}
    wanted = {s.id: targets[s.source] for s in document.segments if s.source in targets}
    parts = entries(render(data, "docx", wanted))
    return {name: part.decode() for name, part in parts.items() if name.endswith(".xml")}


def entries(data: bytes) -> dict[str, bytes]:
    """A package's entries."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def repacked(data: bytes, changed: Mapping[str, bytes], added: Mapping[str, bytes] | None = None) -> bytes:
    """A package with changed and additional entries."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in (entries(data) | dict(added or {})).items():
            package.writestr(name, changed.get(name, content))
    return out.getvalue()


def _saved(document: object) -> bytes:
    out = io.BytesIO()
    document.save(out)  # type: ignore[attr-defined]
    return out.getvalue()

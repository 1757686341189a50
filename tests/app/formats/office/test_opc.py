"""Valid but unusual packages are read and written like ordinary ones."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.document import SourceDocument
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.package import Package
from anaphora.formats.office.opc import core_properties, relations
from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[3] / "golden"


FILES = {
    "docx": "docx/project-wizard.docx",
    "pptx": "pptx/react-conf.pptx",
    "xlsx": "xlsx/project-plan.xlsx",
}


Parts = dict[str, bytes]


def main_type(parts: Parts) -> str:
    """The main part's content type."""
    found = re.search(rb'ContentType="([^"]*\.main\+xml)"', _types(parts))
    assert found is not None
    return found[1].decode()


def _types(parts: Parts) -> bytes:
    return parts["[Content_Types].xml"]


def with_default_type(parts: Parts) -> Parts:
    """The main part's type comes from its extension, as in packages of .NET."""
    kind = main_type(parts)
    types = re.sub(rb"<Override[^>]*" + re.escape(kind.encode()) + rb"[^>]*/>", b"", _types(parts))
    types = re.sub(rb'<Default[^>]*Extension="xml"[^>]*/>', b"", types)
    default = f'<Default Extension="XML" ContentType="{kind}"/>'.encode()
    assert kind.encode() not in types
    return parts | {"[Content_Types].xml": re.sub(rb"(<Types[^>]*>)", rb"\1" + default, types)}


def with_capital_types(parts: Parts) -> Parts:
    """The main part's content type in capital letters."""
    kind = main_type(parts).encode()
    return {**parts, "[Content_Types].xml": _types(parts).replace(kind, kind.upper())}


def with_capital_names(parts: Parts) -> Parts:
    """Entries are in capitals, but content types and targets are not."""
    return {name if name.startswith("[") else name.upper(): content for name, content in parts.items()}


def with_absolute_targets(parts: Parts) -> Parts:
    """All targets are absolute."""
    return {name: _with_targets(name, content, "/{0}") for name, content in parts.items()}


def with_indirect_targets(parts: Parts) -> Parts:
    """All targets go up and down again."""
    return {name: _with_targets(name, content, "./x/../{1}") for name, content in parts.items()}


def _with_targets(name: str, content: bytes, pattern: str) -> bytes:
    if not name.endswith(".rels"):
        return content
    folder = name.partition("_rels/")[0]

    def retarget(match: re.Match[bytes]) -> bytes:
        target = match[2].decode()
        if b'TargetMode="External"' in match[0] or target.startswith("/"):
            return match[0]
        new = pattern.format(posixpath.normpath(posixpath.join(folder, target)), target)
        return match[1] + new.encode() + match[3]

    return re.sub(rb'(<Relationship [^>]*?Target=")([^"]*)("[^>]*>)', retarget, content)


def strict(parts: Parts) -> Parts:
    """The strict variant of ISO 29500, which has other namespaces."""
    found = {}
    for name, content in parts.items():
        if name.endswith((".xml", ".rels")):
            content = re.sub(
                rb"http://schemas\.openxmlformats\.org/(wordprocessingml|presentationml|spreadsheetml|drawingml"
                rb"|officeDocument)/2006/(?!customXml)",
                rb"http://purl.oclc.org/ooxml/\1/",
                content,
            )
        found[name] = content
    return found


def _package(parts: Parts) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            entry = zipfile.ZipInfo("x")
            entry.filename = name
            package.writestr(entry, content)
    return out.getvalue()


def standard_address(address: str) -> str:
    """An address with the standard spelling of its part's name."""
    part, mark, place = address.partition("#")
    return part.replace("\\", "/").casefold() + mark + place


def translated(document: SourceDocument) -> dict[str, str]:
    return {segment.id: pseudo_translation(segment.source) for segment in document.segments}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(
    "unusual",
    [
        with_default_type,
        with_capital_types,
        with_capital_names,
        with_absolute_targets,
        with_indirect_targets,
        strict,
    ],
)
@pytest.mark.slow
def test_unusual_packages_give_the_same_texts(kind: str, unusual: Callable[[Parts], Parts]) -> None:
    data = (GOLDEN / FILES[kind]).read_bytes()
    wanted = read_bytes(data, f"a.{kind}")
    changed = _package(unusual(samples.entries(data)))
    document = read_bytes(changed, f"a.{kind}")
    assert [(standard_address(s.id), s.source, s.notes) for s in document.segments] == [
        (standard_address(s.id), s.source, s.notes) for s in wanted.segments
    ]
    again = read_bytes(render(changed, kind, translated(document)), f"a.{kind}")
    expected = read_bytes(render(data, kind, translated(wanted)), f"a.{kind}")
    assert [segment.source for segment in again.segments] == [segment.source for segment in expected.segments]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.docm", "application/vnd.ms-word.document.macroEnabled.main+xml"),
        ("a.dotx", "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"),
        ("a.dotm", "application/vnd.ms-word.template.macroEnabledTemplate.main+xml"),
        ("a.xlsm", "application/vnd.ms-excel.sheet.macroEnabled.main+xml"),
        ("a.xltx", "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml"),
        ("a.xltm", "application/vnd.ms-excel.template.macroEnabled.main+xml"),
        ("a.pptm", "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"),
        ("a.ppsx", "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"),
        ("a.ppsm", "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml"),
        ("a.potx", "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml"),
        ("a.potm", "application/vnd.ms-powerpoint.template.macroEnabled.main+xml"),
    ],
)
def test_templates_and_files_with_macros(name: str, kind: str) -> None:
    plain = {"a.d": "docx", "a.x": "xlsx", "a.p": "pptx"}[name[:3]]
    data = (GOLDEN / FILES[plain]).read_bytes()
    parts = samples.entries(data)
    was = main_type(parts)
    types = _types(parts).replace(was.encode(), kind.encode())
    macro = {"word/vbaProject.bin": b"\x00Sub AutoOpen()"}
    changed = samples.repacked(data, {"[Content_Types].xml": types}, macro)
    document = read_bytes(changed, name)
    assert document.format == plain and len(document.segments) == len(read_bytes(data, f"a.{plain}").segments)
    rendered = render(changed, plain, {document.segments[0].id: "Text"})
    assert samples.entries(rendered)["word/vbaProject.bin"] == macro["word/vbaProject.bin"]


@pytest.mark.parametrize("kind", FILES)
def test_package_of_another_program_is_refused(kind: str) -> None:
    for other, path in FILES.items():
        if other != kind:
            with pytest.raises(FormatError, match="is another kind of ZIP archive"):
                read_bytes((GOLDEN / path).read_bytes(), f"a.{kind}")


LINK = '<Relationship Id="{0}" Type="http://x.test/rel/{1}" Target="{2}"{3}/>'


def package_of(rels: str = "", types: str = "", folder: str = "word/", **more: str) -> Package:
    space = 'xmlns="http://schemas.openxmlformats.org/package/2006/'
    parts = {
        "[Content_Types].xml": f'<Types {space}content-types">{types}</Types>',
        f"{folder}_rels/document.xml.rels": f'<Relationships {space}relationships">{rels}</Relationships>',
        "_rels/.rels": f'<Relationships {space}relationships">{more.pop("root", "")}</Relationships>',
        "word/document.xml": "<a/>",
        "word/media/B.xml": "<b/>",
        "docProps/core.xml": "<c/>",
        **more,
    }
    return Package(_package({name: text.encode() for name, text in parts.items()}))


def test_links_lead_to_existing_parts_only() -> None:
    links = (
        ("1", "image", "media/b.xml", ""),
        ("2", "core-properties", "/docProps/core.xml", ""),
        ("3", "image", "../docProps/core.xml", ""),
        ("4", "image", "..\\docProps\\core.xml", ""),
        ("5", "image", "media/none.xml", ""),
        ("6", "image", "media/b.xml", ' TargetMode="External"'),
        ("7", "image", "media/b.xml", ' TargetMode="Internal"'),
        ("8", "image", "", ""),
        ("9", "image", "../../../etc/passwd", ""),
    )
    package = package_of("".join(LINK.format(*link) for link in links))
    found = relations(package, "word/document.xml")
    assert {key: (each.kind, each.target) for key, each in found.items()} == {
        "1": ("image", "word/media/B.xml"),
        "2": ("core-properties", "docProps/core.xml"),
        "3": ("image", "docProps/core.xml"),
        "4": ("image", "docProps/core.xml"),
        "7": ("image", "word/media/B.xml"),
    }
    assert relations(package, "word/media/B.xml") == {} and core_properties(package) is None
    core = package_of(root=LINK.format("1", "core-properties", "docProps/core.xml", ""))
    part = core_properties(core)
    assert part is not None and part.name == "docProps/core.xml"


@pytest.mark.parametrize("file", ["pptx/react-conf.pptx", "xlsx/project-plan.xlsx"])
def test_document_title_is_read(file: str) -> None:
    original = (GOLDEN / file).read_bytes()
    core = samples.entries(original)["docProps/core.xml"].decode()
    core = re.sub(r"<dc:title ?/>|<dc:title>.*?</dc:title>", "", core)
    core = core.replace("</cp:coreProperties>", "<dc:title>文档的题目</dc:title></cp:coreProperties>")
    data = samples.repacked(original, {"docProps/core.xml": core.encode()})
    document = read_bytes(data, file)
    *others, title = document.segments
    assert title.source == "文档的题目" and title.notes[0].text == "Title of the document"
    before = read_bytes(original, file)
    assert [s.id for s in others][:5] == [s.id for s in before.segments][:5]
    rendered = samples.entries(render(data, document.format, {title.id: "The title"}))
    assert b"<dc:title>The title</dc:title>" in rendered["docProps/core.xml"]


@pytest.mark.parametrize(
    ("name", "part", "behind", "added"),
    [
        ("project-plan.xlsx", "styles.xml", "</styleSheet>", '<numFmt formatCode="0&quot;万元&quot;"/>'),
        ("project-plan.xlsx", "charts/chart", "</c:valAx>", '<c:numFmt formatCode="0&quot;亿&quot;"/>'),
        ("react-conf.pptx", "charts/chart", "</c:valAx>", '<c:formatCode>0"亿"</c:formatCode>' * 2),
    ],
)
def test_formats_with_words_are_counted(name: str, part: str, behind: str, added: str) -> None:
    data = (GOLDEN / name.rpartition(".")[2] / name).read_bytes()
    parts = samples.entries(data)
    found = next(key for key in parts if part in key and behind.encode() in parts[key])
    changed = parts[found].replace(behind.encode(), f"{added}{behind}".encode(), 1)
    notes = read_bytes(samples.repacked(data, {found: changed}), name).notes
    assert "Words in number and date formats are not translated: 1." in notes

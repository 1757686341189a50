"""Untrusted XML is parsed safely or refused with a typed error, in every XML format."""

from __future__ import annotations

import io
import os
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx_samples as samples
import pytest
from rendering import render

from anaphora.formats.base import xml
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.package import Package
from anaphora.formats.registry import read_bytes

GOLDEN = Path(__file__).parents[3] / "golden"
PARTS = {
    "docx/project-wizard.docx": "word/document.xml",
    "odt/privacy.odt": "content.xml",
    "pptx/react-conf.pptx": "ppt/slides/slide1.xml",
    "xlsx/project-plan.xlsx": "xl/sharedStrings.xml",
    "epub/privacy.epub": "META-INF/container.xml",
}
LAUGHS = '<!DOCTYPE b [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY a{n} "{f"&a{n - 1};" if n else "&a;"}{f"&a{n - 1};" if n else "&a;"}">' for n in range(40)
)
LAUGHS += "]><b>&a39;</b>"


def with_part(name: str, content: bytes) -> tuple[bytes, str]:
    data = (GOLDEN / name).read_bytes()
    return samples.repacked(data, {PARTS[name]: content}), Path(name).name


def test_a_doctype_is_refused_unless_it_is_expected() -> None:
    data = b'<!DOCTYPE a PUBLIC "x" "http://example.invalid/x.dtd"><a>&nbsp;</a>'
    with pytest.raises(FormatError, match="entities"):
        xml.parse(data)
    assert xml.parse(data, doctype=True).getroot().tag == "a"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("doctype", [False, True])
def test_entities_are_never_expanded(encoding: str, doctype: bool) -> None:
    with pytest.raises(FormatError):
        xml.parse(LAUGHS.encode(encoding), doctype=doctype)
    with pytest.raises(FormatError):
        list(xml.stream(LAUGHS.encode("utf-8"), ("b",)))


TWICE = '<a><b xml:id="x">one</b><b xml:id="x">two</b></a>'


class Pipe:
    """A named pipe that records if it was opened for reading."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.url = path.as_uri()
        self.opened = False
        self._path = path
        self._thread = threading.Thread(target=self._wait, daemon=True)
        self._thread.start()

    def _wait(self) -> None:
        os.close(os.open(self._path, os.O_WRONLY))
        self.opened = True

    def was_opened(self) -> bool:
        """True if it has been opened."""
        opened = self.opened
        reader = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK)
        self._thread.join()
        os.close(reader)
        return opened


def encoded(text: str, encoding: str) -> bytes:
    """A document in its declared encoding; in UTF-7, a search of the bytes does not find its tags."""
    name = {"cp037": "IBM037"}.get(encoding, encoding)
    data = f'<?xml version="1.0" encoding="{name}"?>{text}'.encode(encoding)
    return data.replace(b"<!DOCTYPE", b"+ADwAIQ-DOCTYPE") if encoding == "utf-7" else data


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-7", "cp037", "gb18030"]
)
@pytest.mark.parametrize("doctype", [False, True])
@pytest.mark.parametrize(
    "declared", ['SYSTEM "{0}"', 'PUBLIC "x" "{0}"', 'SYSTEM "{0}" [<!ATTLIST b c CDATA "d">]',
                 '[<!ENTITY % e SYSTEM "{0}"> %e;]'],
)  # fmt: skip
def test_no_external_dtd_is_read_in_any_encoding(
    encoding: str, doctype: bool, declared: str, tmp_path: Path
) -> None:
    pipe = Pipe(tmp_path / "a.dtd")
    data = encoded(f"<!DOCTYPE a {declared.format(pipe.url)}>{TWICE}", encoding)
    try:
        with pytest.raises(FormatError):
            xml.parse(data, doctype=doctype)
        for walk in (xml.stream(data, ("b",)), xml.iterate(io.BytesIO(data))):
            with pytest.raises(FormatError):
                list(walk)
    finally:
        assert not pipe.was_opened()


@pytest.mark.parametrize("ids", [1, 200])
def test_repeated_id_does_not_hide_damage(ids: int) -> None:
    with pytest.raises(FormatError, match="not valid XML"):
        xml.parse(b"<a>" + b'<b xml:id="x"/>' * ids + b"<c></a>")


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x01", b"<a>", b"<a></b>", b'<?xml version="1.0" encoding="x-no"?><a/>']
)
def test_damaged_xml_is_a_typed_error(data: bytes) -> None:
    with pytest.raises(FormatError, match="not valid XML"):
        xml.parse(data)
    with pytest.raises(FormatError, match="not valid XML"):
        list(xml.stream(data, ("a",)))


def test_a_deep_tree_is_refused() -> None:
    with pytest.raises(FormatError):
        xml.parse(b"<a>" * 100_000 + b"</a>" * 100_000)


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.slow
def test_bombs_and_foreign_entities_are_refused_in_every_package(name: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("秘密")
    foreign = f'<!DOCTYPE b [<!ENTITY a SYSTEM "{secret.as_uri()}">]><b>&a;</b>'
    for content in (LAUGHS, foreign, "<a>", ""):
        with pytest.raises(FormatError) as caught:
            read_bytes(*with_part(name, content.encode()))
        assert "秘密" not in caught.value.message
    with pytest.raises(FormatError, match="too large when unpacked"):
        read_bytes(*with_part(name, bytes(64 * 2**20)))


@pytest.mark.parametrize("name", PARTS)
def test_truncated_and_foreign_files_are_refused(name: str) -> None:
    data, file = (GOLDEN / name).read_bytes(), Path(name).name
    for wrong in (data[: len(data) // 2], data[:100], b"", b"%PDF-1.7", b"PK\x03\x04", "文字".encode()):
        with pytest.raises(FormatError):
            read_bytes(wrong, file)
    other = next(path for path in PARTS if Path(path).suffix != Path(name).suffix)
    with pytest.raises(FormatError):
        read_bytes((GOLDEN / other).read_bytes(), file)


def test_path_traversal_names_are_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = (GOLDEN / "docx/privacy.docx").read_bytes()
    data = samples.repacked(data, {}, {"../../escaped": b"x", "/etc/escaped": b"x", "a/../../b": b"x"})
    document = read_bytes(data, "a.docx")
    result = render(data, "docx", {segment.id: "x" for segment in document.segments})
    assert zipfile.ZipFile(io.BytesIO(result)).read("../../escaped") == b"x"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shape", [lambda data: b"#!/bin/sh\n" + data, lambda data: data])
def test_package_with_unusual_layout_is_rewritten(shape: Callable[[bytes], bytes]) -> None:
    out = io.BytesIO()
    packed = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED)
    with packed as package, package.open("a.xml", "w", force_zip64=True) as entry:
        entry.write(b"<a/>")
    with zipfile.ZipFile(out, "a") as package:
        package.writestr("b.xml", "<b/>")
    data = shape(out.getvalue())
    result = Package(data).rewrite({"b.xml": b"<c/>"})
    again = Package(result)
    assert (again.read("a.xml"), again.read("b.xml")) == (b"<a/>", b"<c/>")


def test_number_of_attributes_is_limited() -> None:
    def crowded(count: int) -> bytes:
        return b"<a><b " + b"".join(b'a%d="" ' % number for number in range(count)) + b"/></a>"

    most = crowded(xml.MAX_ATTRIBUTES)
    assert len(xml.parse(most).getroot()[0].attrib) == xml.MAX_ATTRIBUTES
    assert len(list(xml.stream(most, ("b",)))) == 1
    for read in (xml.parse, lambda data: list(xml.stream(data, ("b",)))):
        for data in (
            crowded(xml.MAX_ATTRIBUTES + 1),
            crowded(xml.MAX_ATTRIBUTES + 1).decode().encode("utf-16"),
        ):
            with pytest.raises(FormatError):
                read(data)


def test_stream_frees_elements_after_use() -> None:
    data = b"<r>" + b"<b><c/></b>x" * 5 + b"</r>"
    held = []
    for element in xml.stream(data, ("b",)):
        held.append((len(element), len(element.getparent())))
    assert held == [(1, 5), (1, 5), (1, 4), (1, 3), (1, 2)], "all elements but the last one are freed"
    with pytest.raises(FormatError, match=r"The part “b\.xml” of the file is not valid XML"):
        list(xml.stream(b"<r><b/>", ("b",), "b.xml"))
    for document in (b"<!DOCTYPE r><r/>", b'<!DOCTYPE r [<!ENTITY a "b">]><r/>'):
        with pytest.raises(FormatError, match="The file contains XML entities"):
            list(xml.stream(document, ("b",)))


def test_large_document_is_read_as_a_stream() -> None:
    found = [(event, element.tag) for event, element in xml.iterate(io.BytesIO(b"<a><b/></a>"))]
    assert found == [("start", "a"), ("start", "b"), ("end", "b"), ("end", "a")]
    assert len(list(xml.iterate(io.BytesIO(b"<!DOCTYPE a><a/>")))) == 2
    for data in (b'<!DOCTYPE a [<!ENTITY b "c">]><a/>', b"<a><b></a>", b""):
        with pytest.raises(FormatError):
            list(xml.iterate(io.BytesIO(data)))

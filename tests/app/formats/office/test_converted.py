"""Formats that LibreOffice converts: translated, and written in their own format or as Office Open XML."""

from __future__ import annotations

import pytest

from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.office import converted, docx, xlsx
from anaphora.formats.office.converted import Conversion, Converted, find_program
from anaphora.formats.registry import fill, needs_conversion, output_suffixes, read_bytes

needs_libreoffice = pytest.mark.skipif(not find_program(), reason="LibreOffice is not installed")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LETTER = (
    rb"{\rtf1\ansi\ansicpg936{\fonttbl{\f0 SimSun;}}{\b\f0 \u21512 ?\u21516 ?}\par"
    rb"\u35831 ?\u20808 ?{\b \u22791 ?\u20221 ?}\u12290 ?\par}"
)
TARGETS = ("Contract", "Please {1}back up{/1} first.")


def translated(data: bytes, name: str, suffix: str = "") -> bytes:
    document = read_bytes(data, name)
    segments = [
        segment.with_state(SegmentState(target, Status.CONFIRMED))
        for segment, target in zip(document.segments, TARGETS, strict=True)
    ]
    return fill(data, document.format, segments, names_language=True, suffix=suffix)


@needs_libreoffice
def test_rich_text_is_translated_and_stays_rich_text() -> None:
    document = read_bytes(LETTER, "letter.rtf")
    assert [segment.source for segment in document.segments] == ["合同", "请先{1}备份{/1}。"]
    assert document.format == "rtf" and document.data == LETTER
    assert fill(LETTER, "rtf", document.segments) == LETTER  # without a translation, the bytes stay
    made = translated(LETTER, "letter.rtf")
    assert made.startswith(b"{\\rtf1")
    again = read_bytes(made, "letter.rtf")
    assert [segment.source for segment in again.segments] == [*TARGETS]


@needs_libreoffice
def test_a_page_under_the_name_of_a_document_is_written_as_docx_on_request() -> None:
    page = "<html><body><p><b>合同</b></p><p>请先<b>备份</b>。</p></body></html>".encode()
    made = translated(page, "letter.doc", ".docx")
    again = docx.FORMAT.open(made, ReadOptions())
    assert ["".join(piece.text for piece in block.pieces) for block in again.blocks()] == [
        "Contract",
        "Please back up first.",
    ]


def test_without_libreoffice_advice_is_given(monkeypatch) -> None:
    monkeypatch.setattr(converted, "find_program", lambda: "")
    known = Converted("rtf", "Rich Text", docx.FORMAT, (b"{\\rtf",))
    with pytest.raises(FormatError, match=r"not installed.*\.docx"):
        known.convert(LETTER)


@pytest.mark.parametrize("name", ("a.rtf", "a.doc", "a.xls", "a.ppt", "a.ods", "a.odp"))
def test_wrong_file_type_is_not_passed_to_libreoffice(name, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")  # there is no program to start
    with pytest.raises(FormatError, match=r"not in .* format"):
        read_bytes("一段文字。".encode() * 10, name)
    assert needs_conversion(name) and not needs_conversion("a.docx")
    assert output_suffixes(name.upper())[0] == f".{name[2:]}"


@pytest.mark.parametrize(
    ("name", "data", "is_its_kind"),
    [
        ("a.doc", OLE + "WordDocument".encode("utf-16-le"), True),
        ("a.doc", OLE + "Workbook".encode("utf-16-le"), False),
        ("a.xls", OLE + "Workbook".encode("utf-16-le"), True),
        ("a.xls", OLE + "Book".encode("utf-16-le"), True),
        ("a.ppt", OLE + "PowerPoint Document".encode("utf-16-le"), True),
        ("a.ppt", OLE + b"PowerPoint Document", False),
        ("a.doc", b"\xef\xbb\xbf\r\n <HTML>", True),
        ("a.doc", b"{\\RTF1", True),
        ("a.rtf", b" " * 507 + b"{\\rtf", True),
        ("a.rtf", b" " * 508 + b"{\\rtf", False),  # too much white space for a real file
        *(
            ("a.xls", begins, True)
            for begins in (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00")
        ),
        ("a.ods", b"PK\x03\x04", True),
        ("a.odp", b"PK\x03\x05", False),
    ],
)
def test_file_type_follows_from_first_bytes(name: str, data: bytes, is_its_kind: bool, monkeypatch) -> None:
    monkeypatch.setattr(converted, "convert", lambda *what: pytest.fail("it is only looked at"))
    (known,) = (each for each in converted.FORMATS if each.name == name[2:])
    monkeypatch.setattr(converted, "find_program", lambda: "")
    with pytest.raises(FormatError, match="not installed" if is_its_kind else r"not in .* format"):
        known.convert(data)


def test_conversion_is_cached_and_web_page_becomes_document(monkeypatch) -> None:
    asked: list[tuple[bytes, Conversion]] = []

    def convert(data: bytes, conversion: Conversion, program: str, step: object = None) -> bytes:
        asked.append((data, conversion))
        return b"made of " + data

    monkeypatch.setattr(converted, "convert", convert)
    monkeypatch.setattr(converted, "find_program", lambda: "soffice")
    known = Converted("doc", "Word", docx.FORMAT, (b"<html", b"<x"), "MS Word 97")
    for _ in range(2):
        assert known.convert(b"<x>") == b"made of <x>"
    assert known.convert(b" <HTML>") == b"made of  <HTML>" and known.convert(b"<x>") == b"made of <x>"
    assert [data for data, _ in asked] == [b"<x>", b" <HTML>", b"<x>"], "the last result is cached"
    assert [conversion for _, conversion in asked] == [
        Conversion(".doc", "docx", ""),
        Conversion(".doc", "docx", "HTML (StarWriter)"),
        Conversion(".doc", "docx", ""),
    ]
    assert known.convert_back(b"x") == b"made of x" and asked[-1][1] == Conversion(".docx", "doc:MS Word 97")
    sheet = Converted("xls", "Excel", xlsx.FORMAT, (b"<html",))
    sheet.convert(b"<html>")
    assert asked[-1][1] == Conversion(".xls", "xlsx", "") and sheet.convert_back(b"x")
    assert asked[-1][1] == Conversion(".xlsx", "xls")

"""Formats that LibreOffice converts: translated, and written in their own format or as Office Open XML."""

from __future__ import annotations

import pytest

from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError, Reading
from anaphora.formats.base.libreoffice import find_program
from anaphora.formats.office import docx
from anaphora.formats.office.converted import Converted
from anaphora.formats.registry import fill, is_converted, read_bytes, suffixes_written

needs_libreoffice = pytest.mark.skipif(not find_program(), reason="LibreOffice is not installed")
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
    assert fill(LETTER, "rtf", document.segments) == LETTER  # nothing is translated: its bytes stay
    made = translated(LETTER, "letter.rtf")
    assert made.startswith(b"{\\rtf1")
    again = read_bytes(made, "letter.rtf")
    assert [segment.source for segment in again.segments] == [*TARGETS]


@needs_libreoffice
def test_a_letter_of_word_97_that_is_rich_text_becomes_one_of_word_97() -> None:
    made = translated(LETTER, "letter.doc")
    assert made.startswith(b"\xd0\xcf\x11\xe0")


@needs_libreoffice
def test_a_page_under_the_name_of_a_document_is_written_as_docx_where_that_is_asked_for() -> None:
    page = "<html><body><p><b>合同</b></p><p>请先<b>备份</b>。</p></body></html>".encode()
    made = translated(page, "letter.doc", ".docx")
    again = docx.FORMAT.blocks(made, Reading())
    assert ["".join(piece.text for piece in block.pieces) for block in again.blocks] == [
        "Contract",
        "Please back up first.",
    ]


def test_without_libreoffice_it_is_said_what_to_do() -> None:
    known = Converted("rtf", "Rich Text", docx.FORMAT, (b"{\\rtf",), find=lambda: "")
    with pytest.raises(FormatError, match=r"not installed.*\.docx"):
        known.convert(LETTER)


@pytest.mark.parametrize("name", ("a.doc", "a.xls", "a.ppt"))
def test_what_is_left_of_a_file_that_was_cut_off_is_not_read_as_text(name, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FormatError, match="not of the kind"):
        read_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "一段文字。".encode() * 999, name)


@pytest.mark.parametrize("name", ("a.rtf", "a.doc", "a.xls", "a.ppt", "a.ods", "a.odp"))
def test_what_is_none_of_its_kind_is_not_given_to_libreoffice(name, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")  # nothing could be started
    with pytest.raises(FormatError, match="not of the kind"):
        read_bytes("一段文字。".encode() * 10, name)
    assert is_converted(name) and not is_converted("a.docx")
    assert suffixes_written(name.upper())[0] == f".{name[2:]}"

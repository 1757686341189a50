"""A document that LibreOffice converts is opened and exported in its format."""

from __future__ import annotations

import pytest

from anaphora.features.documents.feature import Documents
from anaphora.formats.office.converted import find_program

needs_libreoffice = pytest.mark.skipif(not find_program(), reason="LibreOffice is not installed")
LETTER = rb"{\rtf1\ansi\ansicpg936 \u35831 ?\u20808 ?\u22791 ?\u20221 ?\u12290 ?\par}"


@needs_libreoffice
def test_a_converted_document_is_exported_in_its_format(qtbot, make_window, tmp_path) -> None:
    path = tmp_path / "letter.zh.rtf"
    path.write_bytes(LETTER)
    window = make_window()
    controller = window.controller
    window.opener.open(path)
    qtbot.waitUntil(lambda: controller.session is not None, timeout=120000)
    segment = controller.session.document.at(0)
    assert segment.source == "请先备份。"
    controller.editing.type_text(segment.id, "Please back up first.")
    out = tmp_path / "letter.en.rtf"
    with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=120000):
        window.of(Documents).exporting.export(out)
    written = out.read_bytes()
    assert written.startswith(b"{\\rtf1") and b"Please back up first." in written


def test_a_missing_libreoffice_is_reported(qtbot, make_window, tmp_path, monkeypatch) -> None:
    path = tmp_path / "letter.zh.rtf"
    path.write_bytes(LETTER + b" ")  # not converted before
    monkeypatch.setenv("PATH", "")
    window = make_window()
    with qtbot.waitSignal(window.controller.failed, timeout=20000) as signal:
        window.opener.open(path)
    assert "not installed" in signal.args[1] and ".docx" in signal.args[2]

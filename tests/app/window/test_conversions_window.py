"""A document that LibreOffice converts: asked before, opened, exported as it came, and given up."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMessageBox

from anaphora.formats.base.libreoffice import find_program

needs_libreoffice = pytest.mark.skipif(not find_program(), reason="LibreOffice is not installed")
LETTER = rb"{\rtf1\ansi\ansicpg936 \u35831 ?\u20808 ?\u22791 ?\u20221 ?\u12290 ?\par}"


def question(window) -> QMessageBox | None:
    boxes = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    return boxes[0] if boxes else None


def press(box: QMessageBox, text: str) -> None:
    next(button for button in box.buttons() if button.text() == text).click()


@needs_libreoffice
def test_it_is_asked_before_and_exported_as_it_came(qtbot, make_window, tmp_path) -> None:
    path = tmp_path / "letter.zh.rtf"
    path.write_bytes(LETTER)
    window = make_window()
    controller = window.controller
    controller.open(path)
    qtbot.waitUntil(lambda: question(window) is not None, timeout=20000)
    box = question(window)
    assert box is not None
    assert "letter.zh.rtf" in box.text() and ".rtf\u00a0→\u00a0.docx" in box.text()
    assert not window.table.isVisible() and not controller.can_cancel_opening
    box.checkBox().setChecked(False)
    press(box, "Convert and open")
    qtbot.waitUntil(lambda: controller.session is not None, timeout=120000)
    assert not controller.asks_before_conversions
    segment = controller.session.document.at(0)
    assert segment.source == "请先备份。"
    controller.editing.type_text(segment.id, "Please back up first.")
    # What is written can be given up, and leaves nothing.
    out = tmp_path / "letter.en.rtf"
    controller.export(out)
    assert window.presenter.exporting.dialog is not None
    with (
        qtbot.waitSignal(controller.exports.lasting, timeout=20000),
        qtbot.assertNotEmitted(controller.exported),
    ):
        window.presenter.exporting.dialog.reject()
    assert not out.exists()
    with qtbot.waitSignal(controller.exported, timeout=120000):
        controller.export(out)
    written = out.read_bytes()
    assert written.startswith(b"{\\rtf1") and b"Please back up first." in written
    assert window.presenter.exporting.dialog is None


@needs_libreoffice
def test_who_does_not_agree_has_nothing_converted(qtbot, make_window, tmp_path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter.zh.rtf").write_bytes(LETTER)
    window = make_window()
    window.controller.open(tmp_path / "in")
    qtbot.waitUntil(lambda: question(window) is not None, timeout=20000)
    box = question(window)
    assert box is not None
    box.reject()
    qtbot.waitUntil(lambda: not window.controller.tasks.busy, timeout=20000)
    assert window.controller.session is None


def test_without_libreoffice_nothing_is_asked_and_it_is_said(
    qtbot, make_window, tmp_path, monkeypatch
) -> None:
    path = tmp_path / "letter.zh.rtf"
    path.write_bytes(LETTER + b" ")  # not converted before
    monkeypatch.setenv("PATH", "")
    window = make_window()
    with qtbot.waitSignal(window.controller.failed, timeout=20000) as told:
        window.controller.open(path)
    assert "not installed" in told.args[1] and ".docx" in told.args[2]

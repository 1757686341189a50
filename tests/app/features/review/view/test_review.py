"""Exporting a translation for review and importing the changes, in the window."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from counted_calls import calls_of
from docx import Document
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.segment import Status
from anaphora.editor.appearance.theme import Theme, ThemeChoice
from anaphora.editor.widgets import changes as widgets
from anaphora.editor.widgets.changes import CHANGE, NUMBER
from anaphora.editor.widgets.html_table import HTML_ROLE
from anaphora.features.review.changes import ReviewChange, ReviewKind
from anaphora.features.review.feature import Review
from anaphora.features.review.files import read_table
from anaphora.features.review.view.dialog import ReviewDialog


@pytest.mark.slow
def test_a_review_is_exported_and_imported(qtbot, make_window, document, drafted, tmp_path: Path) -> None:
    window = make_window(None, document)
    drafted(window)
    path = tmp_path / "out.review.docx"
    with qtbot.waitSignal(window.of(Review).service.written, timeout=20000):
        window.of(Review).write(path)
    book = Document(str(path))
    rows = book.tables[0].rows
    assert [cell.text for cell in rows[0].cells] == ["No.", "Source", "Translation", "Status", "Comments"]
    assert rows[1].cells[3].text == "Machine draft"
    rows[1].cells[2].text = "The reviewer's first."
    rows[2].cells[2].text = "The reviewer's second."
    rows[3].cells[4].text = "Is this right?"
    book.save(str(path))
    mine = window.model.segment(1).id
    window.controller.editing.type_text(mine, "My own second.")
    before = [segment.target for segment in window.session.document]

    with qtbot.waitSignal(window.of(Review).service.compared, timeout=20000):
        window.of(Review).service.read(path)
    dialog = window.findChild(ReviewDialog)
    assert dialog.isVisible() and dialog.model.rowCount() == 3
    assert [change.number for change in dialog.checked()] == [1, 3], "the conflict waits for a decision"
    assert "reviewer" in dialog.model.index(0, CHANGE).data(HTML_ROLE)
    assert "Accept 2 changes" in dialog.apply_button.text()
    dialog.apply_button.setFocus()
    QTest.keyClick(dialog.apply_button, Qt.Key.Key_Return)
    assert window.model.segment(0).target == "The reviewer's first."
    assert window.model.segment(0).status is Status.EDITED
    assert window.model.segment(1).target == "My own second."
    (comment,) = window.controller.comments.of(window.model.segment(2).id)
    assert (comment.text, comment.author) == ("Is this right?", "Review")
    window.actions_by_name["undo"].trigger()
    assert [segment.target for segment in window.session.document] == before


def test_a_file_that_is_not_a_review_is_refused(qtbot, make_window, document, tmp_path: Path) -> None:
    window = make_window(None, document, False)
    other = tmp_path / "other.docx"
    other.write_bytes(b"no package")
    with qtbot.waitSignal(window.controller.failed, timeout=20000) as failed:
        window.of(Review).service.read(other)
    assert failed.args[1] == "“other.docx” contains no review table."


def test_the_dialog_of_a_large_review_computes_only_visible_rows(qtbot, monkeypatch) -> None:
    worked_out: list[str] = []

    def work_out(_: Theme, before: str, *_more: object) -> str:
        worked_out.append(before)
        return before

    monkeypatch.setattr(widgets, "compared", work_out)
    changes = [
        ReviewChange(ReviewKind.CHANGED, str(number), number, "账本。", f"A ledger {number}.", "The ledger.")
        for number in range(1, 20_001)
    ]
    theme = Theme(cast(QApplication, QApplication.instance()), ThemeChoice.LIGHT)
    dialog = ReviewDialog("a.docx", changes, theme)
    qtbot.addWidget(dialog)
    assert len(worked_out) < 500, "only rows that fit into the list"
    assert "Accept 20000 changes" in dialog.apply_button.text()
    box = dialog.model.index(7_000, NUMBER)
    dialog.model.setData(box, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert "Accept 19999 changes" in dialog.apply_button.text() and len(dialog.checked()) == 19_999


def test_boxes_far_down_in_a_large_review_are_checked_at_once(qtbot, monkeypatch) -> None:
    worked_out: list[str] = []

    def work_out(_: Theme, before: str, *_more: object) -> str:
        worked_out.append(before)
        return before

    monkeypatch.setattr(widgets, "compared", work_out)
    changes = [
        ReviewChange(
            ReviewKind.CHANGED, str(number), number, "账本。", f"A ledger {number}. " * 12, "The ledger."
        )
        for number in range(1, 20_001)
    ]
    theme = Theme(cast(QApplication, QApplication.instance()), ThemeChoice.LIGHT)
    dialog = ReviewDialog("a.docx", changes, theme)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    view = dialog.list
    view.setFocus()
    view.verticalScrollBar().setValue(7_000)
    place = view.visualRect(view.model().index(7_001, NUMBER))
    QTest.mouseClick(
        view.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QPoint(place.left() + 12, place.center().y()),
    )
    assert len(dialog.checked()) == 19_999
    for key, row in ((Qt.Key.Key_End, 19_999), (Qt.Key.Key_Home, 0), (Qt.Key.Key_End, 19_999)):
        QTest.keyClick(view, key)
        index = view.currentIndex()
        assert index.row() == row and view.viewport().rect().contains(view.visualRect(index))
        assert view.rowHeight(row) >= view.sizeHintForRow(row), "all of its text"
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert len(dialog.checked()) == 19_998, "the focus stays in the list"
    dialog.resize(1300, 700)
    theme.changed.emit()
    QApplication.processEvents()
    assert len(worked_out) < 2_000, "only rows that were visible"


def test_export_for_review_does_not_use_the_windows_thread(qtbot, make_window, tmp_path: Path) -> None:
    long = tmp_path / "long.zh.txt"
    long.write_text("".join(f"账本保存第{number}个交易。\n" for number in range(400)), "utf-8")
    window = make_window(None, long)
    with qtbot.waitSignal(window.of(Review).service.written, timeout=60000) as written:
        calls = calls_of(lambda: window.of(Review).write(tmp_path / "out.review.docx"))
    assert calls < 200, "of 400 segments"
    assert len(read_table(written.args[0]).rows) == 400

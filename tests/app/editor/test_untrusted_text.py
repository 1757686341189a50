"""File names and texts with markup are shown as plain text: nothing is loaded, hidden or made a link."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, QMimeData, Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMessageBox, QWidget

from anaphora.core.installed_model import InstalledModel
from anaphora.core.language_pair import LanguagePair
from anaphora.editor.widgets.dialogs import choose, show_error
from anaphora.features.documents.feature import Documents
from anaphora.features.documents.view.saving import ReportDialog
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.explain.feature import Explain
from anaphora.features.models.feature import Models
from anaphora.features.statistics.view.dialog import StatisticsDialog
from anaphora.features.terms.feature import Terms
from anaphora_nmt.errors import ModelFileError

EVIL = '<img src="logo.png"><b>x</b>'
"""Markup; in file names it is used without slashes."""
NAME = EVIL.replace("</b>", "<u>").replace('"', "")


def wrong_labels(widget: QWidget) -> Iterator[str]:
    """Labels with untrusted text that Qt would render as rich text."""
    for label in widget.findChildren(QLabel):
        is_rich = label.textFormat() is Qt.TextFormat.RichText or (
            label.textFormat() is Qt.TextFormat.AutoText and GuiQt.mightBeRichText(label.text())
        )
        if is_rich and "<img" in label.text():
            yield label.text()


def tips(widget: QWidget) -> Iterator[str]:
    """All tool tips in a window."""
    for part in (widget, *widget.findChildren(QWidget)):
        yield part.toolTip()
        yield from (action.toolTip() for action in part.actions())
        model = part.model() if isinstance(part, QAbstractItemView) else None
        for row in range(min(model.rowCount(), 50) if model is not None else 0):
            for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
                yield str(model.index(row, column).data(Qt.ItemDataRole.ToolTipRole) or "")


def assert_plain(widget: QWidget) -> None:
    assert not list(wrong_labels(widget))
    assert not [tip for tip in tips(widget) if GuiQt.mightBeRichText(tip) and "<img" in tip]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents with names and texts that look like HTML, and one file that cannot be read."""
    root = tmp_path / f"a {NAME}"
    root.mkdir()
    for name in (f"1 {NAME}.txt", f"2 {NAME}.txt"):
        (root / name).write_text(f"账本{EVIL}保存。\n我们需要{EVIL}缓存。\n", "utf-8")
    (root / f"{NAME}.docx").write_bytes(b"PK no package")
    return root


@pytest.mark.slow
def test_names_and_texts_with_markup_are_shown_as_plain_text(qtbot, make_window, folder, drafted) -> None:
    window = make_window(path=folder)
    drafted(window)
    qtbot.waitUntil(lambda: bool(window.findChildren(ReportDialog)), timeout=20000)
    segment = window.model.segment(0).id
    window.controller.editing.type_text(segment, f"A ledger {EVIL}.")
    assert window.controller.editing.confirm(segment)
    window.table.go_to_row(1)
    qtbot.waitUntil(lambda: window.of(Explain).inspector.explanation is not None, timeout=20000)
    window.actions_by_name["statistics"].trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(StatisticsDialog)), timeout=20000)
    window.of(Documents).files.menu.aboutToShow.emit()
    assert_plain(window)
    assert any("<img" in tip.replace("&lt;", "<") for tip in tips(window)), "the names are in the tips"


def test_terms_with_markup_are_shown_as_plain_text(qtbot, make_window, document) -> None:
    window = make_window(path=document, start=False)
    qtbot.waitUntil(lambda: window.of(Terms).service.terms is not None, timeout=20000)
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=20000):
        window.of(Terms).service.add_pair("账本", f"ledger {EVIL}")
    window.of(Terms).segment_terms.open_dialog()
    assert window.of(Terms).segment_terms.dialog.model.rowCount() == 1
    assert_plain(window)


def test_messages_with_markup_are_shown_as_plain_text(qtbot, make_window) -> None:
    def broken() -> object:
        raise ModelFileError(f"The model {EVIL} is missing.")

    window = make_window(broken)
    qtbot.waitUntil(lambda: not window.of(EngineState).no_model_banner.isHidden(), timeout=20000)
    show_error(window, "Title", f"“{EVIL}” is damaged.", f"Delete {EVIL}.")
    choose(window, "Title", EVIL, EVIL, [("Yes", lambda: None)])
    window.status_line.show_not_saved(EVIL)
    window.status_line.showMessage(EVIL)
    boxes = window.findChildren(QMessageBox)
    assert len(boxes) == 2 and EVIL in window.of(EngineState).no_model_banner.text()
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in boxes[0].findChildren(QLabel))
    assert_plain(window)
    for box in boxes:
        assert not list(wrong_labels(box))
        box.close()


def test_pasted_text_is_one_line_without_control_characters(make_window, document, drafted) -> None:
    window = make_window(path=document)
    drafted(window)
    editor = window.table.editor
    data = QMimeData()
    data.setHtml(f"<p>{EVIL}</p>")
    data.setText("one\x00\x07 two\u2028three\x0bfour\u2029five")
    editor.selectAll()
    editor.insertFromMimeData(data)
    QApplication.processEvents()
    assert window.model.segment(0).target == "one two three four five"


def test_a_models_name_is_plain_text_in_the_question_about_its_removal(make_window, tmp_path: Path) -> None:
    window = make_window(start=False)
    model = InstalledModel(tmp_path, EVIL, "Marian", LanguagePair("zh", "en"), 1)
    window.of(Models).controller.open_dialog()
    window.of(Models).controller.dialog.removal_requested.emit(model)
    assert_plain(window.findChild(QMessageBox))

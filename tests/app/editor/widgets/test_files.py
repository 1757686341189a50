"""Dialogs that ask for a file do not block, and are deleted when closed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.system import disk_queries


@pytest.fixture
def parent(qtbot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def test_a_new_file_is_proposed_and_keeps_its_suffix(qtbot, parent: QWidget, tmp_path: Path) -> None:
    dialog = choose_new(parent, "Export", lambda: tmp_path, "guide.en.docx", ["*.docx"])
    qtbot.waitUntil(dialog.isVisible, timeout=30000)
    assert dialog.selectedFiles() == [str(tmp_path / "guide.en.docx")]
    dialog.findChild(QLineEdit).setText("other")
    with qtbot.waitSignal(dialog.fileSelected, timeout=30000) as answer:
        dialog.accept()
    assert answer.args == [str(tmp_path / "other.docx")]
    qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog), timeout=30000)


def test_only_existing_files_can_be_chosen(qtbot, parent: QWidget, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("字")
    dialog = choose_existing(parent, "Open", lambda: tmp_path, QFileDialog.FileMode.ExistingFile, ["*.txt"])
    qtbot.waitUntil(dialog.isVisible, timeout=30000)
    assert dialog.directory().absolutePath() == str(tmp_path)
    dialog.findChild(QLineEdit).setText("a.txt")
    with qtbot.waitSignal(dialog.fileSelected, timeout=30000) as answer:
        dialog.accept()
    assert answer.args == [str(tmp_path / "a.txt")]


def test_the_window_does_not_wait_for_an_unresponsive_folder(qtbot, parent: QWidget) -> None:
    answered = threading.Event()

    def folder() -> Path:
        answered.wait(30)
        return Path("/gone")

    dialog = choose_new(parent, "Export", folder, "CON.docx", ["*.docx"])
    qtbot.wait(50)
    assert not dialog.isVisible()
    answered.set()
    qtbot.waitUntil(dialog.isVisible, timeout=30000)
    assert dialog.selectedFiles() == [str(Path.home() / "_CON.docx")]
    dialog.reject()


def test_waiting_for_an_unresponsive_folder_ends(
    qtbot, parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_queries, "PATIENCE_MS", 50)
    answered = threading.Event()

    def folder() -> Path:
        answered.wait(30)
        return tmp_path

    dialog = choose_new(parent, "Export", folder, "a.docx", ["*.docx"])
    qtbot.waitUntil(dialog.isVisible, timeout=20000)
    assert dialog.selectedFiles() == [str(Path.home() / "a.docx")]
    answered.set()
    qtbot.wait(100)
    assert dialog.directory().absolutePath() == str(Path.home()), "the user may have begun to choose"
    dialog.reject()


def test_two_requests_before_the_folder_responds_open_one_dialog(qtbot, parent: QWidget, tmp_path) -> None:
    answered = threading.Event()

    def folder() -> Path:
        answered.wait(30)
        return tmp_path

    for _ in range(2):
        choose_new(parent, "Export", folder, "a.docx", ["*.docx"])
    answered.set()
    qtbot.waitUntil(lambda: len(parent.findChildren(QFileDialog)) == 1, timeout=30000)
    (dialog,) = parent.findChildren(QFileDialog)
    qtbot.waitUntil(dialog.isVisible, timeout=30000)
    dialog.reject()

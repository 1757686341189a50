"""Dialogs that ask for a file: they do not block, propose what they were given, and are gone when closed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from anaphora.views.widgets.files import choose_existing, choose_new


@pytest.fixture
def parent(qtbot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def test_a_new_file_is_proposed_and_keeps_its_suffix(qtbot, parent: QWidget, tmp_path: Path) -> None:
    dialog = choose_new(parent, "Export", tmp_path / "guide.en.docx", ["*.docx"])
    assert dialog.isVisible() and dialog.selectedFiles() == [str(tmp_path / "guide.en.docx")]
    dialog.selectFile(str(tmp_path / "other"))
    with qtbot.waitSignal(dialog.fileSelected, timeout=30000) as answer:
        dialog.accept()
    assert answer.args == [str(tmp_path / "other.docx")]
    qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog), timeout=30000)


def test_what_is_there_can_be_chosen_and_nothing_else(qtbot, parent: QWidget, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("字")
    dialog = choose_existing(parent, "Open", tmp_path, QFileDialog.FileMode.ExistingFile, ["*.txt"])
    assert dialog.isVisible() and dialog.directory().absolutePath() == str(tmp_path)
    dialog.selectFile(str(tmp_path / "a.txt"))
    with qtbot.waitSignal(dialog.fileSelected, timeout=30000) as answer:
        dialog.accept()
    assert answer.args == [str(tmp_path / "a.txt")]


def test_a_folder_shows_folders_only(parent: QWidget, tmp_path: Path) -> None:
    dialog = choose_existing(parent, "Folder", tmp_path, QFileDialog.FileMode.Directory)
    assert dialog.testOption(QFileDialog.Option.ShowDirsOnly)
    dialog.reject()

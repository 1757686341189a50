"""Dialogs that ask for a file or folder. None blocks; each is gone when it is closed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget


def choose_existing(
    parent: QWidget, title: str, folder: Path, mode: QFileDialog.FileMode, filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for what is there: a file, several, or a folder.

    Args:
        folder: where to begin.
        filters: kinds of files, as Qt writes them ("Texts (*.txt)").
    Returns:
        the open dialog, whose `fileSelected` or `filesSelected` answers.
    """
    dialog = _dialog(parent, title, folder, filters)
    dialog.setFileMode(mode)
    if mode is QFileDialog.FileMode.Directory:
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.open()
    return dialog


def choose_new(parent: QWidget, title: str, proposed: Path, filters: Sequence[str]) -> QFileDialog:
    """Ask where to write a file.

    Args:
        proposed: folder and name to begin with; a name without a suffix gets its suffix.
        filters: see `choose_existing`.
    Returns:
        the open dialog, whose `fileSelected` answers.
    """
    dialog = _dialog(parent, title, proposed.parent, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(proposed.suffix.lstrip("."))
    dialog.selectFile(proposed.name)
    dialog.open()
    return dialog


def _dialog(parent: QWidget, title: str, folder: Path, filters: Sequence[str]) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(folder))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if filters:
        dialog.setNameFilters(filters)
    return dialog

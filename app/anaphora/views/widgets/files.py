"""Dialogs that ask for a file or folder. None blocks; each is gone when it is closed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QFileInfo, QMimeDatabase, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget


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


class IconsByName(QFileIconProvider):
    """Icons and kinds of files by their names.

    Qt's own look into files whose names tell it nothing. Of a project that this process has open that would
    end sqlite's locks (`core.open_files`); of a file on a slow network it would be waited for.
    """

    def __init__(self) -> None:
        super().__init__()
        self._file = super().icon(QFileIconProvider.IconType.File)
        self._folder = super().icon(QFileIconProvider.IconType.Folder)
        self._kinds = QMimeDatabase()

    def icon(self, of: QFileInfo | QFileIconProvider.IconType) -> QIcon:  # type: ignore[override]
        """The icon of a file or folder, or of a kind of places."""
        if isinstance(of, QFileInfo):
            return self._folder if of.isDir() else self._file
        return super().icon(of)

    def type(self, info: QFileInfo) -> str:
        """What a file is called by its suffix."""
        if info.isDir():
            return super().type(info)
        return self._kinds.mimeTypeForFile(info.fileName(), QMimeDatabase.MatchMode.MatchExtension).comment()


def _dialog(parent: QWidget, title: str, folder: Path, filters: Sequence[str]) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    icons = IconsByName()
    dialog.setIconProvider(icons)
    dialog.destroyed.connect(lambda: icons)  # Qt does not keep it.
    dialog.setDirectory(str(folder))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if filters:
        dialog.setNameFilters(filters)
    return dialog

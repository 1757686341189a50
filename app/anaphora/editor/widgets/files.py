"""Dialogs that ask for a file or folder. They do not block the window, and are deleted on closing.

Another thread checks whether the initial folder exists, because a network folder may take minutes to respond.
Without a response within two seconds, the dialog opens in the user's home folder.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QFileInfo, QMimeDatabase, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget

from anaphora.system.disk_queries import DiskQueries
from anaphora.system.locations import safe_name


def choose_existing(
    parent: QWidget,
    title: str,
    folder: Callable[[], Path],
    mode: QFileDialog.FileMode,
    filters: Sequence[str] = (),
) -> QFileDialog:
    """Ask for an existing file, several files, or a folder.

    Args:
        folder: returns the initial folder; called in another thread, where it must not use widgets or fail.
    Returns:
        the dialog, which opens later; connect to its signals `fileSelected` or `filesSelected`.
    """
    dialog = _dialog(parent, title, filters)
    dialog.setFileMode(mode)
    if mode is QFileDialog.FileMode.Directory:
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open_in(parent, dialog, folder, lambda: None)
    return dialog


def choose_new(
    parent: QWidget, title: str, folder: Callable[[], Path], name: str, filters: Sequence[str]
) -> QFileDialog:
    """Ask for a file to write, initially `name`. A chosen name without a suffix gets the suffix of `name`."""
    dialog = _dialog(parent, title, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix.lstrip("."))
    _open_in(parent, dialog, folder, lambda: dialog.selectFile(safe_name(name)))
    return dialog


def _open_in(
    parent: QWidget, dialog: QFileDialog, folder: Callable[[], Path], prepare: Callable[[], None]
) -> None:
    def look() -> Path:
        return next(filter(os.path.isdir, [folder()]), Path.home())

    def show(start: Path) -> None:
        if any(each.isVisible() for each in parent.findChildren(QFileDialog)):
            dialog.deleteLater()
            return
        dialog.setDirectory(str(start))
        prepare()
        dialog.open()

    DiskQueries(dialog).ask(look, show, Path.home())


class IconsByName(QFileIconProvider):
    """Chooses icons and types of files by their names only.

    Qt would read the files, which releases SQLite's locks on open projects and may block the window.
    """

    def __init__(self) -> None:
        super().__init__()
        self._file = super().icon(QFileIconProvider.IconType.File)
        self._folder = super().icon(QFileIconProvider.IconType.Folder)
        self._kinds = QMimeDatabase()

    def icon(self, of: QFileInfo | QFileIconProvider.IconType) -> QIcon:  # type: ignore[override]
        if isinstance(of, QFileInfo):
            return self._folder if of.isDir() else self._file
        return super().icon(of)

    def type(self, info: QFileInfo) -> str:
        if info.isDir():
            return super().type(info)
        return self._kinds.mimeTypeForFile(info.fileName(), QMimeDatabase.MatchMode.MatchExtension).comment()


def _dialog(parent: QWidget, title: str, filters: Sequence[str]) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    icons = IconsByName()
    dialog.setIconProvider(icons)
    dialog.destroyed.connect(lambda: icons)  # keep a reference, because Qt does not
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if filters:
        dialog.setNameFilters(filters)
    return dialog

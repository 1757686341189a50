"""Dialogs that ask for a file or folder. None blocks; each is gone when it is closed.

Where they begin is asked off the window's thread: a folder on a network may take minutes to answer, and the
dialog would wait for it. They open when that is known, and after two seconds in the user's own folder.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QFileInfo, QMimeDatabase, Qt
from PySide6.QtGui import QIcon, QPalette, QTransform
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QSplitter, QToolButton, QWidget

from anaphora.application.disk_looks import DiskLooks
from anaphora.core.file_names import safe_name
from anaphora.views.appearance.icons import pixmap

_ARROWS = {"backButton": -90, "forwardButton": 90, "toParentButton": 0}
"""Buttons of Qt's own dialog, and how far the arrow that leads up is turned for them."""
_SIZE, _PLACES = (780, 480), 130
"""Size of Qt's own dialog, and the width of its list of places, which cuts their names short by itself."""


def choose_existing(
    parent: QWidget,
    title: str,
    folder: Callable[[], Path],
    mode: QFileDialog.FileMode,
    filters: Sequence[str] = (),
) -> QFileDialog:
    """Ask for what is there: a file, several, or a folder.

    Args:
        folder: says where to begin, off the window's thread; it touches no widget, and raises nothing. One
            that is not there is replaced by the user's own.
        filters: kinds of files, as Qt writes them ("Texts (*.txt)").
    Returns:
        the dialog, which opens soon, and whose `fileSelected` or `filesSelected` answers.
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
    """Ask where to write a file.

    Args:
        folder, filters: see `choose_existing`.
        name: to begin with; what it may not have in it is left out, and one without a suffix gets its suffix.
    Returns:
        the dialog, which opens soon, and whose `fileSelected` answers.
    """
    dialog = _dialog(parent, title, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix.lstrip("."))
    _open_in(parent, dialog, folder, lambda: dialog.selectFile(safe_name(name)))
    return dialog


def _open_in(
    parent: QWidget, dialog: QFileDialog, folder: Callable[[], Path], before: Callable[[], None]
) -> None:
    """Open a dialog once its folder has answered, or has not for long, unless another one came first."""

    def look() -> Path:
        return next(filter(os.path.isdir, [folder()]), Path.home())

    def begin(found: Path) -> None:
        if any(each.isVisible() for each in parent.findChildren(QFileDialog)):
            dialog.deleteLater()
            return
        dialog.setDirectory(str(found))
        before()
        dialog.open()

    DiskLooks(dialog).ask(look, begin, Path.home())


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


def _dialog(parent: QWidget, title: str, filters: Sequence[str]) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    icons = IconsByName()
    dialog.setIconProvider(icons)
    dialog.destroyed.connect(lambda: icons)  # Qt does not keep it.
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if filters:
        dialog.setNameFilters(filters)
    _draw_arrows(dialog)
    dialog.resize(*_SIZE)
    if (parts := dialog.findChild(QSplitter)) is not None:
        parts.setSizes([_PLACES, _SIZE[0] - _PLACES])
    return dialog


def _draw_arrows(dialog: QFileDialog) -> None:
    """Draw those of Qt's own dialog, which no desktop replaces: they are black on dark ground, too."""
    colours = {
        mode: dialog.palette().color(group, QPalette.ColorRole.ButtonText).name()
        for mode, group in (
            (QIcon.Mode.Normal, QPalette.ColorGroup.Active),
            (QIcon.Mode.Disabled, QPalette.ColorGroup.Disabled),
        )
    }
    for name, angle in _ARROWS.items():
        if (button := dialog.findChild(QToolButton, name)) is not None:
            drawn = QIcon()
            for mode, colour in colours.items():
                drawn.addPixmap(pixmap("previous", colour).transformed(QTransform().rotate(angle)), mode)
            button.setIcon(drawn)

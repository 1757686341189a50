"""Where files that are opened from outside go: a window of their own, or the one that is there.

At first each gets a window of its own, as from any other editor of documents: what stands in the window that
is there stays. A file that is open already is always shown where it is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QProcess, QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from anaphora.application.running_windows import Request

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow

SETTING = "files_from_outside_here"


def stored_here(settings: QSettings) -> bool:
    """Whether files from outside are opened in the window that is there."""
    return bool(settings.value(SETTING, False, type=bool))


def add_start_choice(menu: QMenu, settings: QSettings) -> QAction:
    """Offer to open files from outside in this window, in place of what stands there."""
    text = QCoreApplication.translate("Menus", "Open files &from other programs in this window")
    action = QAction(text, menu, checkable=True)
    action.setChecked(stored_here(settings))
    action.triggered.connect(lambda wanted: settings.setValue(SETTING, wanted))
    menu.addAction(action)
    return action


def open_handed(window: MainWindow, hand_over: Callable[[Request], bool], path: Path) -> None:
    """Open a file that macOS hands to this program: here if nothing else is open, else in another window.

    Args:
        hand_over: asks the other windows.
    """
    here = window.session is None or stored_here(window.services.settings)
    if answer(window, Request.of(path, here)) or hand_over(Request.of(path)):
        return
    is_frozen = getattr(sys, "frozen", False)
    command = [] if is_frozen else ["-m", "anaphora.main"]
    QProcess.startDetached(sys.executable, [*command, "--new-window", str(path)])


def answer(window: MainWindow, request: Request) -> bool:
    """Meet a request of another start of the program: show what is open here, or open it here.

    Returns:
        whether it was met.
    """
    controller = window.controller
    if not request.here and not controller.has(request.files):
        return False
    if request.token:
        # Qt reads it when the window asks to come to the front.
        os.environ["XDG_ACTIVATION_TOKEN"] = request.token
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)
    if request.files and not controller.has(request.files):
        controller.open(Path(request.files[0]))
    return True

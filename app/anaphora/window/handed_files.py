"""Files that another start of the program, or macOS, hands to this window."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess, Qt
from PySide6.QtWidgets import QApplication

from anaphora.system.running_windows import names_of

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


def open_handed(window: MainWindow, hand_over: Callable[[Path], bool], path: Path) -> None:
    """Open a file that macOS hands to this program: here if nothing else is open, else in another window."""
    if window.session is None:
        window.controller.open(path)
    elif not (show_open(window, names_of(path)) or hand_over(path)):
        command = [] if getattr(sys, "frozen", False) else ["-m", "anaphora.main"]
        QProcess.startDetached(sys.executable, [*command, str(path)])


def show_open(window: MainWindow, files: Sequence[str], token: str = "") -> bool:
    """Bring the window to the front if one of some files is open in it; returns whether one is."""
    if not window.controller.has(files):
        return False
    if token:
        # Qt reads it when the window asks to come to the front.
        os.environ["XDG_ACTIVATION_TOKEN"] = token
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)
    return True

"""Opening the files that macOS sends to the running program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


def open_sent_file(window: MainWindow, path: Path) -> None:
    """Open a file here if no other document is open, otherwise in another window."""
    if window.session is None or path == window.controller.path:
        window.opener.open(path)
        return
    command = [] if getattr(sys, "frozen", False) else ["-m", "anaphora.main"]
    QProcess.startDetached(sys.executable, [*command, str(path)])

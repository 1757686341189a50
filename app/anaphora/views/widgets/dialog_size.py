"""How large a dialog opens."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

FRAME = QSize(16, 48)
"""What a window manager puts around a dialog, at most."""


def resize_within_screen(dialog: QDialog, width: int, height: int) -> None:
    """Open in a size, or in what the screen of its window has room for."""
    parent = dialog.parentWidget()
    screen = (parent if parent is not None else dialog).screen()
    dialog.resize(QSize(width, height).boundedTo(screen.availableGeometry().size() - FRAME))

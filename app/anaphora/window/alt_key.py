"""Alt and F10 open the menu bar, even if a screen reader is listening and the window is busy."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QShortcut
from PySide6.QtWidgets import QMainWindow


class AltKey(QObject):
    """Keeps the menu bar from taking one press of Alt for two.

    While a screen reader listens, Qt asks it about each key and sends the key once more after the answer. In
    a busy window the key is let go before that: the menu bar has got the keyboard by then, takes the second
    sending for another press, and gives the keyboard back. What is sent again has no time.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        # The menu bar also filters the window's events: created first, it gets them later.
        bar = window.menuBar()
        window.installEventFilter(self)
        QShortcut("F10", window, lambda: bar.setActiveAction(bar.actions()[0]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return event.key() == Qt.Key.Key_Alt and not event.timestamp()
        return False

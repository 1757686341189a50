"""Alt and F10 open the menu bar, even with a screen reader in a busy window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QShortcut
from PySide6.QtWidgets import QMainWindow


class AltKey(QObject):
    """Keeps the menu bar from handling one press of Alt as two.

    With a screen reader, Qt sends each key to it and repeats the key event after the reply. In a busy window
    the key may be released before that: the menu bar has the focus by then, handles the repeated event as
    another press, and returns the focus. Repeated events have no timestamp.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        # The menu bar also filters the window's events. It must exist first, so that it gets them later.
        bar = window.menuBar()
        window.installEventFilter(self)
        QShortcut("F10", window, lambda: bar.setActiveAction(bar.actions()[0]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return event.key() == Qt.Key.Key_Alt and not event.timestamp()
        return False

"""Keeps shortcuts away from an input method that is composing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QWidget


class InputGuard(QObject):
    """Watches one text widget: while its preedit is not empty, no shortcut fires.

    A window's shortcut is offered to the focused widget first, as a ShortcutOverride; accepting it keeps the
    key with the widget, where the composing input method has the first call on it.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.composing = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QInputMethodEvent):
            self.composing = bool(event.preeditString())
        elif event.type() is QEvent.Type.FocusOut:
            self.composing = False
        elif self.composing and isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            # The key belongs to the input method, not to the text under it.
            return event.type() is QEvent.Type.KeyPress
        return False

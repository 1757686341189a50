"""A search field, and the guard of text fields in which an input method is composing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget


class SearchLine(QLineEdit):
    """A search field; screen readers read its name and that of the clear button."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear"))


class InputGuard(QObject):
    """Watches a text widget, and blocks shortcuts while its preedit text is not empty.

    Qt sends a shortcut to the focused widget first, as a ShortcutOverride. If the widget accepts it, the key
    goes to the widget, where the input method handles it first.
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
            # The key is for the input method, not for the text.
            return event.type() is QEvent.Type.KeyPress
        return False

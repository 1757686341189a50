"""Where the keyboard is: a key goes from part to part of the window, and no letter is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def is_typed(event: QKeyEvent) -> bool:
    """Whether a key types a character; the space bar presses buttons."""
    text = event.text()
    return bool(text) and text.isprintable() and text != " " and not event.modifiers() & _COMMANDS


class FocusKeeper(QObject):
    """Steps through the parts of the window, and gives letters to the editor that other parts do not want."""

    def __init__(self, editor: QWidget, parts: Callable[[], Sequence[QWidget]], parent: QWidget) -> None:
        super().__init__(parent)
        self._editor = editor
        self._parts = parts
        self._forwarding = False

    def forward_from(self, *widgets: QWidget) -> None:
        """Letters typed into these widgets, which have no use for any, belong into the translation."""
        for widget in widgets:
            widget.installEventFilter(self)

    def take(self, event: QKeyEvent) -> bool:
        """Give a letter that nobody wanted to the editor; Esc that nobody wanted leads back to it.

        Returns:
            whether it was one of these, and the editor is there.
        """
        if not self._editor.isVisible() or self._editor.hasFocus():
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._editor.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        if not is_typed(event):
            return False
        if self._forwarding:
            # The editor has left it.
            return False
        self._forwarding = True
        self._editor.setFocus()
        QApplication.sendEvent(self._editor, event)
        self._forwarding = False
        return True

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) part of the window."""
        places = [
            (part, place)
            for part in self._parts()
            if part.isVisible() and (place := _place_for_keys(part)) is not None
        ]
        if not places:
            return
        focused = QApplication.focusWidget()
        here = next((at for at, (part, _) in enumerate(places) if _holds(part, focused)), -1 if by > 0 else 0)
        _, place = places[(here + by) % len(places)]
        place.setFocus(Qt.FocusReason.TabFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self.take(event)
        return False


def _holds(part: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and (part is focused or part.isAncestorOf(focused))


def _place_for_keys(part: QWidget) -> QWidget | None:
    """What of a part gets the keyboard, and shows that it has it: a panel itself takes it unseen."""
    inside = [part.focusProxy() or part, *part.findChildren(QWidget)]
    return next((each for each in inside if _takes_keys(each)), None)


def _takes_keys(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)

"""Keyboard focus: keys lead from part to part of the window, and letters go to the visible
place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def is_typed(event: QKeyEvent) -> bool:
    """True if a key types a character; the space bar presses buttons."""
    text = event.text()
    return bool(text) and text.isprintable() and text != " " and not event.modifiers() & _COMMANDS


class FocusKeeper(QObject):
    """Steps through the parts of the window.

    A letter goes to the editor from the table, and where nothing has the keyboard. From a bar or a panel it
    does not: there the user does not look at the translation. For the same reason Tab does not lead from
    these into the table; Esc and F6 do.
    """

    def __init__(
        self, editor: QWidget, table: QWidget, parts: Callable[[], Sequence[QWidget]], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._table = table
        self._parts = parts
        self._forwarding = False

    def take(self, event: QKeyEvent) -> bool:
        """Handle a key that nothing else used: Esc leads to the editor, a letter goes there."""
        if not self._editor.isVisible() or self._editor.hasFocus():
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._editor.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        if not is_typed(event) or QApplication.focusWidget() not in (None, self.parent()):
            return False
        if self._forwarding:
            # The editor has left it.
            return False
        self._forwarding = True
        self._editor.setFocus()
        QApplication.sendEvent(self._editor, event)
        self._forwarding = False
        return True

    def pass_table(self, forward: bool, go_on: Callable[[bool], bool]) -> bool:
        """Move past the table by Tab, forwards or back; `go_on` is Qt's way, whose answer is returned."""
        start = QApplication.focusWidget()
        if start is None or start.window() is not self.parent() or _holds(self._table, start):
            return go_on(forward)
        # Walking the focus chain here would make Python objects of all widgets, and Qt's menus lose theirs.
        inside = [each for each in (self._table, *self._table.findChildren(QWidget)) if _takes_keys(each)]
        policies = [each.focusPolicy() for each in inside]
        for each in inside:
            each.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        try:
            moved = go_on(forward)
        finally:
            for each, policy in zip(inside, policies, strict=True):
                each.setFocusPolicy(policy)
        if QApplication.focusWidget() is start:
            # Qt has chosen a place that cannot take the keyboard now.
            return self._step(
                1 if forward else -1, [each for each in self._parts() if not _holds(self._table, each)]
            )
        return moved

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) part of the window."""
        self._step(by, self._parts())

    def _step(self, by: int, parts: Sequence[QWidget]) -> bool:
        places = [
            (part, place)
            for part in parts
            if part.isVisible() and (place := _place_for_keys(part)) is not None
        ]
        if not places:
            return False
        focused = QApplication.focusWidget()
        here = next((at for at, (part, _) in enumerate(places) if _holds(part, focused)), -1 if by > 0 else 0)
        _, place = places[(here + by) % len(places)]
        place.setFocus(Qt.FocusReason.TabFocusReason)
        return True


def _holds(part: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and (part is focused or part.isAncestorOf(focused))


def _place_for_keys(part: QWidget) -> QWidget | None:
    """The widget of a part that gets the keyboard and shows it: a panel itself would not show it."""
    inside = [part.focusProxy() or part, *part.findChildren(QWidget)]
    return next((each for each in inside if _takes_keys(each)), None)


def _takes_keys(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)

"""Keyboard focus: F6 and Tab move it between the parts of the window, and Alt and F10 to the menu bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def is_typed(event: QKeyEvent) -> bool:
    """True if a key types a character; False with Ctrl or Alt, or for the space bar (it presses buttons)."""
    text = event.text()
    return bool(text) and text.isprintable() and text != " " and not event.modifiers() & _COMMANDS


class FocusKeeper(QObject):
    """Moves the keyboard focus between the parts of the window.

    A character typed while the window itself or no widget has the focus goes to the editor. A character typed
    in a bar or a panel does not, because the user is not looking at the translation. Likewise, Tab from a bar
    or a panel skips the table; Esc and F6 reach it.
    """

    def __init__(
        self, editor: QWidget, table: QWidget, parts: Callable[[], Sequence[QWidget]], parent: QWidget
    ) -> None:
        """`parts` returns the widgets that F6 visits, in order; `parent` is the window."""
        super().__init__(parent)
        self._editor = editor
        self._table = table
        self._parts = parts
        self._forwarding = False

    def handle(self, event: QKeyEvent) -> bool:
        """Handle a key that no widget used; False if it was not handled."""
        if not self._editor.isVisible() or self._editor.hasFocus():
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._editor.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        if not is_typed(event) or QApplication.focusWidget() not in (None, self.parent()):
            return False
        if self._forwarding:
            # The editor ignored the key, so Qt passed it on to the window again.
            return False
        self._forwarding = True
        self._editor.setFocus()
        QApplication.sendEvent(self._editor, event)
        self._forwarding = False
        return True

    def skip_table(self, forward: bool, move_focus: Callable[[bool], bool]) -> bool:
        """Move the focus as Tab does, or as Shift+Tab if `forward` is False; True if the focus moved. The
        table is skipped unless the focus is already in it. `move_focus` is Qt's method for Tab."""
        start = QApplication.focusWidget()
        if start is None or start.window() is not self.parent() or _contains(self._table, start):
            return move_focus(forward)
        # Make Qt skip the table. A search in the focus chain would create Python objects for all widgets,
        # which breaks Qt's menus.
        stops = [each for each in (self._table, *self._table.findChildren(QWidget)) if _takes_focus(each)]
        policies = [each.focusPolicy() for each in stops]
        for each in stops:
            each.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        try:
            moved = move_focus(forward)
        finally:
            for each, policy in zip(stops, policies, strict=True):
                each.setFocusPolicy(policy)
        if QApplication.focusWidget() is start:
            # Qt has chosen a widget that cannot take the focus now.
            return self._focus_part(
                1 if forward else -1, [each for each in self._parts() if not _contains(self._table, each)]
            )
        return moved

    def step(self, by: int) -> None:
        self._focus_part(by, self._parts())

    def _focus_part(self, by: int, parts: Sequence[QWidget]) -> bool:
        targets = [(part, _focus_target(part)) for part in parts if part.isVisible()]
        stops = [(part, target) for part, target in targets if target is not None]
        if not stops:
            return False
        focused = QApplication.focusWidget()
        current = (index for index, (part, _) in enumerate(stops) if _contains(part, focused))
        _, target = stops[(next(current, -1 if by > 0 else 0) + by) % len(stops)]
        target.setFocus(Qt.FocusReason.TabFocusReason)
        return True


def _contains(part: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and (part is focused or part.isAncestorOf(focused))


def _focus_target(part: QWidget) -> QWidget | None:
    widgets = [part.focusProxy() or part, *part.findChildren(QWidget)]
    return next((each for each in widgets if _takes_focus(each)), None)


def _takes_focus(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


class MenuBarKeys(QObject):
    """Opens the menu bar with F10, and prevents it from handling one press of Alt as two.

    Qt sends each key to a running screen reader and repeats the key event after the reply. In a busy window,
    Alt may be released before the reply. Then the menu bar already has the focus, treats the repeated event
    as a second press, and gives the focus back. Repeated events have no timestamp.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        # The menu bar also filters the window's events. Qt calls the newest filter first, so make the menu
        # bar before this filter is installed.
        bar = window.menuBar()
        window.installEventFilter(self)
        QShortcut("F10", window, lambda: bar.setActiveAction(bar.actions()[0]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return event.key() == Qt.Key.Key_Alt and not event.timestamp()
        return False

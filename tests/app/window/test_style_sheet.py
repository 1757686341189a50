"""How often the window's widgets take the application's style sheet."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class StyleChanges(QObject):
    """Counts what widgets are told of a style that is another."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        self.count += event.type() is QEvent.Type.StyleChange
        return False


def test_the_widgets_of_a_window_take_the_style_sheet_when_all_are_made(qapp, make_window) -> None:
    changes = StyleChanges()
    qapp.installEventFilter(changes)
    window = make_window(start=False)
    qapp.removeEventFilter(changes)
    assert qapp.styleSheet() and window.table.font().pointSizeF() > window.banner.font().pointSizeF()
    made = len(window.findChildren(QWidget))
    assert changes.count < 2 * made, (changes.count, made)

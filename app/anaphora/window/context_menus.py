"""The context menus of source, target and rows, made of the window's actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QPlainTextEdit

from anaphora.editor.table.segment_table import SegmentTable
from anaphora.window.menus import Menus

_HISTORY = ("edit-undo", "edit-redo")


class ContextMenus(QObject):
    """Makes context menus on request; they use the window's undo history instead of Qt's."""

    def __init__(
        self, table: SegmentTable, menus: Menus, fill_first: Sequence[Callable[[QMenu], None]] = ()
    ) -> None:
        super().__init__(table)
        self._fill_first = fill_first
        self._table = table
        self._menus = menus
        card = table.card
        for widget, fill in (
            (card.editor, self.fill_target),
            (card.source, self.fill_source),
            (table, self.fill_row),
        ):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            widget.customContextMenuRequested.connect(
                lambda point, widget=widget, fill=fill: self._pop_up(
                    fill, widget.viewport().mapToGlobal(point)
                )
            )

    def fill_target(self, menu: QMenu) -> None:
        for fill in self._fill_first:
            fill(menu)
        self._menus.fill(menu, "text_history")
        menu.addSeparator()
        self._add_standard(menu, self._table.editor)
        menu.addSeparator()
        self._menus.fill(menu, "target", on_request=True)

    def fill_source(self, menu: QMenu) -> None:
        self._add_standard(menu, self._table.card.source)
        menu.addSeparator()
        self._menus.fill(menu, "source", on_request=True)

    def fill_row(self, menu: QMenu) -> None:
        """Fill the menu of a row, which the mouse button has made current."""
        self._menus.fill(menu, "row", on_request=True)

    def _pop_up(self, fill: Callable[[QMenu], None], place: QPoint) -> None:
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill(menu)
        menu.popup(place)

    @staticmethod
    def _add_standard(menu: QMenu, field: QPlainTextEdit) -> None:
        """Add Qt's entries for a text, except its own undo history."""
        standard = field.createStandardContextMenu()
        standard.setParent(menu, standard.windowFlags())
        menu.addActions([each for each in standard.actions() if each.objectName() not in _HISTORY])

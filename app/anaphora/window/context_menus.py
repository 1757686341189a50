"""The context menus of source, target and rows: the window's own actions, so that both agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QPlainTextEdit

from anaphora.core.segment import Status
from anaphora.editor.actions.actions import Actions
from anaphora.editor.table.segment_table import SegmentTable

OF_TARGET = "| {confirm} | change_case copy_source clear again | comment{tags} | concordance"
TAGS = " | insert_tag insert_pair"
OF_SOURCE = "| copy_source | concordance | split join"
OF_ROW = "{confirm} | copy_source again | join split | comment go_to"
_HISTORY = ("edit-undo", "edit-redo")


class ContextMenus(QObject):
    """Makes a menu where one is asked for, by the mouse or by a key.

    Undoing goes through the window's history: the text fields have none of their own.
    """

    def __init__(
        self, table: SegmentTable, actions: Actions, fill_first: Sequence[Callable[[QMenu], None]] = ()
    ) -> None:
        super().__init__(table)
        self._fill_first = fill_first
        self._table = table
        self._actions = actions
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
        editor = self._table.editor
        for fill in self._fill_first:
            fill(menu)
        self._actions.fill(menu, "undo redo |")
        self._add_standard(menu, editor)
        tags = TAGS if editor.marks else ""
        self._actions.fill(menu, OF_TARGET.format(confirm=self._confirming(), tags=tags))

    def fill_source(self, menu: QMenu) -> None:
        self._add_standard(menu, self._table.card.source)
        self._actions.fill(menu, OF_SOURCE)

    def fill_row(self, menu: QMenu) -> None:
        """The menu of a row; pressing the button has made it the current one."""
        self._actions.fill(menu, OF_ROW.format(confirm=self._confirming()))

    def _confirming(self) -> str:
        """Only what is confirmed can be taken back."""
        segment = self._table.current_segment
        confirmed = segment is not None and segment.status is Status.CONFIRMED
        return "confirm unconfirm" if confirmed else "confirm"

    def _pop_up(self, fill: Callable[[QMenu], None], place: QPoint) -> None:
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill(menu)
        menu.popup(place)

    @staticmethod
    def _add_standard(menu: QMenu, field: QPlainTextEdit) -> None:
        """Add what Qt offers for a text, but for its own history."""
        standard = field.createStandardContextMenu()
        standard.setParent(menu, standard.windowFlags())
        menu.addActions([each for each in standard.actions() if each.objectName() not in _HISTORY])

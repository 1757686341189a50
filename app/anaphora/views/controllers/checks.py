"""Between the checks and who reads them: the list, and what is no problem at the segment at hand."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from anaphora.services.checking import CheckingService
from anaphora.views.dialogs.checks import ChecksDialog
from anaphora.views.widgets.panel import NumberOf
from anaphora.views.widgets.plain_text import plain_action
from anaphora.views.widgets.segment_table import SegmentTable

_SHOWN = 60
"""Characters of a remark that a menu shows."""


class ChecksController(QObject):
    """Opens the list of remarks, which follows the checks while it is open, and fills menus."""

    def __init__(self, service: CheckingService, table: SegmentTable, number_of: NumberOf) -> None:
        super().__init__(table)
        self._service = service
        self._table = table
        self._number_of = number_of

    def open_dialog(self) -> None:
        """Show the list beside the window."""
        dialog = ChecksDialog(self._service.remarks, self._number_of, self._table.window())
        dialog.segment_requested.connect(self._table.go_to_segment)
        dialog.dismissed.connect(self._service.dismiss)
        dialog.dismissed.connect(lambda *_: dialog.follow())
        self._service.checked.connect(dialog.follow_soon)
        dialog.show()

    def fill_menu(self, menu: QMenu) -> None:
        """Add what the checks say of the current segment, to be dismissed."""
        current = self._table.current_segment
        here = [each for each in self._service.remarks() if current is not None and each[0] == current.id]
        for segment_id, remark, is_dismissed in here:
            if not is_dismissed:
                text = str(remark) if len(remark) <= _SHOWN else f"{remark[:_SHOWN]}…"
                action = QAction(self.tr("Not a problem here: {0}").format(plain_action(text)), menu)
                action.triggered.connect(
                    lambda _=False, segment=segment_id, key=remark.key: self._service.dismiss(segment, key)
                )
                menu.addAction(action)
        if here:
            menu.addSeparator()

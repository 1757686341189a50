"""The dialog of how a document is read: wide tables, the keyboard."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidget

from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import MOST_COLUMNS, Columns
from anaphora.formats.bilingual.csv_table import Shown
from anaphora.projects.reading_choices import Offer
from anaphora.projects.view.reading_choices import ReadingChoicesDialog


def test_a_wide_table_neither_widens_the_dialog_nor_keeps_the_keyboard(qtbot) -> None:
    rows = (("字" * 200,) * MOST_COLUMNS,) * 3
    document = DocumentInfo("1", "a", "", "csv", "", "", 1, 1, "")
    dialog = ReadingChoicesDialog(Offer(document, Shown(rows, Columns((1,), (-1,)))), False)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.minimumSizeHint().width() <= 760
    table = cast(QTableWidget, dialog.findChild(QTableWidget))
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Tab)
    assert dialog.columns is not None and dialog.focusWidget() is dialog.columns.sources

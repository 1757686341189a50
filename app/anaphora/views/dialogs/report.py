"""A list of what was done and what was not, to be read and copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)


class ReportDialog(QDialog):
    """A sentence and a table of two columns.

    Attributes:
        rows: the table's texts.
    """

    def __init__(
        self,
        title: str,
        summary: str,
        headers: tuple[str, str],
        rows: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 380)
        self.rows = tuple(rows)
        self._headers = headers
        about = QLabel(summary)
        about.setTextFormat(Qt.TextFormat.PlainText)
        about.setWordWrap(True)
        table = QTreeWidget()
        table.setAccessibleName(title)
        table.setHeaderLabels(list(headers))
        table.setRootIsDecorated(False)
        table.setWordWrap(True)
        header = table.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(0, 240)
        header.setStretchLastSection(True)
        for row in self.rows:
            item = QTreeWidgetItem(list(row))
            for column, text in enumerate(row):
                item.setToolTip(column, text)
            table.addTopLevelItem(item)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.setSpacing(12)
        box.addWidget(about)
        box.addWidget(table, 1)
        box.addWidget(buttons)

    def _copy(self) -> None:
        lines = ["\t".join(row) for row in (self._headers, *self.rows)]
        QGuiApplication.clipboard().setText("\n".join(lines))

"""The base of the docked panels, and parts that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anaphora.editor.widgets.plain_text import plain_label

USE_ROLE = Qt.ItemDataRole.UserRole + 7
"""The MemoryUse of an item in a list of remembered words."""
NumberOf = Callable[[str], int]
"""Returns the displayed number of a segment by id; 0 for an unknown segment."""


class Panel(QWidget):
    """A surface with a thin line above."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(0)


def heading(text: str) -> QLabel:
    label = plain_label(text, "heading")
    label.setContentsMargins(12, 10, 12, 4)
    return label


def note(text: str = "") -> QLabel:
    label = plain_label(text, "muted")
    label.setWordWrap(True)
    label.setContentsMargins(12, 8, 12, 8)
    return label


def tree(columns: list[str], stretched: int, widths: dict[int, int], name: str) -> QTreeWidget:
    """A list with one stretched column; the others have fixed widths."""
    result = listing(name, columns)
    result.setIndentation(14)
    result.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    result.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    header = result.header()
    header.setStretchLastSection(False)
    header.setMinimumSectionSize(24)
    header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
    for column, width in widths.items():
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(column, width)
    return result


def listing(name: str, titles: Sequence[str]) -> QTreeWidget:
    """A list of rows with columns."""
    result = QTreeWidget()
    result.setAccessibleName(name)
    result.setHeaderLabels([*titles])
    result.setRootIsDecorated(False)
    result.setUniformRowHeights(True)
    return result


def set_up_rows(table: QTableView, model: QAbstractItemModel, name: str, widths: Sequence[int]) -> None:
    """Set a table up as a list of rows with column widths; the last column takes the remaining space."""
    table.setModel(model)
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    header = table.horizontalHeader()
    for column, width in enumerate(widths):
        header.resizeSection(column, width)
    header.setStretchLastSection(True)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def top_items(list_: QTreeWidget) -> list[QTreeWidgetItem]:
    items = (list_.topLevelItem(row) for row in range(list_.topLevelItemCount()))
    return [item for item in items if item is not None]


def child_items(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    items = (item.child(row) for row in range(item.childCount()))
    return [child for child in items if child is not None]

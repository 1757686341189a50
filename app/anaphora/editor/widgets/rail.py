"""Common parts of panels, and the rail, which has sections about the current segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QAbstractItemModel, Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QTableView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anaphora.core.segment import Segment
from anaphora.editor.widgets.sentence import Lines, plain_label

USE_ROLE = Qt.ItemDataRole.UserRole + 7
"""Role for the `MemoryUse` (`anaphora_nmt.types`) that an item in a list of remembered words shows."""
NumberOf = Callable[[str], int]
"""Returns the displayed number of a segment by its id; 0 for an unknown id."""


class Panel(QWidget):
    """A widget with a thin line at its upper edge."""

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
    """A list with a stretched column, and fixed widths (by column) for other columns."""
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
        header.resizeSection(column, max(width, header.sectionSizeHint(column)))
    return result


def listing(name: str, titles: Sequence[str]) -> QTreeWidget:
    """A list with column titles; `name` is its name for screen readers."""
    result = QTreeWidget()
    result.setAccessibleName(name)
    result.setHeaderLabels([*titles])
    result.setRootIsDecorated(False)
    result.setUniformRowHeights(True)
    return result


def set_up_rows(table: QTableView, model: QAbstractItemModel, name: str, widths: Sequence[int]) -> None:
    """Set up a table as a list of rows. `widths` are the first columns' widths; the last column stretches."""
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


MARGIN = 28
"""Pixels that stay visible around a section after scrolling to it."""


@runtime_checkable
class ShowsSegment(Protocol):
    """A panel, or the body of a rail section, that shows something about the current segment."""

    def show_segment(self, segment: Segment | None) -> None:
        """Called with the new current segment, or None if no segment is current."""


class RailSection(QWidget):
    """A heading with a body, hidden at first. `filled` is emitted when the section is shown or hidden."""

    filled = Signal(bool)

    def __init__(self, name: str, title: str, body: QWidget, counted: SignalInstance | None = None) -> None:
        """If `counted` is given, the section is shown while the last emitted count is above 0."""
        super().__init__()
        self.name = name
        self.body = body
        self.is_filled = False
        self._title = plain_label(title, "section")
        self.detail = plain_label()
        self.detail.setProperty("role", "muted")
        self.setAccessibleName(title)
        heading = QHBoxLayout()
        heading.setContentsMargins(14, 12, 14, 2)
        heading.addWidget(self._title, 1)
        heading.addWidget(self.detail)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(heading)
        box.addWidget(body)
        self.setFocusProxy(body)
        self.hide()
        if counted is not None:
            counted.connect(lambda count: self.show_filled(count > 0))

    def show_filled(self, is_filled: bool, detail: str = "") -> None:
        self.detail.setText(detail)
        self.is_filled = is_filled
        self.setVisible(is_filled)
        self.filled.emit(is_filled)


class ContextRail(Panel):
    """Shows the sections that are not empty, one below the other, or a note if all are empty."""

    segment_requested = Signal(str)

    def __init__(self, sections: Iterable[RailSection] = ()) -> None:
        super().__init__()
        self._sections: dict[str, RailSection] = {}
        self._bodies: list[ShowsSegment] = []
        self._empty = note(self.tr("Suggestions, terms and the effect of the document memory appear here."))
        inner = QWidget()
        self._box = QVBoxLayout(inner)
        self._box.setContentsMargins(0, 0, 0, 12)
        self._box.setSpacing(0)
        self._box.addWidget(self._empty)
        self._box.addStretch(1)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(inner)
        self.box.addWidget(self._area)
        self.setMinimumWidth(240)
        for section in sections:
            self.add(section)

    def add(self, section: RailSection) -> None:
        self._sections[section.name] = section
        if isinstance(section.body, ShowsSegment):
            self._bodies.append(section.body)
        self._box.insertWidget(self._box.count() - 1, section)
        section.filled.connect(lambda _: self._update_empty_note())
        if isinstance(section.body, Lines):
            section.body.segment_requested.connect(self.segment_requested)
        self._update_empty_note()

    def show_segment(self, segment: Segment | None) -> None:
        for body in self._bodies:
            body.show_segment(segment)

    def has(self, name: str) -> bool:
        return name in self._sections

    def section(self, name: str) -> RailSection:
        return self._sections[name]

    def reveal(self, name: str) -> None:
        self._area.ensureWidgetVisible(self.section(name), 0, MARGIN)

    def _update_empty_note(self) -> None:
        self._empty.setVisible(not any(section.is_filled for section in self._sections.values()))

"""Lists with wrapped rich text in their cells; a long table measures only the rows that come into view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QPainter, QResizeEvent, QTextDocument, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeWidget,
    QTreeWidgetItem,
)

from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.tag_chips import with_chips

HTML_ROLE = Qt.ItemDataRole.UserRole + 40
"""The rich text of a cell; cells without it are painted as usual."""
LABELS_ROLE = HTML_ROLE + 1
"""The labels of a cell's tags, by tag; if there are none, `HtmlDelegate.labels` apply."""


class HtmlDelegate(QStyledItemDelegate):
    """Paints wrapped rich text (`HTML_ROLE`); `labels` are the labels of tags, by tag, for all cells."""

    def __init__(
        self, theme: Theme, view: QTreeWidget | QTableView | QListWidget, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = view
        self.labels: Mapping[str, str] = {}

    def sizeHint(  # noqa: N802
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        if index.data(HTML_ROLE) is None:
            return super().sizeHint(option, index)
        view = self._view
        if isinstance(view, QTreeWidget | QTableView):
            width = view.columnWidth(index.column())
        else:
            width = view.viewport().width() - 2 * view.spacing()
        return QSize(width, round(self.document(index, width - 16).size().height()) + 12)

    def initStyleOption(  # noqa: N802
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        if index.data(HTML_ROLE) is not None:
            option.text = ""  # type: ignore[attr-defined]

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if index.data(HTML_ROLE) is None:
            return
        rect = QRectF(option.rect)  # type: ignore[attr-defined]
        painter.save()
        painter.translate(rect.left() + 8, rect.top() + 6)
        self.document(index, rect.width() - 16).drawContents(painter)
        painter.restore()

    def document(self, index: QModelIndex | QPersistentModelIndex, width: float) -> QTextDocument:
        """The rich text of a cell, laid out for a width of at least 60 pixels."""
        labels = index.data(LABELS_ROLE) or self.labels
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(self._view.font())
        wrapping = document.defaultTextOption()
        # Addresses and paths contain no spaces.
        wrapping.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(wrapping)
        colours = self._theme.colours
        shown = with_chips(index.data(HTML_ROLE), labels, colours)
        document.setHtml(f'<span style="color:{colours.text}">{shown}</span>')
        document.setTextWidth(max(width, 60))
        return document


def html_list(
    theme: Theme, name: str, headings: Sequence[str], width: int, mode: QHeaderView.ResizeMode
) -> QTreeWidget:
    """A list of cells with rich text; `width` and `mode` apply to the first column, other columns stretch."""
    result = QTreeWidget()
    result.setAccessibleName(name)
    result.setHeaderLabels(list(headings))
    result.setRootIsDecorated(False)
    result.setWordWrap(True)
    header = result.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    header.setSectionResizeMode(0, mode)
    header.resizeSection(0, width)
    header.sectionResized.connect(result.scheduleDelayedItemsLayout)
    result.setItemDelegate(HtmlDelegate(theme, result, result))
    return result


def set_html(
    item: QTreeWidgetItem, column: int, text: str, rich_text: str, labels: Mapping[str, str] | None = None
) -> None:
    """Show `rich_text` in a cell; screen readers get `text`. `labels` are the labels of tags, by tag."""
    item.setData(column, HTML_ROLE, rich_text)
    labels = dict(labels or {})
    item.setData(column, LABELS_ROLE, labels)
    item.setData(column, Qt.ItemDataRole.AccessibleTextRole, readable_tags(text, labels))


ROW_PADDING = 12
_Move = QAbstractItemView.CursorAction


class HtmlTable(QTableView):
    """A table with rich text in its cells, in which keys move only between rows."""

    def __init__(self, model: QAbstractTableModel, theme: Theme, name: str) -> None:
        super().__init__()
        self._measured: set[int] = set()
        self._measure_timer = QTimer(self, singleShot=True, interval=0)
        self._measure_timer.timeout.connect(self._measure_shown)
        self.setModel(model)
        model.modelReset.connect(self._forget_heights)
        self.setAccessibleName(name)
        self.setItemDelegate(HtmlDelegate(theme, self, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        down, across = self.verticalHeader(), self.horizontalHeader()
        down.hide()
        down.setMinimumSectionSize(self.fontMetrics().height() + ROW_PADDING)
        down.setDefaultSectionSize(down.minimumSectionSize())
        across.setHighlightSections(False)
        across.setSectionsClickable(False)
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        across.sectionResized.connect(self._forget_heights)
        self.verticalScrollBar().valueChanged.connect(self._measure_shown)

    def fix_width(self, column: int, width: int) -> None:
        """Fix a column's width; columns that are not fixed share the remaining space."""
        self.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().resizeSection(column, width)

    def scrollTo(  # noqa: N802
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        # If these rows were measured later, they would grow and push the wanted row out of view.
        row, around = index.row(), self.viewport().height() // self.verticalHeader().minimumSectionSize()
        for each in range(max(row - around, 0), min(row + around, self.model().rowCount())):
            self._measure(each)
        self.updateGeometries()
        super().scrollTo(index, hint)

    def moveCursor(self, action: _Move, modifiers: Qt.KeyboardModifier) -> QModelIndex:  # noqa: N802
        # The space bar toggles the check box of the current cell, so the column must not change.
        current = self.currentIndex()
        if current.isValid() and action in (_Move.MoveLeft, _Move.MoveRight):
            return current
        if current.isValid() and action in (_Move.MoveHome, _Move.MoveEnd):
            row = 0 if action is _Move.MoveHome else self.model().rowCount() - 1
            return self.model().index(row, current.column())
        return super().moveCursor(action, modifiers)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._measure_timer.start()

    def _forget_heights(self) -> None:
        self._measured.clear()
        self._measure_timer.start()

    def _measure_shown(self) -> None:
        row = max(self.rowAt(0), 0)
        while row < self.model().rowCount() and self.rowViewportPosition(row) < self.viewport().height():
            self._measure(row)
            row += 1

    def _measure(self, row: int) -> None:
        if row not in self._measured:
            self._measured.add(row)
            self.setRowHeight(row, max(self.sizeHintForRow(row), self.verticalHeader().minimumSectionSize()))

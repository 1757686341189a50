"""Lists with wrapped rich text in their cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QTextDocument, QTextOption
from PySide6.QtWidgets import (
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
"""The rich text of a cell; a cell without it is painted as usual."""
LABELS_ROLE = HTML_ROLE + 1
"""The labels of the tags in a cell, if they differ between cells."""


class HtmlDelegate(QStyledItemDelegate):
    """Paints wrapped rich text instead of plain text; `labels` has the labels of its tags."""

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
        """The text painted in a cell of this width."""
        labels = index.data(LABELS_ROLE) or self.labels
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(self._view.font())
        wrapping = document.defaultTextOption()
        # An address or a path has no blanks.
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
    """A list whose cells show rich text; width and mode are those of the first column."""
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
    """Show a text as rich text in a cell; screen readers get it plain."""
    item.setData(column, HTML_ROLE, rich_text)
    labels = dict(labels or {})
    item.setData(column, LABELS_ROLE, labels)
    item.setData(column, Qt.ItemDataRole.AccessibleTextRole, readable_tags(text, labels))

"""The project's documents and their progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from anaphora.core.project import DocumentInfo
from anaphora.document.progress import DocumentProgress
from anaphora.views.appearance.icons import icon, pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.panel import Panel
from anaphora.views.widgets.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex
INFO_ROLE = Qt.ItemDataRole.UserRole + 1
PROGRESS_ROLE = Qt.ItemDataRole.UserRole + 2
CURRENT_ROLE = Qt.ItemDataRole.UserRole + 3
ICON = 20
PADDING = 10


class DocumentDelegate(QStyledItemDelegate):
    """Paints a document in two lines: name and words, then its bar."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        metrics: QFontMetrics = option.fontMetrics  # type: ignore[attr-defined]
        return QSize(120, 2 * metrics.height() + 20)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        info: DocumentInfo = index.data(INFO_ROLE)
        progress: DocumentProgress | None = index.data(PROGRESS_ROLE)
        rect: QRect = option.rect  # type: ignore[attr-defined]
        metrics: QFontMetrics = option.fontMetrics  # type: ignore[attr-defined]
        colours = self._theme.colours
        painter.save()
        self._paint_back(painter, option, rect, bool(index.data(CURRENT_ROLE)))
        left = rect.left() + PADDING + ICON + 8
        inner = QRect(left, rect.top() + 7, rect.right() - PADDING - left, metrics.height())
        painter.drawPixmap(
            rect.left() + PADDING,
            inner.center().y() - ICON // 2 + 1,
            pixmap("document", colours.accent, ICON),
        )
        words = f"{progress.words:,}" if progress else ""
        painter.setPen(QColor(colours.muted))
        painter.drawText(inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        room = inner.width() - metrics.horizontalAdvance(words) - 10
        painter.setPen(QColor(colours.text))
        name = metrics.elidedText(PurePosixPath(info.name).name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        below = QRect(left, inner.bottom() + 5, inner.width(), metrics.height())
        self._paint_progress(painter, below, progress, metrics)
        painter.restore()

    def _paint_back(
        self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect, current: bool
    ) -> None:
        colours = self._theme.colours
        state = option.state  # type: ignore[attr-defined]
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(colours.accent_soft))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(colours.hover))
        if current:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), QColor(colours.accent))

    def _paint_progress(
        self, painter: QPainter, rect: QRect, progress: DocumentProgress | None, metrics: QFontMetrics
    ) -> None:
        """A bar with what is confirmed over what is drafted, and the share that is confirmed."""
        colours = self._theme.colours
        share = f"{int(progress.confirmed_share * 100)} %" if progress else "…"
        width = metrics.horizontalAdvance("100 %") + 8
        painter.setPen(QColor(colours.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, share)
        bar = QRectF(rect.left(), rect.center().y() - 2.5, rect.width() - width, 6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        parts = [(1.0, QColor(colours.hover))]
        if progress is not None:
            draft = QColor(colours.draft)
            draft.setAlphaF(0.45)
            parts += [(progress.drafted_share, draft), (progress.confirmed_share, QColor(colours.confirmed))]
        for part, colour in parts:
            if part > 0:
                painter.setBrush(colour)
                painter.drawRoundedRect(
                    QRectF(bar.left(), bar.top(), max(bar.width() * part, 6), bar.height()), 3, 3
                )


class DocumentsPanel(Panel):
    """The list of documents with buttons to add, remove and move them. Files dropped here are added.

    Signals:
        document_requested: id of the document to go to.
        files_dropped: paths to add.
        removal_requested: id of a document.
        order_requested: the ids in their new order.
    """

    document_requested = Signal(str)
    add_requested = Signal()
    files_dropped = Signal(object)
    removal_requested = Signal(str)
    order_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAcceptDrops(True)
        self.setMinimumWidth(190)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Documents"))
        self.list.setItemDelegate(DocumentDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.itemClicked.connect(lambda item: self.document_requested.emit(item.data(INFO_ROLE).id))
        self.list.itemActivated.connect(lambda item: self.document_requested.emit(item.data(INFO_ROLE).id))
        self.list.currentRowChanged.connect(lambda _: self._enable())
        self._buttons: dict[str, QToolButton] = {}
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 6)
        row.setSpacing(2)
        for name, tip, call in (
            ("add", self.tr("Add documents…"), self.add_requested.emit),
            ("remove", self.tr("Remove the document from the project…"), self._remove),
            ("previous", self.tr("Move up"), lambda: self._move(-1)),
            ("next", self.tr("Move down"), lambda: self._move(1)),
        ):
            button = QToolButton()
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(lambda _=False, act=call: act())
            self._buttons[name] = button
            row.addWidget(button)
            if name == "remove":
                row.addStretch(1)
        self.box.addWidget(self.list, 1)
        self.box.addLayout(row)
        theme.changed.connect(self._update_icons)
        self._update_icons()
        self._enable()

    @property
    def chosen(self) -> DocumentInfo | None:
        """The document that is selected in the list."""
        item = self.list.currentItem()
        return item.data(INFO_ROLE) if item is not None else None

    def show_documents(self, documents: Sequence[DocumentInfo]) -> None:
        """List the documents of a project."""
        self.list.clear()
        for info in documents:
            item = QListWidgetItem()
            item.setData(INFO_ROLE, info)
            folder = str(PurePosixPath(info.name).parent)
            tip = "\n".join(part for part in (info.path or info.name, folder) if part != ".")
            item.setToolTip(plain_tip(tip))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, info.name)
            self.list.addItem(item)
        self._enable()

    def show_progress(self, progress: Mapping[str, DocumentProgress]) -> None:
        """Show how far the documents are."""
        for item in self._items():
            info: DocumentInfo = item.data(INFO_ROLE)
            found = progress.get(info.id, DocumentProgress())
            item.setData(PROGRESS_ROLE, found)
            text = self.tr("{0}: confirmed {1} of {2}")
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, text.format(info.name, found.confirmed, found.segments)
            )
        self.list.viewport().update()

    def show_current(self, document: str) -> None:
        """Mark the document that the user works in."""
        for item in self._items():
            current = item.data(INFO_ROLE).id == document
            if current != bool(item.data(CURRENT_ROLE)):
                item.setData(CURRENT_ROLE, current)
                if current:
                    self.list.setCurrentItem(item)
                    self.list.scrollToItem(item)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        paths = tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
        if paths:
            event.acceptProposedAction()
            self.files_dropped.emit(paths)

    def _items(self) -> list[QListWidgetItem]:
        return [self.list.item(row) for row in range(self.list.count())]

    def _remove(self) -> None:
        if (info := self.chosen) is not None:
            self.removal_requested.emit(info.id)

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        order = [item.data(INFO_ROLE).id for item in self._items()]
        if 0 <= row < len(order) and 0 <= row + by < len(order):
            order.insert(row + by, order.pop(row))
            self.order_requested.emit(tuple(order))

    def _enable(self) -> None:
        row, count = self.list.currentRow(), self.list.count()
        self._buttons["remove"].setEnabled(row >= 0 and count > 1)
        self._buttons["previous"].setEnabled(row > 0)
        self._buttons["next"].setEnabled(0 <= row < count - 1)

    def _update_icons(self) -> None:
        colours = self._theme.colours
        for name, button in self._buttons.items():
            button.setIcon(QIcon(icon(name, colours.text, colours.not_started)))
        self.list.viewport().update()

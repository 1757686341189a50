"""The panel with the project's documents and their progress."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QIcon
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QToolButton

from anaphora.core.project import DocumentInfo
from anaphora.editor.appearance.theme import Theme, icon
from anaphora.editor.widgets.html_table import HTML_ROLE, HtmlDelegate
from anaphora.editor.widgets.rail import Panel
from anaphora.editor.widgets.sentence import plain_tip
from anaphora.project.document.progress import DocumentProgress

INFO_ROLE = Qt.ItemDataRole.UserRole + 1


class DocumentsPanel(Panel):
    """The list of documents with buttons to add and remove them; files dropped on it are added.

    Signals:
        document_requested, removal_requested: id of the document.
        files_dropped: paths to add.
    """

    document_requested = Signal(str)
    add_requested = Signal()
    files_dropped = Signal(object)
    removal_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAcceptDrops(True)
        self.setMinimumWidth(190)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Documents"))
        self.list.setItemDelegate(HtmlDelegate(theme, self.list, self.list))
        self._progress: Mapping[str, DocumentProgress] = {}
        self._current = self._chosen = ""
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
        ):
            button = QToolButton()
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(lambda _=False, act=call: act())
            self._buttons[name] = button
            row.addWidget(button)
        row.addStretch(1)
        self.box.addWidget(self.list, 1)
        self.box.addLayout(row)
        theme.changed.connect(self._update_icons)
        theme.changed.connect(self._fill)
        self._update_icons()
        self._enable()

    @property
    def chosen(self) -> DocumentInfo | None:
        item = self.list.currentItem()
        return item.data(INFO_ROLE) if item is not None else None

    def show_documents(self, documents: Sequence[DocumentInfo]) -> None:
        self.list.clear()
        self._chosen = ""
        for info in documents:
            item = QListWidgetItem()
            item.setData(INFO_ROLE, info)
            folder = str(PurePosixPath(info.name).parent)
            tip = "\n".join(part for part in (info.path or info.name, folder) if part != ".")
            item.setToolTip(plain_tip(tip))
            self.list.addItem(item)
        self._fill()
        self._enable()

    def show_progress(self, progress: Mapping[str, DocumentProgress]) -> None:
        self._progress = progress
        self._fill()

    def show_current(self, document: str) -> None:
        if document != self._current:
            self._current = document
            self._fill()

    def _fill(self) -> None:
        for item in self._items():
            info: DocumentInfo = item.data(INFO_ROLE)
            counts, name = self._progress.get(info.id, DocumentProgress()), PurePosixPath(info.name).name
            share, is_current = int(counts.confirmed_share * 100), info.id == self._current
            done = self.tr("{0}% confirmed · words: {1}").format(share, f"{counts.words:,}")
            name_html = f"<b>{html.escape(name)}</b>" if is_current else html.escape(name)
            muted = f'<span style="color:{self._theme.colours.muted}">{done}</span>'
            item.setText(f"{name}\n{done}")
            item.setData(HTML_ROLE, f"{name_html}<br>{muted}")
            spoken = self.tr("{0}: {1} of {2} confirmed").format(info.name, counts.confirmed, counts.segments)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            if is_current and self._chosen != info.id:
                self.list.setCurrentItem(item)
        self._chosen = self._current

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

    def _enable(self) -> None:
        self._buttons["remove"].setEnabled(self.list.currentRow() >= 0 and self.list.count() > 1)

    def _update_icons(self) -> None:
        colours = self._theme.colours
        for name, button in self._buttons.items():
            button.setIcon(QIcon(icon(name, colours.text, colours.not_started)))

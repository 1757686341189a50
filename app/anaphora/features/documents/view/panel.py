"""The project's documents and their progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QIcon
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QToolButton

from anaphora.core.project import DocumentInfo
from anaphora.editor.appearance.icons import icon, pixmap
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.panel import Panel
from anaphora.editor.widgets.plain_text import plain_tip
from anaphora.project.document.progress import DocumentProgress

INFO_ROLE = Qt.ItemDataRole.UserRole + 1


class DocumentsPanel(Panel):
    """The list of documents with buttons to add and remove them. Files dropped here are added.

    Signals:
        document_requested: id of the document to go to.
        files_dropped: paths to add.
        removal_requested: id of a document.
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
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
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
        self._update_icons()
        self._enable()

    @property
    def chosen(self) -> DocumentInfo | None:
        item = self.list.currentItem()
        return item.data(INFO_ROLE) if item is not None else None

    def show_documents(self, documents: Sequence[DocumentInfo]) -> None:
        self.list.clear()
        for info in documents:
            item = QListWidgetItem(f"{PurePosixPath(info.name).name}\n…")
            item.setData(INFO_ROLE, info)
            folder = str(PurePosixPath(info.name).parent)
            tip = "\n".join(part for part in (info.path or info.name, folder) if part != ".")
            item.setToolTip(plain_tip(tip))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, info.name)
            self.list.addItem(item)
        self._update_icons()
        self._enable()

    def show_progress(self, progress: Mapping[str, DocumentProgress]) -> None:
        for item in self._items():
            info: DocumentInfo = item.data(INFO_ROLE)
            found = progress.get(info.id, DocumentProgress())
            name, share = PurePosixPath(info.name).name, int(found.confirmed_share * 100)
            item.setText(f"{name}\n{share} % · {found.words:,}")
            said = self.tr("{0}: confirmed {1} of {2}").format(info.name, found.confirmed, found.segments)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, said)

    def show_current(self, document: str) -> None:
        for item in self._items():
            current, font = item.data(INFO_ROLE).id == document, item.font()
            if current != font.bold():
                font.setBold(current)
                item.setFont(font)
                if current:
                    self.list.setCurrentItem(item)

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
        for item in self._items():
            item.setIcon(QIcon(pixmap("document", colours.accent, 20)))

"""The user's guide, in a searchable dialog."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QKeySequence, QResizeEvent, QShortcut, QTextCharFormat
from PySide6.QtWidgets import QDialog, QListWidget, QSplitter, QTextBrowser, QTextEdit, QWidget

from anaphora.editor.widgets.dialogs import set_up_dialog, stack
from anaphora.editor.widgets.filter_chips import SearchLine
from anaphora.system.interface_language import UiLanguage, resolved_language
from anaphora.system.locations import guide

_MARGIN = 24
_FIELD = re.compile(r"\{(=?)(\w+)\}")
"""`{confirm}` becomes the key of the action “confirm”. `{=confirm}` becomes the action's menu path; so does
`{confirm}` if the action has no key."""
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class GuidePage:
    name: str
    title: str
    text: str

    def contains(self, words: str) -> bool:
        """True if the page contains each of the space-separated `words`, ignoring case."""
        text = self.text.casefold()
        return all(word in text for word in words.casefold().split())


def read_pages(folder: Path, key: Callable[[str], str], item: Callable[[str], str]) -> list[GuidePage]:
    """Read the Markdown files of a folder; `key` and `item` return an action's key (or "") and menu path."""

    def fill(field: re.Match[str]) -> str:
        wants_path, name = field.groups()
        shown = "" if wants_path else key(name)
        return f"`{shown}`" if shown else f"*{item(name)}*"

    return [
        _page(path.stem, _FIELD.sub(fill, path.read_text("utf-8"))) for path in sorted(folder.glob("*.md"))
    ]


def _page(name: str, text: str) -> GuidePage:
    title = _TITLE.search(text)
    return GuidePage(name, title[1] if title else name, text)


class GuideDialog(QDialog):
    """The guide: a search field, a list of the matching pages, and a page. It is not modal."""

    def __init__(
        self,
        language: UiLanguage,
        key: Callable[[str], str],
        item: Callable[[str], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        folder = guide(resolved_language(language).value)
        self._pages = read_pages(folder, key, item)
        set_up_dialog(self, self.tr("Guide"), 920, 700)
        self.search = SearchLine(self.tr("Search the guide"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Pages"))
        self.list.setWordWrap(True)
        self.list.setSpacing(3)
        self.page = _Page()
        self.page.setAccessibleName(self.tr("Page"))
        self.page.document().setBaseUrl(QUrl.fromLocalFile(f"{folder}/"))
        sides = QSplitter()
        sides.addWidget(self.list)
        sides.addWidget(self.page)
        sides.setStretchFactor(1, 1)
        sides.setSizes([230, 690])
        sides.setChildrenCollapsible(False)
        stack(self, self.search, sides, grows=sides)
        self.list.addItems([page.title for page in self._pages])
        self.search.textChanged.connect(self._find)
        self.list.currentItemChanged.connect(lambda *_: self._show_page())
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)
        self.list.setCurrentRow(0)
        self.search.setFocus()

    def _find(self) -> None:
        words = self.search.text()
        shown = [row for row, page in enumerate(self._pages) if page.contains(words)]
        for row in range(self.list.count()):
            self.list.item(row).setHidden(row not in shown)
        if self.list.currentRow() not in shown:
            self.list.setCurrentRow(shown[0] if shown else -1)
        self._show_page()

    def _show_page(self) -> None:
        row, words = self.list.currentRow(), self.search.text()
        if row < 0:
            self.page.setPlainText(self.tr("The guide does not mention “{0}”.").format(words))
        else:
            self.page.show_text(self._pages[row].text, words)


class _Page(QTextBrowser):
    """A page whose pictures fit its width."""

    def __init__(self) -> None:
        super().__init__()
        self._text, self._words = "", ""
        self.setOpenLinks(False)
        # A scroll bar that appears or disappears would change the width during layout.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.document().setDocumentMargin(_MARGIN)

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802
        address = self.document().baseUrl().resolved(QUrl(name))
        image = QImage(address.toLocalFile())
        if image.isNull():
            return super().loadResource(kind, address)
        ratio = self.devicePixelRatioF()
        width = round((self.viewport().width() - 2 * _MARGIN) * ratio)
        scaled = image.scaledToWidth(
            max(min(width, image.width()), 1), Qt.TransformationMode.SmoothTransformation
        )
        scaled.setDevicePixelRatio(ratio)
        return scaled

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            offset = self.verticalScrollBar().value()
            self.show_text(self._text, self._words)
            self.verticalScrollBar().setValue(offset)

    def show_text(self, text: str, words: str) -> None:
        """Show Markdown, and highlight all occurrences of the words."""
        self._text, self._words = text, words
        self.setMarkdown(text)
        marks = []
        for word in words.split():
            match = self.document().find(word)
            while not match.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = match, QTextCharFormat()  # type: ignore[attr-defined]
                mark.format.setBackground(self.palette().highlight())  # type: ignore[attr-defined]
                mark.format.setForeground(self.palette().highlightedText())  # type: ignore[attr-defined]
                marks.append(mark)
                match = self.document().find(word, match)
        self.setExtraSelections(marks)

"""A tab for each visited document. A tab leads to the document's last visited segment."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QTabBar

from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, document_id
from anaphora.core.structure import shortened
from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature, Strip
from anaphora.editor.widgets.sentence import plain_action, plain_tip
from anaphora.features.documents.feature import Documents

MAX_CHARACTERS = 24
"""Maximum number of characters in a tab's text; the tooltip has the full name."""
TABS = "window/tabs"
"""Name of a project's setting with the id of each tab's last visited segment, one per line."""


class Tabs(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        elide = Qt.TextElideMode.ElideNone
        self.bar = QTabBar(movable=True, expanding=False, elideMode=elide, tabsClosable=True, autoHide=True)
        self.bar.setAccessibleName(self.tr("Documents"))
        self.bar.currentChanged.connect(self._go)
        self.bar.tabCloseRequested.connect(self._close_tab)
        self.bar.tabMoved.connect(self._save)
        self.bar.hide()
        desk.of(Documents).close_prompt.close_tab = self._close_current
        self._last_segments: dict[str, str] = {}
        self._path = Path()

    def entries(self) -> Iterable[Action]:
        following, previous = self.tr("Ne&xt document"), self.tr("Previous doc&ument")
        yield Action("next_document", following, partial(self._step, 1), "document:documents:40", "Ctrl+Tab")
        keys = "Ctrl+Shift+Tab"
        yield Action("previous_document", previous, partial(self._step, -1), "document:documents:50", keys)

    def shown(self) -> Iterable[Strip]:
        yield Strip(self.bar, -20)

    def open(self) -> None:
        """Show the stored tabs of another project; for the same project, remove tabs of removed documents."""
        project = self.desk.project.project
        if project is None:
            return
        is_new_project, ids = project.path != self._path, {each.id for each in project.documents}
        with QSignalBlocker(self.bar):
            for index in reversed(range(self.bar.count())):
                if is_new_project or self.bar.tabData(index) not in ids:
                    self.bar.removeTab(index)
            if is_new_project:
                tabs = filter(project.session.document.has, project.settings.texts.get(TABS, "").split("\n"))
                self._path, self._last_segments = project.path, {document_id(each): each for each in tabs}
                for document in self._last_segments:
                    self._tab_of(document)

    def close(self) -> None:
        self.bar.hide()

    def show_segment(self, segment: Segment | None) -> None:
        project = self.desk.project.project
        if segment is None or project is None:
            return
        self._last_segments[segment.document] = segment.id
        with QSignalBlocker(self.bar):
            self.bar.setCurrentIndex(self._tab_of(segment.document))
        self.bar.setVisible(self.bar.count() > 1)
        self._save()

    def _close_current(self) -> bool:
        if has_others := self.bar.count() > 1:
            self._close_tab(self.bar.currentIndex())
        return has_others

    def _close_tab(self, index: int) -> None:
        self.bar.removeTab(index)
        self._save()

    def _save(self) -> None:
        tabs = map(self.bar.tabData, range(self.bar.count()))
        if (project := self.desk.project.project) is not None:
            project.save_setting(TABS, "\n".join(map(self._last_segments.__getitem__, tabs)))

    def _documents(self) -> tuple[DocumentInfo, ...]:
        project = self.desk.project.project
        return project.documents if project is not None else ()

    def _tab_of(self, document: str) -> int:
        for index in range(self.bar.count()):
            if self.bar.tabData(index) == document:
                return index
        name = next(each.name for each in self._documents() if each.id == document)
        index = self.bar.addTab(plain_action(shortened(PurePosixPath(name).name, MAX_CHARACTERS)))
        self.bar.setTabData(index, document)
        self.bar.setTabToolTip(index, plain_tip(name))
        return index

    def _go(self, index: int) -> None:
        document, session = self.bar.tabData(index), self.desk.project.session
        segment = self._last_segments.get(document, "")
        if session is not None and session.document.has(segment):
            self.desk.table.go_to_segment(segment)
        else:
            self.desk.of(Documents).presenter.go_to_document(document)

    def _step(self, offset: int) -> None:
        """Go to the next (1) or previous (-1) tab. If there is only one tab, step through the documents."""
        if self.bar.count() > 1:
            self.bar.setCurrentIndex((self.bar.currentIndex() + offset) % self.bar.count())
            return
        documents = [each.id for each in self._documents()]
        index = documents.index(self.bar.tabData(0)) + offset
        self.desk.of(Documents).presenter.go_to_document(documents[index % len(documents)])

"""The discourse panel: a document's names, pronouns, tense and person, and their inconsistencies."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon, QShowEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidgetItem

from anaphora.editor.appearance.theme import Theme, pixmap
from anaphora.editor.widgets.rail import NumberOf, Panel, note, tree
from anaphora.features.discourse.results import Discourse, Mismatch

ABOUT, TRANSLATION, EXPECTED, CONFIDENCE, SEGMENT = range(5)
SEGMENT_ROLE = Qt.ItemDataRole.UserRole + 1


class DiscoursePanel(Panel):
    """Lists a document's names, pronouns and narration; a click on an inconsistency goes to its segment."""

    segment_requested = Signal(str)
    became_visible = Signal()

    def __init__(self, theme: Theme, number_of: NumberOf) -> None:
        super().__init__()
        self._theme, self._number_of = theme, number_of
        self._shown: Discourse | None = None
        self._words = {
            "past": self.tr("past tense"),
            "present": self.tr("present tense"),
            "first": self.tr("first person"),
            "third": self.tr("third person"),
        }
        self.about = note()
        titles = [self.tr("Source"), self.tr("Translation"), self.tr("Expected"), self.tr("Confidence")]
        widths = {TRANSLATION: 105, EXPECTED: 105}
        name = self.tr("Names, pronouns, tense and person")
        self.lines = tree([*titles, self.tr("Segment")], ABOUT, widths, name)
        for column in (CONFIDENCE, SEGMENT):
            self.lines.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.lines.setRootIsDecorated(True)
        self.lines.itemActivated.connect(self._go)
        self.lines.itemClicked.connect(self._go)
        self.box.addWidget(self.about)
        self.box.addWidget(self.lines, 1)
        self.setFocusProxy(self.lines)
        theme.changed.connect(self._fill)

    def show_discourse(self, found: Discourse | None) -> None:
        if found != self._shown:
            self._shown = found
            self._fill()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.became_visible.emit()

    def _fill(self) -> None:
        shown, offset = self._shown, self.lines.verticalScrollBar().value()
        self.lines.clear()
        self.about.clear()
        if shown is None:
            return
        for name in shown.names:
            top = self._add(name.name, name.rendering, name.mismatches)
            top.setText(SEGMENT, self.tr("{0} segments").format(len(name.segments)))
            top.setData(ABOUT, SEGMENT_ROLE, name.segments[0])
        if shown.is_whole:
            phrases = [self._words[each] for each in (shown.tense, shown.person) if each]
            phrases = phrases or [self.tr("no narrative found")]
            for title, mismatches in (
                (self.tr("Pronouns and omitted subjects"), shown.pronouns),
                (" · ".join([self.tr("Tense and person of the narrative"), *phrases]), shown.narration),
            ):
                self._add(title, "", mismatches).setFirstColumnSpanned(True)
        self.lines.expandAll()
        self.lines.verticalScrollBar().setValue(offset)
        count = len(shown.pronouns) + len(shown.narration) + sum(len(name.mismatches) for name in shown.names)
        about = self.tr("Inconsistencies: {0}.").format(count)
        only = self.tr("Pronouns and tenses are checked only in translations from Chinese into English.")
        self.about.setText(about if shown.is_whole else f"{about} {only}")

    def _add(self, title: str, translation: str, mismatches: Iterable[Mismatch]) -> QTreeWidgetItem:
        top = QTreeWidgetItem(self.lines, [title, translation])
        about = {
            "name": self.tr("Spelt differently"),
            "pronoun": self.tr("Pronoun {0}"),
            "subject": self.tr("Omitted subject"),
            "tense": self.tr("Tense"),
            "person": self.tr("Person ({0})"),
        }
        for each in mismatches:
            confidence = self.tr("likely") if each.kind in ("subject", "tense") else self.tr("certain")
            found, usual = (self._words.get(text, text) for text in (each.found, each.usual))
            number = str(self._number_of(each.segment))
            item = QTreeWidgetItem(
                top, [about[each.kind].format(each.about), found, usual, confidence, number]
            )
            item.setData(ABOUT, SEGMENT_ROLE, each.segment)
            item.setIcon(ABOUT, QIcon(pixmap("inconsistent", self._theme.colours.warning, 14)))
            item.setForeground(CONFIDENCE, QColor(self._theme.colours.muted))
        return top

    def _go(self, item: QTreeWidgetItem) -> None:
        if segment := item.data(ABOUT, SEGMENT_ROLE):
            self.segment_requested.emit(segment)

"""The docked panels and their places."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QWidget

from anaphora.core.segment import Segment
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.panel import NumberOf
from anaphora.editor.widgets.rail import ContextRail, RailSection, ShowsSegment
from anaphora.features.comments.view.notes import NotesPanel
from anaphora.features.comments.view.panel import CommentsPanel, HistoryLines
from anaphora.features.corrections.view.panel import CorrectionsPanel
from anaphora.features.dictionary.view.panel import DictionaryLines
from anaphora.features.documents.view.panel import DocumentsPanel
from anaphora.features.drafting.view.change_lines import ChangeLines
from anaphora.features.drafting.view.suggestions import SuggestionsPanel
from anaphora.features.explain.view.reasons import ReasonLines
from anaphora.features.explain.view.topic import TopicPanel
from anaphora.features.explain.view.why import WhyPanel
from anaphora.features.terms.view.ledger_panel import ConsistencyPanel
from anaphora.features.terms.view.term_list import TermBaseLines
from anaphora.features.tm.view.concordance_panel import ConcordancePanel

LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


class Docks(QObject):
    """Documents at the left, the rail of the current sentence at the right; the rest at the bottom, closed.

    All of them can be moved. While no document is open they are hidden, and come back as they were.
    """

    def __init__(self, window: QMainWindow, theme: Theme, number_of: NumberOf) -> None:
        super().__init__(window)
        self._window = window
        self.documents = DocumentsPanel(theme)
        self.topic = TopicPanel(theme, number_of)
        self.consistency = ConsistencyPanel(theme)
        self.suggestions = SuggestionsPanel(theme)
        self.concordance = ConcordancePanel(theme, number_of)
        self.notes = NotesPanel(theme)
        self.term_list = TermBaseLines(theme)
        self.dictionary = DictionaryLines(theme)
        self.comments = CommentsPanel(theme)
        self.history = HistoryLines(theme)
        self.change = ChangeLines(theme, number_of)
        self.reasons = ReasonLines(theme, number_of)
        self.why = WhyPanel(theme, number_of)
        self.corrections = CorrectionsPanel(theme, number_of)
        self.why.tabs.addTab(self.corrections, self.tr("Corrections"))
        self.why.tabs.addTab(self.topic, self.tr("Topic"))
        self.rail = ContextRail(self._sections())
        self._docks = self._panels()
        self._areas = {dock: window.dockWidgetArea(dock) for dock in self._docks}
        self._shown = {dock: True for dock in self._docks}
        self._visible = True
        self._rail_in_front = False
        self._tabs = QTimer(self, singleShot=True, interval=0)
        self._tabs.timeout.connect(self._update_tabs)
        for dock in self._docks:
            dock.dockLocationChanged.connect(lambda _: self._tabs.start())
            dock.topLevelChanged.connect(lambda _: self._tabs.start())
            dock.visibilityChanged.connect(lambda _: self._tabs.start())
        self._named("rail").visibilityChanged.connect(self._follow_rail)
        self.suggestions.waiting_changed.connect(self._show_suggestions)
        self.reasons.details_requested.connect(lambda: self.raise_panel("why"))
        self.concordance.left.connect(self._leave_concordance)
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        for area in (RIGHT, BOTTOM):
            window.setTabPosition(area, QTabWidget.TabPosition.North)

    def _panels(self) -> list[QDockWidget]:
        return [
            self._dock("documents", self.tr("Documents"), self.documents, LEFT),
            self._dock("rail", self.tr("This sentence"), self.rail, RIGHT),
            self._dock("consistency", self.tr("Terms"), self.consistency, BOTTOM),
            self._dock("concordance", self.tr("Concordance"), self.concordance, BOTTOM),
            self._dock("why", self.tr("Details"), self.why, BOTTOM),
        ]

    def _named(self, name: str) -> QDockWidget:
        return next(dock for dock in self._docks if dock.objectName() == name)

    def _at_bottom(self) -> list[QDockWidget]:
        """The panels that stand at the bottom at first, in the order of their tabs."""
        below = [dock for dock in self._docks if self._areas[dock] is BOTTOM]
        return sorted(below, key=lambda dock: dock.widget() is not self.why)

    def _sections(self) -> tuple[RailSection, ...]:
        """The sections of the rail, what decides most often first."""
        return (
            RailSection("change", self.tr("This draft has changed"), self.change, self.change.changed),
            RailSection("reasons", self.tr("Why"), self.reasons, self.reasons.changed),
            RailSection("suggestions", self.tr("Suggestions"), self.suggestions),
            RailSection("term_list", self.tr("Term base"), self.term_list, self.term_list.changed),
            RailSection("dictionary", self.tr("Dictionary"), self.dictionary, self.dictionary.changed),
            RailSection("comments", self.tr("Comments"), self.comments, self.comments.changed),
            RailSection("notes", self.tr("Notes"), self.notes, self.notes.counted),
            RailSection("history", self.tr("History"), self.history, self.history.changed),
        )

    def arrange(self) -> None:
        below, documents, rail = self._at_bottom(), self._named("documents"), self._named("rail")
        for dock in self._docks:
            self._window.addDockWidget(self._areas[dock], dock)
        for before, dock in pairwise(below):
            self._window.tabifyDockWidget(before, dock)
        self._window.resizeDocks([documents, rail], [220, 320], Qt.Orientation.Horizontal)
        self._window.resizeDocks(below[:1], [280], Qt.Orientation.Vertical)
        for dock in self._docks:
            if dock not in (documents, rail):
                dock.hide()

    def set_visible(self, visible: bool) -> None:
        """Hide the docks with the document, or show those that were shown."""
        if visible == self._visible:
            return
        self._visible = visible
        for dock in self._docks:
            if not visible:
                self._shown[dock] = not dock.isHidden()
                dock.hide()
            elif self._shown[dock]:
                dock.show()

    def show_segment(self, segment: Segment | None) -> None:
        """Show what is known about a segment before anything is known about its target."""
        for dock in self._docks:
            if isinstance(panel := dock.widget(), ShowsSegment):
                panel.show_segment(segment)

    def show_corrections(self) -> None:
        self.why.tabs.setCurrentWidget(self.corrections)
        self.raise_panel("why", focus=False)
        self.corrections.setFocus()

    def show_several_renderings(self) -> None:
        self.consistency.show_several()
        self.raise_panel("consistency")

    def raise_panel(self, name: str, focus: bool = True) -> None:
        """Bring a dock to the front by its object name, or a section of the rail by its name."""
        if self.rail.has(name):
            self.raise_panel("rail", focus=False)
            self.rail.reveal(name)
            if focus:
                self.rail.section(name).setFocus()
            return
        dock = self._named(name)
        dock.show()
        dock.raise_()
        if focus:
            dock.widget().setFocus()

    def below(self) -> tuple[QWidget, ...]:
        return tuple(dock.widget() for dock in self._at_bottom())

    def show_dock(self, name: str, shown: bool) -> None:
        self._named(name).setVisible(shown)

    def toggles(self) -> list[QAction]:
        """An action for each dock that shows or hides it."""
        return [dock.toggleViewAction() for dock in self._docks]

    def rail_is_seen(self) -> bool:
        """Whether the rail is in front: Qt calls one visible that lies behind other tabs, too."""
        return self._rail_in_front and self.rail.isVisible()

    def _leave_concordance(self) -> None:
        """What was found stays in view; a concordance that holds nothing only takes room."""
        self.show_dock("concordance", bool(self.concordance.needle.text().strip()))

    def _follow_rail(self, in_front: bool) -> None:
        # The dock says so before it is laid out: what is visible of the rail is still empty then.
        self._rail_in_front = in_front
        if in_front:
            self.suggestions.shown.emit()

    def _show_suggestions(self, waiting: bool) -> None:
        """Matches and drafts have a section as long as there are any, or may be."""
        shown = self.suggestions.count > 0 or waiting
        best = f"{self.suggestions.best} %" if self.suggestions.best else ""
        self.rail.section("suggestions").show_filled(shown, best)

    def _update_tabs(self) -> None:
        """The keyboard does not go to a bar without tabs, which Qt keeps where nobody sees it."""
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus if bar.count() else Qt.FocusPolicy.NoFocus)

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setWidget(widget)
        dock.setAccessibleName(title)
        self._window.addDockWidget(area, dock)
        return dock

"""Declares explanations: marked words, reasons for the current draft, details of a word, topic words."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QMenu

from anaphora.core.segment import Segment
from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import BOTTOM, Desk, Dock, Feature, Section
from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.inspector import InfluenceService, Inspector
from anaphora.features.explain.view.influence import InfluenceController
from anaphora.features.explain.view.topic import TopicPanel
from anaphora.features.explain.view.why import ReasonLines, WhyPanel


class Explain(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        theme, number_of, worker, table = desk.theme, desk.model.number_of, desk.worker, desk.table
        self.service, self.inspector = InfluenceService(worker), Inspector(worker)
        self.before_shown = (self.service, self.inspector)
        self.topic, self.why = TopicPanel(theme, number_of), WhyPanel(theme, number_of)
        self.why.tabs.addTab(self.topic, self.tr("Topic"))
        self.reasons = ReasonLines(theme, number_of)
        self.influence = InfluenceController(desk, self.service, self.inspector)
        drafting, inspector = desk.of(Drafting).service, self.inspector
        drafting.draft_replaced.connect(self.service.forget_after)
        drafting.learned.connect(inspector.refresh)
        worker.steered.connect(inspector.refresh)
        worker.loaded.connect(self._show_engine)
        worker.load_failed.connect(self._show_no_engine)
        desk.theme.changed.connect(self._point)
        inspector.viewed.connect(self.topic.show_view)
        for panel in (self.topic, self.why, self.reasons):
            inspector.explained.connect(panel.show_explanation)
            inspector.word_selected.connect(panel.select_word)
        inspector.proposal_explained.connect(self.reasons.show_explanation)
        inspector.compared.connect(self.reasons.show_comparison)
        inspector.waiting_changed.connect(self.why.show_waiting)
        inspector.word_selected.connect(lambda _: table.editor.mark(inspector.span))
        inspector.word_selected.connect(lambda _: table.card.source.mark(inspector.source_spans))
        table.card.source.double_clicked.connect(inspector.point_at_source)
        table.editor.caret_moved.connect(inspector.point_at)
        self.why.segment_requested.connect(table.go_to_segment)
        self.reasons.details_requested.connect(lambda: desk.panels.raise_panel("why"))

    def entries(self) -> Iterable[Action]:
        use, step = self.influence.use_here, self.step_word
        word, places = self.tr("Use the con&firmed word here"), "segment:write:10"
        yield Action("use_confirmed", word, use, places, "Ctrl+Alt+U")
        previous, following = self.tr("Show why: pre&vious word"), self.tr("Show why: next &word")
        yield Action("word_left", previous, lambda: step(-1), "segment:explain:10", "Alt+Left")
        yield Action("word_right", following, lambda: step(1), "segment:explain:20", "Alt+Right")

    def shown(self) -> Iterable[Dock | Section]:
        yield Dock("why", self.tr("Details"), self.why, BOTTOM, 50, is_first=True)
        yield Section("reasons", self.tr("Why"), self.reasons, 20, self.reasons.changed)

    def fill_menu_at_word(self, menu: QMenu) -> None:
        self.influence.fill_menu(menu)

    def show_segment(self, segment: Segment | None) -> None:
        self.inspector.show_segment(segment.id if segment is not None else "")

    def step_word(self, by: int) -> None:
        self.inspector.step(by)
        if (span := self.inspector.span) is not None:
            self.desk.table.editor.put_caret(span[0])

    def _point(self) -> None:
        self.inspector.point_at(self.desk.table.editor.caret)

    def _show_engine(self) -> None:
        self.topic.show_engine(True)
        self.inspector.set_available(True)

    def _show_no_engine(self) -> None:
        self.topic.show_engine(False)
        self.inspector.set_available(False)

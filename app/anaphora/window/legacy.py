"""What no feature declares yet: each part leaves for its feature.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QMenu

from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.editor.actions.entries import AnyEntry
from anaphora.editor.desk import Desk
from anaphora.editor.feature import BOTTOM, LEFT, Dock, Feature, Section, Strip
from anaphora.features.checks.feature import Checks
from anaphora.features.corrections.view.correcting import CorrectionController
from anaphora.features.corrections.view.panel import CorrectionsPanel
from anaphora.features.documents.view.panel import DocumentsPanel
from anaphora.features.drafting.view.change_lines import ChangeLines
from anaphora.features.drafting.view.completer import Completer
from anaphora.features.drafting.view.suggester import Suggester
from anaphora.features.drafting.view.suggestions import SuggestionsPanel
from anaphora.features.explain.inspector import Inspector
from anaphora.features.explain.view.influence import InfluenceController
from anaphora.features.explain.view.reasons import ReasonLines
from anaphora.features.explain.view.topic import TopicPanel
from anaphora.features.explain.view.why import WhyPanel
from anaphora.features.export.view.exported import ExportedBar, ExportedController
from anaphora.features.models.view.choosing import ModelsController
from anaphora.features.quality.feature import Quality
from anaphora.features.services import Services
from anaphora.features.spelling.feature import Spelling
from anaphora.features.steering.view.menu import SteeringController
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.system.shipped import sample_document
from anaphora.window.close_prompt import ClosePrompt
from anaphora.window.engine_state import EngineState
from anaphora.window.file_choosers import FileChoosers
from anaphora.window.legacy_entries import LegacyEntries
from anaphora.window.presenter import ProjectPresenter

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


class Legacy(Feature):
    """Services and views as the window made them before features declared themselves."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        desk.legacy = self
        self.services = Services(desk)
        self.before_shown, self.follows = self.services.before_shown, self.services.follows
        self._make_panels()
        self._make_parts(self.services)
        self._connect_document()
        self._connect_engine()
        self._connect_panels()

    @property
    def _window(self) -> MainWindow:
        return cast("MainWindow", self.desk.window)

    def _make_panels(self) -> None:
        theme, number_of = self.desk.theme, self.desk.model.number_of
        self.unlike_banner = self.desk.of(Quality).banner
        self.exported_bar = ExportedBar(theme)
        self.documents = DocumentsPanel(theme)
        self.topic = TopicPanel(theme, number_of)
        self.suggestions = SuggestionsPanel(theme)
        self.change = ChangeLines(theme, number_of)
        self.reasons = ReasonLines(theme, number_of)
        self.why = WhyPanel(theme, number_of)
        self.corrections_panel = CorrectionsPanel(theme, number_of)
        self.why.tabs.addTab(self.corrections_panel, self.tr("Corrections"))
        self.why.tabs.addTab(self.topic, self.tr("Topic"))

    def _make_parts(self, services: Services) -> None:
        desk, checking = self.desk, self.desk.of(Checks).service
        terms = desk.of(Terms).service
        self.inspector = Inspector(desk.worker, parent=self)
        self.before_shown += (self.inspector,)
        self.completer = Completer(desk, desk.of(Spelling).service)
        self.influence = InfluenceController(desk, services.influence, self.inspector)
        self.suggester = Suggester(desk, desk.of(Tm).service, self.suggestions)
        self.steering = SteeringController(desk, services.steering)
        self.corrections = CorrectionController(
            desk, self.corrections_panel, services.corrections, services.steering, terms
        )
        self.files = FileChoosers(desk, checking, services.exporting)
        self.exported = ExportedController(desk, self.exported_bar, services.exporting)
        self.presenter = ProjectPresenter(desk, self.files, self.documents)
        services.exporting.exported_all.connect(self.presenter.show_export)
        self.models = ModelsController(desk)
        self.close_prompt = ClosePrompt(desk)

    def _connect_document(self) -> None:
        window = self._window
        self.presenter.projects.announced.connect(self.announced)
        window.start_page.open_requested.connect(self.files.choose_document)
        window.start_page.sample_requested.connect(self.open_sample)
        window.start_page.file_requested.connect(self.desk.opener.open)
        self.desk.theme.changed.connect(self._follow_theme)

    def _connect_engine(self) -> None:
        services, terms = self.services, self.desk.of(Terms)
        self.engine_state = EngineState(self)
        self.inspector.found.connect(terms.consistency.add_explanation)
        services.drafting.suggested.connect(self._take_draft)
        services.drafting.learned.connect(self.inspector.refresh)
        services.drafting.learned.connect(self.suggester.forget)

    def _connect_panels(self) -> None:
        panels, table = self.desk.panels, self.desk.table
        inspector = self.inspector
        inspector.viewed.connect(self.topic.show_view)
        for panel in (self.topic, self.why, self.reasons):
            inspector.explained.connect(panel.show_explanation)
            inspector.word_selected.connect(panel.select_word)
        inspector.proposal_explained.connect(self.reasons.show_explanation)
        inspector.compared.connect(self.reasons.show_comparison)
        inspector.waiting_changed.connect(self.why.show_waiting)
        inspector.word_selected.connect(lambda _: table.editor.mark(inspector.span))
        inspector.word_selected.connect(lambda _: table.card.source.mark(inspector.source_spans))
        table.card.source.pointed.connect(inspector.point_at_source)
        table.editor.caret_moved.connect(inspector.point_at)
        self.services.changed.changed.connect(self._follow_change)
        self.why.segment_requested.connect(table.go_to_segment)
        self.reasons.steering_requested.connect(self.steering.show_menu)
        self.steering.attach(self.why.words)
        self.suggester.wanted.connect(lambda: panels.raise_panel("suggestions", focus=False))
        self.suggestions.waiting_changed.connect(self._show_suggestions)
        panels.rail_shown.connect(self.suggestions.shown)
        self.reasons.details_requested.connect(lambda: panels.raise_panel("why"))

    # What it declares

    def entries(self) -> Iterable[AnyEntry]:
        return LegacyEntries(self).all()

    def shown(self) -> Iterable[Dock | Section | Strip]:
        yield Dock("documents", self.tr("Documents"), self.documents, LEFT, 10)
        yield Dock("why", self.tr("Details"), self.why, BOTTOM, 50, is_first=True)
        yield Section("change", self.tr("This draft has changed"), self.change, 10, self.change.changed)
        yield Section("reasons", self.tr("Why"), self.reasons, 20, self.reasons.changed)
        yield Section("suggestions", self.tr("Suggestions"), self.suggestions, 30)
        yield Strip(self.presenter.banner, 9, is_banner=True)
        yield Strip(self.exported_bar, 30)

    def fill_menu_at_word(self, menu: QMenu) -> None:
        self.influence.fill_menu(menu)

    def show_segment(self, segment: Segment | None) -> None:
        segment_id = segment.id if segment is not None else ""
        self.inspector.show_segment(segment_id)
        self.suggester.show_segment(segment_id)
        self.change.show_change(segment, self.services.changed.see(segment_id))
        if segment is not None:
            self.services.drafting.look_at(segment_id)
            self.services.steering.look_at(segment_id)
            self.presenter.follow(segment)

    def open(self) -> None:
        self.presenter.open()

    def close(self) -> None:
        self.suggester.show_segment("")
        self.presenter.close()
        self.engine_state.show_paused(False)

    def take_drop(self, paths: list[Path]) -> bool:
        return self.models.take_drop(paths)

    def may_leave(self, leave: Callable[[], object]) -> bool:
        return self.close_prompt.may_leave(leave)

    def end(self) -> None:
        self.desk.models.finish()

    # What it does

    def open_sample(self) -> None:
        self.desk.opener.open(sample_document())

    def translate_again(self) -> None:
        segment = self.desk.table.current_segment
        if segment is not None and segment.status is not Status.LOCKED:
            self.services.drafting.translate_again(segment.id)

    def step_word(self, by: int) -> None:
        self.inspector.step(by)
        if (span := self.inspector.span) is not None:
            self.desk.table.editor.put_caret(span[0])

    def _take_draft(self, segment_id: str, draft: SegmentState) -> None:
        if (editing := self.desk.project.editing) is not None:
            editing.take_draft(segment_id, draft)

    def show_corrections(self) -> None:
        self.why.tabs.setCurrentWidget(self.corrections_panel)
        self.desk.panels.raise_panel("why", focus=False)
        self.corrections_panel.setFocus()

    def _follow_theme(self) -> None:
        self.inspector.point_at(self.desk.table.editor.caret)

    def _follow_change(self) -> None:
        """The draft that is looked at was made again: what changed is shown; it counts until reviewed."""
        segment = self.desk.table.current_segment
        if segment is not None and (change := self.services.changed.get(segment.id)) is not None:
            self.change.show_change(segment, change)

    def _show_suggestions(self, waiting: bool) -> None:
        """Matches and drafts have a section as long as there are any, or may be."""
        shown = self.suggestions.count > 0 or waiting
        best = f"{self.suggestions.best} %" if self.suggestions.best else ""
        self.desk.panels.section("suggestions").show_filled(shown, best)

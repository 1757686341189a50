"""What no feature declares yet: each part leaves for its feature.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QMenu

from anaphora.core.segment import Segment
from anaphora.editor.actions.entries import AnyEntry
from anaphora.editor.desk import Desk
from anaphora.editor.feature import BOTTOM, LEFT, Dock, Feature, Section, Strip
from anaphora.editor.table.segment_words import selected_text
from anaphora.features.checks.view.issues import ChecksController
from anaphora.features.documents.view.panel import DocumentsPanel
from anaphora.features.drafting.feature import Drafting
from anaphora.features.export.view.exported import ExportedBar, ExportedController
from anaphora.features.filter.view.filtering import FilterController
from anaphora.features.filter.view.header_strip import HeaderStrip
from anaphora.features.quality.feature import Quality
from anaphora.features.review.view.exchange import ReviewController
from anaphora.features.segments.view.resegmentation import ResegmentationController
from anaphora.features.segments.view.segment_actions import SegmentActions
from anaphora.features.services import Services
from anaphora.features.spelling.view.misspellings import SpellingController
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.view.concordance_panel import ConcordancePanel
from anaphora.features.tm.view.memories import TranslationMemoryController
from anaphora.project.exporting.writing import ExportReport
from anaphora.system.shipped import sample_document
from anaphora.window.banners import EngineBanner, PairBanner, ShortageBanner, UnlikeBanner
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
        self.strip = HeaderStrip()
        self.banner = EngineBanner()
        self.shortage_banner = ShortageBanner()
        self.pair_banner = PairBanner()
        self.unlike_banner = UnlikeBanner()
        self.exported_bar = ExportedBar(theme)
        self.documents = DocumentsPanel(theme)
        self.concordance = ConcordancePanel(theme, number_of)

    def _make_parts(self, services: Services) -> None:
        desk, project, checking = self.desk, self.desk.project, services.checking
        terms, confidence = desk.of(Terms).service, desk.of(Quality).confidence
        self.segment_actions = SegmentActions(desk, checking)
        self.resegmentation = ResegmentationController(desk)
        self.spelling = SpellingController(desk, services.spelling)
        self.checks = ChecksController(desk, checking, services.quick_fixes)
        self.filtering = FilterController(desk, self.strip, desk.of(Drafting).changed, confidence, checking)
        self.memory = TranslationMemoryController(
            desk, services.memory, terms, services.filling, self.concordance
        )
        self.files = FileChoosers(desk, checking)
        self.exported = ExportedController(desk, self.exported_bar)
        project.exported_all.connect(self._show_exported)
        self.presenter = ProjectPresenter(desk, self.files, self.documents)
        self.close_prompt = ClosePrompt(desk)
        self.review = ReviewController(desk)

    def _connect_document(self) -> None:
        window, table = self._window, self.desk.table
        self.presenter.projects.announced.connect(self.announced)
        self.strip.export_requested.connect(self.files.choose_destination)
        self.files.segments_requested.connect(self.filtering.choose)
        window.start_page.open_requested.connect(self.files.choose_document)
        window.start_page.sample_requested.connect(self.open_sample)
        window.start_page.file_requested.connect(self.desk.project.open)
        table.card.confirm_requested.connect(self.segment_actions.confirm)
        self.desk.keymap.changed.connect(self._follow_keys)

    def _connect_engine(self) -> None:
        desk, services, terms = self.desk, self.services, self.desk.of(Terms)
        self.engine_state = EngineState(self, self._window, desk.of(Drafting).service)
        desk.of(Quality).confidence.unlike.connect(self.unlike_banner.show_unlike)
        desk.project.pair_changed.connect(self._show_pair)
        services.checking.checked.connect(desk.model.set_warnings)
        services.spelling.failed.connect(self.announced)
        terms.consistency.reported.connect(self.checks.count_terms)

    def _connect_panels(self) -> None:
        table = self.desk.table
        self.checks.terms_requested.connect(self.desk.of(Terms).show_several_renderings)
        self.concordance.segment_requested.connect(table.go_to_segment)
        self.concordance.left.connect(self._leave_concordance)
        self.concordance.left.connect(table.setFocus)

    # What it declares

    def entries(self) -> Iterable[AnyEntry]:
        return LegacyEntries(self, self._window).all()

    def shown(self) -> Iterable[Dock | Section | Strip]:
        yield Dock("documents", self.tr("Documents"), self.documents, LEFT, 10)
        yield Dock("concordance", self.tr("Concordance"), self.concordance, BOTTOM, 40)
        for rank, banner in enumerate(
            (self.banner, self.shortage_banner, self.pair_banner, self.unlike_banner)
        ):
            yield Strip(banner, rank, is_banner=True)
        yield Strip(self.presenter.banner, 9, is_banner=True)
        yield Strip(self.strip, -10)
        yield Strip(self.exported_bar, 30)

    def fill_menu_at_word(self, menu: QMenu) -> None:
        for part in (self.spelling, self.checks):
            part.fill_menu(menu)

    def show_segment(self, segment: Segment | None) -> None:
        if segment is not None:
            self.presenter.follow(segment)

    def open(self) -> None:
        project = self.desk.project
        self.concordance.open(project.session)
        self._show_pair()
        self.filtering.open()
        self.presenter.open()

    def close(self) -> None:
        self.concordance.open(None)
        self.pair_banner.hide()
        self.presenter.close()

    def end(self) -> None:
        self.services.memory.finish()

    # What it does

    def open_sample(self) -> None:
        self.desk.project.open(sample_document())

    def look_up(self) -> None:
        selected = selected_text(self.desk.window.focusWidget(), self.desk.table)
        self.desk.panels.raise_panel("concordance")
        self.concordance.look_up(selected)

    def _follow_keys(self) -> None:
        self.desk.table.card.set_confirm_key(self.desk.actions.key_text("confirm"))
        self.strip.set_review_key(self.desk.actions.key_text("next_changed"))

    def _show_pair(self) -> None:
        self.pair_banner.show_pair(self.desk.project.pair)

    def _show_exported(self, report: ExportReport) -> None:
        self.exported_bar.show_file(report.folder)

    def _leave_concordance(self) -> None:
        """What was found stays in view; a concordance that holds nothing only takes room."""
        self.desk.panels.show_dock("concordance", bool(self.concordance.needle.text().strip()))

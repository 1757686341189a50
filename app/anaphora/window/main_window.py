"""The main window: puts the parts together and passes their wishes on."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from anaphora.core.direction import Pair
from anaphora.editor.actions.actions import Actions
from anaphora.editor.actions.keymap import Keymap
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_model import SegmentModel
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.editor.table.segment_words import selected_text
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.messages import show_error
from anaphora.features.checks.view.issues import ChecksController
from anaphora.features.corrections.view.correcting import CorrectionController
from anaphora.features.dictionary.view.words_of_segment import DictionaryController
from anaphora.features.drafting.view.completer import SETTING as COMPLETION
from anaphora.features.drafting.view.completer import Completer
from anaphora.features.drafting.view.suggester import Suggester
from anaphora.features.explain.inspector import Inspector
from anaphora.features.explain.view.influence import InfluenceController
from anaphora.features.explain.view.inspection import connect_inspector
from anaphora.features.export.view.exported import ExportedBar, ExportedController
from anaphora.features.filter.view.filtering import FilterController
from anaphora.features.filter.view.header_strip import HeaderStrip
from anaphora.features.find.view.find_bar import FindBar
from anaphora.features.find.view.finder import Finder
from anaphora.features.models.view.choosing import ModelsController
from anaphora.features.packs.view.exchange import PackController
from anaphora.features.review.view.exchange import ReviewController
from anaphora.features.segments.view.resegmentation import ResegmentationController
from anaphora.features.segments.view.segment_actions import SegmentActions
from anaphora.features.services import Services
from anaphora.features.spelling.view.misspellings import SETTING as SPELLING
from anaphora.features.spelling.view.misspellings import SpellingController
from anaphora.features.steering.view.menu import SteeringController
from anaphora.features.terms.view.first_sight import FirstSightBar, FirstSightController
from anaphora.features.terms.view.ledger import LedgerController
from anaphora.features.terms.view.terms_of_segment import TermController
from anaphora.features.tm.view.memories import TranslationMemoryController
from anaphora.project.document.session import DocumentSession
from anaphora.project.opening import ROW_SETTING
from anaphora.project.saving import BRIEF_SECONDS
from anaphora.system.window_settings import is_on
from anaphora.window.alt_key import AltKey
from anaphora.window.banners import EngineBanner, PairBanner, ShortageBanner, UnlikeBanner
from anaphora.window.close_prompt import ClosePrompt
from anaphora.window.context_menus import ContextMenus
from anaphora.window.docks import Docks
from anaphora.window.engine_state import EngineState
from anaphora.window.file_choosers import FileChoosers
from anaphora.window.focus import FocusKeeper
from anaphora.window.handlers import handlers
from anaphora.window.menus import fill_menus, fill_toolbar
from anaphora.window.presenter import ProjectPresenter
from anaphora.window.records import RecordsController
from anaphora.window.start_page import StartPage
from anaphora.window.status_line import StatusLine
from anaphora.window.window_state import WindowState

MESSAGE_MS = 8000


class MainWindow(QMainWindow):
    """The editor's window.

    Signals:
        noticed: an error that was not handled, in any thread.
    """

    noticed = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        services.belong_to(self)
        self.controller, self.opener = services.controller, services.opener
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._make_parts(services.theme)
        self._make_editing(services)
        self._make_remembering(services)
        self._make_project(services)
        self._lay_out()
        self.actions_by_name.connect_all(handlers(self))
        self.keymap.changed.connect(self.follow_keys)
        self.follow_keys()
        self._connect_document()
        self._connect_engine()
        self._connect_panels()
        self.state.restore()
        self._show_title()
        self.show_recent()

    @property
    def session(self) -> DocumentSession | None:
        return self.controller.session

    def _parts(self) -> tuple[QWidget, ...]:
        card = self.table.card
        docks = self.docks
        return (
            card.editor,
            card.source,
            self.first_sight_bar,
            self.exported_bar,
            docks.rail,
            *docks.below(),
            docks.documents,
            self.strip,
        )

    # Making

    def _make_parts(self, theme: Theme) -> None:
        self.model = SegmentModel(self)
        self.table = SegmentTable(self.model, theme)
        self.find_bar = FindBar(theme)
        self.strip = HeaderStrip()
        self.start_page = StartPage(theme)
        self.status_line = StatusLine()
        self.docks = Docks(self, theme, self.model.number_of)
        self.banner = EngineBanner()
        self.shortage_banner = ShortageBanner()
        self.pair_banner = PairBanner()
        self.unlike_banner = UnlikeBanner()
        self.exported_bar = ExportedBar(theme)
        self.first_sight_bar = FirstSightBar(theme)
        self.actions_by_name = Actions(self, theme)
        self.keymap = Keymap(self.actions_by_name, self.services.settings)
        self.state = WindowState(self, self.table, self.docks, theme, self.services.settings)

    def _make_editing(self, services: Services) -> None:
        """What serves the segment in the editor, and ways to other segments."""
        editor, theme = self.table.editor, services.theme
        self.inspector = Inspector(services.worker, parent=self)
        self.controller.follow(self.inspector, before_shown=True)
        self.segment_actions = SegmentActions(
            self.table,
            self.model,
            self.controller,
            services.drafting,
            services.checking,
            self.inspector,
            services.settings,
        )
        self.resegmentation = ResegmentationController(self.table, self.controller)
        self.completer = Completer(
            services.worker,
            self.controller,
            editor,
            services.spelling,
            is_on(services.settings, COMPLETION),
        )
        self.spelling = SpellingController(
            services.spelling, self.controller, editor, is_on(services.settings, SPELLING)
        )
        self.checks = ChecksController(
            services.checking, services.quick_fixes, self.controller, self.table, self.model.number_of, theme
        )
        self.finder = Finder(self.find_bar, self.table, self.controller, services.search)
        self.filtering = FilterController(
            self.strip,
            self.table,
            self.model,
            self.controller,
            services.changed,
            services.confidence,
            services.checking,
        )
        self.influence = InfluenceController(
            services.influence, self.controller, self.model, self.table, self.inspector, self.actions_by_name
        )
        at_word = (self.spelling.fill_menu, self.influence.fill_menu, self.checks.fill_menu)
        self.context_menus = ContextMenus(self.table, self.actions_by_name, at_word)
        self.focus_keeper = FocusKeeper(editor, self.table, self._parts, self)

    def _make_remembering(self, services: Services) -> None:
        """What shows and changes what is remembered: memories, terms, packs."""
        self.suggester = Suggester(
            services.worker,
            services.memory,
            self.controller,
            self.docks.suggestions,
            self.keymap,
            self.docks.rail_is_seen,
        )
        self.memory = TranslationMemoryController(
            self,
            services.memory,
            services.terms,
            services.filling,
            self.controller,
            self.docks.concordance,
        )
        self.terms = TermController(
            self, services.terms, self.controller, self.table, self.docks.term_list, self.keymap
        )
        self.first_sight = FirstSightController(
            self, services.first_sight, services.terms, self.first_sight_bar, self.table
        )
        self.dictionary = DictionaryController(
            self,
            services.dictionary,
            services.confidence,
            services.hints,
            self.controller,
            self.table,
            self.docks.dictionary,
        )
        self.ledger = LedgerController(
            self.docks.consistency,
            services.unifying,
            services.terms,
            self.controller,
            self.model.number_of,
            services.theme,
        )
        self.steering = SteeringController(
            services.steering, self.controller, self.model, self.table, services.theme
        )
        self.packs = PackController(self, services.packs, self.controller)
        self.corrections = CorrectionController(
            self.docks.corrections,
            services.corrections,
            services.steering,
            services.terms,
            self.controller,
            self.model.number_of,
            services.theme,
        )

    def _make_project(self, services: Services) -> None:
        """What serves the whole project: files, models, review, leaving."""
        theme = services.theme
        self.files = FileChoosers(
            self,
            self.controller,
            self.opener,
            services.exporting,
            lambda: self.table.editor.segment_id,
            services.checking,
            services.sample,
            theme,
        )
        self.exported = ExportedController(self.exported_bar, self.controller, services.exporting, self)
        self.exported_bar.closed.connect(self.table.setFocus)
        self.presenter = ProjectPresenter(
            self, self.controller, self.opener, self.files, self.docks, self.table, theme
        )
        services.exporting.exported_all.connect(self.presenter.show_export)
        self.models = ModelsController(self, services.models, self.controller, self.opener.open)
        self.close_prompt = ClosePrompt(self, self.controller)
        self.records = RecordsController(self.controller, self.docks, self.table, self.model)
        self.review = ReviewController(self, self.controller, self.model, theme)

    def _lay_out(self) -> None:
        editor_page = QWidget()
        box = QVBoxLayout(editor_page)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.strip)
        box.addWidget(self.table, 1)
        box.addWidget(self.first_sight_bar)
        box.addWidget(self.find_bar)
        box.addWidget(self.exported_bar)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.start_page)
        self.pages.addWidget(editor_page)
        central = QWidget()
        outer = QVBoxLayout(central)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        banners = self.banner, self.shortage_banner, self.pair_banner, self.unlike_banner
        for banner in (*banners, self.presenter.banner):
            outer.addWidget(banner)
        outer.addWidget(self.pages, 1)
        self.setCentralWidget(central)
        self.setStatusBar(self.status_line)
        self.toolbar = fill_toolbar(self, self.actions_by_name)
        self.toolbar.hide()
        fill_menus(self, self.actions_by_name, self.files.menu, self.docks)
        AltKey(self)

    def follow_keys(self) -> None:
        """Name the keys as they are bound now."""
        actions = self.actions_by_name
        self.table.editor.set_window_keys(self.keymap.all_keys(), actions.carry_out)
        self.table.card.set_confirm_key(actions.key_text("confirm"))
        self.strip.set_review_key(actions.key_text("next_changed"))
        self.find_bar.show_keys(actions.key_text("find_previous"), actions.key_text("find_next"))

    def _connect_document(self) -> None:
        controller = self.controller
        self.opener.opening.connect(self._show_opening)
        controller.opened.connect(self._show_document)
        controller.closed.connect(self._show_start)
        controller.failed.connect(lambda *said: show_error(self, *said))
        self.services.theme.changed.connect(self._follow_theme)
        controller.saving.saved.connect(self.status_line.show_saved)
        controller.saving.not_saved.connect(self.status_line.show_not_saved)
        self.presenter.projects.announced.connect(self.show_message)
        self.services.settings.unwritable.connect(self._tell_settings)
        self.strip.export_requested.connect(self.files.choose_destination)
        self.files.segments_requested.connect(self.filtering.choose)
        self.noticed.connect(self._tell_unexpected)
        self.start_page.open_requested.connect(self.files.choose_document)
        self.start_page.sample_requested.connect(self.open_sample)
        self.start_page.file_requested.connect(self.opener.open)
        self.table.segment_shown.connect(self.follow_segment)
        self.table.card.confirm_requested.connect(self.segment_actions.confirm)
        # Controllers are attributes of the window: each of them may have something to say.
        for part in vars(self).values():
            if isinstance(part, Announcer):
                part.announced.connect(self.show_message)

    def _follow_theme(self) -> None:
        editor = self.table.editor
        self.follow_segment(editor.segment_id)
        self.inspector.point_at(editor.caret)

    def _connect_engine(self) -> None:
        self.engine_state = EngineState(self)
        drafting, consistency = self.services.drafting, self.services.consistency
        self.services.confidence.unlike.connect(self.unlike_banner.show_unlike)
        self.controller.pair_changed.connect(self.show_pair)
        self.inspector.found.connect(consistency.add_explanation)
        self.services.checking.checked.connect(self.model.set_warnings)
        drafting.learned.connect(self.inspector.refresh)
        drafting.learned.connect(self.suggester.forget)
        self.services.spelling.failed.connect(self.show_message)
        for shown in (self.docks.consistency.show_reports, self.checks.count_terms, self.model.show_reports):
            consistency.reported.connect(shown)
        consistency.failed.connect(self.show_message)

    def _connect_panels(self) -> None:
        docks = self.docks
        self.checks.terms_requested.connect(docks.show_several_renderings)
        connect_inspector(self.inspector, self.table, docks.why, docks.reasons, docks.topic)
        self.services.changed.changed.connect(self._follow_change)
        for source in (docks.why, docks.consistency, docks.concordance, docks.rail):
            source.segment_requested.connect(self.table.go_to_segment)
        docks.reasons.steering_requested.connect(self.steering.show_menu)
        self.steering.attach(docks.why.words)
        docks.concordance.left.connect(self.table.setFocus)
        self.suggester.wanted.connect(lambda: docks.raise_panel("suggestions", focus=False))

    # Documents

    def open_sample(self) -> None:
        self.opener.open(self.services.sample)

    def _show_opening(self, path: Path | None) -> None:
        self.start_page.show_opening(path.name if path else "")
        if path is not None:
            self.status_line.showMessage(self.tr("Opening {0}…").format(path.name))
        else:
            self.status_line.clearMessage()

    def _show_document(self, row: int) -> None:
        if (project := self.controller.project) is None:
            return
        session, editing = project.session, project.editing
        self.docks.concordance.open(session)
        editing.visited.connect(self.table.go_to_change)
        editing.stack.canUndoChanged.connect(self.actions_by_name["undo"].setEnabled)
        editing.stack.canRedoChanged.connect(self.actions_by_name["redo"].setEnabled)
        self.model.set_session(session, project.names)
        self.records.open()
        self.show_pair()
        self.filtering.open()
        self.pages.setCurrentIndex(1)
        self.actions_by_name.set_document_open(True)
        for name in ("undo", "redo"):
            self.actions_by_name[name].setEnabled(False)
        self.toolbar.show()
        self.docks.set_visible(True)
        self.presenter.open()
        self.status_line.show_saved(True)
        self._show_title()
        # The page gets its size with the next event; rows are measured by it.
        QTimer.singleShot(0, self, lambda: self.table.go_to_row(min(row, self.model.rowCount() - 1)))

    def show_pair(self) -> None:
        if (project := self.controller.project) is None:
            return
        pair = project.pair
        self.model.set_pair(pair)
        self.table.editor.right_to_left = pair.right_to_left
        self.table.set_languages(pair.of_texts)
        self.pair_banner.show_pair(pair)
        self.status_line.show_pair(pair)

    def _show_start(self) -> None:
        self.find_bar.close_bar()
        self.suggester.show_segment("")
        self.records.show_segment("")
        self.terms.show_segment("")
        self.dictionary.show_segment("")
        self.docks.concordance.open(None)
        self.model.set_session(None)
        self.pair_banner.hide()
        self.status_line.show_pair(Pair())
        self.presenter.close()
        if not self.opener.reopening:
            self.toolbar.hide()
            self.docks.set_visible(False)
            self.pages.setCurrentIndex(0)
            self.start_page.setFocus()
        self.docks.show_segment(None)
        self.actions_by_name.set_document_open(False)
        self.actions_by_name.show_paused(False)
        self.status_line.clear_document()
        self._show_title()
        self.show_recent()

    def _show_title(self) -> None:
        project = self.controller.project
        self.setWindowTitle(f"{project.title} – Anaphora" if project is not None else "Anaphora")

    def show_recent(self) -> None:
        """List the recent documents."""
        self.start_page.show_recent(self.opener.recent.paths())

    def show_message(self, message: str) -> None:
        self.status_line.showMessage(message, MESSAGE_MS)

    def _tell_unexpected(self) -> None:
        said = QCoreApplication.translate(
            "UnexpectedNotice",
            "Something went wrong that should not have. Help ▸ Report a problem… shows what.",
        )
        self.show_message(said)

    def _tell_settings(self) -> None:
        self.show_message(self.tr("Your settings cannot be written: they hold until you close Anaphora."))

    # Segments

    def follow_segment(self, segment_id: str) -> None:
        segment = self.table.current_segment
        self.docks.show_segment(segment)
        self.inspector.show_segment(segment_id)
        self.suggester.show_segment(segment_id)
        self.records.show_segment(segment_id)
        self.docks.change.show_change(segment, self.services.changed.see(segment_id))
        if segment is not None:
            self.services.drafting.look_at(segment_id)
            self.services.steering.look_at(segment_id)
            self.presenter.follow(segment)
            if (project := self.controller.project) is not None:
                project.keep(ROW_SETTING, segment.id)

    def _follow_change(self) -> None:
        """The draft that is looked at was made again: what changed is shown; it counts until reviewed."""
        segment = self.table.current_segment
        if segment is not None and (change := self.services.changed.get(segment.id)) is not None:
            self.docks.change.show_change(segment, change)

    def look_up(self) -> None:
        selected = selected_text(self.focusWidget(), self.table)
        self.docks.raise_panel("concordance")
        self.docks.concordance.look_up(selected)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self.focus_keeper.take(event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        return self.focus_keeper.pass_table(forward, super().focusNextPrevChild)

    # Window

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.start_page.show_dragging(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802
        self.start_page.show_dragging(False)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Models that were dropped are installed, documents opened."""
        self.start_page.show_dragging(False)
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            if not self.models.take_drop(paths):
                self.opener.open(*paths)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        if not self.close_prompt.may_leave(self.close):
            event.ignore()
            return
        self.leave()
        super().closeEvent(event)

    def leave(self) -> None:
        """Save everything and go, without a question."""
        self.state.save(self.controller.session is not None)
        self.hide()
        self.controller.close(BRIEF_SECONDS)

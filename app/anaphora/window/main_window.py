"""The main window, which shows the project and the menus, docks and bars that features declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from anaphora.editor.feature import Desk, Dock, Feature, Section, Start, StatusPart, Strip
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.dialogs import show_error
from anaphora.project.document.session import DocumentSession
from anaphora.project.opening import ROW_SETTING
from anaphora.project.saving import BRIEF_SECONDS
from anaphora.window.docks import Docks, WindowState
from anaphora.window.focus import FocusKeeper, MenuBarKeys
from anaphora.window.menus import Menus
from anaphora.window.own_entries import ContextMenus, own_entries
from anaphora.window.start_page import StartPage
from anaphora.window.status_line import OneBar, StatusLine

MESSAGE_MS = 8000
F = TypeVar("F", bound=QObject)


class MainWindow(QMainWindow):
    """The editor's window.

    Signals:
        error_noticed: emitted once for each line of code that raises an error.
        left: the project is closed and the window hidden, so the program ends.
    """

    error_noticed = Signal()
    left = Signal()

    def __init__(self, make_desk: Callable[[QMainWindow], Desk], features: Sequence[type[Feature]]) -> None:
        super().__init__()
        self.desk = desk = make_desk(self)
        self.controller, self.opener = desk.project, desk.opener
        self.model, self.table = desk.model, desk.table
        self.actions_by_name, self.keymap = desk.actions, desk.keymap
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        desk.panels = self.docks = Docks(self)
        self.start_page = StartPage(desk.theme)
        self.status_line = StatusLine()
        self.state = WindowState(desk, self.docks)
        self.focus_keeper = FocusKeeper(desk.table.editor, desk.table, self._parts, self)
        desk.theme.changed.connect(self._show_segment)  # before the features connect to the signal
        self.features = [desk.of(each) for each in features]
        self._views = [each for feature in self.features for each in feature.shown()]
        self._lay_out()
        self._fill_menus()
        self._connect()
        self.state.restore()
        self._show_title()
        self.show_recent()

    def of(self, feature: Callable[[Desk], F]) -> F:
        return self.desk.of(feature)

    @property
    def session(self) -> DocumentSession | None:
        return self.controller.session

    def _parts(self) -> tuple[QWidget, ...]:
        """The parts of the window in the order in which F6 visits them."""
        card, docks = self.table.card, self.docks
        return (
            *(card.editor, card.source, *self._bars(True, by_key=True)),
            *(*docks.parts(), *self._bars(False, by_key=True)),
        )

    # Construction

    def _bars(self, below: bool, by_key: bool = False) -> Iterator[QWidget]:
        for strip in self._strips():
            if not strip.is_banner and (strip.rank >= 0) is below and (strip.is_focus_stop or not by_key):
                yield strip.widget

    def _strips(self) -> list[Strip]:
        return sorted((each for each in self._views if isinstance(each, Strip)), key=lambda strip: strip.rank)

    def _lay_out(self) -> None:
        self.docks.fill(
            (each for each in self._views if isinstance(each, Dock)),
            (each for each in self._views if isinstance(each, Section)),
        )
        for each in self._views:
            if isinstance(each, Start):
                self.start_page.offers.addWidget(each.widget)
        banners = (strip.widget for strip in self._strips() if strip.is_banner)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.start_page)
        below = OneBar([*self._bars(True)])
        self.pages.addWidget(_column(*self._bars(False), self.table, below, growing=self.table))
        self.setCentralWidget(_column(*banners, self.pages, growing=self.pages))
        self.status_line.fill(each for each in self._views if isinstance(each, StatusPart))
        self.setStatusBar(self.status_line)

    def _fill_menus(self) -> None:
        declared = (each for feature in self.features for each in feature.entries())
        own = own_entries(self.desk, self.docks, self.state, self.focus_keeper, self.show_message)
        menus = Menus(self.actions_by_name, (*own, *declared))
        self.toolbar = menus.make_toolbar(self)
        self.toolbar.hide()
        menus.fill_bar(self.menuBar())
        self.context_menus = ContextMenus(
            self.table, menus, [each.fill_menu_at_word for each in self.features]
        )
        MenuBarKeys(self)
        self.keymap.changed.connect(self._update_editor_keys)
        self.keymap.apply()

    def _update_editor_keys(self) -> None:
        self.table.editor.set_window_keys(self.keymap.all_keys(), self.actions_by_name.carry_out)

    def _connect(self) -> None:
        controller, desk = self.controller, self.desk
        for feature in self.features:
            for follower in feature.before_shown:
                controller.follow(follower, before_shown=True)
            for follower in feature.follows:
                controller.follow(follower)
            for part in (feature, *vars(feature).values()):
                if isinstance(part, Announcer):
                    part.announced.connect(self.show_message)
        start, actions = self.start_page, self.actions_by_name
        start.open_requested.connect(actions["open"].trigger)
        start.sample_requested.connect(actions["sample"].trigger)
        start.file_requested.connect(desk.opener.open)
        desk.opener.opening.connect(self._show_opening)
        controller.opened.connect(self._show_document)
        controller.closed.connect(self._show_start)
        controller.failed.connect(self._show_failure)
        controller.pair_changed.connect(self.show_pair)
        controller.saving.saved.connect(self.status_line.show_saved)
        controller.saving.not_saved.connect(self.status_line.show_not_saved)
        desk.settings.unwritable.connect(self._show_unwritable_settings)
        self.error_noticed.connect(self._show_unexpected_error)
        self.table.segment_shown.connect(self._show_segment)
        self.docks.rail.segment_requested.connect(self.table.go_to_segment)

    # Documents

    def _show_failure(self, title: str, problem: str, advice: str) -> None:
        show_error(self, title, problem, advice)

    def _show_opening(self, path: Path | None) -> None:
        self.start_page.show_opening(path.name if path else "")
        if path is not None:
            self.status_line.showMessage(self.tr("Opening {0}…").format(path.name))
        else:
            self.status_line.clearMessage()

    def _show_document(self, row: int) -> None:
        if (project := self.controller.project) is None:
            return
        self.model.set_session(project.session, project.names)
        self.show_pair()
        self.pages.setCurrentIndex(1)
        self.actions_by_name.set_document_open(True)
        self.toolbar.show()
        self.docks.set_visible(True)
        for feature in self.features:
            feature.open()
        self.status_line.show_saved(True)
        self._show_title()
        # The rows depend on the size of the page, which Qt sets with the next event.
        QTimer.singleShot(0, self, lambda: self.table.go_to_row(min(row, self.model.rowCount() - 1)))

    def show_pair(self) -> None:
        if (project := self.controller.project) is None:
            return
        pair = project.pair
        self.model.set_pair(pair)
        self.table.editor.right_to_left = pair.right_to_left
        self.table.set_languages(pair.of_texts)

    def _show_start(self) -> None:
        for feature in self.features:
            feature.close()
        self.model.set_session(None)
        if not self.opener.reopening:
            self.toolbar.hide()
            self.docks.set_visible(False)
            self.pages.setCurrentIndex(0)
            self.start_page.setFocus()
        self.docks.show_segment(None)
        self.actions_by_name.set_document_open(False)
        self.status_line.clear_saved()
        self._show_title()
        self.show_recent()

    def _show_title(self) -> None:
        project = self.controller.project
        self.setWindowTitle(f"{project.title} – Anaphora" if project is not None else "Anaphora")

    def show_recent(self) -> None:
        self.start_page.show_recent(self.opener.recent.paths())

    def show_message(self, message: str) -> None:
        self.status_line.showMessage(message, MESSAGE_MS)

    def _show_unexpected_error(self) -> None:
        message = QCoreApplication.translate(
            "UnexpectedNotice",
            "An unexpected error occurred. For details, see Help ▸ Report a problem….",
        )
        self.show_message(message)

    def _show_unwritable_settings(self) -> None:
        self.show_message(self.tr("Your settings cannot be saved. They apply until you close Anaphora."))

    # Segments

    def _show_segment(self) -> None:
        segment = self.table.current_segment
        self.docks.show_segment(segment)
        for feature in self.features:
            feature.show_segment(segment)
        if segment is not None and (project := self.controller.project) is not None:
            project.save_setting(ROW_SETTING, segment.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self.focus_keeper.handle(event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        return self.focus_keeper.skip_table(forward, super().focusNextPrevChild)

    # Window

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.start_page.show_dragging(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802
        self.start_page.show_dragging(False)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        self.start_page.show_dragging(False)
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            if not any(each.take_drop(paths) for each in self.features):
                self.opener.open(*paths)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        if not all(each.may_leave(self.close) for each in self.features):
            event.ignore()
            return
        self.leave()
        super().closeEvent(event)

    def leave(self) -> None:
        """Save the window's state, hide the window and close the project, without asking the user."""
        self.state.save(self.controller.session is not None)
        self.hide()
        self.controller.close(BRIEF_SECONDS)
        self.left.emit()

    def end(self) -> None:
        for feature in self.features:
            feature.end()


def _column(*widgets: QWidget, growing: QWidget) -> QWidget:
    column = QWidget()
    box = QVBoxLayout(column)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    for widget in widgets:
        box.addWidget(widget, int(widget is growing))
    return column

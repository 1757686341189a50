"""The base class of features, the parts of the window that they declare, and the desk that they receive."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar, cast

from PySide6.QtCore import QObject, Qt, QTimer, SignalInstance
from PySide6.QtWidgets import QLabel, QLineEdit, QMainWindow, QMenu, QWidget

from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Segment, Status
from anaphora.editor.actions.actions import Actions, Keymap
from anaphora.editor.actions.entries import MenuEntry
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_model import SegmentModel
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.rail import RailSection
from anaphora.engine.device import ComputeDevice
from anaphora.engine.worker import EngineWorker
from anaphora.project.current import CurrentProject
from anaphora.project.document.following import Follower
from anaphora.project.models import ModelService
from anaphora.project.opener import Opener
from anaphora.system.window_settings import WindowSettings

F = TypeVar("F", bound=QObject)


class Panels(Protocol):
    """Shows docks and sections of the rail. `rail_shown` is emitted when the rail comes to the front."""

    rail_shown: SignalInstance

    def raise_panel(self, name: str, focus: bool = True) -> None:
        """Bring a dock to the front, or the rail if `name` is one of its sections."""

    def show_dock(self, name: str, shown: bool) -> None: ...

    def section(self, name: str) -> RailSection: ...

    def is_rail_seen(self) -> bool: ...


class Desk:
    """The shared objects of a window, created before the features and passed to each feature."""

    def __init__(
        self,
        window: QMainWindow,
        theme: Theme,
        settings: WindowSettings,
        device: ComputeDevice,
        worker: EngineWorker,
        models: ModelService,
        project: CurrentProject,
        opener: Opener,
    ) -> None:
        self.window, self.theme, self.settings, self.device = window, theme, settings, device
        self.worker, self.models, self.project, self.tasks = worker, models, project, project.tasks
        self.opener = opener
        self.tasks.setParent(window)  # the window deletes it before later children, which get results
        self._own_parts(window, self)
        self.model = SegmentModel(window)
        self.table = SegmentTable(self.model, theme)
        self.actions = Actions(window, theme)
        self.keymap = Keymap(self.actions, settings)
        self.panels: Panels  # set by the window
        self._made: dict[object, QObject] = {}

    def of(self, feature: Callable[[Desk], F]) -> F:
        """The window's instance of a feature's class, created on the first call."""
        if feature not in self._made:
            self._made[feature] = made = feature(self)
            self._own_parts(made, made)
        return cast(F, self._made[feature])

    @staticmethod
    def _own_parts(owner: QObject, holder: object) -> None:
        """Give QObjects in `holder` a parent; without one, they would keep the window alive."""
        for part in vars(holder).values():
            if isinstance(part, QObject) and not isinstance(part, QWidget) and part.parent() is None:
                part.setParent(owner)


LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True, slots=True)
class Dock:
    """A panel at an edge of the window; `is_first` puts its tab before the others."""

    name: str
    title: str
    widget: QWidget
    area: Qt.DockWidgetArea
    rank: int
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the rail. With `counted`, it is shown only while the last emitted count is above 0."""

    name: str
    title: str
    body: QWidget
    rank: int
    counted: SignalInstance | None = None


@dataclass(frozen=True, slots=True)
class Strip:
    """A banner above the pages, or a bar above (rank < 0) or below the table. F6 visits focus stops."""

    widget: QWidget
    rank: int
    is_banner: bool = False
    is_focus_stop: bool = True


@dataclass(frozen=True, slots=True)
class StatusPart:
    """A part at the right of the status bar, sorted by rank; “Saved” has the rank 50."""

    widget: QWidget
    rank: int


@dataclass(frozen=True, slots=True)
class Start:
    """A part of the start page."""

    widget: QWidget


class Feature(Announcer):
    """A part of the editor, created once per window. Subclasses override only the methods that they need.

    The window shows announcements by a feature and by Announcers in the feature's attributes. The feature
    becomes the parent of QObjects in its attributes that have no parent.

    Attributes:
        before_shown: followers that get a project before the window shows it.
        follows: followers that get a project after the window has shown it.
    """

    before_shown: tuple[Follower, ...] = ()
    follows: tuple[Follower, ...] = ()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self.desk = desk

    def entries(self) -> Iterable[MenuEntry]:
        return ()

    def shown(self) -> Iterable[Dock | Section | Strip | StatusPart | Start]:
        return ()

    def fill_menu_at_word(self, menu: QMenu) -> None:
        """Add entries about the clicked word to the context menu."""

    def show_segment(self, segment: Segment | None) -> None:
        """Called when another segment, or none, becomes current."""

    def open(self) -> None:
        """Called when a project is displayed."""

    def close(self) -> None:
        """Called after the project has been closed."""

    def take_drop(self, paths: list[Path]) -> bool:
        """Handle files dropped on the window; True if this feature accepts them."""
        return False

    def may_leave(self, leave: Callable[[], object]) -> bool:
        """True if the window can be closed now; otherwise, the feature calls `leave` when it can be."""
        return True

    def end(self) -> None:
        """Called after the window has been closed; finish pending writes."""


class SegmentWords(Announcer):
    """Base class of controllers that look up words of the current segment, again after each edit."""

    def __init__(self, window: QWidget, project: CurrentProject, table: SegmentTable) -> None:
        super().__init__(window)
        self._project = project
        self._table = table
        self._segment = ""
        self._pause = QTimer(self, singleShot=True, interval=150)
        self._pause.timeout.connect(self._refresh)
        project.opened.connect(self._follow_session)
        table.segment_shown.connect(self.show_segment)

    @abstractmethod
    def show_segment(self, segment_id: str) -> None:
        """Set `_segment` to the id of the current segment, or to "" if there is none."""

    @abstractmethod
    def _refresh(self) -> None:
        """Look up the words of the current segment again."""

    def _current(self) -> Segment | None:
        session = self._project.session
        known = session is not None and session.document.has(self._segment)
        return session.document.get(self._segment) if session is not None and known else None

    def _may_write(self) -> bool:
        segment = self._current()
        if segment is not None and segment.status is Status.LOCKED:
            self.announced.emit(self.tr("This segment is locked."))
        return segment is not None and segment.status is not Status.LOCKED

    def _write(self, text: str) -> None:
        self._table.editor.type_text(text)
        self._table.editor.setFocus()

    def _follow_session(self) -> None:
        if self._project.session is not None:
            self._project.session.applied.connect(self._follow_edits)

    def _follow_edits(self, changes: ChangeSet) -> None:
        if self._segment in changes.segments:
            self._pause.start()


def selected_text(focused: QWidget | None, table: SegmentTable) -> str:
    """The text selected in the focused field; if no field has the focus, in the target or the source."""
    source = table.card.source
    if isinstance(focused, QLineEdit | QLabel):
        return focused.selectedText().strip()
    if focused is source:
        return source.selected_text()
    return table.editor.selected_text() or source.selected_text()

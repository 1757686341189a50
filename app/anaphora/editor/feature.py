"""Declarations of a feature, from which the window makes menus, keys, docks and the rail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QMenu, QWidget

from anaphora.core.segment import Segment
from anaphora.editor.actions.entries import AnyEntry
from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.project.document.following import Follower

LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True, slots=True)
class Dock:
    """A panel at an edge of the window.

    Attributes:
        rank: among the docks, from 0 to 99.
        is_first: its tab comes before the others at its edge.
    """

    name: str
    title: str
    widget: QWidget
    area: Qt.DockWidgetArea
    rank: int
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the rail, shown while the last value of `counted` is not 0."""

    name: str
    title: str
    body: QWidget
    rank: int
    counted: SignalInstance | None = None


@dataclass(frozen=True, slots=True)
class Strip:
    """A full-width part: a banner over the pages, or a bar above (rank < 0) or below the table.

    Attributes:
        by_key: True if F6 moves the focus there.
    """

    widget: QWidget
    rank: int
    is_banner: bool = False
    by_key: bool = True


@dataclass(frozen=True, slots=True)
class StatusPart:
    """A part at the right of the status bar, where “Saved” has the rank 50."""

    widget: QWidget
    rank: int


@dataclass(frozen=True, slots=True)
class Start:
    """A part of the start page."""

    widget: QWidget


class Feature(Announcer):
    """A part of the editor, made once per window. Subclasses override only the methods that they need.

    The window shows the announcements of a feature and of its attributes that are Announcers. The feature
    owns its attributes that are QObjects without a parent.

    Attributes:
        before_shown: followers that a project needs before the window shows it.
        follows: followers that get the project afterwards.
    """

    before_shown: tuple[Follower, ...] = ()
    follows: tuple[Follower, ...] = ()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self.desk = desk

    def entries(self) -> Iterable[AnyEntry]:
        """Entries of menus, with their keys."""
        return ()

    def shown(self) -> Iterable[Dock | Section | Strip | StatusPart | Start]:
        """The feature's parts of the window."""
        return ()

    def fill_menu_at_word(self, menu: QMenu) -> None:
        """Add entries for the clicked word to its context menu."""

    def show_segment(self, segment: Segment | None) -> None:
        """Called after the current segment has changed."""

    def open(self) -> None:
        """Called when a project is displayed."""

    def close(self) -> None:
        """Called after the project has been closed."""

    def take_drop(self, paths: list[Path]) -> bool:
        """Handle files dropped on the window; True if this feature accepts them."""
        return False

    def may_leave(self, leave: Callable[[], object]) -> bool:
        """True if the window can be closed now; otherwise `leave` is called when it can."""
        return True

    def end(self) -> None:
        """Finish pending writes; the window has been closed."""

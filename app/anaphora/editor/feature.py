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
        is_first: its tab stands before the others of its edge.
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
    """Something across the window: a banner over the pages, or a bar above (rank < 0) or below the table.

    Attributes:
        by_key: F6 leads there.
    """

    widget: QWidget
    rank: int
    is_banner: bool = False
    by_key: bool = True


@dataclass(frozen=True, slots=True)
class StatusPart:
    """A part at the right of the status line, where “Saved” has the rank 50."""

    widget: QWidget
    rank: int


@dataclass(frozen=True, slots=True)
class Start:
    """Something that the start page offers."""

    widget: QWidget


class Feature(Announcer):
    """A part of the editor, made once for a window; it overrides only what it needs.

    The window shows what a feature announces, and what Announcers announce that are its attributes. QObjects
    that are its attributes and have no parent end with it.

    Attributes:
        before_shown: these follow a project before the window shows it, which needs what they know.
        follows: these follow it afterwards.
    """

    before_shown: tuple[Follower, ...] = ()
    follows: tuple[Follower, ...] = ()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self.desk = desk

    def entries(self) -> Iterable[AnyEntry]:
        """Actions of menus and keys."""
        return ()

    def shown(self) -> Iterable[Dock | Section | Strip | StatusPart | Start]:
        """Parts of the window."""
        return ()

    def fill_menu_at_word(self, menu: QMenu) -> None:
        """Add what can be done with the word that was pointed at."""

    def show_segment(self, segment: Segment | None) -> None:
        """Another segment is current."""

    def open(self) -> None:
        """A project is shown from now on."""

    def close(self) -> None:
        """The project has been left."""

    def take_drop(self, paths: list[Path]) -> bool:
        """Files were dropped on the window: whether this feature takes them."""
        return False

    def may_leave(self, leave: Callable[[], object]) -> bool:
        """True if the window can be left now; else `leave` is called when it can."""
        return True

    def end(self) -> None:
        """The window has ended: write what is yet to be written."""

"""The docked panels, their positions, and the state of the window that is restored at the next start."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QWidget

from anaphora.core.segment import Segment
from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.editor.feature import BOTTOM, LEFT, RIGHT, Desk, Dock, Section
from anaphora.editor.widgets.rail import ContextRail, RailSection, ShowsSegment
from anaphora.system.interface_language import SETTING, UiLanguage, chosen_language

LAYOUT_VERSION = 3
DEFAULT_SIZE = QSize(1440, 900)
FRAME = QSize(8, 40)
"""Space for the borders that the desktop draws around a window."""
MIN_POINTS, MAX_POINTS = 8.0, 26.0
TABLE_GROWTH = 1.0
"""Number of points by which the table's text is larger than other text."""


class WindowState(QObject):
    """Geometry, docks, text size, theme and language, stored in the settings."""

    def __init__(self, desk: Desk, docks: Docks) -> None:
        super().__init__(desk.window)
        self._window, self._table, self._docks = desk.window, desk.table, docks
        self._theme, self._settings = desk.theme, desk.settings

    def restore(self) -> None:
        font = QFont(self._window.font())
        self._set_size(font, self._settings.value("text_size", font.pointSizeF() + TABLE_GROWTH))
        geometry, layout = self._settings.value("geometry"), self._settings.value("layout")
        if not (isinstance(geometry, QByteArray) and self._window.restoreGeometry(geometry)):
            self._window.resize(
                DEFAULT_SIZE.boundedTo(self._window.screen().availableGeometry().size() - FRAME)
            )
        self._docks.arrange()
        if isinstance(layout, QByteArray):
            self._window.restoreState(layout, LAYOUT_VERSION)
        self._docks.set_visible(False)

    def save(self, with_docks: bool) -> None:
        """Store the window's state; `with_docks` must be False while no document is open."""
        self._settings.setValue("geometry", self._window.saveGeometry())
        if with_docks:
            self._settings.setValue("layout", self._window.saveState(LAYOUT_VERSION))
        self._settings.setValue("text_size", self._table.font().pointSizeF())

    def scale_text(self, points: float) -> None:
        font = QFont(self._table.font())
        self._set_size(font, font.pointSizeF() + points)

    def choose_theme(self, choice: ThemeChoice) -> None:
        self._theme.choose(choice)
        self._settings.setValue("theme", choice.value)

    @property
    def language(self) -> UiLanguage:
        return chosen_language(self._settings)

    def choose_language(self, language: UiLanguage) -> None:
        self._settings.setValue(SETTING, language.value)

    def _set_size(self, font: QFont, size: object) -> None:
        try:
            points = float(str(size))
        except ValueError:
            points = 11.0
        font.setPointSizeF(min(max(points, MIN_POINTS), MAX_POINTS))
        self._table.set_text_font(font)
        self._theme.set_font_size(font.pointSizeF() - TABLE_GROWTH)


class Docks(QObject):
    """Movable docks: documents at the left, the rail at the right, and other docks at the bottom.

    The docks at the bottom are hidden initially. All docks are hidden while no document is open.

    Signals:
        rail_shown: emitted when the rail comes to the front.
    """

    rail_shown = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.rail = ContextRail()
        self._declared: dict[QDockWidget, Dock] = {}
        self._shown: dict[QDockWidget, bool] = {}
        self._visible = True
        self._rail_in_front = False
        self._tabs = QTimer(self, singleShot=True, interval=0)
        self._tabs.timeout.connect(self._update_tabs)
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        for area in (RIGHT, BOTTOM):
            window.setTabPosition(area, QTabWidget.TabPosition.North)

    def fill(self, docks: Iterable[Dock], sections: Iterable[Section]) -> None:
        """Make the docks and sections that features declare."""
        for each in sorted(sections, key=lambda section: section.rank):
            self.rail.add(RailSection(each.name, each.title, each.body, each.counted))
        rail = Dock("rail", self.tr("Current segment"), self.rail, RIGHT, 20)
        for declared in sorted((rail, *docks), key=lambda dock: dock.rank):
            dock = self._dock(declared)
            self._declared[dock], self._shown[dock] = declared, True
            for changed in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
                changed.connect(lambda _: self._tabs.start())
        self._named("rail").visibilityChanged.connect(self._follow_rail)

    def __getattr__(self, name: str) -> Any:
        """The panel or section body of this name."""
        known = vars(self)
        if "rail" in known and known["rail"].has(name):
            return self.rail.section(name).body
        for dock in known.get("_declared", ()):
            if dock.objectName() == name:
                return dock.widget()
        raise AttributeError(name)

    def _named(self, name: str) -> QDockWidget:
        return next(dock for dock in self._declared if dock.objectName() == name)

    def _at(self, area: Qt.DockWidgetArea) -> list[QDockWidget]:
        """The docks whose initial position is at this edge."""
        return [dock for dock, declared in self._declared.items() if declared.area is area]

    def _at_bottom(self) -> list[QDockWidget]:
        """The docks at the bottom, in the order of their tabs."""
        return sorted(self._at(BOTTOM), key=lambda dock: not self._declared[dock].is_first)

    def arrange(self) -> None:
        below, left, rail = self._at_bottom(), self._at(LEFT), self._named("rail")
        for dock, declared in self._declared.items():
            self._window.addDockWidget(declared.area, dock)
        for before, dock in pairwise(below):
            self._window.tabifyDockWidget(before, dock)
        self._window.resizeDocks([*left, rail], [*(220 for _ in left), 320], Qt.Orientation.Horizontal)
        self._window.resizeDocks(below[:1], [280], Qt.Orientation.Vertical)
        for dock in below:
            dock.hide()

    def set_visible(self, visible: bool) -> None:
        """Hide the docks, or show those that were visible before they were hidden."""
        if visible == self._visible:
            return
        self._visible = visible
        for dock in self._declared:
            if not visible:
                self._shown[dock] = not dock.isHidden()
                dock.hide()
            elif self._shown[dock]:
                dock.show()

    def show_segment(self, segment: Segment | None) -> None:
        """Show a segment in the panels about the current segment."""
        for dock in self._declared:
            if isinstance(panel := dock.widget(), ShowsSegment):
                panel.show_segment(segment)

    def raise_panel(self, name: str, focus: bool = True) -> None:
        """Bring a dock to the front, or the rail if `name` is one of its sections."""
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

    def section(self, name: str) -> RailSection:
        return self.rail.section(name)

    def parts(self) -> tuple[QWidget, ...]:
        """The widgets of the docks that F6 visits, in order."""
        docks = (*self._at(RIGHT), *self._at_bottom(), *self._at(LEFT))
        return tuple(dock.widget() for dock in docks)

    def show_dock(self, name: str, shown: bool) -> None:
        self._named(name).setVisible(shown)

    def toggles(self) -> list[QAction]:
        """An action for each dock to show or hide it."""
        return [dock.toggleViewAction() for dock in self._declared]

    def is_rail_seen(self) -> bool:
        """True if the rail is in front; for Qt alone, a dock behind other tabs is also visible."""
        return self._rail_in_front and self.rail.isVisible()

    def _follow_rail(self, in_front: bool) -> None:
        # This signal precedes the layout, so the rail's visible region is still empty.
        self._rail_in_front = in_front
        if in_front:
            self.rail_shown.emit()

    def _update_tabs(self) -> None:
        """Keep the focus away from tab bars without tabs, which Qt hides but does not delete."""
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus if bar.count() else Qt.FocusPolicy.NoFocus)

    def _dock(self, declared: Dock) -> QDockWidget:
        dock = QDockWidget(declared.title, self._window)
        dock.setObjectName(declared.name)
        dock.setWidget(declared.widget)
        dock.setAccessibleName(declared.title)
        self._window.addDockWidget(declared.area, dock)
        toggle = dock.toggleViewAction()
        toggle.triggered.disconnect()
        toggle.triggered.connect(lambda shown: self._toggle(dock, shown))
        return dock

    def _toggle(self, dock: QDockWidget, shown: bool) -> None:
        """Show or hide a dock; a dock behind another tab comes to the front instead of being hidden."""
        is_in_front = not dock.visibleRegion().isEmpty()
        dock.setVisible(shown or not is_in_front)
        dock.raise_()
        dock.toggleViewAction().setChecked(not dock.isHidden())

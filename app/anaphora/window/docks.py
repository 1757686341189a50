"""The docked panels, and the state of the window that is restored at the next start."""

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
"""Width and height in pixels of the borders that the desktop draws around a window."""
MIN_POINTS, MAX_POINTS = 8.0, 26.0
TABLE_GROWTH = 1.0
"""Number of points by which the table's text is larger than other text."""


class WindowState(QObject):
    """Stores the window's geometry, docks, text size, theme and language in the settings."""

    def __init__(self, desk: Desk, docks: Docks) -> None:
        super().__init__(desk.window)
        self._window, self._table, self._docks = desk.window, desk.table, docks
        self._theme, self._settings = desk.theme, desk.settings

    def restore(self) -> None:
        font = QFont(self._window.font())
        self._set_text_size(font, self._settings.value("text_size", font.pointSizeF() + TABLE_GROWTH))
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
        """`with_docks` must be False while no document is open, because all docks are hidden then."""
        self._settings.setValue("geometry", self._window.saveGeometry())
        if with_docks:
            self._settings.setValue("layout", self._window.saveState(LAYOUT_VERSION))
        self._settings.setValue("text_size", self._table.font().pointSizeF())

    def scale_text(self, by: float) -> None:
        font = QFont(self._table.font())
        self._set_text_size(font, font.pointSizeF() + by)

    def choose_theme(self, choice: ThemeChoice) -> None:
        self._theme.choose(choice)
        self._settings.setValue("theme", choice.value)

    @property
    def language(self) -> UiLanguage:
        return chosen_language(self._settings)

    def choose_language(self, language: UiLanguage) -> None:
        """Store the language for the next start; the open window does not change."""
        self._settings.setValue(SETTING, language.value)

    def _set_text_size(self, font: QFont, size: object) -> None:
        try:
            points = float(str(size))
        except ValueError:
            points = 11.0
        font.setPointSizeF(min(max(points, MIN_POINTS), MAX_POINTS))
        self._table.set_text_font(font)
        self._theme.set_font_size(font.pointSizeF() - TABLE_GROWTH)


class Docks(QObject):
    """Movable docks: initially documents on the left, the rail on the right, and the others at the bottom.

    The rail contains the sections about the current segment. The docks at the bottom are hidden until the
    user or a feature shows them. All docks are hidden while no document is open.

    Signals:
        rail_shown: emitted when the rail becomes visible, for example from behind another tab.
    """

    rail_shown = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.rail = ContextRail()
        self._declared: dict[QDockWidget, Dock] = {}
        self._was_shown: dict[QDockWidget, bool] = {}
        self._visible = True
        self._rail_in_front = False
        self._tabs_timer = QTimer(self, singleShot=True, interval=0)
        self._tabs_timer.timeout.connect(self._update_tab_focus)
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        for area in (RIGHT, BOTTOM):
            window.setTabPosition(area, QTabWidget.TabPosition.North)

    def fill(self, docks: Iterable[Dock], sections: Iterable[Section]) -> None:
        for each in sorted(sections, key=lambda section: section.rank):
            self.rail.add(RailSection(each.name, each.title, each.body, each.counted))
        rail = Dock("rail", self.tr("Current segment"), self.rail, RIGHT, 20)
        for declared in sorted((rail, *docks), key=lambda dock: dock.rank):
            dock = self._make_dock(declared)
            self._declared[dock], self._was_shown[dock] = declared, True
            for changed in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
                changed.connect(lambda _: self._tabs_timer.start())
        self._dock_named("rail").visibilityChanged.connect(self._note_rail)

    def __getattr__(self, name: str) -> Any:
        """The widget of the dock, or the body of the rail's section, with this name."""
        known = vars(self)
        if "rail" in known and known["rail"].has(name):
            return self.rail.section(name).body
        for dock in known.get("_declared", ()):
            if dock.objectName() == name:
                return dock.widget()
        raise AttributeError(name)

    def _dock_named(self, name: str) -> QDockWidget:
        return next(dock for dock in self._declared if dock.objectName() == name)

    def _docks_at(self, area: Qt.DockWidgetArea) -> list[QDockWidget]:
        return [dock for dock, declared in self._declared.items() if declared.area is area]

    def _docks_at_bottom(self) -> list[QDockWidget]:
        return sorted(self._docks_at(BOTTOM), key=lambda dock: not self._declared[dock].is_first)

    def arrange(self) -> None:
        below, left, rail = self._docks_at_bottom(), self._docks_at(LEFT), self._dock_named("rail")
        for dock, declared in self._declared.items():
            self._window.addDockWidget(declared.area, dock)
        for before, dock in pairwise(below):
            self._window.tabifyDockWidget(before, dock)
        self._window.resizeDocks([*left, rail], [*(220 for _ in left), 320], Qt.Orientation.Horizontal)
        self._window.resizeDocks(below[:1], [280], Qt.Orientation.Vertical)
        for dock in below:
            dock.hide()

    def set_visible(self, visible: bool) -> None:
        """Hide all docks, or show those that were visible when this method hid them."""
        if visible == self._visible:
            return
        self._visible = visible
        for dock in self._declared:
            if not visible:
                self._was_shown[dock] = not dock.isHidden()
                dock.hide()
            elif self._was_shown[dock]:
                dock.show()

    def show_segment(self, segment: Segment | None) -> None:
        for dock in self._declared:
            if isinstance(panel := dock.widget(), ShowsSegment):
                panel.show_segment(segment)

    def raise_panel(self, name: str, focus: bool = True) -> None:
        """Show a dock, or a section of the rail, in front of other docks; with `focus`, also focus it."""
        if self.rail.has(name):
            self.raise_panel("rail", focus=False)
            self.rail.reveal(name)
            if focus:
                self.rail.section(name).setFocus()
            return
        dock = self._dock_named(name)
        dock.show()
        dock.raise_()
        if focus:
            dock.widget().setFocus()

    def section(self, name: str) -> RailSection:
        return self.rail.section(name)

    def parts(self) -> tuple[QWidget, ...]:
        """The docks' widgets in the order in which F6 visits them."""
        docks = (*self._docks_at(RIGHT), *self._docks_at_bottom(), *self._docks_at(LEFT))
        return tuple(dock.widget() for dock in docks)

    def show_dock(self, name: str, shown: bool) -> None:
        self._dock_named(name).setVisible(shown)

    def toggles(self) -> list[QAction]:
        return [dock.toggleViewAction() for dock in self._declared]

    def is_rail_seen(self) -> bool:
        """True if the user sees the rail. Qt counts a dock as visible even behind another tab."""
        return self._rail_in_front and self.rail.isVisible()

    def _note_rail(self, in_front: bool) -> None:
        # The visible region (see `_toggle`) is still empty, because Qt calls this before the layout.
        self._rail_in_front = in_front
        if in_front:
            self.rail_shown.emit()

    def _update_tab_focus(self) -> None:
        """Let the Tab key skip tab bars without tabs, which Qt hides but does not delete."""
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus if bar.count() else Qt.FocusPolicy.NoFocus)

    def _make_dock(self, declared: Dock) -> QDockWidget:
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

"""The window's state that is restored at the next start."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject, QSize
from PySide6.QtGui import QFont

from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.editor.desk import Desk
from anaphora.system.interface_language import SETTING, UiLanguage, chosen_language
from anaphora.window.docks import Docks

LAYOUT_VERSION = 3
FIRST_SIZE = QSize(1440, 900)
FRAME = QSize(8, 40)
"""Space for the borders that the desktop draws around a window."""
TEXT_SIZES = (8.0, 26.0)
LARGER = 1.0
"""Points by which the texts are larger than those of panels and dialogs."""


class WindowState(QObject):
    """Geometry, docks, text size, theme and language, stored in the settings."""

    def __init__(self, desk: Desk, docks: Docks) -> None:
        super().__init__(desk.window)
        self._window, self._table, self._docks = desk.window, desk.table, docks
        self._theme, self._settings = desk.theme, desk.settings

    def restore(self) -> None:
        font = QFont(self._window.font())
        self._set_size(font, self._settings.value("text_size", font.pointSizeF() + LARGER))
        geometry, layout = self._settings.value("geometry"), self._settings.value("layout")
        if not (isinstance(geometry, QByteArray) and self._window.restoreGeometry(geometry)):
            self._window.resize(
                FIRST_SIZE.boundedTo(self._window.screen().availableGeometry().size() - FRAME)
            )
        self._docks.arrange()
        if isinstance(layout, QByteArray):
            self._window.restoreState(layout, LAYOUT_VERSION)
        self._docks.set_visible(False)

    def save(self, with_docks: bool) -> None:
        """Store the window's state; the docks only while a document is open."""
        self._settings.setValue("geometry", self._window.saveGeometry())
        if with_docks:
            self._settings.setValue("layout", self._window.saveState(LAYOUT_VERSION))
        self._settings.setValue("text_size", self._table.font().pointSizeF())

    def scale_text(self, by: float) -> None:
        font = QFont(self._table.font())
        self._set_size(font, font.pointSizeF() + by)

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
        font.setPointSizeF(min(max(points, TEXT_SIZES[0]), TEXT_SIZES[1]))
        self._table.set_text_font(font)
        self._theme.scale(font.pointSizeF() - LARGER)

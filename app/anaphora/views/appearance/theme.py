"""Colours, fonts and the style sheet, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import Enum
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from anaphora.core.segment import Status
from anaphora.views.appearance.fonts import FONT_FAMILIES


class ThemeChoice(Enum):
    """What the user asks for; SYSTEM follows the desktop, also where that wants high contrast."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, as #rrggbb."""

    window: str
    surface: str
    raised: str
    hover: str
    border: str
    card_border: str
    text: str
    receding: str
    muted: str
    accent: str
    accent_text: str
    accent_soft: str
    selection: str
    not_started: str
    draft: str
    edited: str
    confirmed: str
    locked: str
    locked_back: str
    unsure_back: str
    warning: str
    warning_soft: str
    match: str

    def status(self, status: Status) -> QColor:
        """The colour of a status."""
        names = {
            Status.NOT_STARTED: self.not_started,
            Status.DRAFT: self.draft,
            Status.EDITED: self.edited,
            Status.CONFIRMED: self.confirmed,
            Status.LOCKED: self.locked,
        }
        return QColor(names[status])


LIGHT = Colours(
    window="#f4f5f7",
    surface="#ffffff",
    raised="#fafbfc",
    hover="#eceff3",
    border="#dfe3e8",
    card_border="#a9c9d4",
    text="#1d2733",
    receding="#606b78",
    muted="#657180",
    accent="#1f6f8b",
    accent_text="#ffffff",
    accent_soft="#e7f2f5",
    selection="#b9dce6",
    not_started="#9aa4af",
    draft="#7b5cc4",
    edited="#c4701c",
    confirmed="#2b8a57",
    locked="#7c8793",
    locked_back="#eceef1",
    unsure_back="#f8f1e4",
    warning="#b3541e",
    warning_soft="#fdf1e3",
    match="#ffe49c",
)

DARK = Colours(
    window="#191d22",
    surface="#20252b",
    raised="#262c33",
    hover="#2e353d",
    border="#363e48",
    card_border="#3f6472",
    text="#e2e7ec",
    receding="#8793a0",
    muted="#98a4b1",
    accent="#62b5cf",
    accent_text="#10222a",
    accent_soft="#24363f",
    selection="#2f5a6a",
    not_started="#788491",
    draft="#b19bf2",
    edited="#eda350",
    confirmed="#5cc08b",
    locked="#8a95a1",
    locked_back="#2a2f36",
    unsure_back="#2b2720",
    warning="#f0a066",
    warning_soft="#3a2e24",
    match="#6b5716",
)


CONTRAST = Colours(
    window="#000000",
    surface="#000000",
    raised="#0c0c0c",
    hover="#333333",
    border="#a8a8a8",
    card_border="#ffe14d",
    text="#ffffff",
    receding="#c4c4c4",
    muted="#e0e0e0",
    accent="#ffe14d",
    accent_text="#000000",
    accent_soft="#3a3200",
    selection="#0a58a8",
    not_started="#bdbdbd",
    draft="#d9bcff",
    edited="#ffb86b",
    confirmed="#5df2a0",
    locked="#cfcfcf",
    locked_back="#1c1c1c",
    unsure_back="#2e2100",
    warning="#ffb066",
    warning_soft="#2e1a00",
    match="#6a5600",
)
"""White and yellow on black: texts at 7:1 or more, borders at 3:1 or more (WCAG 2.2, levels AAA and AA)."""


def blend(first: QColor, second: QColor, share: float) -> QColor:
    """`share` of the second colour over the first."""
    share = min(max(share, 0.0), 1.0)
    return QColor.fromRgbF(
        first.redF() + (second.redF() - first.redF()) * share,
        first.greenF() + (second.greenF() - first.greenF()) * share,
        first.blueF() + (second.blueF() - first.blueF()) * share,
    )


class Theme(QObject):
    """The theme in force. Widgets that paint themselves read `colours` and repaint on `changed`.

    Signals:
        changed: other colours are in force.
    """

    changed = Signal()

    def __init__(self, application: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__()
        self._application = application
        self._choice = choice
        self.colours = LIGHT
        application.setStyle("Fusion")
        font = QFont(application.font())
        font.setFamilies([*FONT_FAMILIES])
        font.setPointSizeF(max(font.pointSizeF(), 10.0))
        application.setFont(font)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)
        if hasattr(hints, "accessibility"):  # of Qt 6.10 and later
            hints.accessibility().contrastPreferenceChanged.connect(self._follow_system)
        self._apply()

    @property
    def choice(self) -> ThemeChoice:
        return self._choice

    @property
    def dark(self) -> bool:
        """Whether the dark colours are in force."""
        if self._choice is ThemeChoice.SYSTEM:
            return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self._choice in (ThemeChoice.DARK, ThemeChoice.CONTRAST)

    @property
    def high_contrast(self) -> bool:
        """Whether the colours of high contrast are in force."""
        hints = QGuiApplication.styleHints()
        if self._choice is ThemeChoice.SYSTEM and hasattr(hints, "accessibility"):
            return hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast
        return self._choice is ThemeChoice.CONTRAST

    def choose(self, choice: ThemeChoice) -> None:
        """Switch to a theme, or back to the desktop's."""
        self._choice = choice
        self._apply()

    @contextmanager
    def sheet_at_the_end(self) -> Iterator[None]:
        """Widgets made within take the style sheet when all of them are there.

        Else each takes it anew whenever one above it gets a parent: a fifth of the time that takes.
        """
        sheet = self._application.styleSheet()
        self._application.setStyleSheet("")
        try:
            yield
        finally:
            self._application.setStyleSheet(sheet)

    def _follow_system(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        self.colours = CONTRAST if self.high_contrast else DARK if self.dark else LIGHT
        self._application.setPalette(make_palette(self.colours))
        self._application.setStyleSheet(make_style_sheet(self.colours))
        self.changed.emit()


def make_palette(colours: Colours) -> QPalette:
    """The palette for what the style sheet does not reach."""
    role = QPalette.ColorRole
    palette = QPalette()
    for target, colour in (
        (role.Window, colours.window),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.raised),
        (role.Button, colours.raised),
        (role.ToolTipBase, colours.raised),
        (role.Text, colours.text),
        (role.WindowText, colours.text),
        (role.ButtonText, colours.text),
        (role.ToolTipText, colours.text),
        (role.PlaceholderText, colours.muted),
        (role.Highlight, colours.selection),
        (role.HighlightedText, colours.text),
        (role.Link, colours.accent),
        (role.Accent, colours.accent),
        (role.Mid, colours.border),
    ):
        palette.setColor(target, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for target in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(disabled, target, blend(QColor(colours.muted), QColor(colours.window), 0.4))
    return palette


def make_style_sheet(colours: Colours) -> str:
    """The style sheet with `@name` replaced by the theme's colours."""
    resources = Path(str(files("anaphora_resources")))
    sheet = (resources / "qss" / "anaphora.qss").read_text("utf-8")
    sheet = sheet.replace("@icons", (resources / "icons").as_posix())
    names = sorted((field.name for field in fields(colours)), key=len, reverse=True)
    for name in names:
        sheet = sheet.replace(f"@{name}", getattr(colours, name))
    return sheet

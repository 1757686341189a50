"""Themes (colours, icons and style sheet), and the fonts and names of languages."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache

import regex
from PySide6.QtCore import QByteArray, QCoreApplication, QLocale, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from anaphora.core.drafts import match_of
from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import language_of
from anaphora.core.segment import SegmentState, Status
from anaphora.system.locations import RESOURCES

FONT_FAMILIES = (
    "Inter",
    "Segoe UI",
    "SF Pro Text",
    "Noto Sans",
    "Cantarell",
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Microsoft YaHei",
    "PingFang SC",
)
"""Fonts of the window, in order of preference; the last three are Chinese."""
_FIRST_CHINESE = FONT_FAMILIES.index("Noto Sans CJK SC")
_TRADITIONAL = regex.compile(r"[-_](hant|tw|hk|mo)\b", regex.IGNORECASE)
_HAN_FAMILIES = {
    "ja": ("Noto Sans CJK JP", "Noto Sans JP", "Yu Gothic UI", "Meiryo", "Hiragino Sans"),
    "ko": ("Noto Sans CJK KR", "Noto Sans KR", "Malgun Gothic", "Apple SD Gothic Neo"),
    "yue": ("Noto Sans CJK HK", "Microsoft JhengHei", "PingFang HK"),
    "zh-Hant": ("Noto Sans CJK TC", "Noto Sans TC", "Microsoft JhengHei", "PingFang TC"),
}


def families_for(code: str) -> tuple[str, ...]:
    """The font families for a language (ja, zh-TW, zho_Hant, …), in order of preference."""
    language = language_of(code)
    is_traditional = language.code == "zh" and _TRADITIONAL.search(code)
    han_families = _HAN_FAMILIES.get("zh-Hant" if is_traditional else language.code, ())
    return (*FONT_FAMILIES[:_FIRST_CHINESE], *han_families, *FONT_FAMILIES[_FIRST_CHINESE:])


def font_for(code: str, font: QFont) -> QFont:
    result = QFont(font)
    result.setFamilies([*families_for(code)])
    return result


translate = QCoreApplication.translate


def language_name(code: str) -> str:
    """A language's own name; the code if unknown. Chinese and English are named in the window's language."""
    base = code.replace("_", "-").split("-")[0].lower()
    language = QLocale.codeToLanguage(base) if base else QLocale.Language.AnyLanguage
    if language is QLocale.Language.Chinese:
        return translate("Languages", "Chinese")
    if language is QLocale.Language.English:
        return translate("Languages", "English")
    if language in (QLocale.Language.AnyLanguage, QLocale.Language.C):
        return code or "?"
    return QLocale(language).nativeLanguageName() or QLocale.languageToString(language)


def pair_name(pair: LanguagePair) -> str:
    return f"{language_name(pair.source)} → {language_name(pair.target)}"


class ThemeChoice(Enum):
    """The user's choice of a theme; SYSTEM follows the desktop, including high contrast."""

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
        names = {
            Status.NOT_STARTED: self.not_started,
            Status.DRAFT: self.draft,
            Status.EDITED: self.edited,
            Status.CONFIRMED: self.confirmed,
            Status.LOCKED: self.locked,
        }
        return QColor(names[status])


LIGHT, DARK, CONTRAST = (
    Colours(**colours)
    for colours in tomllib.loads((RESOURCES / "qss" / "colours.toml").read_text("utf-8")).values()
)


def blend(first: QColor, second: QColor, share: float) -> QColor:
    """A mixture of two colours; `share` (0 to 1) is the share of the second one."""
    share = min(max(share, 0.0), 1.0)
    return QColor.fromRgbF(
        first.redF() + (second.redF() - first.redF()) * share,
        first.greenF() + (second.greenF() - first.greenF()) * share,
        first.blueF() + (second.blueF() - first.blueF()) * share,
    )


class Theme(QObject):
    """The current theme. Widgets that paint themselves read `colours` and repaint on `changed`."""

    changed = Signal()

    def __init__(self, application: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__()
        self._application = application
        self.choice = choice
        self.colours = LIGHT
        application.setStyle("Fusion")
        font = QFont(application.font())
        font.setFamilies([*FONT_FAMILIES])
        font.setPointSizeF(max(font.pointSizeF(), 10.0))
        application.setFont(font)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)
        if hasattr(hints, "accessibility"):  # Qt 6.10 and later
            hints.accessibility().contrastPreferenceChanged.connect(self._follow_system)
        self._apply()

    @property
    def is_dark(self) -> bool:
        if self.choice is ThemeChoice.SYSTEM:
            return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self.choice in (ThemeChoice.DARK, ThemeChoice.CONTRAST)

    @property
    def is_high_contrast(self) -> bool:
        hints = QGuiApplication.styleHints()
        if self.choice is ThemeChoice.SYSTEM and hasattr(hints, "accessibility"):
            return hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast
        return self.choice is ThemeChoice.CONTRAST

    def choose(self, choice: ThemeChoice) -> None:
        self.choice = choice
        self._apply()

    def set_font_size(self, points: float) -> None:
        """Set the application's font size; widgets with a font size of their own keep it."""
        font = QFont(self._application.font())
        if font.pointSizeF() != points:
            font.setPointSizeF(points)
            self._application.setFont(font)
            self._apply()  # otherwise, texts that the style sheet makes bold would keep their size

    def _follow_system(self) -> None:
        if self.choice is ThemeChoice.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        self.colours = CONTRAST if self.is_high_contrast else DARK if self.is_dark else LIGHT
        self._application.setPalette(make_palette(self.colours))
        self._application.setStyleSheet(make_style_sheet(self.colours))
        self.changed.emit()


def make_palette(colours: Colours) -> QPalette:
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
    """The style sheet, with the theme's colours in place of `@name`."""
    sheet = (RESOURCES / "qss" / "anaphora.qss").read_text("utf-8")
    sheet = sheet.replace("@icons", (RESOURCES / "icons").as_posix())
    names = sorted((field.name for field in fields(colours)), key=len, reverse=True)
    for name in names:
        sheet = sheet.replace(f"@{name}", getattr(colours, name))
    return sheet


STATUS_ICONS = {
    Status.NOT_STARTED: "status-not-started",
    Status.DRAFT: "status-draft",
    Status.EDITED: "status-edited",
    Status.CONFIRMED: "status-confirmed",
    Status.LOCKED: "status-locked",
}
_RATIO = 2
"""Device pixels per device-independent pixel."""


@lru_cache(maxsize=64)
def _svg_text(name: str) -> str:
    return (RESOURCES / "icons" / f"{name}.svg").read_text("utf-8")


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int = 18) -> QPixmap:
    """An icon in one colour (#rrggbb); `size` counts device-independent pixels."""
    renderer = QSvgRenderer(QByteArray(_svg_text(name).replace("currentColor", colour).encode()))
    image = QPixmap(size * _RATIO, size * _RATIO)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, size * _RATIO, size * _RATIO))
    painter.end()
    image.setDevicePixelRatio(_RATIO)
    return image


def icon(name: str, colour: str, disabled: str | None = None) -> QIcon:
    """An icon in one colour (#rrggbb); a disabled widget shows it in the colour `disabled`."""
    result = QIcon()
    result.addPixmap(pixmap(name, colour), QIcon.Mode.Normal)
    if disabled is not None:
        result.addPixmap(pixmap(name, disabled), QIcon.Mode.Disabled)
    return result


def state_icon(state: SegmentState) -> str:
    if state.approved:
        return "status-approved"
    return "status-memory" if match_of(state) else STATUS_ICONS[state.status]

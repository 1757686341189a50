"""The chips that say which segments are shown; where they have no room, one button with a menu."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QPushButton, QWidget

SPACING = 4


class Shown(Enum):
    ALL = "all"
    UNCONFIRMED = "unconfirmed"
    CHANGED = "changed"
    ISSUES = "issues"
    UNSURE = "unsure"
    PROPOSED = "proposed"


class Form(Enum):
    """How the filters are shown, the wider form first."""

    CHIPS = "the chips that would show something"
    MENU = "one button with a menu"


class FilterChips(QWidget):
    """One filter is chosen at a time."""

    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[Shown, int] = {}
        self.form = Form.CHIPS
        self.menu_button = _chip()
        self.menu_button.setProperty("menu", True)
        menu = QMenu(self.menu_button)
        self.menu_button.setMenu(menu)
        self._chips = {shown: _chip() for shown in Shown}
        self._entries: dict[Shown, QAction] = {}
        group, entries = QButtonGroup(self), QActionGroup(menu)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACING)
        for shown, chip in self._chips.items():
            chip.setCheckable(True)
            chip.clicked.connect(self.picked)
            chip.toggled.connect(self._show_form)
            group.addButton(chip)
            self._entries[shown] = entry = QAction(menu, checkable=True)
            entry.triggered.connect(chip.click)
            entries.addAction(entry)
            menu.addAction(entry)
            box.addWidget(chip)
        box.addWidget(self.menu_button)
        self._chips[Shown.ALL].setChecked(True)
        self.show_counts({})

    @property
    def chosen(self) -> Shown:
        return next(shown for shown, chip in self._chips.items() if chip.isChecked())

    def buttons(self) -> tuple[QPushButton, ...]:
        return (*self._chips.values(), self.menu_button)

    def chip(self, shown: Shown) -> QPushButton:
        return self._chips[shown]

    def in_view(self) -> QPushButton:
        return self.menu_button if self.form is Form.MENU else self._chips[self.chosen]

    def choose(self, shown: Shown) -> None:
        """Choose a filter without saying so."""
        self._chips[shown].setChecked(True)

    def show_counts(self, counts: dict[Shown, int]) -> None:
        """Show how many segments each filter would show."""
        self._counts = counts
        texts, tips = self._texts(), self._tips()
        for shown, chip in self._chips.items():
            count = counts.get(shown, 0)
            chip.setAccessibleName(texts[shown])
            chip.setToolTip(f"{tips[shown]} ({QLocale().toString(count)})" if count else tips[shown])
            self._entries[shown].setText(texts[shown])
        self._show_form()

    def width_as(self, form: Form) -> int:
        texts = self._texts()
        if form is Form.MENU:
            return _width(self.menu_button, texts[self.chosen])
        shown = filter(self._is_possible, Shown)
        return sum(_width(self._chips[each], texts[each]) + SPACING for each in shown) - SPACING

    def take_form(self, form: Form) -> None:
        """Be shown in a form; the keyboard stays in the chips."""
        self.form = form
        self._show_form()

    def _show_form(self) -> None:
        texts, chosen = self._texts(), self.chosen
        had_focus = any(button.hasFocus() for button in self.buttons())
        self.menu_button.setText(texts[chosen])
        self.menu_button.setAccessibleName(self.tr("Shown: {0}").format(texts[chosen]))
        self.menu_button.setToolTip(self._tips()[chosen])
        self.menu_button.setVisible(self.form is Form.MENU)
        for shown, chip in self._chips.items():
            is_possible = self._is_possible(shown)
            chip.setText(texts[shown])
            chip.setVisible(is_possible and self.form is Form.CHIPS)
            self._entries[shown].setVisible(is_possible)
            self._entries[shown].setChecked(shown is chosen)
        if had_focus and not any(button.hasFocus() for button in self.buttons()):
            self.in_view().setFocus(Qt.FocusReason.OtherFocusReason)

    def _is_possible(self, shown: Shown) -> bool:
        return shown in (Shown.ALL, self.chosen) or self._counts.get(shown, 0) > 0

    def _texts(self) -> dict[Shown, str]:
        names = {
            Shown.ALL: self.tr("All"),
            Shown.UNCONFIRMED: self.tr("Unconfirmed"),
            Shown.CHANGED: self.tr("Changed"),
            Shown.ISSUES: self.tr("Issues"),
            Shown.UNSURE: self.tr("Low confidence"),
            Shown.PROPOSED: self.tr("Only proposed"),
        }
        counts = {shown: count for shown, count in self._counts.items() if count}
        return names | {each: f"{names[each]}  {QLocale().toString(n)}" for each, n in counts.items()}

    def _tips(self) -> dict[Shown, str]:
        return {
            Shown.ALL: self.tr("All segments"),
            Shown.UNCONFIRMED: self.tr("What is still to be confirmed"),
            Shown.CHANGED: self.tr("Drafts that have changed since you saw them"),
            Shown.ISSUES: self.tr("What the checks speak of"),
            Shown.UNSURE: self.tr("Drafts that the model is unsure about"),
            Shown.PROPOSED: self.tr("Drafts that are likely to be worse than none: Tab takes one"),
        }


def _chip() -> QPushButton:
    chip = QPushButton()
    chip.setProperty("chip", True)
    chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return chip


def _width(button: QPushButton, text: str) -> int:
    button.ensurePolished()
    own = button.sizeHint().width() - button.fontMetrics().horizontalAdvance(button.text())
    return own + button.fontMetrics().horizontalAdvance(text)

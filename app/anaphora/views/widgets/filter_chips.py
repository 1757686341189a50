"""The chips that say which segments are shown; where they have no room, one button with a menu."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QPushButton, QWidget

SPACING = 4


class Shown(Enum):
    """Which segments are shown."""

    ALL = "all"
    UNCONFIRMED = "unconfirmed"
    CHANGED = "changed"
    ISSUES = "issues"
    UNSURE = "unsure"
    PROPOSED = "proposed"


class Form(Enum):
    """How the chips are shown, from the widest form to the narrowest."""

    ALL = "all chips, with numbers; that of proposals only where there are some"
    FILLED = "the chips that would show something, with numbers"
    NAMED = "the chips that would show something, without numbers"
    MENU = "one button with a menu"


class FilterChips(QWidget):
    """One filter is chosen at a time.

    Signals:
        picked: somebody has chosen a filter.
    """

    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[Shown, int] = {}
        self._is_checking = False
        self._form = Form.ALL
        self._chips = {shown: _chip() for shown in Shown}
        group = QButtonGroup(self)
        for chip in self._chips.values():
            chip.setCheckable(True)
            chip.clicked.connect(self.picked)
            chip.toggled.connect(self._show_form)
            group.addButton(chip)
        self.menu_button = _chip()
        self.menu_button.setProperty("menu", True)
        self.menu_button.setMenu(QMenu(self.menu_button))
        self._entries = dict(zip(Shown, self._make_entries(), strict=True))
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACING)
        for button in self.buttons():
            box.addWidget(button)
        self._chips[Shown.ALL].setChecked(True)
        self.show_counts({})

    @property
    def chosen(self) -> Shown:
        """Which segments are wanted."""
        return next(shown for shown, chip in self._chips.items() if chip.isChecked())

    @property
    def form(self) -> Form:
        """How they are shown now."""
        return self._form

    def buttons(self) -> tuple[QPushButton, ...]:
        """The chips, and the button that stands for them."""
        return (*self._chips.values(), self.menu_button)

    def chip(self, shown: Shown) -> QPushButton:
        """The button of a filter."""
        return self._chips[shown]

    def in_view(self) -> QPushButton:
        """The button that shows which filter is chosen."""
        return self.menu_button if self._form is Form.MENU else self._chips[self.chosen]

    def choose(self, shown: Shown) -> None:
        """Choose a filter without saying so."""
        self._chips[shown].setChecked(True)

    def show_counts(self, counts: dict[Shown, int], is_checking: bool = False) -> None:
        """Show how many segments each filter would show; those without any cannot be chosen.

        Args:
            is_checking: more issues may still be found.
        """
        self._counts, self._is_checking = counts, is_checking
        texts, tips = self._texts(), self._tips()
        for shown, chip in self._chips.items():
            count, is_possible = counts.get(shown, 0), self._is_possible(shown)
            chip.setAccessibleName(texts[shown])
            chip.setToolTip(self._counted_tip(tips[shown], count, shown is Shown.ISSUES and is_checking))
            chip.setEnabled(is_possible)
            self._entries[shown].setText(texts[shown])
            self._entries[shown].setEnabled(is_possible)
            self._entries[shown].setVisible(is_possible or shown is not Shown.PROPOSED)
        self._show_form()

    def _counted_tip(self, tip: str, count: int, is_checking: bool) -> str:
        counted = f"{tip} ({QLocale().toString(count)})" if count else tip
        return self.tr("{0}. The checks are still at work.").format(counted) if is_checking else counted

    def width_as(self, form: Form) -> int:
        """How wide a form is, in pixels."""
        if form is Form.MENU:
            return _width(self.menu_button, self._texts()[self.chosen])
        texts = self._texts_as(form)
        return sum(_width(self._chips[each], text) + SPACING for each, text in texts.items()) - SPACING

    def take_form(self, form: Form) -> None:
        """Be shown in a form; the keyboard stays in the chips."""
        self._form = form
        self._show_form()

    def _show_form(self) -> None:
        form, texts, longest = self._form, self._texts_as(self._form), self._texts()
        had_focus = any(button.hasFocus() for button in self.buttons())
        chosen = self.chosen
        self.menu_button.setText(longest[chosen])
        self.menu_button.setAccessibleName(self.tr("Shown: {0}").format(self.menu_button.text()))
        self.menu_button.setToolTip(self._tips()[chosen])
        self.menu_button.setVisible(form is Form.MENU)
        for shown, chip in self._chips.items():
            # Also one that is hidden keeps a text: without any a button asks for the width of four letters.
            chip.setText(texts.get(shown, longest[shown]))
            chip.setVisible(shown in texts)
            self._entries[shown].setChecked(shown is chosen)
        if had_focus and not any(button.hasFocus() for button in self.buttons()):
            self.in_view().setFocus(Qt.FocusReason.OtherFocusReason)

    def _texts_as(self, form: Form) -> dict[Shown, str]:
        """What stands on the chips of a form."""
        if form is Form.MENU:
            return {}
        texts = self._names() if form is Form.NAMED else self._texts()
        # Most documents have no proposals: their chip takes no room from the others.
        always = () if form is not Form.ALL else [each for each in Shown if each is not Shown.PROPOSED]
        return {shown: text for shown, text in texts.items() if shown in always or self._is_possible(shown)}

    def _is_possible(self, shown: Shown) -> bool:
        counts = bool(self._counts.get(shown, 0)) or (shown is Shown.ISSUES and self._is_checking)
        return counts or shown is Shown.ALL or shown is self.chosen

    def _texts(self) -> dict[Shown, str]:
        texts = {shown: _counted(name, self._counts.get(shown, 0)) for shown, name in self._names().items()}
        if self._is_checking:
            # No wider than a number: what stands beside it keeps its place.
            found = bool(self._counts.get(Shown.ISSUES, 0))
            texts[Shown.ISSUES] = f"{texts[Shown.ISSUES]}…" if found else self.tr("checking…")
        return texts

    def _make_entries(self) -> Iterable[QAction]:
        menu = self.menu_button.menu()
        group = QActionGroup(menu)
        for chip in self._chips.values():
            entry = menu.addAction("")
            entry.setCheckable(True)
            group.addAction(entry)
            entry.triggered.connect(chip.click)
            yield entry

    def _names(self) -> dict[Shown, str]:
        return {
            Shown.ALL: self.tr("All"),
            Shown.UNCONFIRMED: self.tr("Unconfirmed"),
            Shown.CHANGED: self.tr("Changed"),
            Shown.ISSUES: self.tr("Issues"),
            Shown.UNSURE: self.tr("Low confidence"),
            Shown.PROPOSED: self.tr("Only proposed"),
        }

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
    """The width of a button with a text, in pixels."""
    button.ensurePolished()
    own = button.sizeHint().width() - button.fontMetrics().horizontalAdvance(button.text())
    return own + button.fontMetrics().horizontalAdvance(text)


def _counted(name: str, count: int) -> str:
    """What stands on a chip."""
    return f"{name}  {QLocale().toString(count)}" if count else name

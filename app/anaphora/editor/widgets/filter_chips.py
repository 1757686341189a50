"""Search fields, filter chips, and a guard for text fields in which an input method composes text."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QEvent, QLocale, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QLineEdit, QTabBar, QToolButton, QWidget

from anaphora.core.segment import Status


class SearchLine(QLineEdit):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear"))


class InputGuard(QObject):
    """Blocks shortcuts while an input method composes text in a widget.

    If the widget accepts a ShortcutOverride, Qt sends the key to the input method instead.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.composing = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QInputMethodEvent):
            self.composing = bool(event.preeditString())
        elif event.type() is QEvent.Type.FocusOut:
            self.composing = False
        elif self.composing and isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            # The key belongs to the input method.
            return event.type() is QEvent.Type.KeyPress
        return False


class Shown(Enum):
    """The filters of the segment table."""

    ALL = "all"
    UNCONFIRMED = "unconfirmed"
    CHANGED = "changed"
    ISSUES = "issues"
    UNSURE = "unsure"
    PROPOSED = "proposed"
    DRAFTED = "drafted"
    EDITED = "edited"
    CONFIRMED = "confirmed"
    UNAPPROVED = "unapproved"
    APPROVED = "approved"
    COMMENTED = "commented"
    LOCKED = "locked"


STATES = {
    Shown.DRAFTED: Status.DRAFT,
    Shown.EDITED: Status.EDITED,
    Shown.CONFIRMED: Status.CONFIRMED,
    Shown.LOCKED: Status.LOCKED,
}
_ORDER = tuple(Shown)
MENU_FILTERS = _ORDER[_ORDER.index(Shown.DRAFTED) :]
"""Filters in a menu; they have a chip only while chosen."""


class FilterChips(QTabBar):
    """A bar of filters. ALL and the chosen filter are always shown; of the others, `MENU_FILTERS` and filters
    without segments are hidden. `picked` is emitted when the user chooses a filter, even the same again."""

    picked = Signal()
    counted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[Shown, int] = {}
        self.setObjectName("filters")
        self.setExpanding(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for _ in _ORDER:
            self.addTab("")
        self.currentChanged.connect(self._pick)
        self.tabBarClicked.connect(self._click)
        self.show_counts({})

    @property
    def chosen(self) -> Shown:
        return _ORDER[self.currentIndex()]

    def choose(self, shown: Shown) -> None:
        """Choose a filter without emitting `picked`."""
        with QSignalBlocker(self):
            self.setCurrentIndex(_ORDER.index(shown))
        self.show_counts(self._counts)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Ignore the wheel, because it must not change the filter by mistake."""
        event.ignore()

    def show_counts(self, counts: dict[Shown, int]) -> None:
        self._counts = counts
        names, tips = self.names(), self._tips()
        for index, shown in enumerate(_ORDER):
            count = counts.get(shown, 0)
            number = QLocale().toString(count)
            self.setTabText(index, f"{names[shown]}  {number}" if count else names[shown])
            self.setTabToolTip(index, f"{tips.get(shown, names[shown])} ({number})")
            is_offered = count > 0 and shown not in MENU_FILTERS
            self.setTabVisible(index, is_offered or shown in (Shown.ALL, self.chosen))
        self.counted.emit()

    def _pick(self) -> None:
        self.show_counts(self._counts)
        self.picked.emit()

    def _click(self, index: int) -> None:
        """Emit `picked` for a click on the chosen filter, so that it is applied again."""
        if index == self.currentIndex():
            self.picked.emit()

    def names(self) -> dict[Shown, str]:
        return {
            Shown.ALL: self.tr("All"),
            Shown.UNCONFIRMED: self.tr("Unconfirmed"),
            Shown.CHANGED: self.tr("Changed"),
            Shown.ISSUES: self.tr("Issues"),
            Shown.UNSURE: self.tr("Low confidence"),
            Shown.PROPOSED: self.tr("Tentative"),
            Shown.DRAFTED: self.tr("Machine draft"),
            Shown.EDITED: self.tr("Edited"),
            Shown.CONFIRMED: self.tr("Confirmed"),
            Shown.UNAPPROVED: self.tr("Confirmed, not approved"),
            Shown.APPROVED: self.tr("Approved"),
            Shown.COMMENTED: self.tr("With comments"),
            Shown.LOCKED: self.tr("Locked"),
        }

    def _tips(self) -> dict[Shown, str]:
        return {
            Shown.CHANGED: self.tr("Drafts that have changed since you saw them"),
            Shown.UNSURE: self.tr("Drafts that the model is unsure about"),
            Shown.PROPOSED: self.tr("Drafts probably too poor to edit. Press Tab to use one anyway."),
        }

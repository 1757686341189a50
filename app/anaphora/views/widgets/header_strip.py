"""The strip above the table: how far the work is, and which segments are shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEvent, QLocale, QRectF, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QWidget

from anaphora.views.appearance.languages import duration
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.plain_text import plain_label
from anaphora.views.widgets.search_line import SearchLine

TYPING_PAUSE_MS = 200
FIELD_GAP = 6
"""Between the chips and the field, in pixels."""
PROGRESS_GAP = 8
"""Between what is said of the progress and the chips, at least."""
PROGRESS_LEAST = 36
"""What the panels beside the strip leave for the progress at least."""
FIELD_MARGINS = 34
"""What the field needs beside its text, in pixels."""


class Shown(Enum):
    """Which segments are shown."""

    ALL = "all"
    UNCONFIRMED = "unconfirmed"
    CHANGED = "changed"
    ISSUES = "issues"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class WorkDone:
    """How far the work is.

    Attributes:
        confirmed: segments. segments: of the document.
        words_confirmed: words of the confirmed segments' sources. words: of all.
        words_per_hour: of this session, 0 while unknown.
        seconds_left: None while unknown.
    """

    confirmed: int = 0
    segments: int = 0
    words_confirmed: int = 0
    words: int = 0
    words_per_hour: float = 0.0
    seconds_left: float | None = None


class _Bar(QWidget):
    """A thin line along the bottom of the strip, filled as far as the work is."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.share = 0.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.colours.border))
        filled = QRectF(0, 0, self.width() * self.share, self.height())
        painter.fillRect(filled, QColor(self._theme.colours.confirmed))


class HeaderStrip(QFrame):
    """Progress at the left, chips that filter in the middle, a field that filters by text at the right.

    Attributes:
        needle: the field.

    Signals:
        filter_changed: (Shown, text): other segments are wanted.
        review_requested: the next changed draft is wanted.
        export_requested: everything is confirmed, and its export is wanted.
        left: the keyboard should go back to the translation.
    """

    filter_changed = Signal(object, str)
    review_requested = Signal()
    export_requested = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("headerStrip")
        self._work = WorkDone()
        self._counts: dict[Shown, int] = {}
        self._bar = _Bar(theme, self)
        self.progress = plain_label()
        self.review = _link(self.review_requested)
        self.export = _link(self.export_requested)
        self._key = ""
        self._chips = {shown: QPushButton() for shown in Shown}
        group = QButtonGroup(self)
        for chip in self._chips.values():
            chip.setCheckable(True)
            chip.setProperty("chip", True)
            chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            chip.clicked.connect(self._announce)
            group.addButton(chip)
        self._chips[Shown.ALL].setChecked(True)
        self.needle = SearchLine(self.tr("Filter by text"))
        self.needle.setMaximumWidth(220)
        self.needle.setMinimumWidth(70)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._announce)
        self.needle.textChanged.connect(lambda _: self._typing.start())
        self.needle.installEventFilter(self)
        self._lay_out()
        theme.changed.connect(self._bar.update)
        self.show_counts({})

    @property
    def chosen(self) -> Shown:
        """Which segments are wanted."""
        return next(shown for shown, chip in self._chips.items() if chip.isChecked())

    def buttons(self) -> tuple[QPushButton, ...]:
        """The chips, and the buttons beside the progress."""
        return (*self._chips.values(), self.review, self.export)

    def chip(self, shown: Shown) -> QPushButton:
        """The button of a filter."""
        return self._chips[shown]

    def choose(self, shown: Shown, text: str = "") -> None:
        """Set the filter without announcing it."""
        self._chips[shown].setChecked(True)
        self.needle.setText(text)
        self._typing.stop()

    def show_work(self, work: WorkDone) -> None:
        """Show how far the work is."""
        self._work = work
        self._bar.share = work.words_confirmed / work.words if work.words else 0.0
        self._bar.update()
        self._fit()

    def show_counts(self, counts: dict[Shown, int]) -> None:
        """Show how many segments each filter would show; those without any cannot be chosen."""
        self._counts = counts
        names = self._names()
        for shown, chip in self._chips.items():
            count = counts.get(shown, 0)
            chip.setAccessibleName(_counted(names[shown], count))
            tip = self._tips()[shown]
            chip.setToolTip(f"{tip} ({QLocale().toString(count)})" if count else tip)
            chip.setEnabled(bool(count) or shown is Shown.ALL or chip.isChecked())
        changed = counts.get(Shown.CHANGED, 0)
        self.review.setAccessibleName(self._review_text(changed))
        self._fit()

    def retranslate(self) -> None:
        """Say the same in the language that the application speaks now."""
        self.show_counts(self._counts)

    def set_review_key(self, key: str) -> None:
        """Say which key goes to the next changed draft."""
        self._key = key
        self.show_counts(self._counts)

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # noqa: N802
        if watched is self.needle and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
                self._announce()
                self.left.emit()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.choose(Shown.ALL)
                self._announce()
                self.left.emit()
                return True
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._bar.setGeometry(0, self.height() - 2, self.width(), 2)
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """The width of the chips without their numbers, of the field, and some for the progress."""
        return QSize(self._least_width() + PROGRESS_LEAST, super().minimumSizeHint().height())

    def _least_width(self) -> int:
        """The width of the chips without their numbers, and of the field."""
        chips = sum(self._chip_width(name) for name in self._names().values())
        margins, spaces = self._box.contentsMargins(), self._box.spacing() * (self._box.count() - 1)
        return chips + self.needle.minimumWidth() + margins.left() + margins.right() + spaces + FIELD_GAP

    def _fit(self) -> None:
        """Say as much as there is room for: what can be read elsewhere is left out first."""
        names, changed = self._names(), self._counts.get(Shown.CHANGED, 0)
        counted = {shown: _counted(name, self._counts.get(shown, 0)) for shown, name in names.items()}
        more = sum(self._chip_width(counted[shown]) - self._chip_width(names[shown]) for shown in Shown)
        done = self.progress.fontMetrics().horizontalAdvance(self._done())
        is_done = 0 < self._work.segments == self._work.confirmed
        self.export.setText(self.tr("Export…"))
        self.export.setVisible(is_done)
        link = self._link_width(self._short_review(changed)) if changed else 0
        room = self.width() - self._least_width() - PROGRESS_GAP
        room -= self.export.sizeHint().width() if is_done else 0
        said = self.progress.fontMetrics().horizontalAdvance(self._done_in_words())
        has_counts = room >= more + said + link
        for shown, chip in self._chips.items():
            chip.setText(counted[shown] if has_counts else names[shown])
        room -= more if has_counts else 0
        # What the tooltips have, too, takes no room from the prompt of the field; "confirmed" does.
        prompt = self._prompt_width()
        has_prompt = room >= prompt + said + link
        self.needle.setPlaceholderText(self.tr("Filter by text") if has_prompt else self.tr("Filter"))
        room -= prompt if has_prompt else 0
        self.review.setVisible(0 < link <= room)
        if 0 < link <= room:
            texts = self._review_text(changed), self._short_review(changed)
            candidates = [text for each in texts for text in (f"{each}   {self._key}".rstrip(), each)]
            # As long as there is room for it beside how many are confirmed.
            fitting = (
                each
                for left in (said, done, 0)
                for each in candidates
                if self._link_width(each) <= room - left
            )
            self.review.setText(next(fitting))
            self.review.setToolTip(candidates[0])
            room -= self._link_width(self.review.text())
        self._say_progress(room)

    def _chip_width(self, text: str) -> int:
        """The width of a chip with a text, in pixels."""
        chip = self._chips[Shown.ALL]
        own = chip.sizeHint().width() - chip.fontMetrics().horizontalAdvance(chip.text())
        return own + chip.fontMetrics().horizontalAdvance(text)

    def _prompt_width(self) -> int:
        """What the field takes beyond its least width, to show its prompt whole."""
        prompt = self.needle.fontMetrics().horizontalAdvance(self.tr("Filter by text"))
        return max(prompt + FIELD_MARGINS - self.needle.minimumWidth(), 0)

    def _link_width(self, text: str) -> int:
        own = self.review.sizeHint().width() - self.review.fontMetrics().horizontalAdvance(self.review.text())
        return own + self.review.fontMetrics().horizontalAdvance(text)

    def _short_review(self, changed: int) -> str:
        return self.tr("Review {0}").format(QLocale().toString(changed))

    def _done(self) -> str:
        """How many segments are confirmed, in as few characters as can be."""
        number = QLocale().toString
        return self.tr("{0} of {1}").format(number(self._work.confirmed), number(self._work.segments))

    def _done_in_words(self) -> str:
        number = QLocale().toString
        return self.tr("{0} of {1} confirmed").format(
            number(self._work.confirmed), number(self._work.segments)
        )

    def _review_text(self, changed: int) -> str:
        if changed == 1:
            return self.tr("1 draft changed, review")
        return self.tr("{0} drafts changed, review").format(QLocale().toString(changed))

    def _say_progress(self, room: int) -> None:
        """Show how far the work is in so many pixels; the tooltip has all of it."""
        work, number = self._work, QLocale().toString
        long = self._done_in_words()
        words = self.tr("{0} of {1} words").format(number(work.words_confirmed), number(work.words))
        parts = [long, words]
        if work.seconds_left is not None and work.confirmed < work.segments:
            parts.append(self.tr("about {0} left").format(duration(work.seconds_left)))
        pace = round(work.words_per_hour)
        tips = [*parts, self.tr("{0} words an hour").format(number(pace))] if pace else parts
        self.progress.setToolTip("\n".join(tips))
        self.progress.setAccessibleName(", ".join(tips))
        candidates = [" · ".join((long, *parts[first:])) for first in range(1, len(parts) + 1)]
        widths = self.progress.fontMetrics().horizontalAdvance
        fitting = (each for each in (*candidates, self._done()) if widths(each) <= room)
        self.progress.setText(next(fitting, "") if work.segments else "")

    def _announce(self) -> None:
        self._typing.stop()
        self.filter_changed.emit(self.chosen, self.needle.text().strip())

    def _lay_out(self) -> None:
        box = self._box = QHBoxLayout(self)
        box.setContentsMargins(14, 6, 10, 8)
        box.setSpacing(4)
        box.addWidget(self.progress)
        box.addWidget(self.review)
        box.addWidget(self.export)
        box.addStretch(1)
        for chip in self._chips.values():
            box.addWidget(chip)
        box.addSpacing(FIELD_GAP)
        box.addWidget(self.needle)

    def _names(self) -> dict[Shown, str]:
        return {
            Shown.ALL: self.tr("All"),
            Shown.UNCONFIRMED: self.tr("Unconfirmed"),
            Shown.CHANGED: self.tr("Changed"),
            Shown.ISSUES: self.tr("Issues"),
            Shown.UNSURE: self.tr("Low confidence"),
        }

    def _tips(self) -> dict[Shown, str]:
        return {
            Shown.ALL: self.tr("All segments"),
            Shown.UNCONFIRMED: self.tr("What is still to be confirmed"),
            Shown.CHANGED: self.tr("Drafts that have changed since you saw them"),
            Shown.ISSUES: self.tr("What the checks, or terms with several renderings, speak of"),
            Shown.UNSURE: self.tr("Drafts that the model is unsure about"),
        }


def _link(clicked: SignalInstance) -> QPushButton:
    """A button that looks like a link; hidden at first."""
    button = QPushButton()
    button.setProperty("link", True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(clicked)
    button.hide()
    return button


def _counted(name: str, count: int) -> str:
    """What stands on a chip."""
    return f"{name}  {QLocale().toString(count)}" if count else name

"""The strip above the table: how far the work is, and which segments are shown."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLocale, QRectF, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.filter_chips import FilterChips, Form, Shown
from anaphora.views.widgets.plain_text import plain_label
from anaphora.views.widgets.search_line import SearchLine

TYPING_PAUSE_MS = 200
FIELD_GAP = 6
"""Between the chips and the field, in pixels."""
PROGRESS_GAP = 8
"""Between what is said of the progress and the chips, at least."""
FIELD_LEAST, FIELD_MOST = 70, 220
"""Widths of the field in pixels."""


@dataclass(frozen=True, slots=True)
class WorkDone:
    """How far the work is."""

    confirmed: int = 0
    segments: int = 0
    words_confirmed: int = 0
    words: int = 0


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

    Signals:
        filter_changed: (Shown, text): other segments are wanted.
    """

    filter_changed = Signal(object, str)
    review_requested = Signal()
    export_requested = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("headerStrip")
        self._work = WorkDone()
        self._changed = 0
        self._bar = _Bar(theme, self)
        self.progress = plain_label()
        self.review = _link(self.review_requested)
        self.export = _link(self.export_requested)
        self.export.setText(self.tr("Export…"))
        self._key = ""
        self.chips = FilterChips()
        self.chips.picked.connect(self._announce)
        self.needle = SearchLine(self.tr("Filter by text"))
        self.needle.setPlaceholderText(self.tr("Filter"))
        self.needle.setMinimumWidth(FIELD_LEAST)
        self.needle.setMaximumWidth(FIELD_MOST)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._announce)
        self.needle.textChanged.connect(lambda _: self._typing.start())
        self.needle.installEventFilter(self)
        self._lay_out()
        theme.changed.connect(self._bar.update)
        self.show_counts({})

    @property
    def chosen(self) -> Shown:
        return self.chips.chosen

    def buttons(self) -> tuple[QPushButton, ...]:
        return (*self.chips.buttons(), self.review, self.export)

    def choose(self, shown: Shown, text: str = "") -> None:
        self.chips.choose(shown)
        self.needle.setText(text)
        self._typing.stop()
        self._fit()

    def show_work(self, work: WorkDone) -> None:
        self._work = work
        self._bar.share = work.words_confirmed / work.words if work.words else 0.0
        self._bar.update()
        self._fit()

    def show_counts(self, counts: dict[Shown, int]) -> None:
        """Show how many segments each filter would show; those without any cannot be chosen."""
        self.chips.show_counts(counts)
        self._changed = counts.get(Shown.CHANGED, 0)
        said = self.tr("{0} drafts changed, review").format(QLocale().toString(self._changed))
        said = self.tr("1 draft changed, review") if self._changed == 1 else said
        self.review.setText(self.tr("Review {0}").format(QLocale().toString(self._changed)))
        self.review.setAccessibleName(said)
        self.review.setToolTip(f"{said}   {self._key}".rstrip())
        self._fit()

    def set_review_key(self, key: str) -> None:
        """Say which key goes to the next changed draft."""
        self._key = key

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

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            # The same words are wider or narrower from now on; the parts get their style after this one.
            QTimer.singleShot(0, self, self._fit)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Room for how many are confirmed, the links beside it, the narrowest chips, and the field."""
        least = self._frame_width() + self.chips.width_as(Form.MENU)
        return QSize(least, super().minimumSizeHint().height())

    def _frame_width(self) -> int:
        """The width of all but the chips, and of what may be said of the progress at its shortest."""
        margins, spaces = self._box.contentsMargins(), self._box.spacing() * (self._box.count() - 1)
        links = sum(link.sizeHint().width() for link in (self.review, self.export) if not link.isHidden())
        own = margins.left() + margins.right() + spaces + FIELD_GAP + FIELD_LEAST + PROGRESS_GAP
        return own + links + self._width(self._confirmed())

    def _fit(self) -> None:
        """Say as much as there is room for; how many are confirmed, and that drafts have changed, always."""
        self.export.setVisible(0 < self._work.segments == self._work.confirmed)
        self.review.setVisible(self._changed > 0)
        room = self.width() - self._frame_width()
        chips = self.chips.width_as
        form = next((form for form in Form if chips(form) <= room), Form.MENU)
        self.chips.take_form(form)
        self._say_progress(room - chips(form) + self._width(self._confirmed()))
        self.updateGeometry()

    def _width(self, text: str) -> int:
        return self.progress.fontMetrics().horizontalAdvance(text)

    def _confirmed(self) -> str:
        """How many segments are confirmed, as short as it is said; nothing before a document is open."""
        work, number = self._work, QLocale().toString
        if not work.segments:
            return ""
        return self.tr("{0} of {1} confirmed").format(number(work.confirmed), number(work.segments))

    def _say_progress(self, room: int) -> None:
        """Show how far the work is in so many pixels; the tooltip has all of it."""
        work, number = self._work, QLocale().toString
        many = self.tr("{0} of 1 segment confirmed"), self.tr("{0} of {1} segments confirmed")
        whole = many[work.segments != 1].format(number(work.confirmed), number(work.segments))
        many = self.tr("{0} of 1 word"), self.tr("{0} of {1} words")
        words = many[work.words != 1].format(number(work.words_confirmed), number(work.words))
        self.progress.setToolTip(f"{whole}\n{words}" if work.segments else "")
        self.progress.setAccessibleName(f"{whole}, {words}" if work.segments else "")
        fitting = (text for text in (f"{whole} · {words}", whole) if self._width(text) <= room)
        self.progress.setText(next(fitting, self._confirmed()) if work.segments else "")

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
        box.addSpacing(PROGRESS_GAP)
        box.addStretch(1)
        box.addWidget(self.chips)
        box.addSpacing(FIELD_GAP)
        box.addWidget(self.needle)


def _link(clicked: SignalInstance) -> QPushButton:
    """A button that looks like a link; hidden at first."""
    button = QPushButton()
    button.setProperty("link", True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(clicked)
    button.hide()
    return button

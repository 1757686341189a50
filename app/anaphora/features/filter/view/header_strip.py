"""The strip above the table: how far the work is, and which segments are shown."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLocale, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QSizePolicy

from anaphora.editor.widgets.filter_chips import FilterChips, Shown
from anaphora.editor.widgets.plain_text import plain_label
from anaphora.editor.widgets.search_line import SearchLine

TYPING_PAUSE_MS = 200
FIELD_GAP = 6
"""Between the chips and the field, in pixels."""
FIELD_LEAST, FIELD_MOST = 70, 220
"""Widths of the field in pixels."""


@dataclass(frozen=True, slots=True)
class WorkDone:
    """How far the work is."""

    confirmed: int = 0
    segments: int = 0
    words_confirmed: int = 0
    words: int = 0


class HeaderStrip(QFrame):
    """Progress at the left, chips that filter in the middle, a field that filters by text at the right.

    Signals:
        filter_changed: (Shown, text): other segments are wanted.
    """

    filter_changed = Signal(object, str)
    review_requested = Signal()
    export_requested = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("headerStrip")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
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
        # It takes what the chips leave.
        self.needle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._announce)
        self.needle.textChanged.connect(lambda _: self._typing.start())
        self._lay_out()

    @property
    def chosen(self) -> Shown:
        return self.chips.chosen

    def choose(self, shown: Shown, text: str = "") -> None:
        self.chips.choose(shown)
        self.needle.setText(text)
        self._typing.stop()

    def show_work(self, work: WorkDone) -> None:
        """Show how many segments are confirmed; the tooltip has the words, too."""
        self._bar.setRange(0, max(work.words, 1))
        self._bar.setValue(work.words_confirmed)
        self.export.setVisible(0 < work.segments == work.confirmed)
        number = QLocale().toString
        confirmed, segments = number(work.confirmed), number(work.segments)
        many = self.tr("{0} of 1 segment confirmed"), self.tr("{0} of {1} segments confirmed")
        whole = many[work.segments != 1].format(confirmed, segments)
        many = self.tr("{0} of 1 word"), self.tr("{0} of {1} words")
        words = many[work.words != 1].format(number(work.words_confirmed), number(work.words))
        is_open = work.segments > 0
        self.progress.setText(self.tr("{0} of {1} confirmed").format(confirmed, segments) if is_open else "")
        self.progress.setToolTip(f"{whole}\n{words}" if is_open else "")
        for part in (self.progress, self._bar):
            part.setAccessibleName(f"{whole}, {words}" if is_open else "")

    def show_counts(self, counts: dict[Shown, int]) -> None:
        """Show how many segments each filter would show; those without any cannot be chosen."""
        self.chips.show_counts(counts)
        changed = counts.get(Shown.CHANGED, 0)
        said = self.tr("{0} drafts changed, review").format(QLocale().toString(changed))
        said = self.tr("1 draft changed, review") if changed == 1 else said
        self.review.setText(self.tr("Review {0}").format(QLocale().toString(changed)))
        self.review.setAccessibleName(said)
        self.review.setToolTip(f"{said}   {self._key}".rstrip())
        self.review.setVisible(changed > 0)

    def set_review_key(self, key: str) -> None:
        """Show the key that goes to the next changed draft."""
        self._key = key

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Enter and Down lead from the field to the table, Esc shows everything again."""
        leaving = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Escape)
        if not self.needle.hasFocus() or event.key() not in leaving:
            super().keyPressEvent(event)
            return
        if event.key() == Qt.Key.Key_Escape:
            self.choose(Shown.ALL)
        self._announce()
        self.left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._bar.setGeometry(0, self.height() - 2, self.width(), 2)

    def _announce(self) -> None:
        self._typing.stop()
        self.filter_changed.emit(self.chosen, self.needle.text().strip())

    def _lay_out(self) -> None:
        box = QHBoxLayout(self)
        box.setContentsMargins(14, 6, 10, 8)
        box.setSpacing(4)
        box.addWidget(self.progress)
        box.addWidget(self.review)
        box.addWidget(self.export)
        box.addStretch(1)
        box.addWidget(self.chips)
        box.addSpacing(FIELD_GAP)
        box.addWidget(self.needle, 1)


def _link(clicked: SignalInstance) -> QPushButton:
    """A button that looks like a link; hidden at first."""
    button = QPushButton()
    button.setProperty("link", True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(clicked)
    button.hide()
    return button

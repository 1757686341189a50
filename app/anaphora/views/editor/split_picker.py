"""Chooses the place at which a segment is split: its source with a caret, over the source's cell."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from anaphora.core.segment import Segment
from anaphora.core.tags import labels_of, marks_of
from anaphora.views.appearance.theme import Theme
from anaphora.views.editor.segment_delegate import PADDING_X, PADDING_Y
from anaphora.views.editor.tag_edit import TagEdit
from anaphora_text.punctuation import (
    CLOSING,
    PAUSES,
    SENTENCE_ENDS,
    WIDE_PAUSES,
    WIDE_SENTENCE_ENDS,
    one_of,
)

_END, _PAUSE = (
    re.compile(rf"{one_of(marks)}{one_of(CLOSING)}*\s*")
    for marks in (SENTENCE_ENDS + WIDE_SENTENCE_ENDS + "…", PAUSES + WIDE_PAUSES)
)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SplitPicker(TagEdit):
    """The source of the current segment, read-only, with a caret where the second part would begin.

    The arrow keys and the mouse move the caret; Enter or a double click splits, Escape leaves.

    Signals:
        chosen: (segment id, offset in its source).
        left: it is over; whether by a key of its own, so that the focus should go back to the translation.
    """

    chosen = Signal(str, int)
    left = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._segment_id = ""
        self.setObjectName("splitPicker")
        self.setAccessibleName(self.tr("Source: choose where the second part begins"))
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.setCursorWidth(2)
        self.hide()

    @property
    def segment_id(self) -> str:
        """The segment that is to be split, empty while nobody chooses."""
        return self._segment_id

    def begin(self, segment: Segment, cell: QRect) -> None:
        """Let somebody choose a place in a segment, over the cell of its source."""
        self._segment_id = segment.id
        self.set_marks(marks_of(segment), labels_of(segment))
        # The frame of a pixel stands inside the cell, the text where the table paints it.
        self.setViewportMargins(PADDING_X - 1, PADDING_Y - 1, PADDING_X - 1, 0)
        self.setGeometry(cell)
        self.fill(segment.source)
        shown = self.shown()
        self.put_caret(shown.offset(best_place(shown.text)))
        self.show()
        self.raise_()
        self.setFocus()

    def end(self, by_key: bool = False) -> None:
        if self._segment_id:
            self._segment_id = ""
            self.hide()
            self.left.emit(by_key)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # While a place is being chosen, no key starts anything else.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in _ENTER:
            self._choose()
        elif event.key() == Qt.Key.Key_Escape:
            self.end(by_key=True)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.setTextCursor(self.cursorForPosition(event.position().toPoint()))
        self._choose()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.end()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        place = self.cursorRect()
        painter.setPen(QPen(QColor(self._theme.colours.accent), 2))
        painter.drawLine(place.topLeft(), place.bottomLeft())

    def _choose(self) -> None:
        segment_id, offset = self._segment_id, self.caret
        self._segment_id = ""
        self.hide()
        self.left.emit(True)
        self.chosen.emit(segment_id, offset)


def best_place(text: str) -> int:
    """The place that is probably wanted: behind the end of a sentence, or a pause, next to the middle."""
    middle = len(text) // 2
    for mark in (_END, _PAUSE):
        places = [found.end() for found in mark.finditer(text) if found.end() < len(text)]
        if places:
            return min(places, key=lambda place: abs(place - middle))
    return middle

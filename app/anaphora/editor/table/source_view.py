"""The source of the current segment, for reading, copying, and choosing a place to split."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from anaphora.core.search import SearchQuery
from anaphora.core.segment import Segment
from anaphora.core.tags import labels_of, marks_of
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_delegate import explained_format
from anaphora.editor.table.tag_edit import TagEdit
from anaphora_text.punctuation import CLOSING, PAUSES, SENTENCE_ENDS, WIDE_PAUSES, WIDE_SENTENCE_ENDS, one_of

_END, _PAUSE = (
    re.compile(rf"{one_of(marks)}{one_of(CLOSING)}*\s*")
    for marks in (SENTENCE_ENDS + WIDE_SENTENCE_ENDS + "…", PAUSES + WIDE_PAUSES)
)
_POPUPS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class SourceView(TagEdit):
    """Shows a source text that can be selected by mouse and keyboard, but not changed.

    While the user chooses a split, the arrow keys and the mouse move the caret to the beginning of the second
    part; Enter or a double click splits, Escape cancels.

    Signals:
        pointed: offset of a double-clicked word.
        chosen: (segment id, offset in its source) of the split.
        left: the choice is over; True if a key ended it, so that the focus should return to the translation.
    """

    pointed = Signal(int)
    chosen = Signal(str, int)
    left = Signal(bool)
    is_choosing = False

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._name = ""
        self._segment_id = ""
        self._spans: Sequence[tuple[int, int]] = ()
        self.setObjectName("sourceView")
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )

    def show_segment(self, segment: Segment) -> None:
        self.end_choice()
        self._segment_id = segment.id
        self.set_marks(marks_of(segment), labels_of(segment))
        self.fill(segment.source)
        self.put_caret(0)
        self.mark(())

    def mark(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark the source words of the explained word of the target."""
        self._spans = spans
        look = explained_format(self._theme)
        explained = [self.selection_of(start, end, look) for start, end in spans]
        self.setExtraSelections([*self.found_marks(), *explained])

    def seek(self, query: SearchQuery | None) -> None:
        super().seek(query)
        self.mark(self._spans)

    # Position of the split

    def begin_choice(self) -> None:
        """Let the user choose where the second part begins."""
        self.is_choosing, self._name = True, self.accessibleName()
        self.setAccessibleName(
            QCoreApplication.translate("SplitPicker", "Source: choose where the second part begins")
        )
        shown = self.shown()
        self.put_caret(shown.offset(best_place(shown.text)))
        self.setFocus()

    def end_choice(self, by_key: bool = False) -> None:
        if self.is_choosing:
            self.is_choosing = False
            self.setAccessibleName(self._name)
            self.viewport().update()
            self.left.emit(by_key)

    def event(self, event: QEvent) -> bool:
        if self.is_choosing and event.type() is QEvent.Type.ShortcutOverride:
            # During the choice, no key triggers a shortcut.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if self.is_choosing and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif self.is_choosing and event.key() == Qt.Key.Key_Escape:
            self.end_choice(by_key=True)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        place = self.cursorForPosition(event.position().toPoint())
        if self.is_choosing:
            self.setTextCursor(place)
            self._choose()
            return
        super().mouseDoubleClickEvent(event)
        self.pointed.emit(self.shown().offset(place.position()))

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        if event.reason() not in _POPUPS:
            self.end_choice()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if self.is_choosing:
            painter = QPainter(self.viewport())
            place = self.cursorRect()
            painter.setPen(QPen(QColor(self._theme.colours.accent), 2))
            painter.drawLine(place.topLeft(), place.bottomLeft())

    def _choose(self) -> None:
        offset = self.caret
        self.end_choice(by_key=True)
        self.chosen.emit(self._segment_id, offset)


def best_place(text: str) -> int:
    """The likely place for a split: the sentence end or pause nearest to the middle."""
    middle = len(text) // 2
    for mark in (_END, _PAUSE):
        places = [found.end() for found in mark.finditer(text) if found.end() < len(text)]
        if places:
            return min(places, key=lambda place: abs(place - middle))
    return middle

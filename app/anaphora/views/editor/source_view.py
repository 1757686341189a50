"""The source of the current segment: read, selected, copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from anaphora.core.search import SearchQuery
from anaphora.core.segment import Segment
from anaphora.core.tags import labels_of, marks_of
from anaphora.views.appearance.theme import Theme
from anaphora.views.editor.segment_delegate import explained_format
from anaphora.views.editor.tag_edit import TagEdit


class SourceView(TagEdit):
    """Shows a source text that can be selected by mouse and keyboard, but not changed."""

    pointed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._spans: Sequence[tuple[int, int]] = ()
        self.setObjectName("sourceView")
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )

    def show_segment(self, segment: Segment) -> None:
        self.set_marks(marks_of(segment), labels_of(segment))
        self.fill(segment.source)
        self.put_caret(0)
        self.mark(())

    def mark(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark the words that stand behind the explained word of the target."""
        self._spans = spans
        look = explained_format(self._theme)
        explained = [self.selection_of(start, end, look) for start, end in spans]
        self.setExtraSelections([*self.found_marks(), *explained])

    def seek(self, query: SearchQuery | None) -> None:
        super().seek(query)
        self.mark(self._spans)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mouseDoubleClickEvent(event)
        self.pointed.emit(self.shown().offset(self.cursorForPosition(event.position().toPoint()).position()))

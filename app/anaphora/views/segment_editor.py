"""The one live editor of the segment table."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from anaphora.core.segment import Segment, Status
from anaphora.views.input_guard import InputGuard
from anaphora.views.segment_delegate import PADDING_X, PADDING_Y, any_of, term_format
from anaphora.views.text_layouts import TAG
from anaphora.views.theme import Theme


class _TagHighlighter(QSyntaxHighlighter):
    """Colours inline tags."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:  # noqa: N802
        text_format = QTextCharFormat()
        text_format.setForeground(QColor(self._theme.colours.accent))
        for tag in TAG.finditer(text):
            self.setFormat(tag.start(), len(tag.group()), text_format)


class SegmentEditor(QPlainTextEdit):
    """Edits the target of the current segment, where the table paints it otherwise.

    It has no history of its own: undoing goes through the window's history, which also holds what
    the memory learned.

    Signals:
        typed: (segment id, text) after each change by the user.
        caret_moved: offset of the caret in the text.
        page_requested: -1 or 1: a page up or down in the table.
    """

    typed = Signal(str, str)
    caret_moved = Signal(int)
    page_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._segment_id = ""
        self._filling = False
        self._late_text: str | None = None
        self._marked: tuple[int, int] | None = None
        self._terms: tuple[str, ...] = ()
        self._window_keys: frozenset[QKeySequence] = frozenset()
        self.guard = InputGuard(self)
        self.setObjectName("segmentEditor")
        self.setAccessibleName(self.tr("Translation of the current segment"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        # A dropped file is for the window to open, not for the text.
        self.setAcceptDrops(False)
        self.viewport().setAcceptDrops(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.set_shift(0)
        self._tags = _TagHighlighter(self.document(), theme)
        self.textChanged.connect(self._report_text)
        self.cursorPositionChanged.connect(self._report_caret)
        theme.changed.connect(self._paint_mark)

    @property
    def segment_id(self) -> str:
        """The segment that is being edited, empty for none."""
        return self._segment_id

    def show_segment(self, segment: Segment) -> None:
        """Edit another segment."""
        self._segment_id = segment.id
        self._late_text = None
        self.setReadOnly(segment.status is Status.LOCKED)
        self._fill(segment.target)
        self.mark(None)

    def sync(self, segment: Segment) -> None:
        """Take over what became of the segment elsewhere (a draft, an undo), with the caret where it was."""
        if segment.id != self._segment_id:
            return
        self.setReadOnly(segment.status is Status.LOCKED)
        if self.toPlainText() == segment.target:
            return
        if self.guard.composing:
            self._late_text = segment.target
            return
        self._fill(segment.target)

    def set_shift(self, pixels: int) -> None:
        """Move the text down, to where the table paints it when it is not being edited."""
        self.setViewportMargins(PADDING_X, PADDING_Y + pixels, PADDING_X, 0)

    def mark(self, span: tuple[int, int] | None) -> None:
        """Paint a stretch of the text as the selected word."""
        self._marked = span
        self._paint_mark()

    def mark_terms(self, words: tuple[str, ...]) -> None:
        """Mark words that belong to terms with several renderings."""
        if words != self._terms:
            self._terms = words
            self._paint_mark()

    def set_window_keys(self, keys: Iterable[QKeySequence]) -> None:
        """Leave keys to the window that the text would take for itself."""
        self._window_keys = frozenset(keys)

    def text_height(self) -> int:
        """The height of the text in pixels, without its margins."""
        layout = self.document().documentLayout()
        block = self.document().firstBlock()
        height = 0.0
        while block.isValid():
            height += layout.blockBoundingRect(block).height()
            block = block.next()
        return round(height)

    def put_caret(self, offset: int) -> None:
        """Move the caret."""
        cursor = self.textCursor()
        cursor.setPosition(min(offset, len(self.toPlainText())))
        self.setTextCursor(cursor)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if QKeySequence(keys.value | event.key()) in self._window_keys:
                event.ignore()
                return True
        return super().event(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802
        super().inputMethodEvent(event)
        if not event.preeditString() and self._late_text is not None:
            late, self._late_text = self._late_text, None
            if not event.commitString():
                self._fill(late)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & (
            Qt.KeyboardModifier.ShiftModifier
        ):
            # Enter neither confirms nor breaks a sentence in two; Shift+Enter breaks the line.
            event.accept()
        elif event.key() == Qt.Key.Key_PageUp:
            self.page_requested.emit(-1)
        elif event.key() == Qt.Key.Key_PageDown:
            self.page_requested.emit(1)
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        """Paste as one line: a line break would cut the segment in two in the exported document."""
        if source.hasText():
            self.textCursor().insertText(
                " ".join(source.text().split()) if "\n" in source.text() else source.text()
            )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mouseReleaseEvent(event)
        self._report_caret()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self._report_caret()

    def wheelEvent(self, event: object) -> None:  # noqa: N802
        event.ignore()  # type: ignore[attr-defined]

    def _fill(self, text: str) -> None:
        caret = self.textCursor().position()
        self._filling = True
        self.setPlainText(text)
        self._filling = False
        cursor = self.textCursor()
        cursor.setPosition(min(caret, len(text)))
        self.setTextCursor(cursor)

    def _report_text(self) -> None:
        if not self._filling and self._segment_id:
            self.typed.emit(self._segment_id, self.toPlainText())

    def _report_caret(self) -> None:
        if not self._filling and self._segment_id:
            self.caret_moved.emit(self.textCursor().position())

    def _paint_mark(self) -> None:
        selections = []
        if self._terms:
            look = term_format(self._theme)
            for match in any_of(self._terms).finditer(self.toPlainText()):
                selections.append(self._selection(*match.span(), look))
        if self._marked is not None:
            text_format = QTextCharFormat()
            text_format.setBackground(QColor(self._theme.colours.selection))
            selections.append(self._selection(*self._marked, text_format))
        self.setExtraSelections(selections)

    def _selection(self, start: int, end: int, text_format: QTextCharFormat) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        length = len(self.toPlainText())
        cursor.setPosition(min(start, length))
        cursor.setPosition(min(end, length), QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor  # type: ignore[attr-defined]
        selection.format = text_format  # type: ignore[attr-defined]
        return selection

"""A text field that shows tags as chips, which can be deleted only as a whole and not changed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QMimeData, QStringListModel, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QMouseEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QToolTip, QWidget

from anaphora.core.language_pair import is_right_to_left
from anaphora.core.search import SearchQuery
from anaphora.core.structure import MAX_TARGET_LENGTH
from anaphora.core.tags import MARK, marks_in_words, place_for_mark, wrong_marks
from anaphora.core.text import without_controls
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_delegate import word_looks
from anaphora.editor.widgets.sentence import plain_tip
from anaphora.editor.widgets.tag_chips import (
    OBJECT_TYPE,
    STAND_IN,
    ChipPainter,
    ShownText,
    chip_tip,
    in_units,
    insert_shown,
    mark_of,
    read_shown,
    shown_text,
    styled_stretches,
)
from anaphora_text.unspaced import has_unspaced, word_edges


def mime_text(text: str) -> QMimeData:
    """Plain text for the clipboard. Qt creates the object, because the clipboard may outlive Python."""
    model = QStringListModel([text])
    data = model.mimeData([model.index(0)])
    data.clear()
    data.setText(text)
    return data


class _LookHighlighter(QSyntaxHighlighter):
    def __init__(self, edit: TagEdit) -> None:
        super().__init__(edit.document())
        self._edit = edit

    def highlightBlock(self, text: str) -> None:  # noqa: N802
        if STAND_IN not in text and "{" not in text:
            return
        offset, length = self.currentBlock().position(), self.currentBlock().length()
        for start, end, look in self._edit.cached_looks():
            first, last = max(start - offset, 0), min(end - offset, length - 1)
            if first < last:
                self.setFormat(first, last - first, look)


class TagEdit(QPlainTextEdit):
    """Shows a text with its tags as chips.

    In a cursor position, a chip counts as one character. In an *offset*, its tag counts with all characters,
    such as three for `{1}`. Callers use offsets.

    Signals:
        paste_refused: the maximum number of characters, when a text is too long to be pasted.
    """

    paste_refused = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marks: tuple[str, ...] = ()
        self.right_to_left = False
        self._in_words: frozenset[str] = frozenset()
        self._query: SearchQuery | None = None
        self._labels: Mapping[str, str] = {}
        self._theme = theme
        self._filling = self._is_word_selected = False
        self._chips = ChipPainter(theme, self.font(), self)
        self._shown: ShownText | None = None
        self._cached_looks: list[tuple[int, int, QTextCharFormat]] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        # The window opens dropped files.
        self.setAcceptDrops(False)
        self.viewport().setAcceptDrops(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._prevent_scrolling())
        self.document().setDocumentMargin(0)
        self.document().documentLayout().registerHandler(OBJECT_TYPE, self._chips)
        self.document().contentsChange.connect(self._forget_shown)
        self._highlighter = _LookHighlighter(self)
        theme.changed.connect(self._forget_looks)
        self.cursorPositionChanged.connect(self._leave_chip_format)
        theme.changed.connect(self.viewport().update)

    def _prevent_scrolling(self) -> None:
        """Remove the scroll range, because Qt would scroll to a new line before the field grows."""
        if self.verticalScrollBar().maximum():
            self.verticalScrollBar().setRange(0, 0)

    # Texts and offsets

    def shown(self) -> ShownText:
        if self._shown is None:
            self._shown = read_shown(self.document())
        return self._shown

    def toPlainText(self) -> str:  # noqa: N802
        return self.shown().full_text()

    def set_marks(self, marks: tuple[str, ...], labels: Mapping[str, str], source: str = "") -> None:
        """Set the tags to show as chips. Tags inside words of `source` may be put inside target words."""
        self.marks, self._labels = marks, labels
        self._in_words = marks_in_words(source)

    def fill(self, text: str) -> None:
        """Replace the text, and keep the caret at its offset."""
        offset = self.shown().offset(self.textCursor().position())
        was_filling, self._filling = self._filling, True
        shown = shown_text(text, self.marks)
        self.setPlainText("" if shown.marks else shown.text)
        if shown.marks:
            insert_shown(QTextCursor(self.document()), shown, self._labels)
        self._filling = was_filling
        self.follow_direction()
        self.check_chips(shown)
        self.put_caret(min(offset, len(text)))

    def follow_direction(self) -> None:
        """Set the text's direction from its first letter; without letters, from `right_to_left`."""
        wanted = is_right_to_left(self.document().toPlainText(), self.right_to_left)
        option = self.document().defaultTextOption()
        if wanted == (option.textDirection() is Qt.LayoutDirection.RightToLeft):
            return
        sides = Qt.LayoutDirection
        option.setTextDirection(sides.RightToLeft if wanted else sides.LayoutDirectionAuto)
        side = Qt.AlignmentFlag.AlignRight if wanted else Qt.AlignmentFlag.AlignLeft
        option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
        self.document().setDefaultTextOption(option)

    def put_caret(self, offset: int) -> None:
        cursor = self.textCursor()
        shown = self.shown()
        cursor.setPosition(min(max(shown.place(offset), 0), len(shown.text)))
        self.setTextCursor(cursor)

    @property
    def caret(self) -> int:
        return self.shown().offset(self.textCursor().position())

    def cached_looks(self) -> list[tuple[int, int, QTextCharFormat]]:
        if self._cached_looks is None:
            self._cached_looks = self.looks()
        return self._cached_looks

    def _forget_looks(self) -> None:
        self._cached_looks = None
        was_filling, self._filling = self._filling, True  # Qt reports a new format as a change of the text
        self._highlighter.rehighlight()
        self._filling = was_filling

    def looks(self) -> list[tuple[int, int, QTextCharFormat]]:
        """The styled stretches, such as bold text, as (start, end, format) in cursor positions."""
        return [
            (stretch.start, stretch.end, stretch.text_format())
            for stretch in styled_stretches(self.shown(), self._labels)
        ]

    def selected_text(self) -> str:
        """The selected text without tags, on one line."""
        cursor = self.textCursor()
        selected = self._between(cursor.selectionStart(), cursor.selectionEnd())
        return " ".join(ShownText(selected.text).full_text().replace(STAND_IN, "").split())

    def text_height(self) -> int:
        """The height of the text in pixels, without margins."""
        layout = self.document().documentLayout()
        block = self.document().firstBlock()
        height = 0.0
        while block.isValid():
            height += layout.blockBoundingRect(block).height()
            block = block.next()
        return round(height)

    def first_baseline(self) -> float:
        """The position of the first baseline, in pixels below the field's upper edge."""
        block = self.document().firstBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        layout = block.layout()
        ascent = layout.lineAt(0).ascent() if layout.lineCount() else self.fontMetrics().ascent()
        return self.viewport().y() + top + ascent

    def check_chips(self, shown: ShownText) -> None:
        """Draw chips as wrong if their tags are surplus or cross other tags."""
        indexes = wrong_marks(self.marks, [mark for _, mark in shown.marks]) if shown.marks else ()
        wrong = frozenset(shown.marks[index][0] for index in indexes)
        if wrong != self._chips.wrong:
            self._chips.wrong = wrong
            self.viewport().update()

    def replace_written_marks(self) -> None:
        document = self.document()
        text = in_units(document.toPlainText())
        if "{" not in text:
            return
        typed_tags = [match for match in MARK.finditer(text) if match.group() in self.marks]
        for match in reversed(typed_tags):
            cursor = QTextCursor(document)
            cursor.setPosition(match.start())
            cursor.setPosition(match.end(), QTextCursor.MoveMode.KeepAnchor)
            insert_shown(cursor, shown_text(match.group(), self.marks), self._labels)

    # The clipboard

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802
        cursor = self.textCursor()
        return mime_text(self._between(cursor.selectionStart(), cursor.selectionEnd()).full_text())

    def _between(self, start: int, end: int) -> ShownText:
        shown = self.shown()
        marks = tuple((place - start, mark) for place, mark in shown.marks if start <= place < end)
        return ShownText(shown.text[start:end], marks)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        """Paste as one line, because a line break would split the exported segment; refuse a long text."""
        if source.hasText():
            if len(source.text()) + len(self.toPlainText()) > MAX_TARGET_LENGTH:
                self.paste_refused.emit(MAX_TARGET_LENGTH)
                return
            text = without_controls(source.text().replace(STAND_IN, ""))
            self.type_text(text if text.splitlines() == [text] else " ".join(text.split()))

    def type_text(self, text: str) -> None:
        """Insert a text, with its tags as chips, in place of the selection."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        insert_shown(cursor, shown_text(text, self.marks), self._labels)
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._chips.set_font(self.font())

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Ignore the wheel, so that it scrolls the table."""
        event.ignore()

    # The mouse

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Select a word, also in scripts without spaces, in which Qt does not find words."""
        super().mouseDoubleClickEvent(event)
        cursor = self.cursorForPosition(event.position().toPoint())
        place = cursor.position() - (event.position().x() < self.cursorRect(cursor).x())
        text = self.shown().text
        if has_unspaced(text[max(place, 0) : place + 1]):
            ends = sorted(word_edges(text))
            after = bisect_right(ends, place)
            cursor.setPosition(ends[after - 1])
            cursor.setPosition(ends[after], QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self._is_word_selected = True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if not self._is_word_selected:  # Qt would extend the selection to words that it finds itself
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._is_word_selected = False
        super().mouseReleaseEvent(event)

    # Chips

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            near = self.cursorForPosition(event.pos()).position()
            mark = self._mark_at(near) or self._mark_at(near - 1)
            tip = plain_tip(chip_tip(mark, self._labels)) if mark else ""
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().viewportEvent(event)

    def place_for(self, text: str, offset: int, mark: str) -> int:
        return offset if mark in self._in_words else place_for_mark(text, offset, mark)

    def _mark_at(self, position: int) -> str:
        if self.document().characterAt(position) != STAND_IN:
            return ""
        cursor = QTextCursor(self.document())
        cursor.setPosition(position + 1)
        return mark_of(cursor.charFormat())

    def _forget_shown(self, *_: int) -> None:
        self._shown = self._cached_looks = None

    def _leave_chip_format(self) -> None:
        if not self.textCursor().hasSelection() and mark_of(self.currentCharFormat()):
            self.setCurrentCharFormat(QTextCharFormat())

    def mark_matches(self, query: SearchQuery | None) -> None:
        self._query = query

    def match_selections(self) -> list[QTextEdit.ExtraSelection]:
        looks = word_looks(self._theme, self.toPlainText(), self.marks, self._query)
        return [self.selection_of(*look) for look in looks]

    def select_span(self, span: tuple[int, int]) -> None:
        shown, cursor = self.shown(), self.textCursor()
        cursor.setPosition(shown.place(span[0]))
        cursor.setPosition(shown.place(span[1]), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def selection_of(self, start: int, end: int, text_format: QTextCharFormat) -> QTextEdit.ExtraSelection:
        shown = self.shown()
        length = len(shown.text)
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(shown.place(start), length))
        cursor.setPosition(min(shown.place(end), length), QTextCursor.MoveMode.KeepAnchor)
        selection = QTextEdit.ExtraSelection()
        selection.cursor = cursor  # type: ignore[attr-defined]
        selection.format = text_format  # type: ignore[attr-defined]
        return selection

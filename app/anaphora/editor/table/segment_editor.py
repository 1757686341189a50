"""The editor of the current segment's target, with a suggested text in grey after the caret."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from anaphora.core.drafts import proposal_of
from anaphora.core.influence_marks import InfluenceMark, mark_under
from anaphora.core.search import SearchQuery
from anaphora.core.segment import Segment, Status
from anaphora.core.structure import Structure, glimpse, structure_of
from anaphora.core.tags import MARK, labels_of, marks_of, missing_marks, opens, partner
from anaphora.core.text import NEXT_WORD, carried_spans
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_delegate import doubt_format, explained_format, word_looks
from anaphora.editor.table.tag_edit import TagEdit
from anaphora.editor.widgets.filter_chips import InputGuard
from anaphora.editor.widgets.sentence import plain_tip
from anaphora.editor.widgets.tag_chips import LINE_BREAK, in_units
from anaphora_nmt.types import WordQuality


class GhostText:
    """Shows a suggested text at the caret as preedit text, so that it wraps with the other text."""

    def __init__(self, edit: QPlainTextEdit, theme: Theme) -> None:
        self.text = ""
        self._edit = edit
        self._theme = theme

    def show(self, text: str) -> bool:
        """Show a text at the caret in place of the shown one; False if the two are equal."""
        if text == self.text:
            return False
        self._put(text)
        return True

    def repaint(self) -> None:
        self._put(self.text)

    def _put(self, text: str) -> None:
        self.text = text
        shown = MARK.sub("", text)
        caret = self._edit.textCursor()
        block = self._edit.document().firstBlock()
        cursor = QTextCursor(self._edit.document())
        cursor.beginEditBlock()
        while block.isValid():
            part = shown if block == caret.block() else ""
            self._put_into(block, caret.positionInBlock() if part else -1, part)
            block = block.next()
        cursor.endEditBlock()

    def _put_into(self, block: QTextBlock, place: int, text: str) -> None:
        layout = block.layout()
        if not text and not layout.preeditAreaText():
            return
        looks = [each for each in layout.formats() if each.start < block.length() - 1]  # type: ignore[attr-defined]
        layout.setPreeditArea(place, text)
        if text:
            look = QTextCharFormat()
            look.setForeground(QColor(self._theme.colours.muted))
            look.setFontItalic(True)
            stretch = QTextLayout.FormatRange()
            stretch.start, stretch.length = place, len(in_units(text))  # type: ignore[attr-defined]
            stretch.format = look  # type: ignore[attr-defined]
            looks.append(stretch)
        layout.setFormats(looks)


class SegmentEditor(TagEdit):
    """Edits the target of the current segment.

    The editor has no undo history; undo uses the window's history, which includes the memory.

    Signals:
        typed: (segment id, text) after each change by the user.
        caret_moved: the offset of the caret in the text.
        page_requested: -1 to move a page up in the table, 1 to move a page down.
    """

    typed = Signal(str, str)
    caret_moved = Signal(int)
    page_requested = Signal(int)
    key_struck = Signal()
    enter_refused = Signal()
    ghost_changed = Signal()
    ghost_refused = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._segment_id = ""
        self._proposal = ""
        self._late_text: str | None = None
        self._marked: tuple[int, int] | None = None
        self._terms: tuple[str, ...] = ()
        self._influence: tuple[InfluenceMark, ...] = ()
        self._doubtful: tuple[WordQuality, ...] = ()
        self._misspelt: tuple[str, tuple[tuple[int, int], ...]] = ("", ())
        self.influence_tip: Callable[[InfluenceMark], str] = lambda mark: ""
        self._breaks_lines = False
        self._window_keys: frozenset[QKeySequence] = frozenset()
        self._carry_out: Callable[[QKeySequence], bool] = lambda keys: False
        self.guard = InputGuard(self)
        self._ghost = GhostText(self, theme)
        self._had_ghost = False
        self._composed_over = ""
        self.setObjectName("segmentEditor")
        self.textChanged.connect(self._report_text)
        self.cursorPositionChanged.connect(self._report_caret)
        theme.changed.connect(self._paint_mark)
        theme.changed.connect(self._repaint_ghost)

    @property
    def segment_id(self) -> str:
        return self._segment_id

    def show_segment(self, segment: Segment) -> None:
        self._segment_id = segment.id
        self._late_text = None
        self.setReadOnly(segment.status is Status.LOCKED)
        self.set_marks(marks_of(segment), labels_of(segment), segment.source)
        self._breaks_lines = structure_of(segment).kind is Structure.CUE
        self.fill(segment.target)
        self.put_caret(0)
        self._proposal = ""
        self._offer(segment)
        self.mark(None)

    def sync(self, segment: Segment) -> None:
        """Show a target that was changed elsewhere, without moving the caret; wait while text is composed."""
        if segment.id != self._segment_id:
            return
        segment = glimpse(segment)
        self.setReadOnly(segment.status is Status.LOCKED)
        if self.toPlainText() == segment.target:
            self._offer(segment)
            return
        if self.guard.composing:
            self._late_text = segment.target
            return
        self._proposal = ""
        self.fill(segment.target)
        self._offer(segment)

    def mark(self, span: tuple[int, int] | None) -> None:
        self._marked = span
        self._paint_mark()

    def mark_words(
        self,
        terms: tuple[str, ...],
        influence: tuple[InfluenceMark, ...],
        doubtful: tuple[WordQuality, ...],
    ) -> None:
        if (terms, influence, doubtful) != (self._terms, self._influence, self._doubtful):
            self._terms, self._influence, self._doubtful = terms, influence, doubtful
            self._paint_mark()

    def mark_misspelt(self, text: str, spans: tuple[tuple[int, int], ...]) -> None:
        """Mark misspelt words as long as the editor contains `text`."""
        if (text, spans) != self._misspelt:
            self._misspelt = text, spans
            self._paint_mark()

    def misspelt_at(self, offset: int) -> tuple[int, int] | None:
        """The span of the misspelt word that contains or touches an offset, or None."""
        text, spans = self._misspelt
        if text != self.toPlainText():
            return None
        return next((span for span in spans if span[0] <= offset <= span[1]), None)

    def replace_span(self, span: tuple[int, int], text: str) -> None:
        self.select_span(span)
        self.type_text(text)

    def mark_matches(self, query: SearchQuery | None) -> None:
        super().mark_matches(query)
        self._paint_mark()

    def change_case(self) -> bool:
        """Change the case of the selection or of the word at the caret; False if nothing changes."""
        cursor, caret = self.textCursor(), self.caret
        selected = cursor.hasSelection()
        if not selected:
            cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        shown = self.shown()
        start, end = shown.offset(cursor.selectionStart()), shown.offset(cursor.selectionEnd())
        text, locale = self.toPlainText()[start:end], self.locale()
        small, large = locale.toLower(text), locale.toUpper(text)
        initial = locale.toUpper(text[:1]) + small[1:]
        changed = {small: initial, initial: large, large: small}.get(text, small)
        if self.isReadOnly() or changed == text:
            return False
        self.replace_span((start, end), changed)
        end = start + len(changed)
        if selected:
            self.select_span((start, end))
        else:
            self.put_caret(min(caret, end))
        return True

    def _carry_misspelt(self) -> None:
        text, spans = self._misspelt
        if spans:
            now = self.toPlainText()
            self._misspelt = now, carried_spans(text, now, spans)

    def set_window_keys(
        self, keys: Iterable[QKeySequence], carry_out: Callable[[QKeySequence], bool]
    ) -> None:
        """Pass these keys to `carry_out`, which returns True if it has handled a key.

        In the editor, these keys are not shortcuts. If the window was busy, Qt would run a shortcut before it
        inserts letters that were typed earlier, and these letters would get into the next segment.
        """
        self._window_keys = frozenset(keys)
        self._carry_out = carry_out

    # The text after the caret: a completion or a proposal

    @property
    def ghost(self) -> str:
        """The grey text after the caret; Tab accepts it, Ctrl+Right accepts one word, Esc rejects it."""
        return self._ghost.text

    def show_ghost(self, text: str) -> None:
        """Show a grey text at the caret; an empty text hides it."""
        was_filling, self._filling = self._filling, True
        changed = self._ghost.show(text)
        self._filling = was_filling
        if changed:
            self.ghost_changed.emit()

    def show_proposal(self) -> None:
        if self._ghost.text:
            self.show_ghost(self._proposal)

    def _offer(self, segment: Segment) -> None:
        wanted = proposal_of(segment.state)
        if self.guard.composing:  # show it later if the composition is cancelled
            if self._composed_over in ("", self._proposal):
                self._composed_over = wanted
        elif self._ghost.text in ("", self._proposal) and wanted != self._proposal:
            self.show_ghost(wanted)
        self._proposal = wanted

    def fill(self, text: str) -> None:
        self.show_ghost("")
        self._composed_over = ""
        super().fill(text)

    def _repaint_ghost(self) -> None:
        if self._ghost.text:
            was_filling, self._filling = self._filling, True
            self._ghost.repaint()
            self._filling = was_filling

    def _handle_ghost_key(self, event: QKeyEvent) -> bool:
        text = self._ghost.text
        if not text:
            return False
        key, control = event.key(), Qt.KeyboardModifier.ControlModifier
        if key == Qt.Key.Key_Escape:
            self.show_ghost("")
            self.ghost_refused.emit()
        elif key == Qt.Key.Key_Tab and not event.modifiers():
            self.show_ghost("")
            self.type_text(text)
        elif key == Qt.Key.Key_Right and event.modifiers() == control:
            self.show_ghost("")
            word = NEXT_WORD.match(text)
            self.type_text(word.group() if word else text)
        else:
            return False
        event.accept()
        return True

    # Tags

    def looks(self) -> list[tuple[int, int, QTextCharFormat]]:
        """The formats of styled text, and of text that only looks like a tag and is exported as text."""
        foreign = QTextCharFormat()
        foreign.setForeground(QColor(self._theme.colours.warning))
        text = self.document().toPlainText()
        strays = [(tag.start(), tag.end(), foreign) for tag in MARK.finditer(text)] if "{" in text else []
        return [*super().looks(), *strays]

    def insert_tag(self) -> bool:
        """Insert the next missing tag, or a pair around the selection; False if nothing can be inserted."""
        missing = missing_marks(self.marks, self.toPlainText())
        if not missing or self.isReadOnly():
            return False
        if self.textCursor().hasSelection() and opens(missing[0]) and partner(missing[0]) in missing:
            return self.insert_pair()
        self.put_caret(self.place_for(self.toPlainText(), self.caret, missing[0]))
        self.type_text(missing[0])
        return True

    def insert_pair(self) -> bool:
        """Put the next missing pair around the selection or word; False if nothing can be inserted."""
        missing = missing_marks(self.marks, self.toPlainText())
        opening = next((mark for mark in missing if opens(mark) and partner(mark) in missing), "")
        if not opening or self.isReadOnly():
            return False
        cursor = self.textCursor()
        if not cursor.hasSelection():
            cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        shown, text = self.shown(), self.toPlainText()
        start, end = (
            shown.place(self.place_for(text, shown.offset(place), mark))
            for place, mark in (
                (cursor.selectionStart(), opening),
                (cursor.selectionEnd(), partner(opening)),
            )
        )
        cursor.beginEditBlock()
        for place, mark in ((end, partner(opening)), (start, opening)):
            self._insert_mark(place, mark)
        cursor.endEditBlock()
        cursor.setPosition(end + 1 if end > start else start + 1)
        self.setTextCursor(cursor)
        return True

    def _insert_mark(self, place: int, mark: str) -> None:
        cursor = self.textCursor()
        cursor.setPosition(place)
        self.setTextCursor(cursor)
        self.type_text(mark)

    # Events

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            offset = self.shown().offset(self.cursorForPosition(event.pos()).position())
            mark = mark_under(self._influence, offset)
            if mark is not None:
                QToolTip.showText(event.globalPos(), plain_tip(self.influence_tip(mark)), self)
                return True
        return super().viewportEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        return False

    def event(self, event: QEvent) -> bool:
        is_override = event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_override and _sequence(cast(QKeyEvent, event)) in self._window_keys:
            event.accept()
            return True
        return super().event(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802
        ghost = self._ghost.text
        self.show_ghost("")
        super().inputMethodEvent(event)
        self._restore_ghost(event, ghost)
        if not event.preeditString() and self._late_text is not None:
            late, self._late_text = self._late_text, None
            if not event.commitString():
                self.fill(late)

    def _restore_ghost(self, event: QInputMethodEvent, ghost: str) -> None:
        """Show the grey text again when a composition is cancelled, or after an event without any text."""
        if event.preeditString():
            self._composed_over = ghost or self._composed_over
            return
        ghost, self._composed_over = ghost or self._composed_over, ""
        if ghost and not event.commitString() and not event.replacementLength():
            self.show_ghost(ghost)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        keys = _sequence(event)
        self._had_ghost = bool(self._ghost.text)
        if (keys in self._window_keys and self._carry_out(keys)) or self._handle_ghost_key(event):
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & (
            Qt.KeyboardModifier.ShiftModifier
        ):
            # Enter alone never confirms a segment; it inserts a line break only in subtitles.
            event.accept()
            if self._breaks_lines and not self.isReadOnly():
                self.textCursor().insertText(LINE_BREAK)
                self.key_struck.emit()
            else:
                self.enter_refused.emit()
        elif event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            # A translation contains no tabs, and Tab must not move the focus by mistake.
            event.accept()
        elif event.key() == Qt.Key.Key_PageUp:
            self.page_requested.emit(-1)
        elif event.key() == Qt.Key.Key_PageDown:
            self.page_requested.emit(1)
        else:
            if event.text() or event.matches(QKeySequence.StandardKey.Paste):
                self.show_ghost("")  # otherwise it would be in the middle of the typed text
            super().keyPressEvent(event)
            self.key_struck.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mouseReleaseEvent(event)
        self._report_caret()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self._report_caret()

    def _report_text(self) -> None:
        if self._filling or not self._segment_id or self.isReadOnly():
            return
        self.show_ghost("")
        self._carry_misspelt()
        self._filling = True
        self.replace_written_marks()
        self._filling = False
        self.follow_direction()
        shown = self.shown()
        self.check_chips(shown)
        if self._query is not None or self._misspelt[1]:
            # Qt reports a moved caret before the changed text, so the marks are still those of the old text.
            self._paint_mark()
        self._show_at_once()
        self.typed.emit(self._segment_id, shown.full_text())

    def _show_at_once(self) -> None:
        """Paint typed text before the rest of the window reacts; skipped where this would flicker."""
        if not self._had_ghost and self.text_height() <= self.viewport().height():
            self.viewport().repaint()

    def _report_caret(self) -> None:
        if not self._filling and self._segment_id:
            if self._ghost.text and self.textCursor().position() != len(self.shown().text):
                self.show_ghost("")
            self.caret_moved.emit(self.caret)

    def _paint_mark(self) -> None:
        text = self.toPlainText()
        marked = self._terms, self._influence, self._doubtful
        looks = word_looks(self._theme, text, self.marks, self._query, *marked)
        if self._misspelt[0] == text:
            looks += [(*span, doubt_format(self._theme, True)) for span in self._misspelt[1]]
        if self._marked is not None:
            looks.append((*self._marked, explained_format(self._theme)))
        self.setExtraSelections([self.selection_of(*look) for look in looks])


def _sequence(event: QKeyEvent) -> QKeySequence:
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(modifiers.value | event.key())

"""The card that shows the current segment in the table: source, editor, state and the Confirm button."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QPointF, QRect, QRectF, QSysInfo, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from anaphora.core.drafts import proposal_of
from anaphora.core.language_pair import LanguagePair
from anaphora.core.search import SearchQuery
from anaphora.core.segment import Segment, Status
from anaphora.core.structure import BlockStructure, glimpse, structure_of
from anaphora.core.tags import labels_of, marks_of, readable_tags
from anaphora.editor.appearance.theme import STATUS_ICONS, Theme, font_for, pixmap
from anaphora.editor.table.segment_delegate import (
    LETTER_MIDDLE,
    PADDING_X,
    explained_format,
    heading_font,
    heading_level,
    paint_structure,
)
from anaphora.editor.table.segment_editor import SegmentEditor
from anaphora.editor.table.tag_edit import TagEdit
from anaphora.editor.widgets.sentence import plain_label
from anaphora_text.punctuation import CLOSING, PAUSES, SENTENCE_ENDS, WIDE_PAUSES, WIDE_SENTENCE_ENDS, one_of

_END, _PAUSE = (
    re.compile(rf"{one_of(marks)}{one_of(CLOSING)}*\s*")
    for marks in (SENTENCE_ENDS + WIDE_SENTENCE_ENDS + "…", PAUSES + WIDE_PAUSES)
)
_POPUPS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class SourceView(TagEdit):
    """Shows a source text that the user can select, but not change.

    While the user chooses where to split the segment, the arrow keys and the mouse move the caret. Enter or a
    double click splits the segment at the caret, and Escape cancels.

    Signals:
        double_clicked: the offset of the double click in the source.
        split_chosen: the segment's id, and the offset in its source at which the second part begins.
        choice_ended: True if a key or double click ended the choice, so that the editor should get the focus.
    """

    double_clicked = Signal(int)
    split_chosen = Signal(str, int)
    choice_ended = Signal(bool)
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
        """Mark the source words of the explained target word."""
        self._spans = spans
        look = explained_format(self._theme)
        explained = [self.selection_of(start, end, look) for start, end in spans]
        self.setExtraSelections([*self.match_selections(), *explained])

    def mark_matches(self, query: SearchQuery | None) -> None:
        super().mark_matches(query)
        self.mark(self._spans)

    # Position of the split

    def begin_choice(self) -> None:
        """Let the user choose where the second part begins."""
        self.is_choosing, self._name = True, self.accessibleName()
        self.setAccessibleName(
            QCoreApplication.translate("SplitPicker", "Source: choose where the second part begins")
        )
        shown = self.shown()
        self.put_caret(shown.offset(likely_split(shown.text)))
        self.setFocus()

    def end_choice(self, by_key: bool = False) -> None:
        if self.is_choosing:
            self.is_choosing = False
            self.setAccessibleName(self._name)
            self.viewport().update()
            self.choice_ended.emit(by_key)

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
        cursor = self.cursorForPosition(event.position().toPoint())
        if self.is_choosing:
            self.setTextCursor(cursor)
            self._choose()
            return
        super().mouseDoubleClickEvent(event)
        self.double_clicked.emit(self.shown().offset(cursor.position()))

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        if event.reason() not in _POPUPS:
            self.end_choice()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if self.is_choosing:
            painter = QPainter(self.viewport())
            caret = self.cursorRect()
            painter.setPen(QPen(QColor(self._theme.colours.accent), 2))
            painter.drawLine(caret.topLeft(), caret.bottomLeft())

    def _choose(self) -> None:
        offset = self.caret
        self.end_choice(by_key=True)
        self.split_chosen.emit(self._segment_id, offset)


def likely_split(text: str) -> int:
    """The likely place for a split: the sentence end, or else the pause mark, nearest to the middle."""
    middle = len(text) // 2
    for mark in (_END, _PAUSE):
        places = [match.end() for match in mark.finditer(text) if match.end() < len(text)]
        if places:
            return min(places, key=lambda place: abs(place - middle))
    return middle


GAP = 12
"""Pixels between the card and the upper and lower edges of its row."""
SIDE = 6
"""Pixels between the card and the left and right edges of the table."""
CARD_PADDING = 12
"""Pixels between the card's edge and its contents."""
PADDING = 9
"""Pixels between the editor's edge and its text."""
FOOT_HEIGHT = 30
ICON_SIZE = 18
TEXT_GROWTH = 1.5
"""Points by which the font of the card is larger than the font of other rows."""
MIN_TEXT_HEIGHT = 46
MAX_REMARKS = 5
"""Maximum number of displayed remarks; the rest is only counted, because the list of issues shows all."""


@dataclass(frozen=True, slots=True)
class CardColumns:
    """Widths of the table and of its number column, and (left, width) of source and target, in pixels."""

    width: int
    number: int
    source: tuple[int, int]
    target: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CardState:
    """The displayed state: its name and icon, remarks by the checks, and low confidence (`unsure`)."""

    status: Status
    name: str
    icon: str
    remarks: tuple[str, ...] = ()
    unsure: bool = False


def with_enter_sign(key: str) -> str:
    """A key for display, with “↵” in place of Return and Enter."""
    for enter in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        key = key.replace(QKeySequence(enter).toString(QKeySequence.SequenceFormat.NativeText), "↵")
    return key


class ActiveCard(QFrame):
    """Source and editor in the columns of the table; below them, remarks, the state and a button."""

    confirm_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._number = ""
        self._shown = CardState(Status.NOT_STARTED, "", STATUS_ICONS[Status.NOT_STARTED])
        self._columns = CardColumns(0, 0, (0, 0), (0, 0))
        self.confirm_key = ""
        self._shift = 0
        self._font = QFont(self.font())
        self._languages = LanguagePair()
        self._structure = BlockStructure()
        self.setObjectName("activeCard")
        self.source = SourceView(theme, self)
        self.editor = SegmentEditor(theme, self)
        self._icon = QLabel(self)
        self.state = plain_label()
        self.state.setParent(self)
        self.remark_icon = QLabel(self)
        self.remarks = plain_label()
        self.remarks.setParent(self)
        self.remarks.setProperty("role", "wrong")
        self.remarks.setWordWrap(True)
        self.remarks.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.confirm = QPushButton(self)
        self.confirm.setProperty("primary", True)
        self.confirm.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.confirm.clicked.connect(self.confirm_requested)
        for label in (self._icon, self.state, self.remark_icon, self.remarks):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusProxy(self.editor)
        self.editor.typed.connect(self._describe_remarks)
        theme.changed.connect(self._follow_theme)
        self._show_icons()

    def set_text_font(self, font: QFont, shift: int) -> None:
        """Show both texts in a larger font than `font`; the editor's text moves down by `shift` pixels."""
        self._font = QFont(font)
        self._shift = shift
        self._use_font()
        self.source.setViewportMargins(0, PADDING, 0, PADDING)
        self.editor.setViewportMargins(PADDING - 1, PADDING - 1 + shift, PADDING - 1, PADDING - 1)

    def set_languages(self, languages: LanguagePair) -> None:
        self._languages = languages
        self.editor.setLocale(QLocale(languages.target))
        self._use_font()

    def _use_font(self) -> None:
        level = heading_level(self._structure)
        font = heading_font(self._font, level) if level else QFont(self._font)
        font.setPointSizeF(font.pointSizeF() + TEXT_GROWTH)
        for text, code in ((self.source, self._languages.source), (self.editor, self._languages.target)):
            if (text_font := font_for(code, font)) != text.font():
                text.setFont(text_font)

    def set_confirm_key(self, key: str) -> None:
        self.confirm_key = with_enter_sign(key)
        self._name_button()

    def show_segment(self, segment: Segment, number: int, state: CardState) -> None:
        """Show another segment; `number` is the displayed number, counted from 1."""
        segment = glimpse(segment)
        self._number = str(number)
        # The name with the number comes first, so that screen readers announce it before the text.
        self._show(state)
        self._describe(segment, segment.source, segment.target or self._proposal_text(segment))
        self._structure = structure_of(segment)
        self._use_font()
        self.source.show_segment(segment)
        self.editor.show_segment(segment)
        self.source.setAccessibleName(self.tr("Source of segment {0}").format(self._number))

    def show_state(self, state: CardState) -> bool:
        """Show the segment's state; returns True if it has changed."""
        old = self._shown
        if state != old:
            self._show(state)
        if state.remarks != old.remarks:
            self._describe_remarks()
        return state != old

    def _show(self, state: CardState) -> None:
        self._shown = state
        self._fit_status()
        first, rest = state.remarks[:MAX_REMARKS], len(state.remarks) - MAX_REMARKS
        more = [self.tr("{0} more.").format(rest)] if rest > 0 else []
        self.remarks.setText(" ".join([*first, *more]))
        self.remarks.setVisible(bool(state.remarks))
        self.remark_icon.setVisible(bool(state.remarks))
        self.setAccessibleName(self.tr("Segment {0}, {1}").format(self._number, state.name))
        name = self.tr("Translation of segment {0}, {1}")
        self.editor.setAccessibleName(name.format(self._number, state.name))
        _set_look(self.editor, "unsure", state.unsure)
        self._name_button()
        self._show_icons()

    def announce_target(self, segment: Segment, old_target: str) -> None:
        """Announce a target that was not typed; if there was no target before, announce the source, too."""
        target = segment.target or self._proposal_text(segment)
        self._describe(segment, *(() if old_target else (segment.source,)), target)

    def _proposal_text(self, segment: Segment) -> str:
        proposal = proposal_of(segment.state)
        return self.tr("Tentative: {0}").format(proposal) if proposal else ""

    def _describe_remarks(self) -> None:
        self.editor.setAccessibleDescription(" ".join(self._shown.remarks))

    def _describe(self, segment: Segment, *texts: str) -> None:
        """Change the editor's description, so that screen readers announce a field that keeps the focus."""
        labels = labels_of(segment)
        parts = (*(readable_tags(text, labels) for text in texts), *self._shown.remarks)
        self.editor.setAccessibleDescription(" ".join(part for part in parts if part))

    def announce(self) -> None:
        if not QAccessible.isActive():
            return
        if self.editor.hasFocus():
            # The table has just announced one of its cells as focused, so announce the editor again.
            QAccessible.updateAccessibility(QAccessibleEvent(self.editor, QAccessible.Event.Focus))
        if QSysInfo.kernelType() != "linux":
            # On Linux, Orca reads a changed name and description unasked, and would read everything twice.
            text = ". ".join((self.accessibleName(), self.editor.accessibleDescription()))
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.editor, text))

    def arrange(self, columns: CardColumns) -> int:
        """Place all parts within the columns; returns the card's height in pixels."""
        self._columns = columns
        left, width = columns.source[0] + PADDING_X, columns.source[1] - PADDING_X - CARD_PADDING
        field_left = columns.target[0] + PADDING_X - PADDING
        field_width = columns.width - SIDE - CARD_PADDING - field_left
        # The width must be set before the texts are measured.
        self._put(self.source, left, CARD_PADDING, width, self.source.height())
        self._put(self.editor, field_left, CARD_PADDING, field_width, self.editor.height())
        text = max(self.source.text_height(), self.editor.text_height() + self._shift, MIN_TEXT_HEIGHT)
        body = round(text) + 2 * PADDING
        self._put(self.source, left, CARD_PADDING, width, body)
        self._put(self.editor, field_left, CARD_PADDING, field_width, body)
        below = CARD_PADDING + body + 8
        first_line = max((FOOT_HEIGHT - self.remarks.fontMetrics().height()) // 2, 0)
        remarks = self.remarks.heightForWidth(width - 24) if self.remarks.text() else 0
        foot = max(FOOT_HEIGHT, remarks + first_line)
        self._put(self.remark_icon, left, below + (FOOT_HEIGHT - 16) // 2, 16, 16)
        self._put(self.remarks, left + 24, below + first_line, width - 24, foot - first_line)
        self._name_button()
        if self.confirm.sizeHint().width() + ICON_SIZE + 20 > field_width:  # the state needs room, too
            self.confirm.setText(self.confirm.accessibleName())
        button = self.confirm.sizeHint().width()
        room = field_width - button - ICON_SIZE - 20
        self._put(self.confirm, field_left + field_width - button, below, button, FOOT_HEIGHT)
        self._put(self._icon, field_left, below + (FOOT_HEIGHT - ICON_SIZE) // 2, ICON_SIZE, ICON_SIZE)
        self._icon.setVisible(room > -ICON_SIZE)
        self._put(self.state, field_left + ICON_SIZE + 8, below, room, FOOT_HEIGHT)
        self._fit_status()
        return below + foot + CARD_PADDING

    def _fit_status(self) -> None:
        room, metrics = self.state.width(), self.state.fontMetrics()
        text = metrics.elidedText(self._shown.name, Qt.TextElideMode.ElideLeft, room)
        self.state.setText(text if room > 6 * metrics.averageCharWidth() else "")

    def caret_edges(self) -> tuple[int, int]:
        """Positions of the caret's upper and lower edges, in pixels below the card's upper edge."""
        caret = self.editor.cursorRect()
        above = self.editor.y() + self.editor.viewport().y()
        return above + caret.top(), above + caret.bottom() + 1

    def _put(self, widget: QWidget, x: int, y: int, width: int, height: int) -> None:
        """Place a part; `x` is measured from the table's left edge, `y` from the card's upper edge."""
        wanted = QRect(x - SIDE, y, max(width, 0), height)
        if widget.geometry() != wanted:
            widget.setGeometry(wanted)

    def covers(self, rect: QRect) -> bool:
        return not self.isHidden() and any(
            field.geometry().contains(rect) for field in (self.source, self.editor)
        )

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        if self.covers(event.rect()):
            # Only text has changed, so the box and the number need not be painted.
            painter.fillRect(event.rect(), QColor(self._theme.colours.surface))
            return
        self._paint_box(painter)
        painter.setPen(QColor(self._theme.colours.accent))
        font = QFont(self._font)
        font.setBold(True)
        painter.setFont(font)
        left = self._columns.number - 8 - SIDE - painter.fontMetrics().horizontalAdvance(self._number)
        line = self.source.y() + self.source.first_baseline()
        painter.drawText(QPointF(left, line), self._number)
        source = self.source.geometry()
        ascent = self.source.fontMetrics().ascent()
        bullet = QPointF(source.left() - 8, line - ascent * LETTER_MIDDLE)
        edge = QRect(source.left() - 9, source.top() + PADDING, 2, source.height() - 2 * PADDING)
        paint_structure(painter, self._structure.kind, bullet, edge, self._theme.colours)

    def _paint_box(self, painter: QPainter) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2, 1, -2, -3)
        painter.setPen(Qt.PenStyle.NoPen)
        for grown, strength in ((2.0, 7), (1.0, 12)):
            painter.setBrush(QColor(0, 0, 0, strength))
            painter.drawRoundedRect(box.adjusted(-grown, 0, grown, grown + 1), 11, 11)
        painter.setPen(QPen(QColor(self._theme.colours.card_border), 1))
        painter.setBrush(QColor(self._theme.colours.surface))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        painter.restore()

    def _name_button(self) -> None:
        is_done = self._shown.status in (Status.CONFIRMED, Status.LOCKED)
        text = self.tr("Next") if is_done else self.tr("Confirm")
        self.confirm.setText(f"{text}   {self.confirm_key}".rstrip())
        self.confirm.setAccessibleName(text)
        _set_look(self.confirm, "primary", not is_done)

    def _follow_theme(self) -> None:
        self._use_font()  # a new style sheet has reset the fonts
        self._show_icons()

    def _show_icons(self) -> None:
        colours = self._theme.colours
        colour = colours.status(self._shown.status).name()
        self._icon.setPixmap(pixmap(self._shown.icon, colour, ICON_SIZE))
        self.remark_icon.setPixmap(pixmap("warning", colours.warning, 16))
        self.update()


def _set_look(widget: QWidget, name: str, value: bool) -> None:
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)

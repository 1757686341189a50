"""Paints the cells of the segment table from cached text layouts, without a widget for each row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QPlainTextDocumentLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from anaphora.core.drafts import proposal_of
from anaphora.core.influence_marks import InfluenceMark, mark_under
from anaphora.core.language_pair import LanguagePair, is_right_to_left
from anaphora.core.search import SearchQuery, spans
from anaphora.core.segment import Segment, Status
from anaphora.core.structure import BlockStructure, Structure, shortened, structure_of
from anaphora.core.tags import MARK, marks_of, missing_marks, wrong_marks
from anaphora.editor.appearance.theme import Colours, Theme, blend, font_for, pixmap, state_icon
from anaphora.editor.table.segment_model import Column, Role
from anaphora.editor.widgets.sentence import plain_tip
from anaphora.editor.widgets.tag_chips import (
    OBJECT_TYPE,
    ChipPainter,
    ShownText,
    insert_shown,
    shown_text,
    styled_stretches,
)
from anaphora.project.document.progress import DONE
from anaphora_nmt.types import WordQuality


@dataclass(frozen=True, slots=True)
class ShownTags:
    """The tags of a text for display.

    Attributes:
        own: the segment's tags; other tags in the text are shown as text.
        labels: (tag, label) of the segment's tags.
        wrong: indexes of the chips to draw as wrong.
    """

    own: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    wrong: frozenset[int] = frozenset()


NO_TAGS = ShownTags()


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text broken into lines, and their total height in pixels.

    Attributes:
        ascent: the ascent of the first line, which is larger for Chinese than for Latin text.
        document: the owner of the layout if the text has chips, which need a document; otherwise None.
    """

    layout: QTextLayout
    height: float
    ascent: float
    shown: ShownText
    document: QTextDocument | None = None

    def place_at(self, point: QPointF) -> int:
        """The place in `shown` that is nearest to a point of the layout."""
        last = self.layout.lineCount() - 1
        for number in range(last + 1):
            line = self.layout.lineAt(number)
            if point.y() < line.y() + line.height() or number == last:
                return int(line.xToCursor(point.x()))
        return 0


def format_range(start: int, length: int, text_format: QTextCharFormat) -> QTextLayout.FormatRange:
    result = QTextLayout.FormatRange()
    result.start = start  # type: ignore[misc]
    result.length = length  # type: ignore[misc]
    result.format = text_format  # type: ignore[misc]
    return result


class TextLayouts:
    """A cache of layouts in one font. `get` takes a text, a width in pixels and optionally `ShownTags`."""

    def __init__(self, font: QFont, theme: Theme) -> None:
        self.get = lru_cache(maxsize=800)(partial(_lay_out, font, ChipPainter(theme, font)))


def _lay_out(font: QFont, chips: ChipPainter, text: str, width: int, tags: ShownTags = NO_TAGS) -> TextLayout:
    # A layout breaks lines at U+2028, but not at "\n".
    shown = shown_text(text.replace("\n", "\u2028"), tags.own)
    labels = dict(tags.labels)
    document = _document(font, chips, shown, labels, tags.wrong) if shown.marks else None
    layout = document.firstBlock().layout() if document else QTextLayout(shown.text, font)
    if document:
        layout.setFormats(
            [
                format_range(stretch.start, stretch.end - stretch.start, stretch.text_format())
                for stretch in styled_stretches(shown, labels)
            ]
        )
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    if is_right_to_left(text):
        option.setTextDirection(Qt.LayoutDirection.RightToLeft)
        option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    height, ascent = 0.0, 0.0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 20))
        line.setPosition(QPointF(0, height))
        ascent = ascent or line.ascent()
        height += line.height()
    layout.endLayout()
    return TextLayout(layout, height, ascent, shown, document)


def _document(
    font: QFont, chips: ChipPainter, shown: ShownText, labels: Mapping[str, str], wrong: Collection[int]
) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(font)
    document.setDocumentMargin(0)
    insert_shown(QTextCursor(document), shown, labels, wrong)
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    document.documentLayout().registerHandler(OBJECT_TYPE, chips)
    return document


PADDING_X = 12
PADDING_Y = 9
ICON_SIZE = 18
DOT_RADIUS = 3.5
"""Radius in pixels of the dot that marks a changed draft."""
BAND = 30
"""Height in pixels of the band with a document's name above the document's first row."""
LETTER_MIDDLE = 0.36
"""Distance from the baseline to the middle of the letters, as a share of the ascent."""
INDENT = 18
HEADING_POINTS = (3.5, 2.0, 1.0)
"""Points by which headings of levels 1 to 3 are larger than other text; deeper levels are only bold."""
TEXT_COLUMNS = (Column.SOURCE, Column.TARGET)
Index = QModelIndex | QPersistentModelIndex
Underline = QTextCharFormat.UnderlineStyle
Look = tuple[int, int, QTextCharFormat]
"""(start, end, format) of a stretch of a text, with offsets in the full text."""


@lru_cache(maxsize=256)
def words_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for any of the words, ignoring case; ASCII words match only as whole words."""
    longest_first = sorted(words, key=len, reverse=True)
    parts = [
        rf"(?<!\w){re.escape(word)}(?!\w)" if word.isascii() else re.escape(word) for word in longest_first
    ]
    return re.compile("|".join(parts), re.IGNORECASE)


def underlined(style: QTextCharFormat.UnderlineStyle, colour: str) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setUnderlineStyle(style)
    look.setUnderlineColor(QColor(colour))
    return look


def explained_format(theme: Theme) -> QTextCharFormat:
    look = underlined(Underline.DotLine, theme.colours.accent)
    look.setForeground(QColor(theme.colours.accent))
    return look


def influence_format(theme: Theme, followed: bool) -> QTextCharFormat:
    """The format of a word that follows the memory (`followed`), or that differs from a remembered word."""
    if followed:
        return underlined(Underline.SingleUnderline, theme.colours.confirmed)
    return underlined(Underline.DashUnderline, theme.colours.warning)


def doubt_format(theme: Theme, invented: bool) -> QTextCharFormat:
    """The format of a probably wrong word. An `invented` word probably does not exist, or is misspelt."""
    style = Underline.WaveUnderline if invented else Underline.DotLine
    return underlined(style, theme.colours.warning)


def word_looks(
    theme: Theme,
    text: str,
    marks: tuple[str, ...],
    query: SearchQuery | None,
    terms: tuple[str, ...] = (),
    influence: Sequence[InfluenceMark] = (),
    doubtful: Sequence[WordQuality] = (),
) -> list[Look]:
    look = underlined(Underline.WaveUnderline, theme.colours.warning)
    looks = [(*match.span(), look) for match in words_pattern(terms).finditer(text)] if terms else []
    if query is not None and query.text:
        look = QTextCharFormat()
        look.setBackground(QColor(theme.colours.match))
        looks += [(start, end, look) for start, end in spans(text, query, marks)]
    looks += [(mark.start, mark.end, influence_format(theme, mark.followed)) for mark in influence]
    looks += [(word.start, word.end, doubt_format(theme, word.invented)) for word in doubtful]
    return looks


def heading_level(structure: BlockStructure) -> int:
    """The level of a heading; 0 for other text."""
    is_heading = structure.kind is Structure.HEADING
    return min(max(structure.level, 1), len(HEADING_POINTS) + 1) if is_heading else 0


def heading_font(font: QFont, level: int) -> QFont:
    """The font for headings of a level (1 is the highest)."""
    result = QFont(font)
    result.setPointSizeF(font.pointSizeF() + (*HEADING_POINTS, 0.0)[level - 1])
    result.setWeight(QFont.Weight.DemiBold)
    return result


def paint_structure(
    painter: QPainter, kind: Structure, bullet: QPointF, edge: QRect, colours: Colours
) -> None:
    if kind is Structure.LIST_ITEM:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.not_started))
        painter.drawEllipse(bullet, 2.2, 2.2)
        painter.restore()
    elif kind in (Structure.CELL, Structure.QUOTE):
        painter.fillRect(edge, QColor(colours.border))


class SegmentDelegate(QStyledItemDelegate):
    """Draws number, source, status icon and target of all segments but `edited_id`, which the card shows."""

    def __init__(self, theme: Theme, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.query: SearchQuery | None = None
        self.edited_id = ""
        self.influence_tip: Callable[[InfluenceMark], str] = lambda mark: ""
        self._theme = theme
        self._font = font
        self._languages = LanguagePair()
        self._layouts: dict[Column, list[TextLayouts]] = {}
        self._ascents: list[float] = []
        self._ascent = 0.0
        self._rule = QColor()
        self._reset_layouts()
        theme.changed.connect(self._reset_layouts)

    @property
    def font(self) -> QFont:
        """The font from which the fonts of headings and languages are derived."""
        return self._font

    def set_font(self, font: QFont) -> None:
        self._font = font
        self._reset_layouts()

    def set_languages(self, languages: LanguagePair) -> None:
        self._languages = languages
        self._reset_layouts()

    @property
    def latin_shift(self) -> int:
        """Pixels by which a Latin target moves down to share a baseline with Chinese text."""
        return round(self._ascent - self._layouts[Column.TARGET][0].get("A", 400).ascent)

    def _level(self, segment: Segment) -> int:
        return heading_level(structure_of(segment))

    def _indent(self, segment: Segment) -> int:
        structure = structure_of(segment)
        if structure.kind is Structure.LIST_ITEM:
            return INDENT * min(max(structure.level, 1), 4)
        return INDENT // 2 if structure.kind in (Structure.CELL, Structure.QUOTE) else 0

    def row_height(self, segment: Segment, source_width: int, target_width: int) -> int:
        texts = [
            self.lay_out(segment, Column.SOURCE, source_width),
            self.lay_out(segment, Column.TARGET, target_width),
        ]
        ascent = self._ascents[self._level(segment)]
        height = max(text.height + ascent - text.ascent for text in texts)
        return max(round(height), ICON_SIZE) + 2 * PADDING_Y

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        return QSize(60, ICON_SIZE + 2 * PADDING_Y)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        segment = _cell_data(index, Role.SEGMENT)
        if segment is None:
            return
        rect: QRect = option.rect  # type: ignore[attr-defined]
        painter.save()
        painter.setClipRect(rect)
        if document := _cell_data(index, Role.DOCUMENT):
            self._paint_band(painter, QRect(rect.left(), rect.top(), rect.width(), BAND), document, option)
            rect = rect.adjusted(0, BAND, 0, 0)
        if segment.id == self.edited_id:
            painter.restore()
            return
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)  # type: ignore[attr-defined]
        self._paint_background(painter, rect, segment, is_selected, bool(_cell_data(index, Role.UNSURE)))
        match index.column():
            case Column.NUMBER:
                self._paint_number(painter, rect, index)
            case Column.SOURCE:
                self._paint_text(painter, rect, segment, is_selected, index)
            case Column.STATUS:
                self._paint_status(painter, rect, segment, index)
            case Column.TARGET:
                self._paint_text(painter, rect, segment, is_selected, index)
        painter.restore()

    def _paint_background(
        self, painter: QPainter, rect: QRect, segment: Segment, is_selected: bool, unsure: bool
    ) -> None:
        colours = self._theme.colours
        if is_selected:
            painter.fillRect(rect, QColor(colours.accent_soft))
        elif segment.status is Status.LOCKED:
            painter.fillRect(rect, QColor(colours.locked_back))
        elif unsure:
            painter.fillRect(rect, QColor(colours.unsure_back))
        # On a screen scaled to 125 %, lines would leave gaps between cells; filled boxes do not.
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), self._rule)

    def _paint_band(
        self, painter: QPainter, rect: QRect, document: str, option: QStyleOptionViewItem
    ) -> None:
        colours = self._theme.colours
        painter.fillRect(rect, QColor(colours.window))
        painter.setPen(QPen(QColor(colours.border), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        # Each cell paints the whole band, clipped to its own part.
        painter.drawPixmap(PADDING_X, rect.top() + (BAND - 16) // 2, pixmap("document", colours.accent, 16))
        font = QFont(self._font)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        widget = option.widget  # type: ignore[attr-defined]
        line = QRect(PADDING_X + 24, rect.top(), (widget.width() if widget else 4000) - 60, BAND - 1)
        name = painter.fontMetrics().elidedText(document, Qt.TextElideMode.ElideMiddle, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_number(self, painter: QPainter, rect: QRect, index: Index) -> None:
        painter.setFont(self._font)
        painter.setPen(QColor(self._theme.colours.not_started))
        number = str(_cell_data(index, Role.NUMBER))
        left = rect.right() - 8 - painter.fontMetrics().horizontalAdvance(number)
        line = rect.top() + PADDING_Y + self._ascents[self._level(_cell_data(index, Role.SEGMENT))]
        painter.drawText(QPointF(left, line), number)
        if _cell_data(index, Role.COMMENTED):
            bubble = pixmap("comment", self._theme.colours.accent, 12)
            painter.drawPixmap(QPointF(rect.left() + 5, line - 11), bubble)
        if time := structure_of(_cell_data(index, Role.SEGMENT)).time:
            small = QFont(self._font)
            small.setPointSizeF(small.pointSizeF() * 0.68)
            painter.setFont(small)
            shown = time.partition(",")[0].partition(".")[0].removeprefix("00:")
            left = rect.right() - 8 - painter.fontMetrics().horizontalAdvance(shown)
            painter.drawText(QPointF(left, line + painter.fontMetrics().height()), shown)

    def _paint_status(self, painter: QPainter, rect: QRect, segment: Segment, index: Index) -> None:
        colours = self._theme.colours
        x = rect.left() + (rect.width() - ICON_SIZE) // 2
        ascent = self._ascents[self._level(segment)]
        middle = rect.top() + PADDING_Y + ascent * (1 - LETTER_MIDDLE)
        y = round(middle - ICON_SIZE / 2)
        colour = colours.status(segment.status).name()
        painter.drawPixmap(x, y, pixmap(state_icon(segment.state), colour, ICON_SIZE))
        if _cell_data(index, Role.CHANGED):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            painter.drawEllipse(QPointF(rect.left() + 5, middle), DOT_RADIUS, DOT_RADIUS)
        mark = ""
        if _cell_data(index, Role.WARNINGS):
            mark = "warning"
        elif _cell_data(index, Role.INCONSISTENT):
            mark = "inconsistent"
        if mark and rect.height() >= 2 * ICON_SIZE + PADDING_Y:
            painter.drawPixmap(x + 2, y + ICON_SIZE + 3, pixmap(mark, colours.warning, ICON_SIZE - 4))
        elif mark:
            painter.drawPixmap(rect.right() - 13, y + 6, pixmap(mark, colours.warning, 12))

    def helpEvent(  # noqa: N802
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        if event.type() is QEvent.Type.ToolTip and index.column() == Column.TARGET:
            offset = self.offset_at(option.rect, QPointF(event.pos()), index)  # type: ignore[attr-defined]
            mark = mark_under(_cell_data(index, Role.INFLUENCE) or (), offset)
            tip = self.influence_tip(mark) if mark is not None else _cell_data(index, Role.DOUBT) or ""
            QToolTip.showText(event.globalPos(), plain_tip(tip), view)
            return True
        return super().helpEvent(event, view, option, index)

    def offset_at(self, rect: QRect, point: QPointF, index: Index) -> int:
        """The offset in a cell's text that is nearest to a point of the view; 0 outside the text columns."""
        segment = _cell_data(index, Role.SEGMENT)
        if segment is None or index.column() not in TEXT_COLUMNS:
            return 0
        laid_out = self.lay_out(segment, Column(index.column()), rect.width())
        return laid_out.shown.offset(laid_out.place_at(point - self._text_corner(rect, laid_out, index)))

    def lay_out(self, segment: Segment, column: Column, width: int) -> TextLayout:
        """The layout of a cell's text; chips of wrong and of missing tags are drawn as wrong."""
        text = _text(segment, column)
        width -= 2 * PADDING_X + self._indent(segment)
        is_proposed = column is Column.TARGET and bool(proposal_of(segment.state))
        layouts = self._proposed if is_proposed else self._layouts[column][self._level(segment)]
        if "{" not in segment.source:
            return layouts.get(text, width)
        marks = marks_of(segment)
        if column is Column.TARGET:
            wrong = wrong_marks(marks, _marks_shown(text, marks))
        else:
            missing = Counter(missing_marks(marks, segment.target) if segment.target else ())
            wrong = frozenset(index for index, mark in enumerate(marks) if missing[mark])
        return layouts.get(text, width, ShownTags(marks, segment.tags, wrong))

    def _text_corner(self, rect: QRect, laid_out: TextLayout, index: Index) -> QPointF:
        band = BAND if _cell_data(index, Role.DOCUMENT) else 0
        return self._corner(rect.adjusted(0, band, 0, 0), laid_out, _cell_data(index, Role.SEGMENT))

    def _corner(self, rect: QRect, laid_out: TextLayout, segment: Segment) -> QPointF:
        top = rect.top() + PADDING_Y + self._ascents[self._level(segment)] - laid_out.ascent
        return QPointF(rect.left() + PADDING_X + self._indent(segment), top)

    def _paint_text(
        self, painter: QPainter, rect: QRect, segment: Segment, is_selected: bool, index: Index
    ) -> None:
        column = Column(index.column())
        text = _text(segment, column)
        if not text:
            return
        colours = self._theme.colours
        is_proposed = column is Column.TARGET and bool(proposal_of(segment.state))
        colour = colours.receding if segment.status in DONE and not is_selected else colours.text
        painter.setPen(QColor(colours.muted if is_proposed else colour))
        laid_out = self.lay_out(segment, column, rect.width())
        roles = (Role.INFLUENCE, Role.DOUBTFUL_WORDS) if column is Column.TARGET else ()
        terms = tuple(_cell_data(index, Role.INCONSISTENT) or ())
        marked = (_cell_data(index, role) or () for role in roles)
        looks = word_looks(self._theme, text, marks_of(segment), self.query, terms, *marked)
        if column is Column.TARGET and "{" in text:
            looks += self._foreign_marks(segment)
        marks = [_in_layout(look, laid_out.shown) for look in looks]
        corner = self._corner(rect, laid_out, segment)
        left, line = rect.left() + PADDING_X, corner.y() + laid_out.ascent
        bullet = QPointF(left + self._indent(segment) - 10, line - self._ascent * LETTER_MIDDLE)
        edge = QRect(left, rect.top() + PADDING_Y - 2, 2, rect.height() - 2 * PADDING_Y + 4)
        paint_structure(painter, structure_of(segment).kind, bullet, edge, colours)
        laid_out.layout.draw(painter, corner, marks)

    def _foreign_marks(self, segment: Segment) -> list[Look]:
        """Formats of text that looks like a tag, but is exported as text because the source lacks the tag."""
        text_format = QTextCharFormat()
        text_format.setForeground(QColor(self._theme.colours.warning))
        matches = (match for match in MARK.finditer(segment.target) if match.group() not in segment.source)
        return [(*match.span(), text_format) for match in matches]

    def _reset_layouts(self) -> None:
        colours = self._theme.colours
        self._rule = blend(QColor(colours.window), QColor(colours.border), 0.6)
        languages = self._languages
        fonts = [self._font, *(heading_font(self._font, n) for n in range(1, len(HEADING_POINTS) + 2))]
        self._layouts = {
            column: [TextLayouts(font_for(code, font), self._theme) for font in fonts]
            for column, code in ((Column.SOURCE, languages.source), (Column.TARGET, languages.target))
        }
        italic = font_for(languages.target, self._font)
        italic.setItalic(True)
        self._proposed = TextLayouts(italic, self._theme)
        self._ascents = [
            max(layouts.get("汉A", 400).ascent for layouts in sides)
            for sides in zip(*self._layouts.values(), strict=True)
        ]
        self._ascent = self._ascents[0]


def _cell_data(index: Index, role: Role) -> Any:
    """The model's data for a cell. A call through Qt would take twice as long."""
    return index.model().data(index, role)


def _text(segment: Segment, column: Column) -> str:
    target = segment.target or proposal_of(segment.state)
    return shortened(segment.source if column is Column.SOURCE else target)


def _marks_shown(text: str, own: Sequence[str]) -> list[str]:
    return [mark for _, mark in shown_text(text, own).marks]


def _in_layout(look: Look, shown: ShownText) -> QTextLayout.FormatRange:
    start, end = shown.place(look[0]), shown.place(look[1])
    return format_range(start, end - start, look[2])

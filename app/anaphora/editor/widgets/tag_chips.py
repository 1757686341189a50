"""Show tags as chips (single characters drawn as small labels), and apply the styles of paired tags."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTransform,
)

from anaphora.core.tags import MARK, caption_of, closes, opens, partner
from anaphora.editor.appearance.theme import Colours, Theme, blend

_WIDE = re.compile("[\U00010000-\U0010ffff]")
_UTF_16, _SURROGATES = "utf-16-le", "surrogatepass"


def in_units(text: str) -> str:
    """A text whose characters are UTF-16 units, as in Qt; a character above U+FFFF becomes two surrogates."""
    return _WIDE.sub(_halves, text)


def _halves(match: re.Match[str]) -> str:
    data = match.group().encode(_UTF_16)
    return data[:2].decode(_UTF_16, _SURROGATES) + data[2:].decode(_UTF_16, _SURROGATES)


def from_units(text: str) -> str:
    """The inverse of `in_units`; unpaired surrogates stay unchanged."""
    return text.encode(_UTF_16, _SURROGATES).decode(_UTF_16, _SURROGATES)


def is_low_half(unit: str) -> bool:
    return "\udc00" <= unit <= "\udfff"


OBJECT_TYPE = int(QTextFormat.ObjectTypes.UserObject.value) + 1
MARK_PROPERTY = int(QTextFormat.Property.UserProperty.value) + 1
WRONG_PROPERTY = MARK_PROPERTY + 1
CAPTION_PROPERTY = MARK_PROPERTY + 2
STAND_IN = "\ufffc"
PARAGRAPH = "\u2029"
"""Qt's character for the end of a paragraph."""
LINE_BREAK = "\u2028"
"""Qt's character for a line break in a paragraph, which Shift+Enter inserts."""
_FONT_SHARE = 0.82
_POINT_WIDTH = 4.0
"""Width in pixels of a chip's pointed end."""
_DROP = 4
"""Pixels by which a chip extends below the baseline and above capital letters."""


@dataclass(frozen=True)
class ShownText:
    """A text as displayed, in which each tag is a chip of one character.

    A *place* is a position in this text, in Qt's units (see `in_units`). An *offset* is a position in the
    full text, which contains the tags themselves, in Python's characters.

    Attributes:
        marks: (place, tag) of each chip, in order.
    """

    text: str
    marks: tuple[tuple[int, str], ...] = ()

    def place(self, offset: int) -> int:
        """The place of an offset; for an offset inside a tag, the place before its chip."""
        return bisect_right(self._offsets, offset) - 1

    def offset(self, place: int) -> int:
        return self._offsets[min(place, len(self.text))]

    @cached_property
    def _offsets(self) -> list[int]:
        marks = dict(self.marks)
        widths = (len(marks.get(at, " ")) - is_low_half(sign) for at, sign in enumerate(self.text))
        return [*accumulate(widths, initial=0)]

    def full_text(self) -> str:
        parts: list[str] = []
        copied_end = 0
        for place, mark in self.marks:
            parts += (self.text[copied_end:place], mark)
            copied_end = place + 1
        return from_units("".join((*parts, self.text[copied_end:])))


def shown_text(text: str, own: Collection[str]) -> ShownText:
    """A text as displayed; only the tags in `own`, which are the segment's tags, become chips."""
    text = in_units(text)
    if "{" not in text:
        return ShownText(text)
    parts: list[str] = []
    marks: list[tuple[int, str]] = []
    copied_end = length = 0
    for match in MARK.finditer(text):
        if match.group() in own:
            parts += (text[copied_end : match.start()], STAND_IN)
            length += match.start() - copied_end
            marks.append((length, match.group()))
            length += 1
            copied_end = match.end()
    return ShownText("".join((*parts, text[copied_end:])), tuple(marks))


def chip_format(mark: str, wrong: bool = False, label: str = "") -> QTextCharFormat:
    result = QTextCharFormat()
    result.setObjectType(OBJECT_TYPE)
    result.setProperty(MARK_PROPERTY, mark)
    result.setProperty(CAPTION_PROPERTY, caption_of(mark, label))
    if wrong:
        result.setProperty(WRONG_PROPERTY, True)
    return result


def mark_of(text_format: QTextFormat) -> str:
    return str(text_format.property(MARK_PROPERTY) or "") if text_format.objectType() == OBJECT_TYPE else ""


def insert_shown(
    cursor: QTextCursor, shown: ShownText, labels: Mapping[str, str], wrong: Collection[int] = ()
) -> None:
    """Insert a text with its chips; `wrong` contains indexes in `shown.marks` of chips to draw as wrong."""
    plain = QTextCharFormat()
    inserted_end = 0
    cursor.beginEditBlock()  # one layout for all chips
    for index, (place, mark) in enumerate(shown.marks):
        if place > inserted_end:
            cursor.insertText(shown.text[inserted_end:place], plain)
        cursor.insertText(STAND_IN, chip_format(mark, index in wrong, labels.get(mark, "")))
        inserted_end = place + 1
    if inserted_end < len(shown.text) or not shown.marks:
        cursor.insertText(shown.text[inserted_end:], plain)
    cursor.endEditBlock()


def read_shown(document: QTextDocument) -> ShownText:
    text = in_units(document.toRawText())  # toPlainText would replace non-breaking spaces
    text = text.replace(PARAGRAPH, "\n").replace(LINE_BREAK, "\n")
    cursor = QTextCursor(document)
    marks = []
    place = text.find(STAND_IN)
    while place >= 0:
        cursor.setPosition(place + 1)
        if mark := mark_of(cursor.charFormat()):
            marks.append((place, mark))
        place = text.find(STAND_IN, place + 1)
    return ShownText(text, tuple(marks))


class ChipPainter(QPyTextObject):
    """Measures and draws chips in one font; `wrong` contains the places of chips to draw as wrong."""

    def __init__(self, theme: Theme, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.wrong: frozenset[int] = frozenset()
        self.set_font(font)

    def set_font(self, font: QFont) -> None:
        self._small = _small(font)
        self._metrics = QFontMetricsF(font)
        self._rise = round(min(self._metrics.capHeight() + _DROP, self._metrics.ascent() - 0.5))
        self._sizes: dict[str, QSizeF] = {}

    def intrinsicSize(  # noqa: N802
        self, document: QTextDocument, position: int, text_format: QTextFormat
    ) -> QSizeF:
        caption = str(text_format.property(CAPTION_PROPERTY))
        size = self._sizes.get(caption)
        if size is None:
            width = QFontMetricsF(self._small).horizontalAdvance(caption)
            # Chips are drawn higher than this, but must not make the line higher.
            size = QSizeF(width + 2 * _POINT_WIDTH + 6, self._metrics.ascent() * 0.9)
            self._sizes[caption] = size
        return size

    def drawObject(  # noqa: N802
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        document: QTextDocument,
        position: int,
        text_format: QTextFormat,
    ) -> None:
        """Draw a chip: for a paired tag, pointed towards the enclosed text; for a single tag, rounded."""
        wrong = position in self.wrong or bool(text_format.property(WRONG_PROPERTY))
        mark = str(text_format.property(MARK_PROPERTY))
        caption = str(text_format.property(CAPTION_PROPERTY))
        box = QRectF(
            rect.left() + 1.5, rect.bottom() - self._rise + 0.5, rect.width() - 3, self._rise + _DROP - 1
        )
        colours = self._theme.colours
        colour = QColor(colours.warning if wrong else colours.accent)
        back = QColor(colours.warning_soft) if wrong else blend(QColor(colours.surface), colour, 0.16)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(blend(back, colour, 0.7), 1.0))
        painter.setBrush(back)
        painter.drawPath(_outline(box, mark))
        painter.setFont(self._small)
        painter.setPen(colour)
        shift = -1.0 if opens(mark) else 1.0 if closes(mark) else 0.0
        painter.drawText(box.translated(shift, 0), Qt.AlignmentFlag.AlignCenter, caption)
        painter.restore()


def _outline(box: QRectF, mark: str) -> QPainterPath:
    path = QPainterPath()
    if not (opens(mark) or closes(mark)):
        path.addRoundedRect(box, box.height() / 2.4, box.height() / 2.4)
        return path
    left, right, top, bottom = box.left(), box.right(), box.top(), box.bottom()
    radius = 3.0
    points = [
        QPointF(right - _POINT_WIDTH, top),
        QPointF(right, box.center().y()),
        QPointF(right - _POINT_WIDTH, bottom),
    ]
    path.moveTo(left + radius, top)
    for point in points:
        path.lineTo(point)
    path.lineTo(left + radius, bottom)
    path.quadTo(left, bottom, left, bottom - radius)
    path.lineTo(left, top + radius)
    path.quadTo(left, top, left + radius, top)
    if closes(mark):
        mirror = QTransform().translate(left + right, 0).scale(-1, 1)
        return mirror.map(path)
    return path


def _small(font: QFont) -> QFont:
    result = QFont(font)
    if font.pointSizeF() > 0:
        result.setPointSizeF(font.pointSizeF() * _FONT_SHARE)
    else:
        result.setPixelSize(max(round(font.pixelSize() * _FONT_SHARE), 1))
    return result


def chip_tip(mark: str, labels: Mapping[str, str]) -> str:
    label = labels.get(mark, "")
    return f"{mark}  {label}" if label else mark


def with_chips(rich_text: str, labels: Mapping[str, str], colours: Colours) -> str:
    """A rich text with chips in place of tags; `labels` are the labels of tags, by tag."""
    style = f"background-color:{colours.accent_soft};color:{colours.accent}"

    def chip(match: re.Match[str]) -> str:
        caption = caption_of(match.group(), labels.get(match.group(), ""))
        return f'<span style="{style}">&nbsp;{html.escape(caption)}&nbsp;</span>'

    return MARK.sub(chip, rich_text)


_ALIGNMENT = QTextCharFormat.VerticalAlignment
_MONOSPACED = ["JetBrains Mono", "Consolas", "Menlo", "DejaVu Sans Mono", "monospace"]
_LOOKS: Mapping[str, Callable[[QTextCharFormat], None]] = {
    "bold": lambda look: look.setFontWeight(QFont.Weight.Bold),
    "italic": lambda look: look.setFontItalic(True),
    "underlined": lambda look: look.setFontUnderline(True),
    "struck out": lambda look: look.setFontStrikeOut(True),
    "code": lambda look: look.setFontFamilies(_MONOSPACED),
    "superscript": lambda look: look.setVerticalAlignment(_ALIGNMENT.AlignSuperScript),
    "subscript": lambda look: look.setVerticalAlignment(_ALIGNMENT.AlignSubScript),
}
STYLES = frozenset(_LOOKS)
"""Names of styles, which format readers use in the labels of paired tags."""


@dataclass(frozen=True, slots=True)
class StyledStretch:
    """A stretch of a shown text between two places, and its styles (`STYLES`)."""

    start: int
    end: int
    styles: frozenset[str]

    def text_format(self) -> QTextCharFormat:
        result = QTextCharFormat()
        for style in self.styles:
            _LOOKS[style](result)
        return result


def styled_stretches(shown: ShownText, labels: Mapping[str, str]) -> list[StyledStretch]:
    """The stretches of a text between paired tags with styles; outer stretches come before inner ones."""
    stretches: list[StyledStretch] = []
    starts: dict[str, int] = {}
    for place, mark in shown.marks:
        if opens(mark):
            starts[mark] = place
        elif closes(mark) and partner(mark) in starts:
            start = starts.pop(partner(mark)) + 1
            styles = STYLES & set(labels.get(partner(mark), "").split(", "))
            if styles and start < place:
                stretches.append(StyledStretch(start, place, styles))
    return sorted(_nested(stretches), key=lambda each: each.start - each.end)


def _nested(stretches: list[StyledStretch]) -> Iterator[StyledStretch]:
    around: list[StyledStretch] = []
    for stretch in sorted(stretches, key=lambda each: (each.start, -each.end)):
        around = [each for each in around if each.end > stretch.start]
        styles = (each.styles for each in around if each.end >= stretch.end)
        yield StyledStretch(stretch.start, stretch.end, stretch.styles.union(*styles))
        around.append(stretch)

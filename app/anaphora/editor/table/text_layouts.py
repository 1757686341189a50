"""A cache of laid-out texts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextDocument, QTextLayout, QTextOption
from PySide6.QtWidgets import QPlainTextDocumentLayout

from anaphora.core.direction import is_right_to_left
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.inline_styles import styled_stretches
from anaphora.editor.widgets.tag_chips import OBJECT_TYPE, ChipPainter, ShownText, insert_shown, shown_text


@dataclass(frozen=True, slots=True)
class ShownTags:
    """The tags of a text for display.

    Attributes:
        labels: (tag, label).
        wrong: indexes of the shown chips that are drawn as wrong.
    """

    own: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    wrong: frozenset[int] = frozenset()


NO_TAGS = ShownTags()


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A text broken into lines.

    Attributes:
        ascent: the ascent of the first line; larger for Chinese than for Latin text.
        document: the owner of the layout if the text has chips; a layout alone cannot contain chips.
    """

    layout: QTextLayout
    height: float
    ascent: float
    shown: ShownText
    document: QTextDocument | None = None

    def place_at(self, point: QPointF) -> int:
        """The place in the shown text nearest to a point of the layout."""
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
    """A cache of text layouts by text, width and tags, in one font."""

    def __init__(self, font: QFont, theme: Theme) -> None:
        self.get = lru_cache(maxsize=800)(partial(_lay_out, font, ChipPainter(theme, font)))


def _lay_out(font: QFont, chips: ChipPainter, text: str, width: int, tags: ShownTags = NO_TAGS) -> LaidOut:
    # In a layout, U+2028 is a line break, but "\n" is not.
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
    return LaidOut(layout, height, ascent, shown, document)


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

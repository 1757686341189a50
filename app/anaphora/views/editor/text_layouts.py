"""Laid-out texts, kept as long as they are looked at again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextDocument, QTextLayout, QTextOption
from PySide6.QtWidgets import QPlainTextDocumentLayout

from anaphora.core.direction import is_right_to_left
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.inline_styles import styled_stretches
from anaphora.views.widgets.tag_chips import OBJECT_TYPE, ChipPainter, ShownText, insert_shown, shown_text


@dataclass(frozen=True, slots=True)
class ShownTags:
    """How the tags of a text are shown.

    Attributes:
        labels: (tag, what it stands for).
        wrong: indexes, among those shown, of the chips that are drawn as wrong.
    """

    own: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    wrong: frozenset[int] = frozenset()


NO_TAGS = ShownTags()


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A text broken into lines.

    Attributes:
        ascent: of the first line: Chinese lines rise higher than Latin ones.
        document: what the layout belongs to if the text has chips; a layout alone cannot hold any.
    """

    layout: QTextLayout
    height: float
    ascent: float
    shown: ShownText
    document: QTextDocument | None = None

    def place_at(self, point: QPointF) -> int:
        """The place in the shown text that is next to a point of the layout."""
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
    """A cache of text layouts by text, width and tags; the least recently used go first."""

    def __init__(self, font: QFont, theme: Theme, capacity: int = 800) -> None:
        self._font = font
        self._capacity = capacity
        self._kept: OrderedDict[tuple[object, ...], LaidOut] = OrderedDict()
        self._chips = ChipPainter(theme, font)

    def get(self, text: str, width: int, tags: ShownTags = NO_TAGS) -> LaidOut:
        key = (text, width, tags) if tags.own else (text, width)
        found = self._kept.get(key)
        if found is None:
            found = self._lay_out(text, width, tags)
            self._kept[key] = found
            if len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return found

    def _lay_out(self, text: str, width: int, tags: ShownTags) -> LaidOut:
        # A layout takes U+2028 for a line break, "\n" it does not know.
        shown = shown_text(text.replace("\n", "\u2028"), tags.own)
        labels = dict(tags.labels)
        document = self._document(shown, labels, tags.wrong) if shown.marks else None
        layout = document.firstBlock().layout() if document else QTextLayout(shown.text, self._font)
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

    def _document(self, shown: ShownText, labels: Mapping[str, str], wrong: Collection[int]) -> QTextDocument:
        document = QTextDocument()
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(self._font)
        document.setDocumentMargin(0)
        insert_shown(QTextCursor(document), shown, labels, wrong)
        document.setDocumentLayout(QPlainTextDocumentLayout(document))
        document.documentLayout().registerHandler(OBJECT_TYPE, self._chips)
        return document

"""Laid-out texts, kept as long as they are looked at again."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextLayout, QTextOption

TAG = re.compile(r"\{/?\d+/?\}")


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A text broken into lines.

    Attributes:
        height: of all lines.
        ascent: of the first line: Chinese lines rise higher than Latin ones.
    """

    layout: QTextLayout
    height: float
    ascent: float


def format_range(start: int, length: int, text_format: QTextCharFormat) -> QTextLayout.FormatRange:
    """A format for a stretch of a layout's text."""
    result = QTextLayout.FormatRange()
    result.start = start  # type: ignore[misc]
    result.length = length  # type: ignore[misc]
    result.format = text_format  # type: ignore[misc]
    return result


class TextLayouts:
    """A cache of text layouts by text and width; the least recently used go first."""

    def __init__(self, font: QFont, tag_colour: QColor, capacity: int = 800) -> None:
        self._font = font
        self._capacity = capacity
        self._kept: OrderedDict[tuple[str, int], LaidOut] = OrderedDict()
        self._tag_format = QTextCharFormat()
        self._tag_format.setForeground(tag_colour)

    def get(self, text: str, width: int) -> LaidOut:
        """The layout of a text in a width."""
        key = (text, width)
        found = self._kept.get(key)
        if found is None:
            found = self._lay_out(text, width)
            self._kept[key] = found
            if len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return found

    def _lay_out(self, text: str, width: int) -> LaidOut:
        # A layout takes U+2028 for a line break, "\n" it does not know.
        layout = QTextLayout(text.replace("\n", "\u2028"), self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        if "{" in text:
            tags = [format_range(m.start(), len(m.group()), self._tag_format) for m in TAG.finditer(text)]
            layout.setFormats(tags)
        height, ascent = 0.0, 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 20))
            line.setPosition(QPointF(0, height))
            ascent = ascent or line.ascent()
            height += line.height()
        layout.endLayout()
        return LaidOut(layout, height, ascent)

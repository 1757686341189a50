"""Bold, italic, code: what pairs of tags stand for, shown in the text between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QFont, QTextCharFormat

from anaphora.core.tags import closes, opens, partner
from anaphora.views.widgets.tag_chips import ShownText

STYLES = frozenset(("bold", "italic", "underlined", "struck out", "code", "superscript", "subscript"))


@dataclass(frozen=True, slots=True)
class StyledStretch:
    """A stretch of a shown text and the styles that it has there."""

    start: int
    end: int
    styles: frozenset[str]

    def text_format(self) -> QTextCharFormat:
        """The format that shows the styles, by the words that the formats' readers call them."""
        result = QTextCharFormat()
        if "bold" in self.styles:
            result.setFontWeight(QFont.Weight.Bold)
        if "italic" in self.styles:
            result.setFontItalic(True)
        if "underlined" in self.styles:
            result.setFontUnderline(True)
        if "struck out" in self.styles:
            result.setFontStrikeOut(True)
        if "code" in self.styles:
            result.setFontFixedPitch(True)
            result.setFontFamilies(["JetBrains Mono", "Consolas", "Menlo", "DejaVu Sans Mono", "monospace"])
        if "superscript" in self.styles:
            result.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        if "subscript" in self.styles:
            result.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
        return result


def styled_stretches(shown: ShownText, labels: Mapping[str, str]) -> list[StyledStretch]:
    """Which stretches of a text have which styles, by its whole pairs of tags."""
    found: list[StyledStretch] = []
    opened: dict[str, int] = {}
    for place, mark in shown.marks:
        if opens(mark):
            opened[mark] = place
        elif closes(mark) and partner(mark) in opened:
            start = opened.pop(partner(mark)) + 1
            styles = STYLES & frozenset(labels.get(partner(mark), "").split(", "))
            if styles and start < place:
                found.append(StyledStretch(start, place, styles))
    return sorted(_nested(found), key=lambda each: each.start - each.end)


def _nested(found: list[StyledStretch]) -> Iterator[StyledStretch]:
    """A pair inside another one adds its styles to those around it."""
    around: list[StyledStretch] = []
    for stretch in sorted(found, key=lambda each: (each.start, -each.end)):
        around = [each for each in around if each.end > stretch.start]
        styles = (each.styles for each in around if each.end >= stretch.end)
        yield StyledStretch(stretch.start, stretch.end, stretch.styles.union(*styles))
        around.append(stretch)

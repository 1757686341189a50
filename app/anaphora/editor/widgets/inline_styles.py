"""Bold, italic, code and other styles of pairs of tags, shown in the text between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QFont, QTextCharFormat

from anaphora.core.tags import closes, opens, partner
from anaphora.editor.widgets.tag_chips import ShownText

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
"""Names of the styles, as used by the format readers."""


@dataclass(frozen=True, slots=True)
class StyledStretch:
    """A stretch of a shown text with its styles."""

    start: int
    end: int
    styles: frozenset[str]

    def text_format(self) -> QTextCharFormat:
        result = QTextCharFormat()
        for style in self.styles:
            _LOOKS[style](result)
        return result


def styled_stretches(shown: ShownText, labels: Mapping[str, str]) -> list[StyledStretch]:
    """The stretches of a text with styles, from its complete pairs of tags."""
    found: list[StyledStretch] = []
    opened: dict[str, int] = {}
    for place, mark in shown.marks:
        if opens(mark):
            opened[mark] = place
        elif closes(mark) and partner(mark) in opened:
            start = opened.pop(partner(mark)) + 1
            styles = STYLES & set(labels.get(partner(mark), "").split(", "))
            if styles and start < place:
                found.append(StyledStretch(start, place, styles))
    return sorted(_nested(found), key=lambda each: each.start - each.end)


def _nested(found: list[StyledStretch]) -> Iterator[StyledStretch]:
    """Add the styles of surrounding pairs to each stretch."""
    around: list[StyledStretch] = []
    for stretch in sorted(found, key=lambda each: (each.start, -each.end)):
        around = [each for each in around if each.end > stretch.start]
        styles = (each.styles for each in around if each.end >= stretch.end)
        yield StyledStretch(stretch.start, stretch.end, stretch.styles.union(*styles))
        around.append(stretch)

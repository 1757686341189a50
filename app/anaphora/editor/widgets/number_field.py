"""A field for a number, with arrows beside it."""

from __future__ import annotations

from PySide6.QtWidgets import QSpinBox

MARGIN = 6
"""Pixels between the edge and the number; Qt applies the style sheet's padding only at the arrows."""


class NumberField(QSpinBox):
    def __init__(self, lowest: int, highest: int) -> None:
        super().__init__()
        self.setRange(lowest, highest)
        self.lineEdit().setTextMargins(MARGIN, 0, 0, 0)

"""Choosing one of many languages."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QComboBox

from anaphora.editor.appearance.language_names import language_name

_WIDTH = 24
"""Width in characters. Measuring names in many scripts would load their fonts, which takes 0.1 s."""


def use_fixed_width(box: QComboBox) -> QComboBox:
    """Give a box of languages a fixed width, without measuring its items."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_WIDTH)
    return box


def language_box(name: str, codes: Iterable[str]) -> QComboBox:
    box = use_fixed_width(QComboBox())
    box.setAccessibleName(name)
    for code in codes:
        box.addItem(f"{language_name(code)} ({code})", code)
    return box

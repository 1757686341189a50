"""Choosing one of many languages."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QComboBox

from anaphora.editor.appearance.language_names import language_name

_WIDTH = 24
"""Characters. Were the names measured, each in its own letters, their fonts would be looked for: 0.1 s."""


def measure_nothing(box: QComboBox) -> QComboBox:
    """A box of languages that is as wide as most of their names, without looking at them."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_WIDTH)
    return box


def language_box(name: str, codes: Iterable[str]) -> QComboBox:
    box = measure_nothing(QComboBox())
    box.setAccessibleName(name)
    for code in codes:
        box.addItem(f"{language_name(code)} ({code})", code)
    return box

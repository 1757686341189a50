"""What the About page says of the engine."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QTextBrowser
from pytestqt.qtbot import QtBot

from anaphora.help.view.about import AboutDialog
from anaphora_nmt.types import TORCH, EngineInfo


@pytest.mark.parametrize(
    ("kernels", "said"), [(TORCH, "int8 · PyTorch"), ("AVX2", "int8 · native library (AVX2)")]
)
def test_it_says_what_computes(qtbot: QtBot, kernels: str, said: str) -> None:
    dialog = AboutDialog(EngineInfo("m", "cpu", 1, "int8", kernels=kernels))
    qtbot.addWidget(dialog)
    assert said in dialog.findChild(QTextBrowser).toPlainText()

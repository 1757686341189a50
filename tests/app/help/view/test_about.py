"""What the About page says of the engine."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anaphora.help.view.about import LIBRARIES, AboutDialog
from anaphora_nmt.types import TORCH, EngineInfo


@pytest.mark.parametrize(
    ("kernels", "said"), [(TORCH, "int8 · PyTorch"), ("AVX2", "int8 · native library (AVX2)")]
)
def test_it_says_what_computes(qtbot: QtBot, kernels: str, said: str) -> None:
    dialog = AboutDialog(EngineInfo("m", "cpu", 1, "int8", kernels=kernels))
    qtbot.addWidget(dialog)
    assert said in dialog.text.toPlainText()


def test_it_names_all_that_an_installed_program_is_made_with() -> None:
    """A package of a program has no other place for the licences of what is in it."""
    root = next(each for each in Path(__file__).parents if (each / "pyproject.toml").is_file())
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {re.split("[<>=!;]", each)[0].lower() for each in project["dependencies"]}
    assert needed == {package.lower() for _, _, package in LIBRARIES}

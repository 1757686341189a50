"""The engine's data on the About page."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from anaphora.features.help.view.about import AboutDialog, libraries, model_card, version_of
from anaphora_nmt.types import TORCH, EngineInfo


def test_all_libraries_are_listed() -> None:
    """An installed program has no other place for its libraries' licences."""
    root = next(each for each in Path(__file__).parents if (each / "pyproject.toml").is_file())
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {re.split("[<>=!;]", each)[0].lower() for each in project["dependencies"]}
    assert needed == {package.lower() for _, _, package in libraries()}


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (EngineInfo("m", "cpu", 1, "int8", kernels=TORCH), "m · cpu · 1 thread · int8 · PyTorch"),
        (
            EngineInfo("m", "cpu", 2, "fp32", kernels="AVX2"),
            "m · cpu · 2 threads · fp32 · native library (AVX2)",
        ),
        (EngineInfo("<m>", "cuda:0", 2, "fp16", kernels=TORCH), "<m> · cuda:0 · fp16 · PyTorch"),
    ],
)
def test_the_engine_and_its_device_are_shown(qtbot: QtBot, engine: EngineInfo, said: str) -> None:
    dialog = AboutDialog(engine)
    qtbot.addWidget(dialog)
    assert f"{said}\nMemory features of this model: –" in dialog.text.toPlainText().replace("\u2028", "\n")


def test_licences_and_card_are_shown_without_an_engine(qtbot: QtBot) -> None:
    dialog = AboutDialog(None)
    qtbot.addWidget(dialog)
    text = dialog.text.toPlainText()
    assert "Made with" in text and "Memory features of this model" not in text and "Model card" in text
    heading = model_card().splitlines()[0].lstrip("# ")
    assert heading in text and f"# {heading}" not in text, "read as Markdown"
    assert version_of("PySide6-Essentials") in text and version_of("no such package") == ""

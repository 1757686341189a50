"""Figures are SVG files that depend on their values alone."""

from __future__ import annotations

import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest

from experiments.page.drawing import Labels, draw_attention, draw_curves, draw_matrix

LABELS = Labels("Title", "x", "y")
MATRIX = {"words": ["felt", "that"], "slots": ["should", "服务"], "weights": [[0.7, 0.3], [0.1, 0.9]]}
EXAMPLE = {
    "source": ["我们", "觉得"],
    "target": ["we", "felt", "."],
    "rounds": [[[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], [[1, 0], [0, 1], [0.5, 0.5]]],
    "sure": [[0, 0], [1, 1]],
    "possible": [[0, 0], [1, 1], [1, 2]],
}


@pytest.mark.slow
def test_each_figure_draws_and_draws_the_same_again(tmp_path: Path) -> None:
    draws = {
        "curves": lambda path: draw_curves(path, {"one": [(0, 1.5), (25, 2.5)]}, LABELS, ("base", 1.0)),
        "matrix": lambda path: draw_matrix(path, MATRIX, LABELS),
        "attention": lambda path: draw_attention(path, EXAMPLE, "name"),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, draw in draws.items():
            paths = [tmp_path / "figures" / f"{name}{number}.svg" for number in (1, 2)]
            for path in paths:
                draw(path)
            assert paths[0].read_bytes() == paths[1].read_bytes()
            assert ElementTree.parse(paths[0]).getroot().tag.endswith("svg")
    assert "服务" in (tmp_path / "figures" / "matrix1.svg").read_text("utf-8")
    attention = (tmp_path / "figures" / "attention1.svg").read_text("utf-8")
    assert "round 2" in attention and "觉得" in attention

"""The papers' figures, drawn from measured values as SVG files (matplotlib, the extra `report`)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anaphora_nmt.errors import CorpusError

Curve = Sequence[tuple[float, float]]
_CHINESE_FONTS = ["Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC", "SimHei"]
_STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: the reader's fonts have the Chinese characters
    "svg.hashsalt": "anaphora",  # the same values give the same file
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.constrained_layout.use": True,
}
_COUNTED = 10


@dataclass(frozen=True)
class Labels:
    """A figure's title and the names of its axes."""

    title: str
    x: str
    y: str


def draw_curves(
    path: Path, curves: Mapping[str, Curve], labels: Labels, level: tuple[str, float] | None = None
) -> None:
    """Lines through points, each with a name; `level` is a horizontal line with a name.

    Raises:
        CorpusError: matplotlib is not installed.
    """
    with _figure(path, (5.2, 3.2)) as figure:
        axes = figure.subplots()
        for name, points in curves.items():
            marker = "o" if len(points) < 20 else ""
            axes.plot([x for x, _ in points], [y for _, y in points], marker=marker, markersize=4, label=name)
        if level is not None:
            axes.axhline(level[1], color="0.5", linestyle="--", linewidth=1, label=level[0])
        places = sorted({x for points in curves.values() for x, _ in points})
        if len(places) <= _COUNTED and places == list(map(round, places)) and places[-1] <= _COUNTED:
            axes.set_xticks(places)  # a small count, such as of sentences: nothing between its numbers
        axes.set(title=labels.title, xlabel=labels.x, ylabel=labels.y)
        axes.legend(frameon=False, fontsize=8)


def draw_matrix(path: Path, matrix: Mapping[str, Any], labels: Labels) -> None:
    """A matching matrix: output words on the x-axis, cache slots on the y-axis (Tu et al., 2018, Figure 4b).

    Args:
        matrix: "words", "slots" and "weights" [words, slots].
    """
    words, slots = matrix["words"], matrix["slots"]
    size = (1.6 + 0.34 * len(words), 1.4 + 0.19 * len(slots))
    with _figure(path, size) as figure:
        axes = figure.subplots()
        columns = [list(column) for column in zip(*matrix["weights"], strict=True)]
        axes.imshow(columns, cmap="Blues", aspect="auto", vmin=0)
        axes.set_xticks(range(len(words)), words, rotation=60, ha="right")
        axes.set_yticks(range(len(slots)), slots)
        axes.set(title=labels.title, xlabel=labels.x, ylabel=labels.y)


def draw_attention(path: Path, example: Mapping[str, Any], title: str) -> None:
    """Attention of each round side by side, the links drawn by hand framed (Meng et al., 2018, Figure 3).

    Args:
        example: "source", "target", "rounds" [rounds, target, source], "sure", "possible".
    """
    source, target, rounds = example["source"], example["target"], example["rounds"]
    size = ((1.6 + 0.3 * len(source)) * len(rounds), 1.8 + 0.22 * len(target))
    with _figure(path, size) as figure:
        for number, axes in enumerate(figure.subplots(1, len(rounds), squeeze=False)[0]):
            axes.imshow(rounds[number], cmap="Greys", aspect="auto", vmin=0, vmax=1)
            axes.set_xticks(range(len(source)), source, rotation=60, ha="right")
            axes.set_yticks(range(len(target)), target)
            axes.set_title(f"{title}, round {number + 1}" if len(rounds) > 1 else title)
            for kind, style in (("possible", ":"), ("sure", "-")):
                sure = {tuple(link) for link in example["sure"]}
                links = sure if kind == "sure" else {tuple(link) for link in example[kind]} - sure
                for column, row in sorted(links):
                    _frame(axes, column, row, style)


def _frame(axes: Any, column: int, row: int, style: str) -> None:
    from matplotlib.patches import Rectangle

    corner = (column - 0.5, row - 0.5)
    axes.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor="tab:blue", linestyle=style, linewidth=1))


@contextmanager
def _figure(path: Path, size: tuple[float, float]) -> Iterator[Any]:
    """A figure that is saved when the block ends. No display, no global state of matplotlib's."""
    try:
        from matplotlib import font_manager, rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CorpusError("the package matplotlib is missing: pip install anaphora[experiments]") from error
    installed = set(font_manager.get_font_names())  # matplotlib complains of each use of any other
    fonts = ["DejaVu Sans", *(name for name in _CHINESE_FONTS if name in installed)]
    with rc_context({**_STYLE, "font.family": fonts}), warnings.catch_warnings():
        # a font without Chinese glyphs is good enough to measure the text with
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure = Figure(figsize=size)
        yield figure
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})

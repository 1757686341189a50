"""Which figures the runs at hand allow, and their captions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from experiments.page.drawing import Curve, Labels, draw_attention, draw_curves, draw_matrix
from experiments.page.page import Figure
from experiments.page.results import SETS, Results, RunResult, parts

Json = dict[str, Any]
_PRINTED_SIZES = (
    (0, 24.78),
    (25, 25.65),
    (50, 25.62),
    (100, 25.62),
    (200, 25.59),
    (500, 25.58),
    (1000, 25.39),
)
"""Tu et al. (2018), Table 2, average of the three domains."""


def draw_all(results: Results, out: Path, folder: str) -> list[Figure]:
    """Draw what there are values for, into `out / folder`.

    Returns:
        the figures, files relative to `out`.
    """
    drawn: list[Figure] = []
    for draw in (_cache_sizes, _distances, _matrices, _attention, _gates, _contexts):
        for name, caption, make in draw(results):
            file = f"{folder}/{name}.svg"
            make(out / file)
            drawn.append(Figure(file, caption))
    return drawn


_Drawing = tuple[str, str, Callable[[Path], None]]


def _cache_sizes(results: Results) -> Iterator[_Drawing]:
    """Tu et al. (2018), Table 2, as a curve: gain over no cache."""
    groups: dict[str, list[tuple[float, float]]] = {}
    for run in results.measured():
        cache = run.system.config.get("memory", {}).get("continuous_cache")
        drafted = (run.system.config.get("second_pass") or {}).get("drafted")
        if parts(run.system.config) != ("continuous cache",) or not _usual(cache) or drafted:
            continue
        for name in SETS[:2]:
            if tests := run.comparison(name):
                groups.setdefault(f"{_decoder(run)}, {name}", []).append(
                    (cache["size"], tests["bleu"]["difference"])
                )
    curves: dict[str, Curve] = {name: sorted(points) for name, points in groups.items() if len(points) > 1}
    if not curves:
        return
    curves["printed: average of three domains"] = [
        (size, score - _PRINTED_SIZES[0][1]) for size, score in _PRINTED_SIZES
    ]
    labels = Labels("Cache size", "slots", "BLEU over no cache")
    yield (
        "cache-size",
        "Gain by size of the continuous cache (Tu et al., 2018, Table 2). `python -m experiments train "
        "cache-size-0,cache-size-25,…`",
        lambda path: draw_curves(path, curves, labels, ("no cache", 0.0)),
    )


def _distances(results: Results) -> Iterator[_Drawing]:
    """Tu et al. (2018), Figure 3."""
    curves: dict[str, Curve] = {}
    for run in _with_matching(results):
        found = _matching(run)
        if len(found["by_distance"]) > 1:
            curves[f"{run.name} ({found['slots']} slots)"] = list(enumerate(found["by_distance"], 1))
    if curves:
        labels = Labels("Matching by distance", "position in the history, the latest first", "mean P_m")
        yield (
            "matching-by-distance",
            "Mean matching probability of the positions in the history, the most recent on the left "
            "(Tu et al., 2018, Figure 3); the first 40 segments of 12 documents of docs-dev. "
            "`python -m experiments measure RUNS/NAME`",
            lambda path: draw_curves(path, curves, labels),
        )


def _matrices(results: Results) -> Iterator[_Drawing]:
    """Tu et al. (2018), Figure 4(b), of the run with the highest BLEU on docs-dev."""
    runs = [run for run in _with_matching(results) if _matching(run).get("matrix")]
    if not runs:
        return
    run = max(runs, key=lambda run: run.bleu(SETS[0]) or 0.0)
    labels = Labels("Cache matching", "generated words", "cached words, the oldest at the top")
    yield (
        "matching-matrix",
        f"Cache matching matrix of `{run.name}` (Tu et al., 2018, Figure 4b): of the sentences read for the "
        "figure above, the one that matches single slots most; its 24 strongest words. "
        "`python -m experiments measure RUNS/NAME`",
        lambda path: draw_matrix(path, _matching(run)["matrix"], labels),
    )


def _with_matching(results: Results) -> list[RunResult]:
    """Runs with a continuous cache: those with nothing else, or, without such, all."""
    runs = [run for run in results.measured() if _matching(run)]
    alone = [run for run in runs if parts(run.system.config) == ("continuous cache",)]
    return alone or runs


def _matching(run: RunResult) -> Json:
    return (run.model or {}).get("matching") or {}


def _attention(results: Results) -> Iterator[_Drawing]:
    """Meng et al. (2018), Figure 3: runs with several rounds, and the plain baseline beside them."""
    runs = [run for run in results.measured() if run.model]
    several = [run for run in runs if len(_example(run)["rounds"]) > 1]
    names = {run.system.baseline for run in several}
    for run in [*several, *(run for run in runs if run.name in names)]:
        example = _example(run)

        def make(path: Path, example: Mapping[str, Any] = example, title: str = run.name) -> None:
            draw_attention(path, example, title)

        yield (
            f"attention-{run.name}",
            f"Attention of `{run.name}` (Meng et al., 2018, Figure 3) on {example['document']}, segment "
            f"{example['segment']}: the first aligned pair of 10 to 12 English tokens. Framed: links "
            "by hand, dotted where only possible. `python -m experiments measure RUNS/NAME`",
            make,
        )


def _gates(results: Results) -> Iterator[_Drawing]:
    """CAMN, Figure 3: BLEU by fixed gate; 0 is the plain Transformer."""
    curves: dict[str, Curve] = {}
    levels: list[tuple[str, float]] = []
    for name in SETS:
        points: list[tuple[float, float]] = []
        for run in results.measured():
            camn, score = _camn(run), run.bleu(name)
            if camn is None or score is None or camn["selection"] != "previous" or camn["merging"] != "rnn":
                continue
            if camn["gate"] is not None:
                points.append((camn["gate"], score))
                points += _baseline_point(results, run, name)
            elif run.name == "camn":
                levels.append((f"learned gate, {name}", score))
        if len(set(points)) > 1:
            curves[name] = sorted(set(points))
    if curves:
        labels = Labels("Context gate", "fixed share of the context", "BLEU")
        level = next((level for level in levels if level[0].endswith(next(iter(curves)))), None)
        yield (
            "gate-sweep",
            "BLEU by fixed context gate (CAMN, Figure 3); 0 is the plain Transformer. "
            "`python -m experiments train camn --set model.camn.gate=…`",
            lambda path: draw_curves(path, curves, labels, level),
        )


def _contexts(results: Results) -> Iterator[_Drawing]:
    """CAMN, Figure 4: BLEU by number and choice of context sentences."""
    usual = results.runs["camn"].system.baseline if "camn" in results.runs else None
    for name in SETS[:2]:
        groups: dict[str, set[tuple[float, float]]] = {}
        for run in results.measured():
            camn, score = _camn(run), run.bleu(name)
            if camn is None or score is None or run.system.baseline != usual:
                continue
            if camn["gate"] is not None or camn["merging"] != "rnn":
                continue
            if camn["core"] == "rnn" and camn["direction"] == "forward":
                points = groups.setdefault(camn["selection"], set())
                points.add((camn["size"], score))
                points.update(_baseline_point(results, run, name))
        curves: dict[str, Curve] = {
            kind: sorted(points)
            for kind, points in groups.items()
            if len({m for m, _ in points} - {0.0}) > 1  # one system is no sweep
        }
        if curves:
            labels = Labels(f"Context sentences, {name}", "m", "BLEU")

            def make(path: Path, curves: Mapping[str, Curve] = curves, labels: Labels = labels) -> None:
                draw_curves(path, curves, labels)

            yield (
                f"context-sweep-{name}",
                f"BLEU on {name} by number and choice of the context sentences (CAMN, Figure 4); m = 0 is "
                "the plain Transformer. `python -m experiments train camn,camn-m1,camn-next,camn-random`",
                make,
            )


def _baseline_point(results: Results, run: RunResult, name: str) -> list[tuple[float, float]]:
    baseline = results.runs.get(run.system.baseline or "")
    score = baseline.bleu(name) if baseline else None
    return [] if score is None else [(0.0, score)]


def _usual(cache: Json) -> bool:
    return bool(cache["fusion"] == "deep" and cache["overwrite"] and cache["matching"] == "cosine")


def _decoder(run: RunResult) -> str:
    kind = run.system.config["model"]["decoder"]["kind"]
    return {"recurrent": "RNNSearch", "transformer": "Transformer"}.get(kind, str(kind))


def _camn(run: RunResult) -> Json | None:
    found: Json | None = run.system.config.get("model", {}).get("camn")
    return found if parts(run.system.config) == ("CAMN",) else None


def _example(run: RunResult) -> Json:
    found: Json = (run.model or {})["alignment"]["example"]
    return found

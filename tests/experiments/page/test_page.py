"""The results page tells what was measured, what was not, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora_nmt.errors import CorpusError
from experiments.page.figures import draw_all
from experiments.page.page import Figure, results_page
from experiments.page.results import Results, RunSystem, load_results, parts, settings

PAPER = {"citation": "Tu et al. (2018)", "where": "Table 4", "baseline": 35.39, "value": 36.48}


def config(**memory: Any) -> dict[str, Any]:
    decoder = {"kind": "recurrent", "key_memory": {"rounds": 2}, "buffer": {"cells": 8}}
    return {
        "family": "cpu",
        "model": {"decoder": decoder, "camn": None},
        "memory": {"continuous_cache": None, "word_caches": None, **memory},
        "initial": "base",
        "training": None,
        "second_pass": {"learning_rate": 0.0007, "updates": 1500},
    }


def cache(size: int) -> dict[str, Any]:
    return {"size": size, "fusion": "deep", "overwrite": True, "matching": "cosine", "gate_bias": None}


SYSTEMS = [
    RunSystem("base", "RNNSearch", None, {**PAPER, "value": 35.39}, config()),
    RunSystem("cache-25", "Cache of 25", "base", PAPER, config(continuous_cache=cache(25))),
    RunSystem("cache-50", "Cache of 50", "base", PAPER, config(continuous_cache=cache(50))),
    RunSystem("words", "Word caches", "base", PAPER, config(word_caches={"dynamic_size": 100})),
]


def measures(name: str, bleu: float, difference: float | None, p: float = 0.01) -> dict[str, Any]:
    score = {"value": bleu, "signature": ""}
    tests = None
    if difference is not None:
        tested = {"difference": difference, "p": p}
        tests = {
            "baseline": "base",
            "bleu": tested,
            "chrf": tested,
            "by_document": None,
            "signs": {"p": 0.0002},
        }
    return {
        "set": name,
        "beam": 10,
        "seconds": 10.0,
        "words": 1000 if difference is None else 970,
        "device": "cpu",
        "evaluation": {"bleu": score, "chrf": score, "document_bleu": None},
        "context_types": {"previous": 1.5, "following": 1.25, "from_reference": {"distance": 1.125}},
        "coherence": {"vectors": 0.4321},
        "comparison": tests,
    }


def write_run(runs: Path, system: RunSystem, **sets: dict[str, Any]) -> None:
    folder = runs / system.name
    folder.mkdir(parents=True)
    record = {
        "title": system.title,
        "baseline": system.baseline,
        "paper": system.paper,
        "system": system.config,
        "parameters": 12345678,
        "trained_parameters": 1000,
        "updates": 1500,
        "training_seconds": 100.0,
        "pieces_seen": 250000,
        "device": "cpu",
    }
    (folder / "system.json").write_text(json.dumps(record), "utf-8")
    for name, values in sets.items():
        (folder / f"measures.{name.replace('_', '-')}.json").write_text(json.dumps(values), "utf-8")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    write_run(
        folder, SYSTEMS[0], docs_dev=measures("docs-dev", 30, None), docs_test=measures("docs-test", 29, None)
    )
    write_run(folder, SYSTEMS[1], docs_dev=measures("docs-dev", 30.5, 0.5))
    write_run(
        folder,
        SYSTEMS[2],
        docs_dev=measures("docs-dev", 30.75, 0.75),
        docs_test=measures("docs-test", 29.25, 0.25, 0.2),
    )
    (folder / "measures").mkdir()
    reference = {"context_types": {"previous": 2.5, "following": 2.25}, "coherence": {"vectors": 0.5}}
    (folder / "measures" / "reference.docs-dev.json").write_text(json.dumps(reference), "utf-8")
    return folder


def load(runs: Path) -> Results:
    return load_results([runs], {system.name for system in SYSTEMS})


def row(page: str, name: str) -> list[str]:
    """Cells of the first table row that names a system."""
    line = next(line for line in page.split("\n") if line.startswith("|") and f"(`{name}`)" in line)
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_rows_show_what_was_measured_and_what_was_printed(runs: Path) -> None:
    page = results_page(
        load(runs), [Figure("figures/a.svg", "A figure.")], "python -m experiments report runs -o out"
    )
    assert row(page, "base")[1:4] == ["–", "30.00", "–"]
    found = row(page, "cache-50")
    assert found[1:] == [
        *("`base`", "30.75", "**+0.75**", "29.25", "+0.25", "0.200", "–", "< 0.001", "29.25", "–"),
        *("35.39 → 36.48 (+1.09)", "Table 4"),
    ]
    assert "`python -m experiments report runs -o out`" in page
    assert "![A figure.](figures/a.svg)" in page
    assert "| reference | 2.50 | 2.25 | – |\n" in page and "| 0.4321 |\n" in page
    assert "| 1.50 | 1.25 | 1.12 |\n" in page  # no column of what no run has
    speeds = [line for line in page.split("\n") if "12,345,678" in line and "cache-50" in line]
    assert len(speeds) == 1 and "| 2,500 | 97.0 | docs-test | 10 | 0.97 | cpu |" in speeds[0]


def test_what_was_not_run_is_not_there(runs: Path) -> None:
    page = results_page(load(runs), [], "c")
    assert "words" not in page.split("## Parameters")[0].partition("## Systems")[2].partition("## What")[0]
    assert row(page, "cache-25")[4] == "not run"  # on docs-test
    assert "TVSub beside" not in page
    nothing = results_page(load_results([], set()), [], "c")
    assert "12,345,678" not in nothing and "| ours |" not in nothing


def test_where_nothing_improves_the_page_shows_what_was_tried(runs: Path) -> None:
    losses = [{"base": 2.25, "continuous cache": loss} for loss in (2.25, 2.125, 2.1875)]
    (runs / "cache-25" / "memory_curve.jsonl").write_text("\n".join(map(json.dumps, losses)), "utf-8")
    page = results_page(load(runs), [], "c")
    assert "**continuous cache** does not improve with p < 0.05 on a test set. What was tried:" in page
    tried = next(line for line in page.split("\n") if line.startswith("| `cache-25`"))
    assert "learning rate 0.0007; 1500 updates; from base; continuous cache: size 25" in tried
    assert "| 250,000 | 2.125 | -0.125 | **+0.50** (0.010) | not run |" in tried
    better = measures("docs-test", 30, 1.0, 0.04)
    (runs / "cache-25" / "measures.docs-test.json").write_text(json.dumps(better), "utf-8")
    page = results_page(load(runs), [], "c")
    assert "**continuous cache** improves on its baseline with p < 0.05: `cache-25` (docs-test)." in page
    assert "What was tried" not in page.replace("and what was tried", "")


def test_confirmed_history_has_its_own_table_and_counts_for_nothing_else(runs: Path) -> None:
    assert "a translator's confirmations" not in results_page(load(runs), [], "c")
    for name, difference in (("base", None), ("cache-50", 1.5)):
        values = measures("docs-test-confirmed", 29 + (difference or 0), difference)
        (runs / name / "measures.docs-test-confirmed.json").write_text(json.dumps(values), "utf-8")
    page = results_page(load(runs), [], "c")
    section = page.split("## With a translator's confirmations")[1].split("\n## ")[0]
    assert row(section, "cache-50")[1:5] == ["`base`", "30.50", "**+1.50**", "0.010"]
    assert "experiments train base,cache-50 --alone" in section and "(`base`)" not in section
    assert "docs-test-confirmed=DATA/docs-zh-en/test.jsonl.xz" in section
    assert "**continuous cache** does not improve with p < 0.05" in page


def test_what_was_only_tried_is_no_system(runs: Path) -> None:
    tried = RunSystem("cache-7", "Cache of 7", "base", PAPER, config(continuous_cache=cache(7)))
    write_run(runs, tried, docs_test=measures("docs-test", 28.0, -1.0))
    page = results_page(load(runs), [], "c")
    systems, _, rest = page.partition("## What improves")
    assert "(`cache-7`)" not in systems and "(`cache-50`)" in systems
    assert "| `cache-7` |" in rest and "continuous cache: size 7" in rest


def test_a_baseline_that_was_run_again_since_is_told(runs: Path) -> None:
    again = measures("docs-test", 29.5, None)
    (runs / "base" / "measures.docs-test.json").write_text(json.dumps(again), "utf-8")
    page = results_page(load(runs), [], "c")
    assert row(page, "base")[4] == "29.50"
    assert row(page, "cache-50")[4:6] == ["29.25", "+0.25 (on 29.00)"]
    assert row(page, "cache-50")[3] == "**+0.75**", "on dev it is the same"


def test_commands_name_each_beam_with_its_sets(runs: Path) -> None:
    for name in ("base", "cache-50"):
        path = runs / name / "measures.docs-dev.json"
        path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "beam": 1}), "utf-8")
    (runs / "cache-25" / "measures.docs-dev.json").unlink()
    page = results_page(load(runs), [], "c")
    start = "experiments train base,cache-25,cache-50 --runs RUNS --data PREPARED --pretrained MODEL"
    assert f"{start} --beam 1 --sets docs-dev=DATA/docs-zh-en/dev.jsonl.xz" in page
    assert f"{start} --beam 10 --sets docs-test=DATA/docs-zh-en/test.jsonl.xz" in page


def test_a_trained_model_is_compared_by_its_last_dev_loss(runs: Path) -> None:
    kind = {"kind": "memdec", "buffer": {"cells": 8}}
    system = RunSystem("memdec", "MemDec", "base", PAPER, {**config(), "model": {"decoder": kind}})
    write_run(runs, system, docs_test=measures("docs-test", 28.5, -0.5))
    for name, losses in (("base", (3.0, 2.5)), ("memdec", (2.75, 2.5625))):
        lines = [json.dumps({"update": 200 * n, "dev_loss": loss}) for n, loss in enumerate(losses)]
        (runs / name / "curve.jsonl").write_text("\n".join(lines), "utf-8")
    page = results_page(load(runs), [], "c")
    tried = next(line for line in page.split("\n") if line.startswith("| `memdec`"))
    assert "| 2.562 | +0.062 |" in tried or "| 2.563 | +0.062 |" in tried


def test_parts_and_settings_of_a_system() -> None:
    both = config(continuous_cache=cache(25), word_caches={"scorer_hidden": (128, 64), "model_score": False})
    both["model"]["decoder"]["kind"] = "memdec"
    assert parts(both) == ("MemDec", "continuous cache", "word caches")
    assert "MemDec: cells 8" in settings(both) and "scorer hidden 128+64, model score no" in settings(both)
    assert parts(config()) == ()


@pytest.mark.slow
def test_figures_are_drawn_of_what_there_is(runs: Path, tmp_path: Path) -> None:
    matrix = {"words": ["a"], "slots": ["b", "c"], "weights": [[0.1, 0.9]]}
    example = {
        "document": "d",
        "segment": 3,
        "source": ["甲"],
        "target": ["a"],
        "sure": [[0, 0]],
        "possible": [],
    }
    model = {
        "alignment": {
            "error": {"rate": 0.25, "rounds": [0.5, 0.25]},
            "example": {**example, "rounds": [[[1]], [[1]]]},
        },
        "matching": {"by_distance": [0.5, 0.3, 0.2], "slots": 25, "matrix": matrix},
    }
    (runs / "cache-25" / "measures.json").write_text(json.dumps(model), "utf-8")
    figures = draw_all(load(runs), tmp_path / "out", "figures")
    names = [Path(figure.file).stem for figure in figures]
    assert names == ["cache-size", "matching-by-distance", "matching-matrix", "attention-cache-25"]
    assert all((tmp_path / "out" / figure.file).stat().st_size > 1000 for figure in figures)
    page = results_page(load(runs), figures, "c")
    assert "50.0% → 25.0%" in page
    assert draw_all(load_results([], set()), tmp_path / "none", "figures") == []


def test_damaged_files_are_named(runs: Path) -> None:
    (runs / "base" / "measures.docs-dev.json").write_text("[", "utf-8")
    with pytest.raises(CorpusError, match=r"measures\.docs-dev\.json"):
        load(runs)
    with pytest.raises(CorpusError, match="no folder of runs"):
        load_results([runs / "missing"], set())


def test_what_ships_has_its_own_tables(runs: Path) -> None:
    assert "## What ships" not in results_page(load(runs), [], "command")
    page = results_page(load(runs), [], "command", ["### Test\n\n| none | 41.66 |\n"])
    assert "| none | 41.66 |\n\n" in page and page.index("## What ships") < page.index("41.66")

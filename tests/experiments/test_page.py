"""The results page lists exactly the measured figures and the missing ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora_nmt.errors import CorpusError
from experiments.page import load_results, results_page

PAPER = {"citation": "Tu et al. (2018)", "where": "Table 4", "baseline": 35.39, "value": 36.48}


SYSTEMS: dict[str, dict[str, Any]] = {
    "base": {"title": "RNNSearch", "baseline": None, "paper": {**PAPER, "value": 35.39}},
    "cache-25": {"title": "Cache of 25", "baseline": "base", "paper": PAPER},
    "cache-50": {"title": "Cache of 50", "baseline": "base", "paper": PAPER},
}


def measures(name: str, bleu: float, difference: float | None, p: float = 0.01) -> dict[str, Any]:
    score = {"value": bleu, "signature": ""}
    tests = None
    if difference is not None:
        tested = {"difference": difference, "p": p, "samples": 1000}
        tests = {
            "baseline": "base",
            "bleu": tested,
            "chrf": tested,
            "by_document": {**tested, "p": 2 * p},
            "signs": {"p": 0.0002},
        }
    return {
        "set": name,
        "beam": 10,
        "seconds": 10.0,
        "words": 1000 if difference is None else 970,
        "device": "cpu",
        "evaluation": {"bleu": score, "chrf": score, "document_bleu": None},
        "comparison": tests,
    }


def write_run(runs: Path, name: str, kept: bool = True, **sets: dict[str, Any]) -> None:
    folder = runs / name
    folder.mkdir(parents=True)
    cache = {"size": 25} if SYSTEMS[name]["baseline"] else None
    system = {"family": "cpu", "memory": {"continuous_cache": cache}}
    record = {**SYSTEMS[name], "system": system, "parameters": 12345678, "device": "cpu"}
    (folder / "system.json").write_text(json.dumps(record), "utf-8")
    for name, values in sets.items():
        (folder / f"measures.{name.replace('_', '-')}.json").write_text(json.dumps(values), "utf-8")
        if kept:
            (folder / f"outputs.{name.replace('_', '-')}.json").write_text("{}", "utf-8")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    write_run(
        folder, "base", docs_dev=measures("docs-dev", 30, None), docs_test=measures("docs-test", 29, None)
    )
    write_run(folder, "cache-25", docs_dev=measures("docs-dev", 30.5, 0.5))
    write_run(
        folder,
        "cache-50",
        docs_dev=measures("docs-dev", 30.75, 0.75),
        docs_test=measures("docs-test", 29.25, 0.25, 0.2),
    )
    return folder


def row(page: str, name: str, test: str = "docs-test") -> list[str]:
    """Cells of the first table row of a system and a set."""
    lines = (line for line in page.split("\n") if line.startswith("|") and f"(`{name}`)" in line)
    line = next(line for line in lines if f"| {test} |" in line)
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_rows_show_measured_and_printed_scores(runs: Path) -> None:
    page = results_page(load_results(runs), "python -m experiments report runs -o out")
    assert row(page, "base", "docs-dev")[1:6] == ["–", "docs-dev", "10", "30.00", "–"]
    assert row(page, "cache-50")[1:] == [
        *("`base`", "docs-test", "10", "29.25", "+0.25", "0.200", "0.400", "≤ 0.001", "29.25", "–"),
        *("35.39 → 36.48 (+1.09)", "Table 4"),
    ]
    assert row(page, "cache-50", "docs-dev")[4:9] == ["30.75", "**+0.75**", "–", "–", "–"]
    assert "`python -m experiments report runs -o out`" in page
    assert "(`words`)" not in page, "systems without a run are missing"


def test_significance_is_by_document_for_context_systems(runs: Path) -> None:
    page: dict[float, list[str]] = {p: [] for p in (0.001998, 0.02, 0.03)}
    for p in page:
        values = measures("docs-test", 29.5, 0.5, p)
        (runs / "cache-50" / "measures.docs-test.json").write_text(json.dumps(values), "utf-8")
        page[p] = row(results_page(load_results(runs), "c"), "cache-50")[5:8]
    assert page[0.001998] == ["**+0.50**", "≤ 0.002", "0.004"]
    assert page[0.02][0] == "**+0.50**" and page[0.03] == ["+0.50", "0.030", "0.060"]


def test_row_without_translations_is_marked(runs: Path) -> None:
    (runs / "cache-50" / "outputs.docs-dev.json").unlink()
    page = results_page(load_results(runs), "c")
    assert row(page, "cache-50", "docs-dev")[5] == "+0.75 †" and row(page, "cache-50")[5] == "+0.25"


def test_damaged_files_are_reported(runs: Path) -> None:
    (runs / "base" / "measures.docs-dev.json").write_text("[", "utf-8")
    with pytest.raises(CorpusError, match=r"measures\.docs-dev\.json"):
        load_results(runs)
    with pytest.raises(CorpusError, match="not a folder of runs"):
        load_results(runs / "missing")

"""The results page tells what was measured, what was not, and nothing else."""

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
        "comparison": tests,
    }


def write_run(runs: Path, name: str, **sets: dict[str, Any]) -> None:
    folder = runs / name
    folder.mkdir(parents=True)
    record = {**SYSTEMS[name], "system": {"family": "cpu"}, "parameters": 12345678, "device": "cpu"}
    (folder / "system.json").write_text(json.dumps(record), "utf-8")
    for name, values in sets.items():
        (folder / f"measures.{name.replace('_', '-')}.json").write_text(json.dumps(values), "utf-8")


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


def row(page: str, name: str) -> list[str]:
    """Cells of the first table row that names a system."""
    line = next(line for line in page.split("\n") if line.startswith("|") and f"(`{name}`)" in line)
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_rows_show_what_was_measured_and_what_was_printed(runs: Path) -> None:
    page = results_page(load_results(runs), "python -m experiments report runs -o out")
    assert row(page, "base")[1:4] == ["–", "30.00", "–"]
    found = row(page, "cache-50")
    assert found[1:] == [
        *("`base`", "30.75", "**+0.75**", "29.25", "+0.25", "0.200", "–", "< 0.001", "29.25", "–"),
        *("35.39 → 36.48 (+1.09)", "Table 4"),
    ]
    assert "`python -m experiments report runs -o out`" in page


def test_what_was_not_run_is_not_there(runs: Path) -> None:
    page = results_page(load_results(runs), "c")
    assert "(`words`)" not in page
    assert row(page, "cache-25")[4] == "not run"  # on docs-test


def test_confirmed_history_has_its_own_table_and_counts_for_nothing_else(runs: Path) -> None:
    assert "a translator's confirmations" not in results_page(load_results(runs), "c")
    for name, difference in (("base", None), ("cache-50", 1.5)):
        values = measures("docs-test-confirmed", 29 + (difference or 0), difference)
        (runs / name / "measures.docs-test-confirmed.json").write_text(json.dumps(values), "utf-8")
    page = results_page(load_results(runs), "c")
    section = page.split("## With a translator's confirmations")[1].split("\n## ")[0]
    assert row(section, "cache-50")[1:5] == ["`base`", "30.50", "**+1.50**", "0.010"]
    assert "docs-test-confirmed BLEU (beam 10)" in section and "(`base`)" not in section


def test_a_baseline_that_was_run_again_since_is_told(runs: Path) -> None:
    again = measures("docs-test", 29.5, None)
    (runs / "base" / "measures.docs-test.json").write_text(json.dumps(again), "utf-8")
    page = results_page(load_results(runs), "c")
    assert row(page, "base")[4] == "29.50"
    assert row(page, "cache-50")[4:6] == ["29.25", "+0.25 (on 29.00)"]
    assert row(page, "cache-50")[3] == "**+0.75**", "on dev it is the same"


def test_damaged_files_are_named(runs: Path) -> None:
    (runs / "base" / "measures.docs-dev.json").write_text("[", "utf-8")
    with pytest.raises(CorpusError, match=r"measures\.docs-dev\.json"):
        load_results(runs)
    with pytest.raises(CorpusError, match="no folder of runs"):
        load_results(runs / "missing")

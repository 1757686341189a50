"""`python -m experiments measure`, `report` and `archive`, from translations to files."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from experiments.cli import main

PAIRS = [["甲", f"The model of the document number {number} is loaded."] for number in range(30)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """docs-zh-en's dev set."""
    folder = tmp_path / "data" / "docs-zh-en"
    folder.mkdir(parents=True)
    with lzma.open(folder / "dev.jsonl.xz", "wt", encoding="utf-8") as file:
        for name in ("a", "b"):
            file.write(json.dumps({"doc": name, "source": "s", "licence": "l", "segments": PAIRS}) + "\n")
    return folder.parent


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A baseline and a system that is compared with it."""
    folder = tmp_path / "runs"
    for name, baseline, changed in (("plain", None, "a"), ("cache", "plain", "the")):
        (folder / name).mkdir(parents=True)
        record: dict[str, Any] = {
            "title": name.title(),
            "baseline": baseline,
            "paper": {},
            "system": {},
            "parameters": 7,
            "trained_parameters": 7,
            "updates": 3,
            "finished": True,
        }
        (folder / name / "system.json").write_text(json.dumps(record), "utf-8")
        lines = [target.replace("the", changed) for _, target in PAIRS] * 2
        values = {"set": "docs-dev", "beam": 2, "seconds": 2.0, "words": 100, "hypotheses": lines}
        (folder / name / "outputs.docs-dev.json").write_text(json.dumps(values), "utf-8")
    return folder


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def measure(runs: Path, data: Path) -> None:
    assert main(["measure", str(runs / "plain"), str(runs / "cache"), "--data", str(data)]) == 0


def test_outputs_are_scored_and_compared_with_the_baseline(runs: Path, data: Path) -> None:
    measure(runs, data)
    found = read(runs / "cache" / "measures.docs-dev.json")
    assert found["evaluation"]["bleu"]["value"] == pytest.approx(100)
    assert found["comparison"]["baseline"] == "plain"
    assert found["comparison"]["bleu"]["difference"] > 5 and found["comparison"]["bleu"]["p"] < 0.01
    assert read(runs / "plain" / "measures.docs-dev.json")["comparison"] is None


def test_another_beam_is_not_compared(runs: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = runs / "cache" / "outputs.docs-dev.json"
    path.write_text(json.dumps({**read(path), "beam": 5}), "utf-8")
    measure(runs, data)
    assert read(runs / "cache" / "measures.docs-dev.json")["comparison"] is None
    assert "not compared" in capsys.readouterr().out


def test_the_page_is_the_same_from_the_runs_and_from_their_archive(
    runs: Path, data: Path, tmp_path: Path
) -> None:
    measure(runs, data)
    assert main(["report", str(runs), "-o", str(tmp_path / "page")]) == 0
    page = (tmp_path / "page" / "RESULTS.md").read_text("utf-8")
    assert "(`cache`)" in page and "**+" in page
    out = tmp_path / "archived"
    assert main(["archive", str(runs), "-o", str(out)]) == 0
    archived = (out / "RESULTS.md").read_text("utf-8").split("\n")
    assert archived[3:] == page.split("\n")[3:] and sorted(path.name for path in out.iterdir()) == [
        "RESULTS.md",
        "runs.tar.xz",
    ]
    kept = runs / "cache" / "measures.docs-dev.json"
    report = read(kept)
    report["comparison"]["bleu"]["p"] = 0.9
    kept.write_text(json.dumps(report), "utf-8")
    assert main(["archive", str(runs), "-o", str(out)]) == 0
    assert "**+" not in (out / "RESULTS.md").read_text("utf-8").split("## Systems")[1]
    assert main(["report", str(out / "runs.tar.xz"), "-o", str(out), "--data", str(data)]) == 0
    assert (out / "RESULTS.md").read_text("utf-8").split("\n")[3:] == archived[3:], "computed again"
    more = tmp_path / "more"
    more.mkdir()
    (runs / "plain").rename(more / "other")
    assert main(["archive", str(more), "-o", str(out)]) == 0
    page = (out / "RESULTS.md").read_text("utf-8")
    assert "(`cache`)" in page and "(`plain`)" in page, "runs archived before stay"


def test_expected_errors_are_one_line(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", str(tmp_path / "run"), "--data", str(data)]) == 2
    assert "system.json" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "none"), "-o", str(tmp_path)]) == 2
    assert "not a folder of runs" in capsys.readouterr().err

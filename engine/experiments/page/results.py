"""Runs as the results page sees them: their own JSON files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anaphora_nmt.errors import CorpusError
from experiments.tvsub import HELD_OUT_SET, TEST_SET

Json = dict[str, Any]
SUBTITLES = (HELD_OUT_SET, TEST_SET)
SETS = ("docs-dev", "docs-test", "unseen-test", *SUBTITLES)
TEST_SETS = SETS[1:]
"""The sets that a system is judged on; docs-dev was tuned on."""
CONFIRMED_SETS = ("docs-dev-confirmed", "docs-test-confirmed")
"""The same with each reference in the memory before the next sentence."""
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class RunSystem:
    """A system, as its run's record says; `config` is the complete system as JSON values."""

    name: str
    title: str
    baseline: str | None
    paper: Json
    config: Json


@dataclass(frozen=True)
class RunResult:
    """A row: a system, its `system.json` and its `measures.<set>.json` by set."""

    system: RunSystem
    record: Json
    sets: Mapping[str, Json] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.system.name

    @property
    def label(self) -> str:
        return f"{self.system.title} (`{self.name}`)"

    @property
    def family(self) -> str:
        return str(self.system.config.get("family", "cpu"))

    def bleu(self, test: str) -> float | None:
        return self.sets[test]["evaluation"]["bleu"]["value"] if test in self.sets else None

    def comparison(self, test: str) -> Json | None:
        """The tests against the baseline on a test set, where they were made."""
        return self.sets[test]["comparison"] if test in self.sets else None

    def compared_with(self, test: str) -> float | None:
        """BLEU of the translations that it was compared with; None where that was not done."""
        tests, bleu = self.comparison(test), self.bleu(test)
        return None if tests is None or bleu is None else bleu - tests["bleu"]["difference"]


@dataclass(frozen=True)
class Results:
    """Everything that a results page is made of. `runs`: by name."""

    runs: Mapping[str, RunResult]

    def measured(self) -> list[RunResult]:
        """The runs with measures, baselines first."""
        return ordered(run for run in self.runs.values() if run.sets)


def load_results(folder: Path) -> Results:
    """Read what `train` and `measure` wrote into a folder of runs; CorpusError: a file is damaged."""
    if not folder.is_dir():
        raise CorpusError(f"{folder} is no folder of runs")
    runs = {path.parent.name: _run(path.parent) for path in sorted(folder.glob("*/system.json"))}
    return Results(runs)


def ordered(runs: Iterable[RunResult]) -> list[RunResult]:
    return sorted(runs, key=lambda run: (run.system.baseline is not None, run.name))


def _run(folder: Path) -> RunResult:
    record = _read(folder / "system.json")
    sets = {path.name.split(".")[1]: _read(path) for path in sorted(folder.glob("measures.*.json"))}
    try:
        system = RunSystem(
            folder.name, record["title"], record["baseline"], record["paper"], record["system"]
        )
    except KeyError as error:
        raise CorpusError(
            f"{folder / 'system.json'} says nothing of {error}; run the experiment again"
        ) from error
    return RunResult(system, record, sets)


def _read(path: Path) -> Json:
    try:
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path} cannot be read ({error}); measure the run again") from error
    if not isinstance(values, dict):
        raise CorpusError(f"{path} is no file of measures; measure the run again")
    return values

"""Runs as the results page sees them: their own JSON files."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    """A system, as its run's record says.

    Attributes:
        paper: citation, where, measure, baseline, value: what was printed.
        config: the complete system as JSON values.
    """

    name: str
    title: str
    baseline: str | None
    paper: Json
    config: Json


@dataclass(frozen=True)
class RunResult:
    """A row: a system and its run.

    Attributes:
        record: `system.json`.
        sets: `measures.<set>.json` by set. model: `measures.json`; None where it was not measured.
        dev_loss: nats a piece on dev at the end of training; None where it is not known.
        loss_before: the same of its base without memory, for memories on a frozen base.
        tried: whether it is a variant that was only tried, which has no row among the systems.
    """

    system: RunSystem
    record: Json
    sets: Mapping[str, Json] = field(default_factory=dict)
    model: Json | None = None
    dev_loss: float | None = None
    loss_before: float | None = None
    tried: bool = False

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.system.name

    @property
    def label(self) -> str:
        """Title and name, for a table."""
        return f"{self.system.title} (`{self.name}`)"

    @property
    def family(self) -> str:
        """The family of the system: "cpu" or "paper"."""
        return str(self.system.config.get("family", "cpu"))

    def bleu(self, test: str) -> float | None:
        """BLEU on a test set; None where it was not measured."""
        return self.sets[test]["evaluation"]["bleu"]["value"] if test in self.sets else None

    def comparison(self, test: str) -> Json | None:
        """The tests against the baseline on a test set, where they were made."""
        return self.sets[test]["comparison"] if test in self.sets else None

    def compared_with(self, test: str) -> float | None:
        """BLEU of the translations that it was compared with; None where that was not done."""
        tests, bleu = self.comparison(test), self.bleu(test)
        return None if tests is None or bleu is None else bleu - tests["bleu"]["difference"]

    def improves(self) -> list[str]:
        """The test sets on which it beats its baseline with p < 0.05, by the paired bootstrap."""
        found = ((test, self.comparison(test)) for test in TEST_SETS)
        return [
            test
            for test, tests in found
            if tests and tests["bleu"]["difference"] > 0 and tests["bleu"]["p"] < SIGNIFICANT
        ]


@dataclass(frozen=True)
class Results:
    """Everything that a results page is made of.

    Attributes:
        runs: by name.
        references: the reference's measures by set. peers: scores of other people's outputs by set.
    """

    runs: Mapping[str, RunResult]
    references: Mapping[str, Json]
    peers: Mapping[str, Json]

    def measured(self) -> list[RunResult]:
        """The runs with measures, baselines first."""
        return ordered(run for run in self.runs.values() if run.sets or run.model)


def load_results(folders: Sequence[Path], systems: Collection[str]) -> Results:
    """Read what `train` and `measure` wrote.

    Args:
        folders: folders of runs.
        systems: names of the runs that are systems; the others were only tried.
    Raises:
        CorpusError: a folder is missing, or a file is damaged.
    """
    runs: dict[str, RunResult] = {}
    references: dict[str, Json] = {}
    peers: dict[str, Json] = {}
    for folder in folders:
        if not folder.is_dir():
            raise CorpusError(f"{folder} is no folder of runs")
        for path in sorted(folder.glob("*/system.json")):
            name = path.parent.name
            runs[name] = replace(_run(path.parent), tried=name not in systems)
        for kind, found in (("reference", references), ("peers", peers)):
            for path in sorted((folder / "measures").glob(f"{kind}.*.json")):
                found[path.name.split(".")[1]] = _read(path)
    return Results(runs, references, peers)


def ordered(runs: Iterable[RunResult]) -> list[RunResult]:
    """Baselines first, then by name."""
    return sorted(runs, key=lambda run: (run.system.baseline is not None, run.name))


def parts(config: Json) -> tuple[str, ...]:
    """What a system adds to a plain model: some of MemDec, KVMemAtt, CAMN, continuous cache, word caches."""
    model, memory = config.get("model", {}), config.get("memory", {})
    kind = model.get("decoder", {}).get("kind", "")
    named = {"memdec": "MemDec", "kvmematt": "KVMemAtt"}
    found = [named[kind]] if kind in named else []
    found += ["CAMN"] if model.get("camn") else []
    found += ["continuous cache"] if memory.get("continuous_cache") else []
    found += ["word caches"] if memory.get("word_caches") else []
    return tuple(found)


def settings(config: Json) -> str:
    """The settings that were varied, in a few words."""
    training = config.get("training") or config.get("second_pass") or {}
    told = [f"learning rate {training['learning_rate']:g}"] if "learning_rate" in training else []
    if training.get("updates"):
        told.append(f"{training['updates']} updates")
    elif training.get("minutes"):
        told.append(f"{training['minutes']:g} minutes")
    told.append(f"from {config['initial']}" if config.get("initial") else "from scratch")
    if training.get("drafted"):
        told.append(f"{training['drafted']:.0%} of the history its own drafts")
    if training.get("fresh_rate", 1.0) != 1.0:
        told.append(f"what is new at {training['fresh_rate']:g} times the rate")
    decoder = config.get("model", {}).get("decoder", {})
    details = {
        "MemDec": decoder.get("buffer"),
        "KVMemAtt": decoder.get("key_memory"),
        "CAMN": config.get("model", {}).get("camn"),
        "continuous cache": config.get("memory", {}).get("continuous_cache"),
        "word caches": config.get("memory", {}).get("word_caches"),
    }
    for part in parts(config):
        told.append(f"{part}: " + _plain(details[part]))
    return "; ".join(told)


def _plain(values: Json | None) -> str:
    return ", ".join(
        f"{key.replace('_', ' ')} {_value(value)}" for key, value in (values or {}).items() if key != "seed"
    )


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "+".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "learned" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _run(folder: Path) -> RunResult:
    record = _read(folder / "system.json")
    paths = {path.name.split(".")[1]: path for path in sorted(folder.glob("measures.*.json"))}
    model = folder / "measures.json"
    try:
        system = RunSystem(
            folder.name, record["title"], record["baseline"], record["paper"], record["system"]
        )
    except KeyError as error:
        raise CorpusError(
            f"{folder / 'system.json'} says nothing of {error}; run the experiment again"
        ) from error
    sets = {name: _read(path) for name, path in paths.items() if path != model}
    losses = _losses(folder)
    return RunResult(system, record, sets, _read(model) if model.exists() else None, *losses)


def _losses(folder: Path) -> tuple[float | None, float | None]:
    """Dev loss at the end of a run (of memories: the best, which is kept), and of the base under memories."""
    memories, model = _lines(folder / "memory_curve.jsonl"), _lines(folder / "curve.jsonl")
    if memories:
        # A run of both memories is scored with both; one alone under its own name.
        last = [next(reversed(line.values())) for line in memories]
        return min(last), memories[0]["base"]
    return (model[-1].get("dev_loss"), None) if model else (None, None)


def _lines(path: Path) -> list[Json]:
    if not path.exists():
        return []
    try:
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path} cannot be read ({error}); run the experiment again") from error


def _read(path: Path) -> Json:
    try:
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path} cannot be read ({error}); measure the run again") from error
    if not isinstance(values, dict):
        raise CorpusError(f"{path} is no file of measures; measure the run again")
    return values

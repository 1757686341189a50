"""`python -m experiments measure`: score the translations of runs, and write JSON into their folders."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora_nmt.files import write_json
from experiments.page import Json, read_json

if TYPE_CHECKING:
    from anaphora_nmt.evaluation.report import EvaluationSet
    from experiments.scored_sets import ScoredSet

_TESTS = ("bleu", "chrf", "by_document", "signs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="folder of a run")
    parser.add_argument("--data", type=Path, required=True, help="folder with docs-zh-en, tvsub")


def run(arguments: argparse.Namespace) -> int:
    from experiments.scored_sets import load_scored_set

    sets: dict[str, ScoredSet] = {}
    for folder in arguments.runs:
        read_json(folder / "system.json")  # CorpusError if the folder is not a run
        for path in sorted(folder.glob("outputs.*.json")):
            name = path.name.removeprefix("outputs.").removesuffix(".json")
            test = sets.setdefault(name, load_scored_set(name, arguments.data))
            write_json(folder / f"measures.{name}.json", measure(folder, test))
            print(f"{folder.name}: {name}")
    return 0


def measure(folder: Path, test: ScoredSet) -> Json:
    """A run's scores on one test set, and the significance tests against its baseline (null without one)."""
    from anaphora_nmt.evaluation.report import evaluate

    translations = read_json(folder / f"outputs.{test.name}.json")
    outputs = test.prepare(translations["hypotheses"])
    scores: Json = {
        "set": test.name,
        "beam": translations["beam"],
        "seconds": translations["seconds"],
        "words": translations["words"],
        "device": translations.get("device", ""),
        "evaluation": asdict(evaluate(folder.name, test.data, outputs)),
        "comparison": None,
    }
    baseline = _baseline(folder, translations)
    if baseline is not None:
        base_outputs = test.prepare(read_json(baseline / f"outputs.{test.name}.json")["hypotheses"])
        scores["comparison"] = compare_outputs(test.data, base_outputs, outputs, (baseline.name, folder.name))
    return scores


def _baseline(folder: Path, outputs: Json) -> Path | None:
    record = read_json(folder / "system.json")
    baseline = folder.parent / str(record["baseline"])
    path = baseline / f"outputs.{outputs['set']}.json"
    if record["baseline"] is None or not path.exists():
        return None
    hashes = {record.get("data_hash"), read_json(baseline / "system.json").get("data_hash")}
    if read_json(path)["beam"] != outputs["beam"] or len(hashes) > 1:
        print(f"{folder.name}: {baseline.name} has another beam or other data; not compared")
        return None
    return baseline


def compare_outputs(
    test: EvaluationSet, baseline: list[str], system: list[str], names: tuple[str, str]
) -> Json:
    """Significance tests of a system against a baseline, as JSON values; tests that do not apply are null."""
    from anaphora_nmt.evaluation.report import compare

    _, comparison = compare(test, dict(zip(names, (baseline, system), strict=True)), names[0])
    tests = {name: getattr(comparison, name) for name in _TESTS}
    values = {name: None if result is None else asdict(result) for name, result in tests.items()}
    return {"baseline": names[0], **values}

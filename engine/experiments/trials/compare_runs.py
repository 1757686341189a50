"""A run against others than its baseline, with the tests that `measure` makes.

    python -m experiments.trials.compare_runs SET RUN OTHER … --data DATA

Each OTHER is a run whose translations of SET, of the same beam, RUN is compared with.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from anaphora_nmt.errors import CorpusError
from experiments.commands.measure import read_json
from experiments.measures.outputs import Json, compare_outputs
from experiments.measures.scored_sets import ScoredSet, load_scored_set


def compared(test: ScoredSet, run: Path, other: Path) -> Json:
    """How far RUN is better than OTHER on a test set.

    Raises:
        CorpusError: one has not translated it, or the beams differ.
    """
    saved = [read_json(folder / f"outputs.{test.name}.json") for folder in (other, run)]
    if saved[0]["beam"] != saved[1]["beam"]:
        raise CorpusError(f"{other} and {run} have searched with different beams; translate {test.name} anew")
    before, after = (test.prepare(one["hypotheses"]) for one in saved)
    return compare_outputs(test.data, before, after, (other.name, run.name))


def main() -> None:
    """Print a line of JSON for each comparison."""
    parser = argparse.ArgumentParser()
    parser.add_argument("set", help="name of a test set")
    parser.add_argument("run", type=Path)
    parser.add_argument("others", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, required=True, help="folder with docs-zh-en and the others")
    arguments = parser.parse_args()
    test = load_scored_set(arguments.set, arguments.data)
    for other in arguments.others:
        found = compared(test, arguments.run, other)
        print(json.dumps({"run": arguments.run.name, "against": other.name, **found}))


if __name__ == "__main__":
    main()

"""`python -m experiments`: the command line of the experiments."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora_nmt.cli import run_command
from experiments.commands import archive, measure, prepare_tvsub, report, train

_COMMANDS = {
    "prepare-tvsub": (prepare_tvsub, "prepare training data and the test set of TVSub"),
    "train": (train, "train and translate with a system of the results, and its baseline"),
    "measure": (measure, "measure runs: alignment error, consistency, coherence and the rest"),
    "report": (report, "one results page, with figures, from the runs"),
    "archive": (archive, "archive the small files of finished runs, and make the results page"),
}


def main(argv: Sequence[str] | None = None) -> int:
    return run_command("experiments", "Comparisons of the papers' systems.", _COMMANDS, argv)

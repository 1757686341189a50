"""`python -m experiments`: the laboratory on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora_nmt.cli import run_command
from experiments.commands import archive, measure, prepare_tvsub, report, train

_COMMANDS = {
    "prepare-tvsub": (prepare_tvsub, "make what training on TVSub reads, and its test set"),
    "train": (train, "train and translate with a system of the results, and its baseline"),
    "measure": (measure, "measure runs: alignment error, consistency, coherence and the rest"),
    "report": (report, "one results page, with figures, from the runs"),
    "archive": (archive, "keep the small files of finished runs, and make the page of them"),
}


def main(argv: Sequence[str] | None = None) -> int:
    return run_command("experiments", "Comparisons of the papers' systems.", _COMMANDS, argv)

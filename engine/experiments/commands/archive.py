"""`python -m experiments archive`: keep what a results page is made of, without weights and translations."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from experiments.commands import report
from experiments.commands.measure import SHARED

RESULTS = Path(__file__).resolve().parents[1] / "results"
_OF_RUN = ("system.json", "curve.jsonl", "memory_curve.jsonl", "measures*.json")
_OF_ALL = ("reference.*.json", "peers.*.json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("runs", type=Path, metavar="RUNS", help="folder of runs; runs archived before stay")
    parser.add_argument("-o", "--out", type=Path, default=RESULTS, metavar="FOLDER", help="of the page")


def run(arguments: argparse.Namespace) -> int:
    """Copy the files, then make the page again."""
    archived = arguments.out / "runs"
    print(f"archived: {', '.join(archive(arguments.runs, archived))}")
    return report.run(argparse.Namespace(runs=[archived], out=arguments.out))


def archive(runs: Path, archived: Path) -> list[str]:
    """Copy the small files of the runs that reached their end; returns the runs' names."""
    names = []
    for record in sorted(runs.glob("*/system.json")):
        if not json.loads(record.read_text("utf-8"))["finished"]:
            continue
        names.append(record.parent.name)
        shutil.rmtree(archived / names[-1], ignore_errors=True)
        _copy(record.parent, _OF_RUN, archived / names[-1])
    _copy(runs / SHARED, _OF_ALL, archived / SHARED)
    return names


def _copy(folder: Path, patterns: tuple[str, ...], out: Path) -> None:
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            out.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, out / path.name)

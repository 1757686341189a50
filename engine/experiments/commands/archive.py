"""`python -m experiments archive`: archive the files of runs that the results page needs, without weights."""

from __future__ import annotations

import argparse
import json
import shutil
import tarfile
import tempfile
from pathlib import Path

from experiments.commands import report

RESULTS = Path(__file__).resolve().parents[1] / "results"
ARCHIVE = "runs.tar.xz"
_PATTERNS = (
    *("system.json", "curve.jsonl", "memory_curve.jsonl", "measures.*.json"),
    *("outputs.docs-*.json", "outputs.unseen-*.json"),  # not those of TVSub, which is for research only
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", type=Path, metavar="RUNS", help="folder of runs; other archived runs stay")
    parser.add_argument("-o", "--out", type=Path, default=RESULTS, metavar="FOLDER", help="results page")


def run(arguments: argparse.Namespace) -> int:
    arguments.out.mkdir(parents=True, exist_ok=True)
    archived = arguments.out / ARCHIVE
    print(f"archived: {', '.join(archive(arguments.runs, archived))}")
    return report.run(argparse.Namespace(runs=archived, out=arguments.out, data=None))


def archive(runs: Path, archived: Path) -> list[str]:
    names = []
    with tempfile.TemporaryDirectory() as folder:
        contents = Path(folder)
        if archived.exists():
            with tarfile.open(archived) as old:
                old.extractall(contents, filter="data")
        for record in sorted(runs.glob("*/system.json")):
            if not json.loads(record.read_text("utf-8"))["finished"]:
                continue
            names.append(record.parent.name)
            shutil.rmtree(contents / names[-1], ignore_errors=True)
            (contents / names[-1]).mkdir()
            for path in (path for pattern in _PATTERNS for path in sorted(record.parent.glob(pattern))):
                shutil.copyfile(path, contents / names[-1] / path.name)
        with tarfile.open(archived, "w:xz") as new:
            for path in sorted(contents.iterdir()):
                new.add(path, path.name)
    return names

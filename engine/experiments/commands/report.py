"""`python -m experiments report`: one results page from the runs' own files."""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from pathlib import Path

PAGE = "RESULTS.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs", type=Path, metavar="RUNS", help="folder of runs, or what was archived of them"
    )
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FOLDER", help="folder to write")


def run(arguments: argparse.Namespace) -> int:
    from experiments.page import load_results, results_page

    given: Path = arguments.runs
    with tempfile.TemporaryDirectory() as folder:
        if given.is_file():
            with tarfile.open(given) as archived:
                archived.extractall(folder, filter="data")
        results = load_results(Path(folder) if given.is_file() else given)
    page = results_page(results, f"python -m experiments report {given.name} -o {arguments.out.name}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / PAGE
    path.write_text(page, "utf-8")
    print(path)
    return 0

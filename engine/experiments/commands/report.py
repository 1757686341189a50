"""`python -m experiments report`: make the results page from the files of runs."""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from pathlib import Path

from experiments.commands import measure

PAGE = "RESULTS.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", type=Path, metavar="RUNS", help="folder of runs, or an archive of them")
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FOLDER", help="folder to write")
    parser.add_argument("--data", type=Path, help="folder of the corpora: score all translations again")


def run(arguments: argparse.Namespace) -> int:
    from experiments.page import load_results, results_page

    path: Path = arguments.runs
    with tempfile.TemporaryDirectory() as folder:
        runs = path
        if path.is_file():
            runs = Path(folder)
            with tarfile.open(path) as archived:
                archived.extractall(runs, filter="data")
        if arguments.data is not None:
            folders = sorted(path.parent for path in runs.glob("*/system.json"))
            measure.run(argparse.Namespace(runs=folders, data=arguments.data))
        results = load_results(runs)
    page = results_page(
        results, f"python -m experiments report {path.name} -o {arguments.out.name} --data DATA"
    )
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / PAGE
    path.write_text(page, "utf-8")
    print(path)
    return 0

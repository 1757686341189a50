"""`python -m experiments report`: one results page, with figures, from the runs' own files."""

from __future__ import annotations

import argparse
from pathlib import Path

PAGE = "RESULTS.md"
FIGURES = "figures"
SHIPPED = "shipped"
"""Folder beside the page, of tables that `anaphora-nmt evaluate` wrote of the model that ships."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUNS", help="folder of runs")
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FOLDER", help="folder to write")


def run(arguments: argparse.Namespace) -> int:
    """Write RESULTS.md and its figures."""
    from experiments.page.figures import draw_all
    from experiments.page.page import results_page
    from experiments.page.results import load_results

    results = load_results(arguments.runs, row_names())
    figures = draw_all(results, arguments.out, FIGURES)
    folders = " ".join(folder.name for folder in arguments.runs)
    shipped = [path.read_text("utf-8") for path in sorted((arguments.out / SHIPPED).glob("*.md"))]
    command = f"python -m experiments report {folders} -o {arguments.out.name}"
    page = results_page(results, figures, command, shipped)
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / PAGE
    path.write_text(page, "utf-8")
    print(path)
    return 0


def row_names() -> set[str]:
    """Names of the systems that get a row once they were run: no trials, no stages of the embedded model."""
    from experiments.systems import load_systems

    return {
        system.name for system in load_systems().values() if system.family != "embedded" and not system.trial
    }

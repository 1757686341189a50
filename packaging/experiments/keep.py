"""Keep what a results page is made of, without weights and translations, and make the page.

    python packaging/experiments/keep.py RUNS [--out packaging/experiments/results]

Runs of other days that are kept already stay; those of the same name are replaced.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "engine")]

KEPT = ("system.json", "curve.jsonl", "memory_curve.jsonl", "measures*.json")
SHARED = ("reference.*.json", "peers.*.json")


def keep(runs: Path, kept: Path) -> list[str]:
    """Copy the small files of the runs that reached their end; returns the runs' names."""
    from anaphora_nmt.commands.measure import SHARED as MEASURES

    names = []
    for record in sorted(runs.glob("*/system.json")):
        if not json.loads(record.read_text("utf-8"))["finished"]:
            continue
        names.append(record.parent.name)
        _copy(record.parent, KEPT, kept / names[-1])
    _copy(runs / MEASURES, SHARED, kept / MEASURES)
    return names


def _copy(folder: Path, patterns: tuple[str, ...], out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            out.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, out / path.name)


def main() -> int:
    from anaphora_nmt.cli import main as command

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path)
    parser.add_argument("--out", type=Path, default=HERE / "results")
    arguments = parser.parse_args()
    kept = arguments.out / "runs"
    print(f"kept: {', '.join(keep(arguments.runs, kept))}")
    return command(["report", str(kept), "-o", str(arguments.out)])


if __name__ == "__main__":
    sys.exit(main())

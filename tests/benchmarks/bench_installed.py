"""Time until the window and until the first draft, of an installed program and of this source tree.

    python tests/benchmarks/bench_installed.py build/anaphora/anaphora [--runs 3]

Both are started in turn, each with a fresh data folder and the sample, on a private X server, and observed
through the accessibility interface, which slows both equally. Times are elapsed times; `cpu_s` is the
processor time up to the first draft. Requirements: see `tests/app/support/desktop.py`.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "app" / "support"))

from by_keyboard import frame
from desktop import FROM_SOURCE, Desktop, Thing, found, until


def main() -> None:
    """Print the times of both programs, and their ratios."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    programs = {"installed": (str(options.program.resolve()),), "from source": FROM_SOURCE}
    seen: dict[str, list[dict[str, float]]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as folder:
        screen = Desktop(Path(folder), (1440, 900))
        try:
            for _ in range(options.runs):
                for name, program in programs.items():
                    seen[name].append(measure(screen, program, Path(folder) / "data"))
        finally:
            screen.close()
    for quantity in ("window_s", "first_draft_s", "cpu_s"):
        values = {name: [run[quantity] for run in runs] for name, runs in seen.items()}
        shown = "; ".join(
            f"{name} {' '.join(f'{each:.2f}' for each in runs)}" for name, runs in values.items()
        )
        ratio = median(values["installed"]) / median(values["from source"])
        print(f"{quantity:>14}: {shown}; ratio of medians {ratio:.2f}", flush=True)


def measure(screen: Desktop, program: Sequence[str], data: Path) -> dict[str, float]:
    """Measure one start."""
    shutil.rmtree(data, ignore_errors=True)
    used, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    app = screen.start_app("--sample", program=program, ANAPHORA_DATA=str(data))
    window = time.monotonic() - started
    until(lambda: has_draft(app), "the first draft")
    first = time.monotonic() - started
    screen.end_app()
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return {"window_s": window, "first_draft_s": first, "cpu_s": processor}


def has_draft(app: Thing) -> bool:
    """True if a row of the table has a translation."""
    table = found(frame(app), "table", "^Segments$")
    names = [each.name for each in table.children() if each.role == "cell"] if table else []
    return any(names[3::4])


if __name__ == "__main__":
    main()

"""Time until the window, the first draft and the last draft, and memory with the loaded engine.

    python tests/benchmarks/bench_start.py [--runs 3] [--whole] [--before TREE]

Each run starts the app in its own process with a fresh user folder, on the sample document, without a screen.
Times are elapsed times from the start of the process; `cpu_s` is its processor time, which a busy machine
affects less. A run ends with the first draft, or with the last one if `--whole` is set. `--before`
alternates the runs with those of an older source tree, which uses its own script.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def probe(whole: bool) -> None:
    """Measure one start in this process; print a line of JSON."""
    from PySide6.QtCore import QObject, QTimer

    from anaphora import composition
    from anaphora.editor.appearance.application import make_application
    from anaphora.engine.worker import default_loader
    from anaphora.system.locations import default_model

    started = float(os.environ["ANAPHORA_BENCH_START"])
    result: dict[str, float] = {}

    class Watch(QObject):
        """Notes the times of drafts."""

        drafts = 0

        def drafted(self, drafted: object) -> None:
            self.drafts += 1
            now = time.time() - started
            result.setdefault("first_draft_s", now)
            result["last_draft_s"] = now
            assert window.session is not None
            if not whole or self.drafts == len(window.session.document):
                result["drafts"] = self.drafts
                result["resident_mb"] = resident_mb()
                application.quit()

    application = make_application()
    window = composition.make_window(application, default_loader(default_model(), "cpu", None))
    watch = Watch()
    window.desk.worker.drafted.connect(watch.drafted)
    window.show()
    application.processEvents()  # the first paint
    result["window_s"] = time.time() - started
    QTimer.singleShot(100, window.desk.worker.start)
    window.actions_by_name["sample"].trigger()
    application.exec()
    window.desk.worker.stop(5.0)
    window.controller.tasks.finish()
    print(json.dumps(result))


def resident_mb() -> float:
    """Resident memory of this process, MB."""
    import psutil

    return psutil.Process().memory_info().rss / 1e6


def measure(whole: bool, tree: Path | None = None) -> dict[str, float]:
    """Start a probe of this tree, or of another one, in a separate process and user folder."""
    root = (tree or Path(__file__).parents[2]).resolve()
    parts = [str(root / part) for part in ("app", "engine", "resources")]
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(parts),
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
            "XDG_DATA_HOME": folder,
            "XDG_CONFIG_HOME": folder,
            "ANAPHORA_BENCH_START": str(time.time()),
        }
        script = root / "tests" / "benchmarks" / Path(__file__).name
        command = [sys.executable, str(script), "--probe", *(["--whole"] if whole else [])]
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        result: dict[str, float] = json.loads(output.stdout.strip().splitlines()[-1])
        result["cpu_s"] = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        return result


def main() -> None:
    """Print the runs and their bounds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--before", type=Path)
    parser.add_argument("--probe", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.probe:
        probe(arguments.whole)
        return
    bounds = {"window_s": 3.0, "first_draft_s": 10.0, "resident_mb": 1500.0}
    runs, before = list[dict[str, float]](), list[dict[str, float]]()
    for _ in range(arguments.runs):
        if arguments.before is not None:
            before.append(measure(arguments.whole, arguments.before))
        runs.append(measure(arguments.whole))
    for name in runs[0]:
        values = sorted(run[name] for run in runs)
        bound = f"  (bound {bounds[name]:g})" if name in bounds else ""
        if before:
            older = sorted(run[name] for run in before)
            ratio = sum(values) / sum(older)
            bound = f"  (before {' '.join(f'{value:.2f}' for value in older)}: ratio {ratio:.2f}){bound}"
        print(f"{name:>18}: {' '.join(f'{value:.2f}' for value in values)}{bound}")
    if any(run[name] > bound for run in runs for name, bound in bounds.items()):
        sys.exit("a bound was exceeded")


if __name__ == "__main__":
    main()

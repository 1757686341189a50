"""Train the systems of the results page, and translate with them, on one GPU in calls of a few minutes each.

    python -m experiments.gpu pack --prepared DATA --out PACKED
    python -m experiments.gpu run --packed PACKED --work WORK --out OUT --minutes 10 --scale 0.34

`run` unpacks the data, trains the baselines, trains the systems that start from them, and translates the
test sets. It stops after `--minutes`; another call with the same `--work` continues. Several processes train
at the same time and write checkpoints. `--out` gets one small archive of results without weights, which can
be unpacked into a folder of runs. The same command runs on a CPU.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

RESULTS = "results.tar.xz"
_OUTCOMES = {0: "done", 3: "out of time"}
RESULT_FILES = ("run.json", "system.json", "curve.jsonl", "memory_curve.jsonl", "outputs.*.json")


def write_results(work: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tarfile.open(out / RESULTS, "w:xz") as archive:
        for pattern in RESULT_FILES:
            for path in sorted((work / "runs").glob(f"*/{pattern}")):
                archive.add(path, path.relative_to(work / "runs"))
        for path in sorted((work / "logs").glob("*.log")):
            archive.add(path, Path("call") / path.name)


def pack_all(arguments: argparse.Namespace) -> int:
    import jieba

    from anaphora_nmt.data.packing import pack

    out: Path = arguments.out
    pack(arguments.prepared, out, pairs=arguments.pairs)
    source, target = Path(jieba.__file__).parent, out / "site" / "jieba"
    target.mkdir(parents=True, exist_ok=True)
    for name in ("__init__.py", "_compat.py", "dict.txt"):
        shutil.copyfile(source / name, target / name)
    ignored = shutil.ignore_patterns("__pycache__", "*.p")
    shutil.copytree(source / "finalseg", target / "finalseg", dirs_exist_ok=True, ignore=ignored)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{out}: {size / 1e6:.1f} MB")
    return 0


def jobs_of(names: Sequence[str], extra: Path | None = None) -> dict[str, str]:
    """The systems, their baselines and initial systems, in an order that keeps the GPU busy.

    Each value names the system that must finish before the key's system starts; "" if there is none.
    """
    from anaphora_nmt.training.configuration import order_stages
    from experiments.systems import load_systems

    systems = load_systems(extra)
    order = order_stages(systems, names)
    initials = {name: initial if (initial := systems[name].initial) in order else "" for name in order}
    initial_names = [*initials.values()]
    ranked = sorted(order, key=lambda name: (bool(initials[name]), -initial_names.count(name)))
    return {name: initials[name] or "" for name in ranked}


def ready_jobs(jobs: Mapping[str, str], running: Collection[str], ended: Mapping[str, int]) -> list[str]:
    waiting = (name for name in jobs if name not in running and name not in ended)
    return [name for name in waiting if not jobs[name] or ended.get(jobs[name]) == 0]


ENGINE = Path(__file__).resolve().parents[2]
DEFAULT_SYSTEMS = (
    "paper-rnnsearch,paper-transformer,paper-rnnsearch-tanh,paper-cache,paper-kvmematt,paper-camn,"
    "paper-memdec,paper-words"
)
RESERVE = 25.0
"""Seconds before the end of a call that are reserved for checkpoints and results."""


def command(arguments: argparse.Namespace, system: str, seconds: float) -> list[str]:
    # A point in time limits the process better than a duration, because starting the process takes a while.
    options = ["--alone", "--until", f"{time.time() + seconds:.2f}"]
    options += ["--data", str(arguments.work / "data"), "--runs", str(arguments.work / "runs")]
    for name in ("scale", "every", "sets", "beam", "batch"):
        options += [f"--{name}", str(getattr(arguments, name))]
    options += ["--pretrained", str(arguments.pretrained)] if arguments.pretrained else []
    options += ["--systems", str(arguments.more_systems)] if arguments.more_systems else []
    return [sys.executable, "-m", "experiments", "train", system, *options]


def environment(packed: Path) -> dict[str, str]:
    paths = (str(ENGINE), str(packed / "site"), os.environ.get("PYTHONPATH", ""))
    joined = os.pathsep.join(path for path in paths if path)
    # Batches of different shapes would fragment fixed segments of the GPU's memory.
    return {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", **os.environ, "PYTHONPATH": joined}


def prepare_data(arguments: argparse.Namespace) -> None:
    from anaphora_nmt.data.packing import unpack

    data: Path = arguments.work / "data"
    if (data / "done").exists():
        return
    unpack(arguments.packed, data)
    (data / "done").write_text("")


def is_done(work: Path, name: str, sets: str) -> bool:
    from anaphora_nmt.training.runs import RECORD, RunRecord
    from experiments.translations import outputs_path

    folder = work / "runs" / name
    wanted = [part.partition("=")[0] for part in sets.split(",") if part]
    trained = (folder / RECORD).exists() and RunRecord.load(folder).finished
    return trained and all(outputs_path(folder, each).exists() for each in wanted)


def run_jobs(arguments: argparse.Namespace, jobs: Mapping[str, str], deadline: float) -> list[str]:
    """Run pending jobs until the deadline; return the names of those that failed.

    Processes write checkpoints and exit `RESERVE` seconds before the deadline; those that do not are killed.
    """
    work, variables = arguments.work, environment(arguments.packed)
    ended = {name: 0 for name in jobs if is_done(work, name, arguments.sets)}
    running: dict[str, subprocess.Popen[bytes]] = {}
    while time.monotonic() < deadline:
        seconds = deadline - RESERVE - time.monotonic()
        for name in ready_jobs(jobs, running, ended)[: arguments.jobs - len(running)] if seconds > 0 else ():
            print(f"start {name}", flush=True)
            with (work / "logs" / f"{name}.log").open("a", encoding="utf-8") as log:
                running[name] = subprocess.Popen(
                    command(arguments, name, seconds), env=variables, stdout=log, stderr=log
                )
        if not running:
            break
        time.sleep(0.2)
        for name, process in list(running.items()):
            if (status := process.poll()) is not None:
                del running[name]
                ended[name] = status
                print(f"end {name}: {_OUTCOMES.get(status, 'FAILED')}", flush=True)
    for process in running.values():
        process.kill()
        process.wait()
    return sorted(name for name, status in ended.items() if status not in _OUTCOMES)


def run(arguments: argparse.Namespace) -> int:
    """Run one call; returns 0 if everything is done, 3 if more calls are needed, 1 if something failed."""
    deadline = time.monotonic() + arguments.minutes * 60 - 10
    arguments.work, arguments.packed = arguments.work.resolve(), arguments.packed.resolve()
    (arguments.work / "logs").mkdir(parents=True, exist_ok=True)
    prepare_data(arguments)
    jobs = jobs_of(arguments.systems.split(","), arguments.more_systems)
    failed = run_jobs(arguments, jobs, deadline)
    missing = [name for name in jobs if not is_done(arguments.work, name, arguments.sets)]
    write_results(arguments.work, arguments.out)
    print(f"done: {len(jobs) - len(missing)} of {len(jobs)}; to do: {', '.join(missing) or 'nothing'}")
    if failed:
        print(f"failed, see {arguments.work}/logs: {', '.join(failed)}")
        return 1
    return 3 if missing else 0


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    packing = commands.add_parser("pack")
    packing.add_argument("--prepared", type=Path, required=True)
    packing.add_argument("--out", type=Path, required=True)
    packing.add_argument("--pairs", type=int, help="maximum number of training pairs; no document is split")
    packing.set_defaults(function=pack_all)
    running = commands.add_parser("run")
    running.add_argument("--packed", type=Path, required=True)
    running.add_argument("--work", type=Path, required=True, help="working folder, kept between calls")
    running.add_argument("--out", type=Path, required=True)
    running.add_argument("--minutes", type=float, default=10.0, help="time limit of this call")
    running.add_argument("--scale", type=float, default=1.0, help="factor for the length of all training")
    running.add_argument("--systems", default=DEFAULT_SYSTEMS)
    running.add_argument("--sets", default="tvsub-test")
    running.add_argument("--beam", type=int, default=10)
    running.add_argument("--batch", type=int, default=128)
    running.add_argument("--jobs", type=int, default=4, help="processes at once")
    running.add_argument("--every", type=int, default=500, help="updates between checkpoints")
    running.add_argument("--pretrained", type=Path, help="model folder for systems that start from one")
    running.add_argument("--more-systems", type=Path, help="folder of further systems")
    running.set_defaults(function=run)
    arguments = parser.parse_args(argv)
    return int(arguments.function(arguments))

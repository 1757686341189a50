"""Train and translate with every system of the results on one GPU, in calls of a few minutes each.

    python run_all.py pack --prepared DATA --out PACKED
    python run_all.py run --packed PACKED --work WORK --out OUT --minutes 10 --total 28
    python run_all.py restore --results OUT --runs RUNS

`run` does the next pending steps within its minutes and can be called again and again with the same `--work`:
unpack the data, time a few updates of every system (so that all of them fit into `--total` minutes), train
the baselines, then what starts from them, several at once, each a process of its own that checkpoints; and
translate the test sets. What it writes to `--out` is small: one archive of results, and the weights of the
systems named with --weights in float16, cut into pieces. The same command runs on a CPU.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ENGINE = Path(__file__).resolve().parents[2] / "engine"
sys.path.insert(0, str(ENGINE))

DEFAULT_SYSTEMS = (
    "paper-rnnsearch,paper-transformer,paper-rnnsearch-tanh,paper-cache,paper-kvmematt,paper-camn,"
    "paper-memdec,paper-cache-transformer,paper-words,paper-cache-printed"
)
RESERVE = (
    25.0  # seconds before the end of a call in which nothing trains: checkpoints and results are written
)
PIECE = 15 * 1024 * 1024
TIMED_UPDATES = 10
RESULTS = "results.tar.xz"
RESULT_FILES = ("system.json", "curve.jsonl", "memory_curve.jsonl", "memory.json", "outputs.*.json")


@dataclass(frozen=True)
class Work:
    """The folder in which calls go on with one another.

    Attributes:
        folder: of everything. packed: what `pack` wrote.
        sets: test sets to translate. beam, batch: of the search.
        jobs: processes at once. pretrained: weights of a pretrained encoder, for systems that use one.
        systems: folder of systems besides the packaged ones.
    """

    folder: Path
    packed: Path
    sets: str
    beam: int
    batch: int
    jobs: int
    pretrained: Path | None = None
    systems: Path | None = None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    def command(self, system: str, scale: float, minutes: float, every: int) -> list[str]:
        """`anaphora-nmt experiment` for one system, whose initial run is there."""
        given = ["--data", str(self.data), "--runs", str(self.runs), "--scale", str(scale), "--alone"]
        given += ["--minutes", f"{minutes:.3f}", "--every", str(every), "--sets", self.sets]
        given += ["--beam", str(self.beam), "--batch", str(self.batch)]
        return [sys.executable, "-m", "anaphora_nmt.cli", "experiment", system, *given, *self.optional()]

    def optional(self) -> list[str]:
        """What every process is told, where it was given."""
        given = []
        if self.pretrained is not None:
            given += ["--pretrained", str(self.pretrained)]
        if self.systems is not None:
            given += ["--systems", str(self.systems)]
        return given

    def environment(self) -> dict[str, str]:
        """Where a process finds the engine and what was carried along."""
        paths = (str(ENGINE), str(self.packed / "site"), os.environ.get("PYTHONPATH", ""))
        return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


@dataclass(frozen=True)
class Job:
    """A system to train and translate with.

    Attributes:
        needs: systems that must be done before. shares: what it must not run beside (features of one base).
        updates: at scale 1. memories: whether it trains memories on a frozen model.
    """

    name: str
    needs: tuple[str, ...]
    shares: str | None
    updates: int
    memories: bool


@dataclass
class Schedule:
    """Which jobs run: as many as there is room for, in order, none before what it needs."""

    jobs: Sequence[Job]
    room: int
    done: set[str] = field(default_factory=set)
    running: dict[str, Any] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    late: set[str] = field(default_factory=set)

    def end(self, name: str, status: int) -> None:
        """A job's process has ended: 0 is done, 3 out of time, everything else a failure."""
        (self.done if status == 0 else self.late if status == 3 else self.failed).add(name)
        print(
            f"end {name}: {('done' if status == 0 else 'out of time' if status == 3 else 'FAILED')}",
            flush=True,
        )

    def ready(self) -> list[Job]:
        """Jobs to start now."""
        started: list[Job] = []
        names = set(self.running)
        shared = {job.shares for job in self.jobs if job.name in names}
        for job in self.jobs:
            free = len(names) < self.room and job.name not in names | self.done | self.failed | self.late
            if free and set(job.needs) <= self.done and (job.shares is None or job.shares not in shared):
                started.append(job)
                names.add(job.name)
                shared.add(job.shares)
        return started


def jobs_of(names: Sequence[str], more: Path | None = None) -> list[Job]:
    """The systems and what they start from or are compared with, in an order that keeps the GPU busy."""
    from anaphora_nmt.training.experiments import load_systems
    from anaphora_nmt.training.experiments_driver import needed_by

    systems = load_systems(more)
    order: dict[str, None] = {}
    for name in names:
        order.update(dict.fromkeys(needed_by(systems, name)))
    jobs = []
    for name in order:
        system = systems[name]
        part = system.training or system.second_pass
        assert part is not None
        memories = system.second_pass is not None
        needs = (system.initial,) if system.initial else ()
        jobs.append(Job(name, needs, system.initial if memories else None, part.updates, memories))
    waited_for = {name: sum(name in job.needs for job in jobs) for name in order}
    return sorted(jobs, key=lambda job: (bool(job.needs), -waited_for[job.name]))


def makespan(jobs: Sequence[Job], seconds: Mapping[str, float], room: int) -> float:
    """How long the schedule takes when each job takes so many seconds."""
    schedule = Schedule(jobs, room)
    now = 0.0
    while len(schedule.done) < len(jobs):
        for job in schedule.ready():
            schedule.running[job.name] = now + seconds[job.name]
        now, first = min((end, name) for name, end in schedule.running.items())
        del schedule.running[first]
        schedule.done.add(first)
    return now


def choose_scale(
    jobs: Sequence[Job], per_update: Mapping[str, float], fixed: float, room: int, budget: float
) -> float:
    """How much longer than configured (or shorter) to train, so that everything takes `budget` seconds.

    Args:
        per_update: seconds an update of each system takes.
        fixed: seconds that a job takes besides: starting, translating.
    """

    def takes(scale: float) -> float:
        return makespan(
            jobs, {job.name: fixed + scale * job.updates * per_update[job.name] for job in jobs}, room
        )

    low, high = 0.001, 3.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if takes(middle) <= budget else (low, middle)
    return round(low, 4)


def time_updates(work: Work, jobs: Sequence[Job], deadline: float) -> dict[str, float]:
    """Seconds an update of each system takes while the others run too.

    Systems are timed from scratch, whatever they start from later; memories are taken to cost as much as
    an update of the model that they are trained on, which is more than they do.
    """
    trained = [job for job in jobs if not job.memories]
    folder = work.folder / "timing"
    shutil.rmtree(folder, ignore_errors=True)
    running = {}
    for job in trained:
        given = ["--data", str(work.data), "--runs", str(folder), "--updates", str(2 * TIMED_UPDATES)]
        command = [sys.executable, str(Path(__file__).resolve()), "time", job.name, *given]
        command += work.optional()
        log = (work.folder / "logs" / f"timing.{job.name}.log").open("w", encoding="utf-8")
        running[job.name] = subprocess.Popen(command, env=work.environment(), stdout=log, stderr=log)
        if len(running) % work.jobs == 0:
            _wait(running, deadline)
    _wait(running, deadline)
    seconds = {}
    for job in trained:
        curve = folder / job.name / "curve.jsonl"
        lines = curve.read_text("utf-8").splitlines() if curve.exists() else []
        if len(lines) < 2:
            raise SystemExit(f"{job.name} could not be timed; see {work.folder}/logs/timing.{job.name}.log")
        seconds[job.name] = json.loads(lines[1])["seconds"] / TIMED_UPDATES
    for job in jobs:
        if job.memories:
            seconds[job.name] = seconds[job.needs[0]]
    return seconds


def _wait(running: Mapping[str, subprocess.Popen], deadline: float) -> None:
    for process in running.values():
        try:
            process.wait(max(1.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def time_system(arguments: argparse.Namespace) -> int:
    """A few updates of one system from scratch; a process of `time_updates`."""
    from dataclasses import replace

    from anaphora_nmt.training.experiments import DataPaths, load_systems
    from anaphora_nmt.training.experiments_driver import Bench, train_system

    system = load_systems(arguments.systems)[arguments.system]
    assert system.training is not None
    short = replace(system, initial=None, training=replace(system.training, updates=arguments.updates))
    paths = DataPaths(arguments.data, arguments.pretrained)
    bench = Bench(arguments.runs, paths, {system.name: short}, every=arguments.updates // 2, score=False)
    train_system(bench, system.name)
    return 0


def prepare_data(work: Work) -> None:
    """Unpack the data; compute frozen outputs where a pretrained encoder is given."""
    from anaphora_nmt.data.packing import unpack

    if not (work.data / "done").exists():
        unpack(work.packed, work.data)
        if work.pretrained is not None:
            _precompute(work.data, work.pretrained)
        (work.data / "done").write_text("")


def _precompute(data: Path, pretrained: Path) -> None:
    import torch

    from anaphora_nmt.config import EncoderConfig
    from anaphora_nmt.data.prepare import BinaryCorpus
    from anaphora_nmt.training.experiments_driver import default_device
    from anaphora_nmt.training.preparation import build_frozen_encoder, precompute

    device = default_device()
    config = EncoderConfig(layers=6, frozen_layers=6)
    encoder = build_frozen_encoder(data, pretrained, config).to(device)
    for name in ("dev", "train"):
        corpus = BinaryCorpus.load(data / f"{name}.npz")
        tokens = 64_000 if device.type == "cuda" else 4_000
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            precompute(encoder, corpus.source, data / f"{name}.frozen.f16", batch_tokens=tokens)


def plan(work: Work, jobs: Sequence[Job], arguments: argparse.Namespace, deadline: float) -> float:
    """The scale of this series of calls: given, or from timings, and written down by the first of them."""
    path = work.folder / "plan.json"
    if path.exists():
        return float(json.loads(path.read_text("utf-8"))["scale"])
    seconds: dict[str, float] = {}
    scale = arguments.scale
    started = time.monotonic()
    if scale is None:
        seconds = time_updates(work, jobs, deadline)
        left = arguments.total * 60 - (time.monotonic() - started) - 3 * RESERVE
        scale = choose_scale(jobs, seconds, arguments.fixed, work.jobs, left)
    path.write_text(json.dumps({"scale": scale, "seconds_per_update": seconds}, indent=1), "utf-8")
    print(f"scale {scale}: seconds an update {seconds}")
    return float(scale)


def is_done(work: Work, name: str) -> bool:
    """Whether a system is trained and its translations are there."""
    from anaphora_nmt.pipeline.test_sets import outputs_path
    from anaphora_nmt.training.experiments import RECORD, load_record

    folder = work.runs / name
    sets = [part.partition("=")[0] for part in work.sets.split(",") if part]
    trained = (folder / RECORD).exists() and load_record(folder).finished
    return trained and all(outputs_path(folder, one).exists() for one in sets)


def run_jobs(work: Work, jobs: Sequence[Job], scale: float, deadline: float, every: int) -> Schedule:
    """Run what is pending until the deadline. Training ends by itself a while before, with checkpoints."""
    schedule = Schedule(jobs, work.jobs, {job.name for job in jobs if is_done(work, job.name)})
    while time.monotonic() < deadline:
        left = deadline - RESERVE - time.monotonic()
        for job in schedule.ready() if left > 0 else ():
            log = (work.folder / "logs" / f"{job.name}.log").open("a", encoding="utf-8")
            command = work.command(job.name, scale, left / 60, every)
            print(f"start {job.name}", flush=True)
            process = subprocess.Popen(command, env=work.environment(), stdout=log, stderr=log)
            schedule.running[job.name] = process
        if not schedule.running:
            break
        time.sleep(0.2)
        for name, process in list(schedule.running.items()):
            if process.poll() is not None:
                del schedule.running[name]
                schedule.end(name, process.returncode)
    for process in schedule.running.values():
        process.kill()
        process.wait()
    return schedule


def write_results(work: Work, out: Path, weights: Sequence[str]) -> None:
    """One archive of the runs' small files, and the weights asked for, in float16, in pieces."""
    out.mkdir(parents=True, exist_ok=True)
    with tarfile.open(out / RESULTS, "w:xz") as archive:
        for pattern in RESULT_FILES:
            for path in sorted(work.runs.glob(f"*/{pattern}")):
                archive.add(path, path.relative_to(work.runs))
        for path in (work.folder / "plan.json", *sorted((work.folder / "logs").glob("*.log"))):
            if path.exists():
                archive.add(path, Path("call") / path.name)
    for name in weights:
        if is_done(work, name):
            _write_weights(work.runs / name, out)


def _write_weights(run: Path, out: Path) -> None:
    import torch
    from safetensors.torch import load_file, save

    path = run / "memory.safetensors"
    path = path if path.exists() else run / "last" / "model.safetensors"
    data = save({key: value.to(torch.float16) for key, value in load_file(path).items()})
    for number, start in enumerate(range(0, len(data), PIECE)):
        (out / f"{run.name}.{path.name}.{number:03d}").write_bytes(data[start : start + PIECE])


def restore(arguments: argparse.Namespace) -> int:
    """Put results and weights that came back into a folder of runs, where `load_run` reads them."""
    import torch
    from safetensors.torch import load, save_file

    from anaphora_nmt.config import to_dict
    from anaphora_nmt.training.experiments import DataPaths, load_record

    runs: Path = arguments.runs
    runs.mkdir(parents=True, exist_ok=True)
    with tarfile.open(arguments.results / RESULTS) as archive:
        archive.extractall(runs, filter="data")
    DataPaths(arguments.data, arguments.pretrained).save(runs)
    for first in sorted(arguments.results.glob("*.safetensors.000")):
        name, file = first.name.split(".", 1)
        file = file.removesuffix(".000")
        parts = sorted(arguments.results.glob(f"{name}.{file}.*"))
        tensors = {key: value.float() for key, value in load(b"".join(p.read_bytes() for p in parts)).items()}
        folder = runs / name if file == "memory.safetensors" else runs / name / "last"
        folder.mkdir(parents=True, exist_ok=True)
        save_file({key: value.to(torch.float32) for key, value in tensors.items()}, folder / file)
        if folder.name == "last":
            model = to_dict(load_record(runs / name).system.model)
            (folder / "state.json").write_text(json.dumps({"model": model}, indent=1), "utf-8")
    return 0


def pack_all(arguments: argparse.Namespace) -> int:
    """Pack prepared data, and the parts of jieba that cutting words takes."""
    import jieba

    from anaphora_nmt.data.packing import pack

    out: Path = arguments.out
    pack(arguments.prepared, out, pairs=arguments.pairs)
    source = Path(jieba.__file__).parent
    target = out / "site" / "jieba"
    target.mkdir(parents=True, exist_ok=True)
    for name in ("__init__.py", "_compat.py", "dict.txt"):
        shutil.copyfile(source / name, target / name)
    shutil.copytree(
        source / "finalseg",
        target / "finalseg",
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__", "*.p"),
    )
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{out}: {size / 1e6:.1f} MB")
    return 0


def run(arguments: argparse.Namespace) -> int:
    """One call. Status 0: everything is done; 3: call again; 1: something failed."""
    deadline = time.monotonic() + arguments.minutes * 60 - 10
    work = Work(
        arguments.work.resolve(),
        arguments.packed.resolve(),
        arguments.sets,
        arguments.beam,
        arguments.batch,
        arguments.jobs,
        arguments.pretrained,
        arguments.more_systems,
    )
    (work.folder / "logs").mkdir(parents=True, exist_ok=True)
    prepare_data(work)
    jobs = jobs_of([name for name in arguments.systems.split(",") if name], work.systems)
    scale = plan(work, jobs, arguments, deadline)
    schedule = run_jobs(work, jobs, scale, deadline, arguments.every)
    write_results(work, arguments.out, [name for name in arguments.weights.split(",") if name])
    missing = [job.name for job in jobs if not is_done(work, job.name)]
    print(f"done: {len(jobs) - len(missing)} of {len(jobs)}; to do: {', '.join(missing) or 'nothing'}")
    if schedule.failed:
        print(f"failed, see {work.folder}/logs: {', '.join(sorted(schedule.failed))}")
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
    packing.add_argument("--pairs", type=int, help="training pairs at most, in whole documents")
    packing.set_defaults(does=pack_all)
    running = commands.add_parser("run")
    running.add_argument("--packed", type=Path, required=True)
    running.add_argument("--work", type=Path, required=True, help="kept between calls")
    running.add_argument("--out", type=Path, required=True)
    running.add_argument("--minutes", type=float, default=10.0, help="of this call")
    running.add_argument("--total", type=float, default=28.0, help="minutes of all calls, for the scale")
    running.add_argument("--scale", type=float, help="length of every training; timed without it")
    running.add_argument("--fixed", type=float, default=60.0, help="seconds a system takes besides training")
    running.add_argument("--systems", default=DEFAULT_SYSTEMS)
    running.add_argument("--weights", default="", help="systems whose weights to write, with commas")
    running.add_argument("--sets", default="tvsub-test")
    running.add_argument("--beam", type=int, default=10)
    running.add_argument("--batch", type=int, default=128)
    running.add_argument("--jobs", type=int, default=4, help="processes at once")
    running.add_argument("--every", type=int, default=500, help="updates between checkpoints")
    running.add_argument("--pretrained", type=Path)
    running.add_argument("--more-systems", type=Path, help="folder of systems besides the packaged ones")
    running.set_defaults(does=run)
    timing = commands.add_parser("time")
    timing.add_argument("system")
    timing.add_argument("--data", type=Path, required=True)
    timing.add_argument("--runs", type=Path, required=True)
    timing.add_argument("--updates", type=int, required=True)
    timing.add_argument("--pretrained", type=Path)
    timing.add_argument("--systems", type=Path)
    timing.set_defaults(does=time_system)
    restoring = commands.add_parser("restore")
    restoring.add_argument("--results", type=Path, required=True, help="what a call wrote to --out")
    restoring.add_argument("--runs", type=Path, required=True)
    restoring.add_argument("--data", type=Path, required=True, help="the prepared data")
    restoring.add_argument("--pretrained", type=Path)
    restoring.set_defaults(does=restore)
    arguments = parser.parse_args(argv)
    return int(arguments.does(arguments))


if __name__ == "__main__":
    sys.exit(main())

"""Train and translate with every system of the results on one GPU, in calls of a few minutes each.

    python -m experiments.gpu pack --prepared DATA --out PACKED
    python -m experiments.gpu run --packed PACKED --work WORK --out OUT --minutes 10 --total 28
    python -m experiments.gpu run … --systems A,B,C --from best
    python -m experiments.gpu restore --results OUT --runs RUNS

`run` does the next pending steps within its minutes and can be called again and again with the same `--work`:
unpack the data, time a few updates of every system (so that all of them fit into `--total` minutes), train
the baselines, then what starts from them, several at once, each a process of its own that checkpoints; and
translate the test sets. What it writes to `--out` is small: one archive of results, and the weights of the
systems named with --weights in float16, cut into pieces. With --from it goes on, as NAME-on, with a system
that is done, or with the one of --systems that has the lowest dev loss. The same command runs on a CPU.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from experiments.gpu.schedule import Job, Schedule, choose_scale, jobs_of
from experiments.gpu.transfer import ENCODER, pack_all, restore, write_results

HERE = Path(__file__).resolve().parent
ENGINE = HERE.parents[1]

DEFAULT_SYSTEMS = (
    "paper-rnnsearch,paper-transformer,paper-rnnsearch-tanh,paper-cache,paper-kvmematt,paper-camn,"
    "paper-memdec,paper-words"
)
RESERVE = (
    25.0  # seconds before the end of a call in which nothing trains: checkpoints and results are written
)
TIMED_UPDATES = 10


@dataclass(frozen=True)
class Work:
    """The folder in which calls go on with one another.

    Attributes:
        folder: of everything. packed: what `pack` wrote.
        sets: test sets to translate. beam, batch: of the search.
        jobs: processes at once. pretrained: weights of a pretrained encoder, for systems that use one.
        systems: folder of systems besides the laboratory's.
        compiled: compile Transformer layers.
    """

    folder: Path
    packed: Path
    sets: str
    beam: int
    batch: int
    jobs: int
    pretrained: Path | None = None
    systems: Path | None = None
    compiled: bool = False

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    def command(self, system: str, scale: float, seconds: float, every: int) -> list[str]:
        """`python -m experiments train` for one system, whose initial run is there, for so many seconds."""
        given = ["--data", str(self.data), "--runs", str(self.runs), "--scale", str(scale), "--alone"]
        # an hour of the clock, as the process takes its time to begin
        given += ["--until", f"{time.time() + seconds:.2f}", "--every", str(every), "--sets", self.sets]
        given += ["--compile"] if self.compiled else []
        given += ["--beam", str(self.beam), "--batch", str(self.batch)]
        return [sys.executable, "-m", "experiments", "train", system, *given, *self.optional()]

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
        found = os.pathsep.join(path for path in paths if path)
        # batches differ in shape: memory in fixed blocks would be cut into pieces that fit nothing
        return {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", **os.environ, "PYTHONPATH": found}


def time_updates(work: Work, jobs: Sequence[Job], deadline: float) -> dict[str, float]:
    """Seconds an update of each system takes while the others run too.

    Systems are timed from scratch, whatever they start from later; memories are taken to cost as much as
    an update of the model that they are trained on, which is more than they do.
    """
    trained = [job for job in jobs if not job.memories and job.updates]
    folder = work.folder / "timing"
    shutil.rmtree(folder, ignore_errors=True)
    running = {}
    for job in trained:
        given = ["--data", str(work.data), "--runs", str(folder), "--updates", str(2 * TIMED_UPDATES)]
        command = [sys.executable, "-m", "experiments.gpu", "time", job.name, *given]
        command += work.optional()
        with (work.folder / "logs" / f"timing.{job.name}.log").open("w", encoding="utf-8") as log:
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
        if not job.updates:
            seconds[job.name] = 0.0
        elif job.memories:
            seconds[job.name] = seconds.get(job.needs[0]) or max(seconds.values(), default=0.1)
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

    from anaphora_nmt.training.runs import DataPaths
    from experiments.systems import load_systems
    from experiments.training import ExperimentRuns, train_system

    system = load_systems(arguments.systems)[arguments.system]
    assert system.training is not None
    short = replace(system, initial=None, training=replace(system.training, updates=arguments.updates))
    paths = DataPaths(arguments.data, arguments.pretrained)
    runs = ExperimentRuns(
        arguments.runs, paths, {system.name: short}, every=arguments.updates // 2, score=False
    )
    train_system(runs, system.name)
    return 0


def prepare_data(work: Work, names: Sequence[str]) -> None:
    """Unpack the data; compute the frozen outputs of the first of these systems that has such layers."""
    from anaphora_nmt.data.packing import unpack

    if not (work.data / "done").exists():
        unpack(work.packed, work.data)
        if work.pretrained is not None:
            _precompute(work, names)
        (work.data / "done").write_text("")


def _precompute(work: Work, names: Sequence[str]) -> None:
    import torch

    from anaphora_nmt.data.binary_corpus import BinaryCorpus
    from anaphora_nmt.training.preparation import build_frozen_encoder, precompute
    from anaphora_nmt.training.stages import default_device
    from experiments.systems import load_systems

    assert work.pretrained is not None
    device = default_device()
    systems = load_systems(work.systems)
    encoders = [systems[name].model.encoder for name in names]
    config = next((one for one in encoders if one.kind == "pretrained" and one.frozen_layers), None)
    if config is None:
        return
    config = replace(config, layers=config.frozen_layers)
    encoder = build_frozen_encoder(work.data, work.pretrained, config).to(device)
    for name in ("dev", "train"):
        corpus = BinaryCorpus.load(work.data / f"{name}.npz")
        tokens = 64_000 if device.type == "cuda" else 4_000
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            precompute(encoder, corpus.source, work.data / f"{name}.frozen.f16", batch_tokens=tokens)


def plan(
    work: Work, path: Path, jobs: Sequence[Job], arguments: argparse.Namespace, deadline: float
) -> float:
    """The scale of this series of calls: given, or timed, and written to `path` by the first of them."""
    if path.exists():
        return float(json.loads(path.read_text("utf-8"))["scale"])
    seconds: dict[str, float] = {}
    scale = arguments.scale
    started = time.monotonic()
    if scale is None:
        done = [job.name for job in jobs if is_done(work, job.name)]
        seconds = time_updates(work, [job for job in jobs if job.name not in done], deadline)
        left = arguments.total * 60 - (time.monotonic() - started) - 3 * RESERVE
        scale = choose_scale(jobs, seconds, arguments.fixed, work.jobs, left, done)
    path.write_text(json.dumps({"scale": scale, "seconds_per_update": seconds}, indent=1), "utf-8")
    print(f"scale {scale}: seconds an update {seconds}")
    return float(scale)


def collect_systems(work: Work, more: Path | None) -> None:
    """Copy the systems besides the laboratory's into the work folder, where those made here are, too."""
    assert work.systems is not None
    work.systems.mkdir(parents=True, exist_ok=True)
    for path in sorted(more.glob("*.json")) if more else ():
        shutil.copyfile(path, work.systems / path.name)


def continue_from(work: Work, start: str, candidates: Sequence[str]) -> str:
    """Make the system that goes on with `start` (or the best of the candidates) and give its name.

    It begins with the weights of `start` at half its rate, which falls from the first update to the last.
    """
    from experiments.systems import load_systems

    assert work.systems is not None
    name = best_run(work, candidates) if start == "best" else start
    systems = load_systems(work.systems)
    training = systems[name].training if name in systems else None
    if name is None or training is None or not is_done(work, name):
        raise SystemExit(f"--from {start}: no such model has been trained to its end in {work.runs}")
    changes = {
        "learning_rate": training.learning_rate / 2,
        "warmup": max(1, training.warmup // 4),
        "decay": training.updates,
    }
    system = {"like": name, "title": f"{name}, trained on", "initial": name, "training": changes}
    stages = {"stages": {f"{name}-on": system}}
    (work.systems / f"{name}-on.json").write_text(json.dumps(stages, indent=1), "utf-8")
    return f"{name}-on"


def best_run(work: Work, candidates: Sequence[str]) -> str | None:
    """The candidate that is done and has the lowest last dev loss, if any is."""
    losses = {}
    for name in candidates:
        curve = work.runs / name / "curve.jsonl"
        if curve.exists() and is_done(work, name):
            scored = [json.loads(line) for line in curve.read_text("utf-8").splitlines()]
            losses[name] = next(record["dev_loss"] for record in reversed(scored) if "dev_loss" in record)
    return min(losses, key=lambda name: losses[name], default=None)


def is_done(work: Work, name: str) -> bool:
    """Whether a system is trained and its translations are there."""
    from anaphora_nmt.training.runs import RECORD, RunRecord
    from experiments.translations import outputs_path

    folder = work.runs / name
    sets = [part.partition("=")[0] for part in work.sets.split(",") if part]
    trained = (folder / RECORD).exists() and RunRecord.load(folder).finished
    return trained and all(outputs_path(folder, one).exists() for one in sets)


def run_jobs(work: Work, jobs: Sequence[Job], scale: float, deadline: float, every: int) -> Schedule:
    """Run what is pending until the deadline. Training ends by itself a while before, with checkpoints."""
    schedule = Schedule(jobs, work.jobs, {job.name for job in jobs if is_done(work, job.name)})
    while time.monotonic() < deadline:
        left = deadline - RESERVE - time.monotonic()
        for job in schedule.ready() if left > 0 else ():
            command = work.command(job.name, scale, left, every)
            print(f"start {job.name}", flush=True)
            with (work.folder / "logs" / f"{job.name}.log").open("a", encoding="utf-8") as log:
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
        arguments.work.resolve() / "systems",
        arguments.compile,
    )
    if work.pretrained is None and (work.packed / ENCODER).exists():
        work = replace(work, pretrained=work.packed / ENCODER)
    (work.folder / "logs").mkdir(parents=True, exist_ok=True)
    collect_systems(work, arguments.more_systems)
    names = [name for name in arguments.systems.split(",") if name]
    prepare_data(work, names)
    path = work.folder / "plan.json"
    if arguments.start:
        names = [continue_from(work, arguments.start, names)]
        path = path.with_name(f"plan.{names[0]}.json")
    jobs = jobs_of(names, work.systems)
    scale = plan(work, path, jobs, arguments, deadline)
    schedule = run_jobs(work, jobs, scale, deadline, arguments.every)
    weights = [name for name in arguments.weights.split(",") if name]
    if "best" in weights:
        weights += [best for best in [best_run(work, names)] if best is not None]
    finished = [name for name in dict.fromkeys(weights) if name != "best" and is_done(work, name)]
    write_results(work.folder, work.runs, arguments.out, finished)
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
    packing.add_argument("--pretrained", type=Path, help="e5-small-q4.bin, to carry what is needed of it")
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
    running.add_argument("--from", dest="start", help="go on with this system, or the best of --systems")
    running.add_argument("--weights", default="", help="systems whose weights to write, with commas; or best")
    running.add_argument("--sets", default="tvsub-test")
    running.add_argument("--beam", type=int, default=10)
    running.add_argument("--batch", type=int, default=128)
    running.add_argument("--jobs", type=int, default=4, help="processes at once")
    running.add_argument("--every", type=int, default=500, help="updates between checkpoints")
    running.add_argument("--pretrained", type=Path)
    running.add_argument("--compile", action="store_true", help="compile Transformer layers")
    running.add_argument("--more-systems", type=Path, help="folder of systems besides the laboratory's")
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

"""`python -m experiments train`: train systems and their baselines, and translate test sets."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anaphora_nmt.training.stages import StageRuns


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("system", nargs="?", help="a system of --list, or several separated by commas")
    parser.add_argument("--list", action="store_true", help="list the systems")
    parser.add_argument("--data", type=Path, help="output folder of `prepare` (or `prepare-tvsub`)")
    parser.add_argument("--pretrained", type=Path, help="e5-small-q4.bin or a model folder")
    parser.add_argument("--runs", type=Path, help="folder of the runs; unfinished runs continue")
    parser.add_argument("--minutes", type=float, default=math.inf, help="time limit; resumable")
    parser.add_argument(
        "--until", type=float, default=math.inf, help="time limit in seconds since the epoch; resumable"
    )
    parser.add_argument("--beam", type=int, default=10)
    parser.add_argument(
        "--sets",
        default="",
        help="test sets to translate, with commas: NAME in the prepared data, or NAME=CORPUS; if NAME "
        "ends in -confirmed, each reference enters the memory before the next sentence",
    )
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the length of all training")
    parser.add_argument("--every", type=int, default=200, help="updates between checkpoints")
    parser.add_argument("--batch", type=int, default=24, help="sentences decoded together")
    parser.add_argument("--alone", action="store_true", help="train no baselines and no initial systems")
    parser.add_argument("--systems", type=Path, help="folder of further systems, in JSON")
    parser.add_argument("--threads", type=int, default=1, help="compute threads")


def run(arguments: argparse.Namespace) -> int:
    import torch

    from anaphora_nmt.errors import ConfigError
    from anaphora_nmt.training.runs import DataPaths
    from anaphora_nmt.training.stages import train_stages
    from experiments.systems import describe, load_systems, system_runs, train_system

    systems = load_systems(arguments.systems)
    if arguments.list:
        print(describe(systems))
        return 0
    if not (arguments.system and arguments.data and arguments.runs):
        raise ConfigError("give a system, --data and --runs; --list lists the systems")
    torch.set_num_threads(arguments.threads)
    if torch.cuda.is_available():
        torch.set_float32_matmul_precision("high")
    names = arguments.system.split(",")
    paths = DataPaths(arguments.data, arguments.pretrained)
    runs = system_runs(arguments.runs, paths, systems, arguments.scale, arguments.every)
    end = time.monotonic() + min(arguments.minutes * 60, arguments.until - time.time())
    for name in names:
        minutes_left = (end - time.monotonic()) / 60
        is_done = runs.is_finished(name)
        if not is_done and minutes_left > 0:
            is_done = (
                train_system(runs, name, minutes_left).finished
                if arguments.alone
                else train_stages(runs, [name], minutes_left, train_system)
            )
        if not is_done:
            print(f"{name}: time is up; repeat the command to continue")
            return 3
        baseline = None if arguments.alone else systems[name].baseline
        sets = [part for part in arguments.sets.split(",") if part]
        for system in (name, baseline) if baseline else (name,):
            evaluate(runs, system, sets, arguments.beam, arguments.batch)
    return 0


def evaluate(runs: StageRuns, name: str, sets: Sequence[str], beam: int, batch: int) -> None:
    """Translate the test sets that a run has not translated with this beam, or copy equal translations."""
    from dataclasses import replace

    from anaphora_nmt.nn.devices import fastest_device
    from anaphora_nmt.training.runs import load_run
    from experiments.translations import CONFIRMED, load_outputs, read_test_set, translate_set

    loaded = None
    for text in sets:
        test_set = read_test_set(text, runs.paths.prepared)
        run = runs.folder / name
        if load_outputs(run, test_set.name, beam):
            continue
        if loaded is None:
            loaded = load_run(run, runs.paths)
            loaded.model.to(fastest_device())
        plain = load_outputs(run, test_set.name.removesuffix(CONFIRMED), beam)
        if plain is not None and not loaded.model.config.chosen():  # no memory could use the confirmed text
            outputs = replace(plain, set=test_set.name)
        else:
            outputs = translate_set(loaded, test_set, beam, batch)
        outputs.save(run)
        rate = outputs.words / max(outputs.seconds, 1e-9)
        print(f"{name}: {test_set.name}, {outputs.words} words, {rate:.0f} words/s")

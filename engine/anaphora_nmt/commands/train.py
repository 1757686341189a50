"""`anaphora-nmt train`: trains the stages of a configuration file on corpora from `prepare`."""

from __future__ import annotations

import argparse
import math
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("configuration", type=Path, help="JSON file with training stages")
    parser.add_argument("--data", type=Path, required=True, help="folder written by `prepare`")
    parser.add_argument("--runs", type=Path, required=True, help="folder for runs; unfinished runs continue")
    parser.add_argument("--pretrained", type=Path, help="e5-small-q4.bin or a model folder")
    parser.add_argument(
        "--stage", action="append", default=[], help="train only this stage and those it needs; repeatable"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the length of each stage")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after this many minutes")
    parser.add_argument("--every", type=int, help="updates between checkpoints")
    parser.add_argument("--threads", type=int, default=1, help="compute threads")


def run(arguments: argparse.Namespace) -> int:
    """Train the unfinished stages; return 3 if time ran out."""
    import torch

    from anaphora_nmt.training.configuration import load_configuration, own_stages, scale_stage
    from anaphora_nmt.training.runs import DataPaths
    from anaphora_nmt.training.stages import StageRuns, train_stages

    torch.set_num_threads(arguments.threads)
    if torch.cuda.is_available():
        torch.set_float32_matmul_precision("high")
    stages = load_configuration(arguments.configuration)
    names = arguments.stage or own_stages(arguments.configuration)
    stages = {name: scale_stage(stage, arguments.scale) for name, stage in stages.items()}
    paths = DataPaths(arguments.data, arguments.pretrained)
    runs = StageRuns(arguments.runs, paths, stages, arguments.every)
    if not train_stages(runs, names, arguments.minutes):
        print("The time is up. Run the same command again to continue.")
        return 3
    return 0

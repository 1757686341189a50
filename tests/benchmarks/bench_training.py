"""Target pieces that a training reads a second: on one compute thread and on two, in two precisions.

    python tests/benchmarks/bench_training.py CONFIGURATION PREPARED MODEL [--updates 8] [--rounds 3]

CONFIGURATION and PREPARED are what `anaphora-nmt train` is given, MODEL is the model folder that its last
stage goes on from. The settings take turns, each with a trainer of its own that reads the same batches, so
that a busy machine slows all of them; the first round, in which memory is fetched and products are planned,
is not counted. "CPU" is by the processor's time of all threads.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from anaphora_nmt.training.configuration import StageConfig, load_configuration, own_stages
from anaphora_nmt.training.loading import build_model, load_data
from anaphora_nmt.training.loop import Trainer, TrainingData
from anaphora_nmt.training.pretrained_weights import grow_from
from anaphora_nmt.training.runs import load_vocabularies


@dataclass
class Contender:
    """A trainer with its compute threads, and what it took so far."""

    threads: int
    trainer: Trainer
    pieces: int = 0
    wall: float = 0.0
    cpu: float = 0.0

    def run(self, updates: int) -> None:
        """Train for some updates more, and add them up."""
        torch.set_num_threads(self.threads)
        trainer = self.trainer
        trainer.config = replace(trainer.config, updates=trainer.update + updates)
        before, wall, cpu = trainer.pieces_seen, time.perf_counter(), time.process_time()
        for _ in range(updates):
            trainer.train_one()
        self.wall += time.perf_counter() - wall
        self.cpu += time.process_time() - cpu
        self.pieces += trainer.pieces_seen - before


def contender(
    stage: StageConfig, paths: tuple[Path, Path], data: TrainingData, threads: int, bfloat16: bool
) -> Contender:
    """A trainer at the beginning of the stage."""
    assert stage.training is not None
    prepared, model_folder = paths
    source, target = load_vocabularies(stage, prepared)
    config = replace(stage.model, source_pieces=len(source), target_pieces=len(target))
    model = build_model(config, prepared, model_folder)
    grow_from(model, prepared, model_folder)
    training = replace(stage.training, bfloat16=bfloat16)
    return Contender(threads, Trainer(model, training, data, Path(tempfile.gettempdir())))


def main() -> None:
    """Print pieces a second of each setting."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name in ("configuration", "prepared", "model"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--updates", type=int, default=8, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    stage = load_configuration(arguments.configuration)[own_stages(arguments.configuration)[-1]]
    paths = arguments.prepared, arguments.model
    data = load_data(arguments.prepared, "train", stage.model.encoder)
    contenders = {
        (kind, threads): contender(stage, paths, data, threads, kind == "bfloat16")
        for kind in ("bfloat16", "float32")
        for threads in (1, 2)
    }
    for number in range(arguments.rounds + 1):
        for one in contenders.values():
            one.run(arguments.updates)
            if number == 0:
                one.pieces, one.wall, one.cpu = 0, 0.0, 0.0
    print("precision   threads   pieces/s   pieces/CPU s")
    for (kind, threads), one in contenders.items():
        print(f"{kind:<11} {threads:>7} {one.pieces / one.wall:>10.0f} {one.pieces / one.cpu:>14.0f}")


if __name__ == "__main__":
    main()

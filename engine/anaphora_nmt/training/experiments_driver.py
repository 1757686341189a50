"""Train a system of the experiments, with everything that it stands on, resumably."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn

from anaphora_nmt.config import from_dict, to_dict
from anaphora_nmt.errors import ConfigError, ModelFileError
from anaphora_nmt.training.checkpoint import trained_tensors
from anaphora_nmt.training.device import compile_layers
from anaphora_nmt.training.experiments import (
    PRETRAINED,
    RECORD,
    DataPaths,
    RunRecord,
    SystemConfig,
    data_hash,
    load_record,
    load_topics,
    load_trained_base,
    load_vocabularies,
    save_run,
    with_vocabularies,
)
from anaphora_nmt.training.initialise import initialise_from
from anaphora_nmt.training.loop import Trainer
from anaphora_nmt.training.memory import second_pass
from anaphora_nmt.training.run import build_model, load_data


@dataclass(frozen=True)
class Bench:
    """Where runs are made, and of what.

    Attributes:
        runs: folder of the runs.
        paths: prepared data and pretrained weights.
        systems: by name.
        scale: multiplies the length of every training, for a faster machine or a quick trial.
        every: updates between checkpoints and dev scores.
        score: whether to score on dev on the way.
        compiled: compile the layers of what is trained (`compile_layers`), for a GPU.
    """

    runs: Path
    paths: DataPaths
    systems: Mapping[str, SystemConfig]
    scale: float = 1.0
    every: int = 200
    score: bool = True
    compiled: bool = False

    def system(self, name: str) -> SystemConfig:
        """A system as it is run here.

        Raises:
            ConfigError: there is none of that name.
        """
        if name not in self.systems:
            raise ConfigError(
                f"there is no system {name}; `anaphora-nmt experiment --list` names them: "
                + ", ".join(self.systems)
            )
        return scaled(self.systems[name], self.scale)

    def finished(self, name: str) -> bool:
        """Whether a system's training has reached its end here.

        Raises:
            ConfigError: its folder holds a run with other settings.
        """
        folder = self.runs / name
        if not (folder / RECORD).exists():
            return False
        record = load_record(folder)
        model = replace(record.system.model, source_pieces=0, target_pieces=0)
        if replace(record.system, model=model) != self.system(name):
            raise ConfigError(_OTHER.format(folder=folder))
        return record.finished


_OTHER = (
    "{folder} holds a run with other settings or data; choose another folder with --runs, "
    "another name with --as, or delete it"
)


def scaled(system: SystemConfig, factor: float) -> SystemConfig:
    """The system with its training (updates, rise and fall of the rate) `factor` times as long."""
    if factor == 1.0:
        return system

    def times(updates: int) -> int:
        return max(1, round(updates * factor))

    training, memories = system.training, system.second_pass
    if training is not None:
        training = replace(
            training,
            updates=times(training.updates),
            warmup=times(training.warmup),
            decay=times(training.decay),
        )
    if memories is not None:
        memories = replace(memories, updates=times(memories.updates))
    return replace(system, training=training, second_pass=memories)


def needed_by(systems: Mapping[str, SystemConfig], name: str) -> list[str]:
    """A system and those that it starts from or is compared with, in the order to train them."""
    order: list[str] = []

    def visit(one: str, above: Sequence[str]) -> None:
        if one in above:
            raise ConfigError(f"systems stand on each other in a circle: {' → '.join((*above, one))}")
        if one not in systems:
            raise ConfigError(f"there is no system {one}; see `anaphora-nmt experiment --list`")
        system = systems[one]
        for other in (system.initial, system.baseline):
            if other not in (None, PRETRAINED):
                visit(other, (*above, one))
        if one not in order:
            order.append(one)

    visit(name, ())
    return order


def train_with_baselines(bench: Bench, name: str, minutes: float = math.inf) -> bool:
    """Train a system after its initial run and its baseline, as far as they are not trained yet.

    Args:
        minutes: stop, resumably, after this time in all.
    Returns:
        whether all of it is done.
    """
    end = time.monotonic() + minutes * 60
    for one in needed_by(bench.systems, name):
        left = (end - time.monotonic()) / 60
        if not bench.finished(one) and (left <= 0 or not train_system(bench, one, left)):
            return False
    return True


def train_system(bench: Bench, name: str, minutes: float = math.inf) -> bool:
    """Train one system, or go on with it; what it starts from must be there.

    The result of a run that was cut off and taken up again is that of a run in one go.

    Returns:
        whether its training is done.
    Raises:
        ConfigError: the folder holds a run with other settings.
        ModelFileError: the run that it starts from is missing.
    """
    system = bench.system(name)
    folder = bench.runs / name
    bench.paths.save(bench.runs)
    system = with_vocabularies(system, *load_vocabularies(system, bench.paths.prepared))
    record = RunRecord(system, data_hash=data_hash(bench.paths.prepared))
    if (folder / RECORD).exists():
        before = load_record(folder)
        if (before.system, before.data_hash) != (record.system, record.data_hash):
            raise ConfigError(_OTHER.format(folder=folder))
    else:
        save_run(folder, record)
    train = _train_base if system.training else _train_memories if system.second_pass else _adopt
    record = train(bench, folder, record, minutes)
    save_run(folder, record)
    return record.finished


def _train_base(bench: Bench, folder: Path, record: RunRecord, minutes: float) -> RunRecord:
    system, paths = record.system, bench.paths
    training = system.training
    assert training is not None
    torch.manual_seed(training.seed)
    model = build_model(system.model, paths.prepared, paths.pretrained, training.start_embeddings)
    fresh: tuple[str, ...] = ()
    if system.initial is not None:
        fresh = initialise_from(model, _weights(bench, system.initial))
    data = load_data(paths.prepared, "train", system.model.encoder)
    if training.guide_weight == 0:
        data = replace(data, links=None)
    trainer = Trainer(model, training, data, folder, fresh)
    trainer.resume()
    if bench.compiled:
        compile_layers(model)
    dev = load_data(paths.prepared, "dev", system.model.encoder) if bench.score else None
    trainer.run(minutes, dev, bench.every)
    return replace(
        record,
        parameters=_count(model),
        trained_parameters=sum(p.numel() for p in trainer.parameters),
        training_seconds=_curve_seconds(folder),
        updates=trainer.update,
        pieces_seen=trainer.pieces_seen,
        seed=training.seed,
        device=str(trainer.world.device),
        finished=trainer.update >= training.updates,
    )


def _train_memories(bench: Bench, folder: Path, record: RunRecord, minutes: float) -> RunRecord:
    system, paths = record.system, bench.paths
    settings = system.second_pass
    assert settings is not None and system.initial is not None
    base = load_trained_base(folder, system, paths).eval().to(default_device())
    target = load_vocabularies(system, paths.prepared)[1]
    trainer, train, dev = second_pass(
        base,
        target,
        paths.prepared,
        load_topics(system, paths.prepared),
        system.memory,
        folder,
        settings,
        bench.runs / system.initial,
    )
    trainer.resume()
    trainer.run(train, dev, minutes)
    return replace(
        record,
        parameters=_count(trainer.model),
        trained_parameters=sum(p.numel() for p in trainer.parameters),
        training_seconds=round(trainer.spent, 1),
        updates=trainer.update,
        pieces_seen=trainer.pieces_seen,
        seed=settings.seed,
        device=str(base.decoder.embeddings.device),
        finished=trainer.finished,
    )


def _adopt(bench: Bench, folder: Path, record: RunRecord, minutes: float) -> RunRecord:
    model = load_trained_base(folder, record.system, bench.paths)
    return replace(record, parameters=_count(model), finished=True)


def default_device() -> torch.device:
    """The GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _weights(bench: Bench, name: str) -> dict[str, torch.Tensor]:
    """What the model of a run has learnt, by name."""
    run = bench.runs / name
    if not (run / RECORD).exists():
        raise ModelFileError(f"there is no run {run}; train {name} first")
    system = load_record(run).system
    if system.initial == PRETRAINED:
        return trained_tensors(load_trained_base(run, system, bench.paths))
    path = run / "last" / "model.safetensors"
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelFileError(f"{path} cannot be read ({error}); train {name} first") from error


def _count(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def _curve_seconds(folder: Path) -> float:
    """Seconds of training that lead to the last checkpoint; an interval that was done twice counts once."""
    curve = (folder / "curve.jsonl").read_text("utf-8").splitlines()
    seconds = {record["update"]: record["seconds"] for record in map(json.loads, curve)}
    return round(sum(seconds.values()), 1)


def describe(systems: Mapping[str, SystemConfig]) -> str:
    """A table of the systems for a terminal."""
    rows = [("system", "baseline", "starts from", "trains", "updates", "title")]
    for system in systems.values():
        part = system.training or system.second_pass
        kind = "model" if system.training else "memories" if part else "nothing"
        start, updates = system.initial or "scratch", str(part.updates) if part else "0"
        rows.append((system.name, system.baseline or "—", start, kind, updates, system.title))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:5], widths, strict=True)]
        lines.append("  ".join((*cells, row[5])))
    return "\n".join(lines)


def with_settings(
    systems: Mapping[str, SystemConfig], name: str, settings: Sequence[str], new_name: str
) -> dict[str, SystemConfig]:
    """The systems with one more: `name` with some settings changed, for trying things out.

    Args:
        settings: such as `training.learning_rate=0.001`; values are JSON, or text where they are none.
    Raises:
        ConfigError: a setting that there is not, or of the wrong type.
    """
    if name not in systems:
        raise ConfigError(f"there is no system {name}; see `anaphora-nmt experiment --list`")
    values = to_dict(systems[name])
    values["name"] = new_name
    for setting in settings:
        path, _, text = setting.partition("=")
        *parents, key = path.split(".")
        place = values
        for parent in parents:
            if not isinstance(place.get(parent), dict):
                raise ConfigError(f"{name} has no {path} to set")
            place = place[parent]
        try:
            place[key] = json.loads(text)
        except ValueError:
            place[key] = text
    return {**systems, new_name: from_dict(SystemConfig, values)}

"""Resumable training of the stages of a configuration."""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from anaphora_nmt.config import to_dict
from anaphora_nmt.data.batches import load_weights
from anaphora_nmt.errors import ConfigError, ModelFileError
from anaphora_nmt.files import write_json
from anaphora_nmt.models.bundle import Bundle, save_bundle
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.devices import fastest_device
from anaphora_nmt.nn.pretrained import read_pretrained
from anaphora_nmt.training.checkpoint import WEIGHTS, load_trained, save_checkpoint, trained_tensors
from anaphora_nmt.training.configuration import PRETRAINED, AverageConfig, StageConfig, order_stages
from anaphora_nmt.training.loading import MEAN, build_model, last_checkpoint, load_data
from anaphora_nmt.training.loop import Trainer, TrainingData
from anaphora_nmt.training.memory import fit_constants, second_pass
from anaphora_nmt.training.pretrained_weights import grow_from, initialise_from, is_model_folder, open_origin
from anaphora_nmt.training.runs import (
    FITTED,
    MODEL,
    RECORD,
    DataPaths,
    LoadedRun,
    RunRecord,
    data_hash,
    fitted_memory,
    load_run,
    load_topics,
    load_trained_base,
    load_vocabularies,
)

_OTHER_RUN = (
    "{folder} contains a run with other settings or data; choose another folder with --runs, "
    "another name, or delete it"
)


@dataclass(frozen=True)
class StageRuns:
    """The folder, the data and the stages of runs.

    Attributes:
        folder: parent folder of the runs' folders, which have their stages' names.
        paths: prepared data and pretrained weights.
        stages: stages by name.
        every: number of updates between checkpoints; None: `every` of each stage.
    """

    folder: Path
    paths: DataPaths
    stages: Mapping[str, StageConfig]
    every: int | None = None

    def stage(self, name: str) -> StageConfig:
        """The stage without the fields of subclasses. ConfigError if there is none of this name."""
        if name not in self.stages:
            raise ConfigError(f"there is no stage {name}; available: {', '.join(self.stages)}")
        stage = self.stages[name]
        return StageConfig(**{each.name: getattr(stage, each.name) for each in fields(StageConfig)})

    def is_finished(self, name: str) -> bool:
        """True if a stage's run is finished. ConfigError if the folder has a run with other settings."""
        folder = self.folder / name
        if not (folder / RECORD).exists():
            return False
        record = RunRecord.load(folder)
        model = replace(record.stage.model, source_pieces=0, target_pieces=0)
        if replace(record.stage, model=model) != self.stage(name):
            raise ConfigError(_OTHER_RUN.format(folder=folder))
        return record.finished

    def exported_folder(self, name: str | None) -> Path | None:
        """The model folder that the stage `name` exports, or None; `paths.pretrained` for `PRETRAINED`."""
        if name == PRETRAINED:
            return self.paths.pretrained
        return self.folder / name / MODEL if name is not None and self.stage(name).export else None


def train_stages(
    runs: StageRuns,
    names: Sequence[str],
    minutes: float = math.inf,
    train: Callable[[StageRuns, str, float], RunRecord] | None = None,
) -> bool:
    """Train stages and their prerequisites by `train` (default: `train_stage`); True if all are finished."""
    end, train = time.monotonic() + minutes * 60, train or train_stage
    for name in order_stages(runs.stages, names):
        minutes_left = (end - time.monotonic()) / 60
        if not (runs.is_finished(name) or (minutes_left > 0 and train(runs, name, minutes_left).finished)):
            return False
    return True


def train_stage(runs: StageRuns, name: str, minutes: float = math.inf) -> RunRecord:
    """Run or continue one stage, whose prerequisites must be finished, for at most `minutes`.

    An interrupted and continued run has the same result as an uninterrupted one.
    """
    stage, folder = runs.stage(name), runs.folder / name
    source, target = load_vocabularies(stage, runs.paths.prepared)
    stage = replace(stage, model=replace(stage.model, source_pieces=len(source), target_pieces=len(target)))
    record = RunRecord(stage, data_hash=data_hash(runs.paths.prepared))
    _prepare_folder(runs, folder, record)
    if stage.training:
        record = _train_base(runs, folder, record, minutes)
    elif stage.second_pass:
        record = _train_memories(runs, folder, record, minutes)
    else:
        model = load_trained_base(folder, stage, runs.paths)
        record = replace(record, parameters=_parameter_count(model), finished=True)
    if record.finished and stage.export and not (folder / MODEL).exists():
        _export(load_run(folder, runs.paths), runs.paths, folder)
    record.save(folder)
    return record


def _prepare_folder(runs: StageRuns, folder: Path, record: RunRecord) -> None:
    """Write the record if it is new, and copy a checkpoint to resume. ConfigError if the settings differ."""
    if (folder / RECORD).exists():
        saved = RunRecord.load(folder)
        if (saved.stage, saved.data_hash) != (record.stage, record.data_hash):
            raise ConfigError(_OTHER_RUN.format(folder=folder))
    else:
        record.save(folder)
    _copy_checkpoint(runs, folder.name)


def _train_base(runs: StageRuns, folder: Path, record: RunRecord, minutes: float) -> RunRecord:
    stage, prepared = record.stage, runs.paths.prepared
    training = stage.training
    assert training is not None
    torch.manual_seed(training.seed)
    model, fresh = _initial_model(runs, stage)
    initial = trained_tensors(model) if stage.average else {}
    initial = {name: tensor.clone() for name, tensor in initial.items()}
    data = load_data(prepared, "train")
    if training.guide_weight == 0:
        data = replace(data, links=None)
    if training.shares:
        data = replace(data, weights=load_weights(prepared, data.corpus, training.shares))
    trainer = Trainer(model, training, data, folder, fresh)
    trainer.resume()
    dev = replace(load_data(prepared, "dev"), links=None)
    keep = stage.average.updates if stage.average else ()
    trainer.run(minutes, dev, runs.every or stage.every, keep)
    finished = trainer.update >= training.updates
    if finished and stage.average and not (folder / MEAN).exists():
        _average(trainer, stage.average, initial, dev)
    return replace(
        record,
        parameters=_parameter_count(model),
        training_seconds=_curve_seconds(folder),
        updates=trainer.update,
        pieces_seen=trainer.pieces_seen,
        finished=finished,
    )


def _initial_model(runs: StageRuns, stage: StageConfig) -> tuple[TranslationModel, tuple[str, ...]]:
    """The initial model of a stage, and the names of its parameters that the initial run lacks."""
    paths, folder = runs.paths, runs.exported_folder(stage.initial)
    origin = open_origin(folder or paths.pretrained)
    model = build_model(stage.model, paths.prepared, origin)
    if folder is not None:
        grow_from(model, paths.prepared, origin or folder)
        return model, ()
    if stage.initial is None:
        return model, ()
    return model, initialise_from(model, _run_weights(runs, stage.initial))


def _copy_checkpoint(runs: StageRuns, name: str) -> None:
    """Copy the initial run's checkpoint if the stage continues that run and has no checkpoint yet."""
    stage, folder = runs.stage(name), runs.folder / name
    if not stage.resume or (folder / "last").exists():
        return
    initial = runs.folder / str(stage.initial)
    if not (initial / "last").exists():
        raise ModelFileError(f"{initial} has no checkpoint to continue; train it first")
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / "last.part"
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(initial / "last", part)
    part.rename(folder / "last")


def _average(
    trainer: Trainer, average: AverageConfig, initial: Mapping[str, Tensor], dev: TrainingData
) -> None:
    """Write the mean of the kept checkpoints and the initial weights, and log the mean's loss on dev."""
    folder, shares = trainer.folder, [average.share] * len(average.updates)
    parts = [load_file(folder / f"at-{update}" / WEIGHTS) for update in average.updates]
    load_trained(trainer.model, mean(initial, list(zip(parts, shares, strict=True))))
    trainer.log({"update": trainer.update, "shares": shares, "dev_loss": trainer.score(dev)})
    state = json.loads((folder / "last" / "state.json").read_text("utf-8"))
    save_checkpoint(folder / MEAN, trainer.model, None, state)


def mean(
    initial: Mapping[str, Tensor], parts: Sequence[tuple[Mapping[str, Tensor], float]]
) -> dict[str, Tensor]:
    """Means of tensors by name: the weight of each of `parts` is its share; `initial` has the rest."""
    remaining = 1.0 - sum(share for _, share in parts)
    mixed = {name: remaining * tensor for name, tensor in initial.items()}
    for part, share in parts:
        if part.keys() != mixed.keys():
            raise ModelFileError(f"not the same parameters: {sorted(part.keys() ^ mixed.keys())[:4]}")
        for name, tensor in part.items():
            mixed[name] += share * tensor.to(mixed[name].device)
    return mixed


def _train_memories(runs: StageRuns, folder: Path, record: RunRecord, minutes: float) -> RunRecord:
    stage, paths = record.stage, runs.paths
    settings = stage.second_pass
    assert settings is not None
    base = load_trained_base(folder, stage, paths).eval().to(fastest_device())
    target, topics = load_vocabularies(stage, paths.prepared)[1], load_topics(stage, paths.prepared)
    trainer, train, dev = second_pass(base, target, paths.prepared, topics, stage.memory, folder, settings)
    trainer.resume()
    trainer.run(train, dev, minutes)
    if trainer.is_finished and stage.fit_constants and not (folder / FITTED).exists():
        words = trainer.model.vocabulary
        fitted, losses = fit_constants(base, words, train.store, dev.store, stage.memory)
        print("dev loss per piece, each reference confirmed before the next segment: " + json.dumps(losses))
        write_json(folder / FITTED, to_dict(fitted))
    return replace(
        record,
        parameters=_parameter_count(trainer.model),
        training_seconds=round(trainer.seconds, 1),
        updates=trainer.update,
        pieces_seen=trainer.pieces_seen,
        finished=trainer.is_finished,
    )


def _export(loaded: LoadedRun, paths: DataPaths, folder: Path) -> None:
    part, prepared, stage = folder / f"{MODEL}.part", paths.prepared, loaded.stage
    shutil.rmtree(part, ignore_errors=True)
    memory = fitted_memory(folder, stage)
    tensors = loaded.model.memory_state() if stage.second_pass else {}
    bundle = Bundle(stage.export, loaded.model.base, loaded.source, loaded.target, memory, tensors, part)
    original = paths.pretrained if paths.pretrained and not is_model_folder(paths.pretrained) else None
    pretrained = read_pretrained(original) if original else None
    rows = np.load(prepared / "rows.npy") if pretrained else None
    save_bundle(part, bundle, pretrained, rows)
    if loaded.topics is not None:
        shutil.copyfile(prepared / "topics.npz", part / "topics.npz")
    part.rename(folder / MODEL)


def _run_weights(runs: StageRuns, name: str) -> dict[str, Tensor]:
    run = runs.folder / name
    if not (run / RECORD).exists():
        raise ModelFileError(f"there is no run {run}; train {name} first")
    stage = RunRecord.load(run).stage
    if stage.training is None:
        return trained_tensors(load_trained_base(run, stage, runs.paths))
    path = last_checkpoint(run) / WEIGHTS
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelFileError(f"{path} cannot be read ({error}); train {name} first") from error


def _parameter_count(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def _curve_seconds(folder: Path) -> float:
    """Seconds of training up to the last checkpoint; repeated updates count once."""
    curve = (folder / "curve.jsonl").read_text("utf-8").splitlines()
    seconds = {each["update"]: each["seconds"] for each in map(json.loads, curve) if "seconds" in each}
    return round(sum(seconds.values()), 1)

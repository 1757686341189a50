"""Training configurations: a JSON file describes the stages that make a system.

    {
      "include": ["baselines.json"],
      "stages": {
        "base": {"model": {...}, "training": {...}},
        "memories": {"like": "base", "initial": "base", "training": null,
                     "memory": {...}, "second_pass": {...}}
      }
    }

`include` names files with further stages, relative to the file's folder. A stage inherits missing keys from
the stage that `like` names, and objects are merged key by key. Keys that are still missing get the defaults
of the dataclasses. An unknown key is an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from anaphora_nmt.config import ModelConfig, TrainingConfig, from_dict
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.training.memory import SecondPass

PRETRAINED = "pretrained"
"""Name of an initial stage that is not trained, but is the model folder given by --pretrained."""
_MIN_SENTENCES = 200  # minimum for a shortened second pass

S = TypeVar("S", bound="StageConfig")
Raw = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class AverageConfig:
    """A mean of the checkpoints at `updates` and of the initial weights.

    Each checkpoint has the weight `share`, and the initial weights have the remaining weight.
    """

    updates: tuple[int, ...]
    share: float


@dataclass(frozen=True)
class StageConfig:
    """The settings of a run, which trains a model, trains memories on a frozen model, or changes nothing.

    Attributes:
        name: name of the stage and of the run's folder.
        title: title for display.
        model: the model; vocabulary sizes of 0 are those of the prepared data.
        initial: initial stage, or `PRETRAINED`; None if the run does not start from another run's weights.
            The Transformer decoder of a model folder may have fewer layers than `model` (`grow_from`).
            Weights of other runs are copied by name (`initialise_from`).
        resume: continue the initial stage's training with its optimiser and number of updates.
        training: how the model is trained; if None, the initial stage's model is used, frozen.
        every: number of updates between checkpoints and scores on dev.
        average: the mean of checkpoints that is the result; if None, the last checkpoint is the result.
        memory: configuration of the document memories.
        second_pass: how the memories are trained; if None, they are not trained.
        fit_constants: fit the memories' constants, such as the gate of confirmed text, after the second pass.
        export: name of the model that the stage exports to a model folder (RUN/model), which later stages
            start from; "" exports nothing.
    """

    name: str
    model: ModelConfig
    title: str = ""
    initial: str | None = None
    resume: bool = False
    training: TrainingConfig | None = None
    every: int = 250
    average: AverageConfig | None = None
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    second_pass: SecondPass | None = None
    fit_constants: bool = False
    export: str = ""

    @property
    def prerequisites(self) -> tuple[str, ...]:
        """Stages that must be trained before this one."""
        return () if self.initial is None or self.initial == PRETRAINED else (self.initial,)


def load_configuration(path: Path) -> dict[str, StageConfig]:
    """The stages of a file and its includes, by name, in order. ConfigError if a stage is invalid."""
    raw = read_stages(path)
    return {name: stage_from(StageConfig, name, raw) for name in raw}


def own_stages(path: Path) -> list[str]:
    """Names of the stages in a file, without its includes. ConfigError if the file cannot be read."""
    return list(_read(path)["stages"])


def read_stages(path: Path) -> Raw:
    """The raw stages of a file, after those of its includes. ConfigError if two stages have the same name."""
    values = _read(path)
    stages: Raw = {}
    for part in (*(read_stages(path.parent / name) for name in values.get("include", ())), values["stages"]):
        if conflicts := [name for name in part if name in stages and stages[name] != part[name]]:
            raise ConfigError(f"{path}: another file also has a stage {conflicts[0]}")
        stages.update(part)
    return stages


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} is not a readable configuration: {error}") from error
    if not isinstance(values, dict) or not isinstance(values.get("stages"), dict):
        raise ConfigError(f'{path} has no "stages"')
    if unknown := set(values) - {"include", "stages"}:
        raise ConfigError(f"{path} has the unknown key {', '.join(sorted(unknown))}; known: include, stages")
    return values


def stage_from(kind: type[S], name: str, raw: Raw) -> S:
    """Build a stage of the class `kind` from the raw stages. ConfigError if it is invalid."""
    values = {**_resolved(name, raw, ()), "name": name}
    model = {"source_pieces": 0, "target_pieces": 0, **values.get("model", {})}
    stage = from_dict(kind, {**values, "model": model})
    if stage.initial not in (None, PRETRAINED) and stage.initial not in raw:
        raise ConfigError(f"{name} starts from {stage.initial}, which does not exist")
    if stage.training and stage.second_pass:
        raise ConfigError(f"{name} has both training and second_pass; make them two stages")
    if not stage.training and not stage.second_pass and stage.initial is None:
        raise ConfigError(f"{name} must have training or second_pass")
    if stage.second_pass and stage.initial is None:
        raise ConfigError(f"{name} trains memories on a frozen model, whose name (initial) is missing")
    if stage.resume and (stage.initial in (None, PRETRAINED) or not stage.training):
        raise ConfigError(f"{name} continues a run (resume), so it must have initial and training")
    if stage.average and not stage.training:
        raise ConfigError(f"{name} averages checkpoints but has no training")
    return stage


def _resolved(name: str, raw: Raw, seen: tuple[str, ...]) -> dict[str, Any]:
    if name not in raw or name in seen:
        raise ConfigError(
            f"a stage is like {name}, which " + ("depends on it" if name in seen else "does not exist")
        )
    values = dict(raw[name])
    like = values.pop("like", None)
    return values if like is None else _merged(_resolved(like, raw, (*seen, name)), values)


def _merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """`base` with `changes`; objects are merged key by key."""
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        are_objects = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merged(old, value) if are_objects else value  # type: ignore[arg-type]
    return merged


def order_stages(stages: Mapping[str, StageConfig], names: Iterable[str]) -> list[str]:
    """`names` and their prerequisites, which come first. ConfigError if one is missing or in a cycle."""
    order: list[str] = []

    def visit(name: str, dependents: Sequence[str]) -> None:
        if name in dependents:
            raise ConfigError(f"stages start from each other in a circle: {' → '.join((*dependents, name))}")
        if name not in stages:
            raise ConfigError(f"there is no stage {name}; available: {', '.join(stages)}")
        for prerequisite in stages[name].prerequisites:
            visit(prerequisite, (*dependents, name))
        if name not in order:
            order.append(name)

    for name in names:
        visit(name, ())
    return order


def scale_stage(stage: S, factor: float) -> S:
    """The stage with `factor` times as many updates, including those of the warmup and the decay.

    A shortened second pass also reads fewer sentences.
    """
    if factor == 1.0:
        return stage

    def times(updates: int) -> int:
        return max(1, round(updates * factor))

    training, second_pass, average = stage.training, stage.second_pass, stage.average
    if training is not None:
        training = replace(
            training,
            updates=times(training.updates),
            warmup=times(training.warmup),
            decay=times(training.decay),
        )
    if average is not None:
        average = replace(average, updates=tuple(sorted({times(update) for update in average.updates})))
    if second_pass is not None and second_pass.updates:
        sentences = min(second_pass.sentences, max(_MIN_SENTENCES, times(second_pass.sentences)))
        second_pass = replace(second_pass, updates=times(second_pass.updates), sentences=sentences)
    return replace(stage, training=training, average=average, second_pass=second_pass)

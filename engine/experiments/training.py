"""Train a system of the experiments, with everything that it stands on, resumably."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora_nmt.errors import ConfigError
from anaphora_nmt.training.configuration import PRETRAINED, scaled, with_settings
from anaphora_nmt.training.runs import DataPaths, RunRecord
from anaphora_nmt.training.stages import StageRuns, train_stage
from experiments.systems import SystemConfig, save_record


@dataclass(frozen=True)
class ExperimentRuns:
    """Where runs are made, and of what; `scale` multiplies the length of every training."""

    runs: Path
    paths: DataPaths
    systems: Mapping[str, SystemConfig]
    scale: float = 1.0
    every: int = 200
    score: bool = True
    compiled: bool = False

    def system(self, name: str) -> SystemConfig:
        """A system as it is run here; ConfigError where there is none of that name."""
        return scaled(find_system(self.systems, name), self.scale)

    @property
    def stages(self) -> StageRuns:
        stages = {name: self.system(name).stage for name in self.systems}
        return StageRuns(self.runs, self.paths, stages, self.every, self.score, self.compiled)

    def finished(self, name: str) -> bool:
        """Whether a system's training has reached its end here; see `StageRuns.finished`."""
        find_system(self.systems, name)
        return self.stages.finished(name)


def find_system(systems: Mapping[str, SystemConfig], name: str) -> SystemConfig:
    if name not in systems:
        raise ConfigError(
            f"there is no system {name}; `python -m experiments train --list` names them: "
            + ", ".join(systems)
        )
    return systems[name]


def needed_by(systems: Mapping[str, SystemConfig], name: str) -> list[str]:
    """A system and those that it starts from or is compared with, in the order to train them."""
    order: list[str] = []

    def visit(one: str, above: Sequence[str]) -> None:
        if one in above:
            raise ConfigError(f"systems stand on each other in a circle: {' → '.join((*above, one))}")
        system = find_system(systems, one)
        for other in (system.initial, system.baseline):
            if other is not None and other != PRETRAINED:
                visit(other, (*above, one))
        if one not in order:
            order.append(one)

    visit(name, ())
    return order


def train_with_baselines(experiment: ExperimentRuns, name: str, minutes: float = math.inf) -> bool:
    """Train a system after its initial run and its baseline, resumably; whether all of it is done."""
    end = time.monotonic() + minutes * 60
    for one in needed_by(experiment.systems, name):
        left = (end - time.monotonic()) / 60
        if not experiment.finished(one) and (left <= 0 or not train_system(experiment, one, left)):
            return False
    return True


def train_system(experiment: ExperimentRuns, name: str, minutes: float = math.inf) -> bool:
    """Train one system, or go on with it, and write its record; whether its training is done."""
    system = experiment.system(name)
    record: RunRecord = train_stage(experiment.stages, name, minutes)
    save_record(experiment.runs / name, system, record)
    return record.finished


def describe(systems: Mapping[str, SystemConfig]) -> str:
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


def with_variant(
    systems: Mapping[str, SystemConfig], name: str, settings: Sequence[str], new_name: str
) -> dict[str, SystemConfig]:
    """The systems with one more: `name` with some settings changed (see `with_settings`)."""
    return {**systems, new_name: with_settings(find_system(systems, name), settings, new_name)}

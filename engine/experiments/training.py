"""Train a system of the experiments, with everything that it stands on, resumably."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from anaphora_nmt.training.configuration import scaled
from anaphora_nmt.training.runs import DataPaths, RunRecord
from anaphora_nmt.training.stages import StageRuns, train_stage, train_stages
from experiments.systems import SystemConfig, save_record


def system_runs(
    folder: Path,
    paths: DataPaths,
    systems: Mapping[str, SystemConfig],
    scale: float = 1.0,
    every: int = 200,
    compiled: bool = False,
) -> StageRuns:
    """Where systems are trained, every training `scale` times as long; see `StageRuns`."""
    given = {name: scaled(system, scale) for name, system in systems.items()}
    return StageRuns(folder, paths, given, every, compiled)


def train_system(runs: StageRuns, name: str, minutes: float = math.inf) -> RunRecord:
    """Train one system, or go on with it, and write its record for the results page."""
    record = train_stage(runs, name, minutes)
    system = runs.stages[name]
    assert isinstance(system, SystemConfig)
    save_record(runs.folder / name, system, record)
    return record


def train_with_baselines(runs: StageRuns, name: str, minutes: float = math.inf) -> bool:
    """Train a system after its initial run and its baseline, resumably; whether all of it is done."""
    return train_stages(runs, [name], minutes, train_system)


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

"""Systems of the experiments: stages of training, with what each is compared with and what its paper printed.

The stages stand in `configurations/*.json`, which `anaphora-nmt train` reads too; `comparisons.json` beside
this file adds baselines and papers. A run of a system is a training run (`anaphora_nmt.training.runs`) with
`system.json`, its record for the results page, and `outputs.<set>.json`, its translations of test sets.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from anaphora_nmt.config import to_dict
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.files import write_json
from anaphora_nmt.training.configuration import Raw, StageConfig, read_stages, scaled, stage_from
from anaphora_nmt.training.runs import DataPaths, RunRecord
from anaphora_nmt.training.stages import StageRuns, train_stage

RECORD = "system.json"
CONFIGURATIONS = Path(__file__).with_name("configurations")
_COMPARISONS = Path(__file__).with_name("comparisons.json")


@dataclass(frozen=True)
class Paper:
    """The paper's figures for a row: of its baseline and of its system, or None."""

    citation: str = ""
    where: str = ""
    measure: str = "BLEU"
    baseline: float | None = None
    value: float | None = None


@dataclass(frozen=True)
class SystemConfig(StageConfig):
    """A row of the results.

    A model that is fine-tuned is compared with a baseline that is fine-tuned for as long: `baseline` names a
    system with equal `initial` and `training`.

    Attributes:
        family: "cpu" (pretrained frozen encoder), "paper" (from scratch, for a GPU) or "embedded" (candidates
            for the model that ships).
        baseline: system that it is compared with; None for a baseline.
        paper: what was printed.
    """

    family: str = "cpu"
    baseline: str | None = None
    paper: Paper = field(default_factory=Paper)

    @property
    def needs(self) -> tuple[str, ...]:
        return (*super().needs, self.baseline) if self.baseline is not None else super().needs


def load_systems(more: Path | None = None) -> dict[str, SystemConfig]:
    """Every system of the laboratory by name, and those of the folder `more`, sorted."""
    raw: Raw = {}
    for folder in (CONFIGURATIONS, *((more,) if more else ())):
        for path in sorted(folder.glob("*.json")):
            raw.update(read_stages(path))
    citations, compared = _comparisons()
    for name, values in compared.items():
        if name not in raw:
            raise ConfigError(f"{_COMPARISONS.name} names {name}, which no configuration has")
        raw[name] = {**raw[name], **values}
    return {name: system_from(name, raw, citations) for name in sorted(raw)}


def _comparisons() -> tuple[dict[str, str], Raw]:
    try:
        values = json.loads(_COMPARISONS.read_text("utf-8"))
        return values["citations"], values["systems"]
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(f"{_COMPARISONS} cannot be read: {error}") from error


def system_from(name: str, raw: Raw, citations: dict[str, str] | None = None) -> SystemConfig:
    """Build a system; what it leaves out is as in the system it is `like`."""
    system = stage_from(SystemConfig, name, raw)
    if system.baseline is not None and system.baseline not in raw:
        raise ConfigError(f"system {name} names {system.baseline}, which there is not")
    citation = (citations or {}).get(system.paper.citation, system.paper.citation)
    return replace(system, paper=replace(system.paper, citation=citation))


def save_record(folder: Path, system: SystemConfig, record: RunRecord) -> None:
    """Write `system.json`: what the results page reads of a run."""
    values: dict[str, Any] = to_dict(replace(system, model=record.stage.model))
    rest = {key: value for key, value in to_dict(record).items() if key != "stage"}
    head = {key: values[key] for key in ("name", "title", "baseline", "paper")}
    write_json(folder / RECORD, {**head, **rest, "system": values})


def system_runs(
    folder: Path, paths: DataPaths, systems: Mapping[str, SystemConfig], scale: float = 1.0, every: int = 200
) -> StageRuns:
    """The folder of trained systems, every training `scale` times as long; see `StageRuns`."""
    given = {name: scaled(system, scale) for name, system in systems.items()}
    return StageRuns(folder, paths, given, every)


def train_system(runs: StageRuns, name: str, minutes: float = math.inf) -> RunRecord:
    """Train one system, or go on with it, and write its record for the results page."""
    record = train_stage(runs, name, minutes)
    system = runs.stages[name]
    assert isinstance(system, SystemConfig)
    save_record(runs.folder / name, system, record)
    return record


def describe(systems: Mapping[str, SystemConfig]) -> str:
    each = systems.values()
    return "\n".join(f"{one.name:<28}  against {one.baseline or '-':<28}  {one.title}" for one in each)

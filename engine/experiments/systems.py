"""Systems of the experiments: training stages, each with a baseline and with results from a paper.

The stages are defined in `configurations/*.json`; `comparisons.json` adds baselines and papers.
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
from anaphora_nmt.training.configuration import Raw, StageConfig, read_stages, scale_stage, stage_from
from anaphora_nmt.training.runs import DataPaths, RunRecord
from anaphora_nmt.training.stages import StageRuns, train_stage

RECORD = "system.json"
CONFIGURATIONS = Path(__file__).with_name("configurations")
_COMPARISONS = Path(__file__).with_name("comparisons.json")


@dataclass(frozen=True)
class Paper:
    """The scores of the baseline and of the system in a paper; None for a score that the paper lacks."""

    citation: str = ""
    where: str = ""
    measure: str = "BLEU"
    baseline: float | None = None
    value: float | None = None


@dataclass(frozen=True)
class SystemConfig(StageConfig):
    """A system, which is a row of the results.

    The baseline of a fine-tuned model has the same `initial` and `training`, so both train equally long.

    Attributes:
        family: "cpu" (pretrained frozen encoder), "paper" (from scratch, for a GPU) or "embedded" (candidates
            for the embedded model).
        baseline: name of the system to compare with; None for a baseline.
    """

    family: str = "cpu"
    baseline: str | None = None
    paper: Paper = field(default_factory=Paper)

    @property
    def prerequisites(self) -> tuple[str, ...]:
        return (*super().prerequisites, self.baseline) if self.baseline is not None else super().prerequisites


def load_systems(extra: Path | None = None) -> dict[str, SystemConfig]:
    """All systems by name, sorted, including those in the folder `extra`."""
    raw: Raw = {}
    for folder in (CONFIGURATIONS, *((extra,) if extra else ())):
        for path in sorted(folder.glob("*.json")):
            raw.update(read_stages(path))
    citations, compared = _comparisons()
    for name, values in compared.items():
        if name not in raw:
            raise ConfigError(f"{_COMPARISONS.name} names {name}, which is in no configuration")
        raw[name] = {**raw[name], **values}
    return {name: system_from(name, raw, citations) for name in sorted(raw)}


def _comparisons() -> tuple[dict[str, str], Raw]:
    try:
        values = json.loads(_COMPARISONS.read_text("utf-8"))
        return values["citations"], values["systems"]
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(f"{_COMPARISONS} cannot be read: {error}") from error


def system_from(name: str, raw: Raw, citations: dict[str, str] | None = None) -> SystemConfig:
    system = stage_from(SystemConfig, name, raw)
    if system.baseline is not None and system.baseline not in raw:
        raise ConfigError(f"system {name} names the unknown baseline {system.baseline}")
    citation = (citations or {}).get(system.paper.citation, system.paper.citation)
    return replace(system, paper=replace(system.paper, citation=citation))


def save_record(folder: Path, system: SystemConfig, record: RunRecord) -> None:
    values: dict[str, Any] = to_dict(replace(system, model=record.stage.model))
    costs = {key: value for key, value in to_dict(record).items() if key != "stage"}
    head = {key: values[key] for key in ("name", "title", "baseline", "paper")}
    write_json(folder / RECORD, {**head, **costs, "system": values})


def system_runs(
    folder: Path, paths: DataPaths, systems: Mapping[str, SystemConfig], scale: float = 1.0, every: int = 200
) -> StageRuns:
    """The runs of systems in a folder (see `StageRuns`); every training is `scale` times as long."""
    stages = {name: scale_stage(system, scale) for name, system in systems.items()}
    return StageRuns(folder, paths, stages, every)


def train_system(runs: StageRuns, name: str, minutes: float = math.inf) -> RunRecord:
    record = train_stage(runs, name, minutes)
    system = runs.stages[name]
    assert isinstance(system, SystemConfig)
    save_record(runs.folder / name, system, record)
    return record


def describe(systems: Mapping[str, SystemConfig]) -> str:
    rows = systems.values()
    return "\n".join(f"{each.name:<28}  against {each.baseline or '-':<28}  {each.title}" for each in rows)

"""A model folder with the memories of a run beside its own, so that `evaluate` reads each, or several.

    python -m experiments.trials.join_memories MODEL RUN -o FOLDER

RUN has trained memories on MODEL as it is: its stage has `"initial": "pretrained"`. The weights stay
the same.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from safetensors.torch import save_file

from anaphora_nmt.config import from_dict, to_dict
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.files import write_json
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.models.weight_format import read_weights
from anaphora_nmt.training.configuration import PRETRAINED
from anaphora_nmt.training.memory import MEMORY_WEIGHTS
from anaphora_nmt.training.runs import RunRecord, fitted_memory


def join(model: Path, run: Path, out: Path) -> None:
    """Write the folder; what the model reads where nobody chooses stays as it is.

    Raises:
        ConfigError: the run stands on another model, or has memories that the model has, too.
    """
    stage = RunRecord.load(run).stage
    if stage.initial != PRETRAINED:
        raise ConfigError(f"{run} stands on {stage.initial}, not on a model folder as it is")
    settings = json.loads((model / "config.json").read_text("utf-8"))
    own, added = from_dict(MemoryConfig, settings["memory"]), fitted_memory(run, stage)
    if both := [name for name in added.memories if name in own]:
        raise ConfigError(f"{model} has {', '.join(both)} already")
    shutil.copytree(model, out, dirs_exist_ok=True)
    settings["memory"] = to_dict(own.with_memories(**added.memories))
    write_json(out / "config.json", settings)
    weights = out / "memory.safetensors"
    kept = read_weights(weights) if weights.exists() else {}
    save_file({**kept, **read_weights(run / MEMORY_WEIGHTS)}, weights)


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    arguments = parser.parse_args()
    join(arguments.model, arguments.run, arguments.out)


if __name__ == "__main__":
    main()

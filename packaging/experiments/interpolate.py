"""Between a model and what further training made of it: the mean of their weights, to be measured as a run.

    python packaging/experiments/interpolate.py RUN OUT --prepared P --initial M --share 0.5
    anaphora-nmt train-memories --run OUT …

RUN began from the model folder M (`anaphora-nmt train --initial M`), whose decoder is grown first where
RUN's has more layers. OUT gets RUN's last checkpoint, each weight `share` of RUN's and the rest of M's,
and RUN's curve with the dev loss of the mean at its end.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from anaphora_nmt.config import ModelConfig, TrainingConfig, from_dict
from anaphora_nmt.training.checkpoint import load_trained, trained_tensors
from anaphora_nmt.training.loop import Trainer
from anaphora_nmt.training.pretrained_weights import grow_from
from anaphora_nmt.training.run import build_model, load_data

WEIGHTS, STATE, CURVE = "model.safetensors", "state.json", "curve.jsonl"


def between(first: Mapping[str, Tensor], second: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """`share` of each tensor of the second, the rest of the first's of that name."""
    if first.keys() != second.keys():
        raise SystemExit(f"not the same parameters: {sorted(first.keys() ^ second.keys())[:4]}")
    return {name: torch.lerp(first[name], second[name], share).contiguous() for name in first}


def main() -> None:
    """Write the checkpoint."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--initial", type=Path, required=True)
    parser.add_argument("--share", type=float, default=0.5)
    arguments = parser.parse_args()
    last = arguments.run / "last"
    state = json.loads((last / STATE).read_text("utf-8"))
    model = build_model(from_dict(ModelConfig, state["model"]), arguments.prepared, arguments.initial)
    grow_from(model, arguments.prepared, arguments.initial)
    mixed = between(trained_tensors(model), load_file(last / WEIGHTS), arguments.share)
    (arguments.out / "last").mkdir(parents=True)
    save_file(mixed, arguments.out / "last" / WEIGHTS)
    shutil.copyfile(last / STATE, arguments.out / "last" / STATE)
    shutil.copyfile(arguments.run / CURVE, arguments.out / CURVE)
    load_trained(model, mixed)
    dev = replace(load_data(arguments.prepared, "dev", model.config.encoder), links=None)
    loss = Trainer(model, from_dict(TrainingConfig, state["training"]), dev, arguments.out).score(dev)
    record = {"update": state["update"], "share": arguments.share, "dev_loss": loss}
    with (arguments.out / CURVE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    print(f"dev loss {loss:.4f}")


if __name__ == "__main__":
    main()

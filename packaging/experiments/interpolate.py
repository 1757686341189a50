"""Between a model and what further training made of it: the mean of their weights, to be measured as a run.

    python packaging/experiments/interpolate.py OUT --prepared P --initial M \\
        --part RUN/at-1500 0.3 --part RUN/last 0.2
    anaphora-nmt train-memories --run OUT …

RUN began from the model folder M (`anaphora-nmt train --initial M --keep`), whose decoder is grown first
where RUN's has more layers. OUT gets a checkpoint, each weight so much of each part's and the rest of M's,
and the last part's state and curve with the dev loss of the mean at its end.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from safetensors.torch import load_file, save_file
from torch import Tensor

from anaphora_nmt.config import ModelConfig, TrainingConfig, from_dict
from anaphora_nmt.training.checkpoint import load_trained, trained_tensors
from anaphora_nmt.training.loop import Trainer
from anaphora_nmt.training.pretrained_weights import grow_from
from anaphora_nmt.training.run import build_model, load_data

WEIGHTS, STATE, CURVE = "model.safetensors", "state.json", "curve.jsonl"
Tensors = Mapping[str, Tensor]


def mean(first: Tensors, parts: Sequence[tuple[Tensors, float]]) -> dict[str, Tensor]:
    """So much of each part's tensors, the rest of the first's of that name."""
    rest = 1.0 - sum(share for _, share in parts)
    mixed = {name: rest * tensor for name, tensor in first.items()}
    for part, share in parts:
        if part.keys() != mixed.keys():
            raise SystemExit(f"not the same parameters: {sorted(part.keys() ^ mixed.keys())[:4]}")
        for name, tensor in part.items():
            mixed[name] += share * tensor
    return mixed


def main() -> None:
    """Write the checkpoint."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--initial", type=Path, required=True)
    parser.add_argument("--part", nargs=2, action="append", required=True, metavar=("CHECKPOINT", "SHARE"))
    arguments = parser.parse_args()
    parts = [(Path(checkpoint), float(share)) for checkpoint, share in arguments.part]
    latest = parts[-1][0]
    state = json.loads((latest / STATE).read_text("utf-8"))
    model = build_model(from_dict(ModelConfig, state["model"]), arguments.prepared, arguments.initial)
    grow_from(model, arguments.prepared, arguments.initial)
    loaded = [(load_file(checkpoint / WEIGHTS), share) for checkpoint, share in parts]
    mixed = mean(trained_tensors(model), loaded)
    (arguments.out / "last").mkdir(parents=True)
    save_file(mixed, arguments.out / "last" / WEIGHTS)
    shutil.copyfile(latest / STATE, arguments.out / "last" / STATE)
    shutil.copyfile(latest.parent / CURVE, arguments.out / CURVE)
    load_trained(model, mixed)
    dev = replace(load_data(arguments.prepared, "dev", model.config.encoder), links=None)
    loss = Trainer(model, from_dict(TrainingConfig, state["training"]), dev, arguments.out).score(dev)
    record = {"update": state["update"], "shares": [share for _, share in parts], "dev_loss": loss}
    with (arguments.out / CURVE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    print(f"dev loss {loss:.4f}")


if __name__ == "__main__":
    main()

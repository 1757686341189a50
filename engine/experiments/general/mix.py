"""A model whose weights are a weighted mean of a model folder's and of checkpoints that went on from it.

    python -m experiments.general.mix OUT BASE RUN/last/model.safetensors=0.45 [OTHER.safetensors=0.1 …]

The shares of the checkpoints are what they have of the mean; BASE has the rest. Its vocabularies, memories,
topics, names and card come along.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.models.bundle import fill, load_bundle, save_bundle

_COMES_ALONG = ("CARD.md", "topics.npz", "frozen.safetensors")


def mixed(
    base: Mapping[str, Tensor], others: Sequence[tuple[Mapping[str, Tensor], float]]
) -> dict[str, Tensor]:
    """The weighted mean by name; what a checkpoint lacks (frozen layers) is the base's.

    Raises:
        CorpusError: a checkpoint has a parameter that the base lacks, or that has another shape.
    """
    mean = {}
    for checkpoint, _ in others:
        wrong = [
            name for name, value in checkpoint.items() if name not in base or base[name].shape != value.shape
        ]
        if wrong:
            raise CorpusError(f"the checkpoint is of another model: {wrong[0]}")
    for name, value in base.items():
        mean[name] = value.detach().clone()
        for checkpoint, share in others:
            if name in checkpoint:
                mean[name] += share * (checkpoint[name].float() - value.detach())
    return mean


def main() -> None:
    """Write the model folder."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("out", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("checkpoint", nargs="+", help="FILE=SHARE")
    arguments = parser.parse_args()
    bundle = load_bundle(arguments.base)
    others = []
    for given in arguments.checkpoint:
        path, share = given.rsplit("=", 1)
        others.append((load_file(path), float(share)))
    with torch.no_grad():
        fill(bundle.model, mixed(dict(bundle.model.named_parameters()), others))
    save_bundle(arguments.out, bundle, None, None)
    for name in _COMES_ALONG:
        if (arguments.base / name).exists():
            shutil.copyfile(arguments.base / name, arguments.out / name)


if __name__ == "__main__":
    main()

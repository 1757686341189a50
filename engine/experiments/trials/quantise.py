"""Round what was trained of a model to fewer bits a weight, to measure what a smaller file would cost.

    python -m experiments.trials.quantise MODEL OUT --bits 8
    anaphora-nmt evaluate --model OUT …

OUT is MODEL with every row of every trained matrix rounded to 2^bits - 1 steps between -max and max of it.
The weights are float16 in the file: this tells the score, not the size.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from anaphora_nmt.models.weight_format import read_weights

TRAINED = "trained.safetensors"


def rounded(weights: Tensor, bits: int) -> Tensor:
    """A matrix [N, M] with each row on its own grid; anything but a matrix as it is."""
    if weights.dim() != 2:
        return weights
    steps = 2 ** (bits - 1) - 1
    exact = weights.float()
    scale = exact.abs().amax(1, keepdim=True).clamp_min(1e-12) / steps
    return ((exact / scale).round() * scale).to(weights.dtype)


def main() -> None:
    """Write the rounded model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--bits", type=int, default=8)
    arguments = parser.parse_args()
    shutil.copytree(arguments.model, arguments.out)
    tensors = read_weights(arguments.model / TRAINED)
    halves = {name: rounded(one, arguments.bits).to(torch.float16) for name, one in tensors.items()}
    save_file(halves, arguments.out / TRAINED)
    matrices = [one for one in tensors.values() if one.dim() == 2]
    print(
        f"{sum(one.numel() for one in matrices):,} weights in {len(matrices)} matrices: {arguments.bits} bits"
    )


if __name__ == "__main__":
    main()

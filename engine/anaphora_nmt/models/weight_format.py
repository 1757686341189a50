"""How a model folder keeps weights: float16, or integers with a scale for each block or row."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from anaphora_nmt.nn.pretrained import dequantize

BLOCKS, ROWS, _SCALES = ".q4", ".q8", ".q8.scale"
_BLOCK, _BLOCK_BYTES = 32, 18
_LARGEST = 127


def packed(name: str, weights: Tensor) -> dict[str, Tensor]:
    """A trained tensor as it is kept, by name: a matrix [N, M] in 8 bits with a scale for each row.

    These are the integers that search multiplies by (`native/library.py`), so a decoder loses nothing twice.
    Anything else is kept in float16.
    """
    weights = weights.detach()
    if weights.dim() != 2:
        return {name: weights.to(torch.float16).contiguous()}
    scales = weights.float().abs().amax(1).clamp_min(1e-12) / _LARGEST
    return {
        name + ROWS: (weights.float() / scales[:, None]).round().to(torch.int8),
        name + _SCALES: scales,
    }


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a file in float32, by name; OSError, SafetensorError, KeyError: it is damaged."""
    kept = load_file(path)
    tensors: dict[str, Tensor] = {}
    for name, tensor in kept.items():
        if name.endswith(BLOCKS):
            width = tensor.shape[1] // _BLOCK_BYTES * _BLOCK
            tensors[name.removesuffix(BLOCKS)] = torch.from_numpy(dequantize(tensor.numpy(), width))
        elif name.endswith(ROWS):
            name = name.removesuffix(ROWS)
            tensors[name] = tensor.to(torch.float32) * kept[name + _SCALES][:, None]
        elif not name.endswith(_SCALES):
            tensors[name] = tensor.to(torch.float32)
    return tensors

"""Training on a GPU: arrays on the device, copies in the background, compiled layers."""

from __future__ import annotations

import logging

import numpy as np
import torch
from torch import Tensor, nn

from anaphora_nmt.data.binary_corpus import Side
from anaphora_nmt.nn.bert import BertLayer
from anaphora_nmt.nn.transformer import TransformerDecoderLayer, TransformerEncoderLayer

_CHUNK_ROWS = 1 << 18


def send(array: np.ndarray, device: torch.device) -> Tensor:
    """The array on the device; the copy to a GPU goes on beside what follows.

    An ordinary copy waits until the GPU has done all before it, so the host could not work ahead.
    """
    tensor = torch.from_numpy(array)
    if device.type != "cuda":
        return tensor.to(device)
    return tensor.pin_memory().to(device, non_blocking=True)


def resident(frozen: np.ndarray | None, device: torch.device) -> Tensor | None:
    """The frozen layers' outputs on a GPU with room for them (a third of what is free); else None."""
    if frozen is None or device.type != "cuda" or 3 * frozen.nbytes > torch.cuda.mem_get_info(device)[0]:
        return None
    states = torch.empty(frozen.shape, dtype=torch.float16, device=device)
    for start in range(0, len(frozen), _CHUNK_ROWS):
        chunk = np.array(frozen[start : start + _CHUNK_ROWS])  # from the file, which cannot be pinned
        states[start : start + len(chunk)] = torch.from_numpy(chunk).to(device)
    return states


def gather_frozen(states: Tensor, side: Side, sentences: np.ndarray, longest: int) -> Tensor:
    """Rows of `states` [all pieces, L] of some sentences' first `longest` pieces, padded with zeros.

    Returns:
        float32 [B, longest, L].
    """
    starts = side.offsets[sentences]
    lengths = np.minimum(side.offsets[sentences + 1] - starts, longest)
    begin, size = send(np.stack((starts, lengths)), states.device)[..., None]
    steps = torch.arange(longest, device=states.device)
    real = steps < size
    return states[torch.where(real, begin + steps, 0)].float() * real[..., None]


def compile_layers(model: nn.Module, backend: str = "inductor") -> int:
    """Compile every Transformer layer, one at a time, for any lengths; what cannot be compiled runs as it is.

    Recurrent decoders have no such layers: their steps are too small to gain from it.

    Returns:
        layers that will be compiled, when they first run.
    """
    kinds = (BertLayer, TransformerDecoderLayer, TransformerEncoderLayer)
    layers = [layer for layer in model.modules() if isinstance(layer, kinds)]
    if layers:
        import torch._dynamo

        torch._dynamo.config.suppress_errors = True
        logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
    for layer in layers:
        layer.compile(backend=backend, dynamic=True)
    return len(layers)

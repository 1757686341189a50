"""Training on a GPU: copies in the background, compiled layers."""

from __future__ import annotations

import logging

import numpy as np
import torch
from torch import Tensor, nn

from anaphora_nmt.nn.bert import BertLayer
from anaphora_nmt.nn.transformer import TransformerDecoderLayer, TransformerEncoderLayer


def send(array: np.ndarray, device: torch.device) -> Tensor:
    """The array on the device; the copy to a GPU goes on beside what follows.

    An ordinary copy waits until the GPU has done all before it, so the host could not work ahead.
    """
    tensor = torch.from_numpy(array)
    if device.type != "cuda":
        return tensor.to(device)
    return tensor.pin_memory().to(device, non_blocking=True)


def compile_layers(model: nn.Module, backend: str = "inductor") -> int:
    """Compile every Transformer layer, one at a time, for any lengths; how many. What fails runs as it is."""
    kinds = (BertLayer, TransformerDecoderLayer, TransformerEncoderLayer)
    layers = [layer for layer in model.modules() if isinstance(layer, kinds)]
    if layers:
        import torch._dynamo

        torch._dynamo.config.suppress_errors = True
        logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
    for layer in layers:
        layer.compile(backend=backend, dynamic=True)
    return len(layers)

"""Where tensors lie."""

from __future__ import annotations

import torch
from torch import Tensor


def fastest_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def is_at_hand(values: Tensor) -> bool:
    """Whether values can be asked for: on a GPU the processor would wait until they are computed."""
    return values.device.type == "cpu"

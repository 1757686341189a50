"""Where tensors lie."""

from __future__ import annotations

from torch import Tensor


def is_at_hand(values: Tensor) -> bool:
    """Whether values can be asked for: on a GPU the processor would wait until they are computed."""
    return values.device.type == "cpu"

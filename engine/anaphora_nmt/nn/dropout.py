"""Dropout whose random numbers are cheap on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

_STEPS = 1 << 16


class Dropout(nn.Module):
    """Sets elements to zero with probability `rate` in training, and scales up the others.

    Srivastava et al. (2014). torch draws a Bernoulli number for each element, which takes a CPU longer than
    the products around it. Here each element gets 16 random bits, four of them from one draw; `rate` is
    rounded to 1/65,536.
    """

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, states: Tensor) -> Tensor:
        """Any shape → the same."""
        if not self.training or not self.rate:
            return states
        if states.device.type != "cpu":
            return functional.dropout(states, self.rate, True)
        dropped = round(self.rate * _STEPS)
        draws = torch.empty((states.numel() + 3) // 4, dtype=torch.int64)
        draws.random_(torch.iinfo(torch.int64).min, None)  # all 64 bits
        bits = draws.view(torch.int16)[: states.numel()].view(states.shape)
        kept = (bits >= dropped - _STEPS // 2).to(states.dtype)
        return states * kept.mul_(_STEPS / (_STEPS - dropped))

"""The output layer of a decoder for some pieces alone: for many pieces it is most of what a step costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from torch import Tensor
from torch.nn import functional

ABSENT = -1e4
"""Log-probability of what is not among them. No infinity: differences of two would be no number."""


class Outputs(Protocol):
    """The output layer of some pieces. `pieces`: their numbers, which rise, [n]."""

    @property
    def pieces(self) -> Tensor: ...

    def log_probs(self, states: Tensor) -> Tensor:
        """log p over these pieces, as if there were no others: [..., D] → [..., n]."""
        ...


@dataclass(frozen=True)
class TorchOutputs:
    """The same by torch, in float32; weight [n, D] and bias [n]."""

    pieces: Tensor
    weight: Tensor
    bias: Tensor

    @classmethod
    def of(cls, weight: Tensor, bias: Tensor, pieces: Tensor) -> TorchOutputs:
        return cls(pieces, weight[pieces], bias[pieces])

    def log_probs(self, states: Tensor) -> Tensor:
        return functional.linear(states, self.weight, self.bias).float().log_softmax(-1)


def over_all(outputs: Outputs, states: Tensor, pieces: int) -> Tensor:
    """log p over a whole vocabulary of so many pieces, [..., D] → [..., V]; `ABSENT` where none is given."""
    some = outputs.log_probs(states)
    whole = some.new_full((*some.shape[:-1], pieces), ABSENT)
    return whole.index_copy_(-1, outputs.pieces.long(), some)

"""Gated recurrent units, whose products with the inputs can be computed for all steps at once."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class GatedUnit(nn.Module):
    """A GRU step (Cho et al., 2014), in the form of the dl4mt tutorial.

    r = σ(W_r x + U_r s), z = σ(W_z x + U_z s), n = tanh(W_n x + r ∘ (U_n s)), s' = (1 − z) ∘ n + z ∘ s.
    The reset gate acts after the product with U_n, as in dl4mt and cuDNN, not before it as in Cho et al.
    """

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.input = nn.Linear(inputs, 3 * width)
        self.state = nn.Linear(width, 3 * width)
        nn.init.xavier_uniform_(self.input.weight)
        initialise_recurrent(self.state.weight)
        nn.init.zeros_(self.input.bias)
        nn.init.zeros_(self.state.bias)

    def project(self, inputs: Tensor) -> Tensor:
        """W x + b of the three gates: [..., inputs] → [..., 3D]."""
        return self.input(inputs)

    def forward(self, projected: Tensor, state: Tensor) -> Tensor:
        """Projected inputs [B, 3D] and s_{t−1} [B, D] → s_t [B, D]."""
        reset_x, update_x, new_x = projected.chunk(3, -1)
        reset_s, update_s, new_s = self.state(state).chunk(3, -1)
        update = torch.sigmoid(update_x + update_s)
        new = torch.tanh(new_x + torch.sigmoid(reset_x + reset_s) * new_s)
        # In mixed precision the gates are bfloat16, but the state keeps its precision.
        return torch.lerp(new.to(state.dtype), state, update.to(state.dtype))


class BidirectionalGRU(nn.Module):
    """Forward and backward GRU layers; padding does not affect the states of words."""

    def __init__(self, inputs: int, width: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.layers = nn.GRU(
            inputs,
            width // 2,
            layers,
            batch_first=True,
            bidirectional=True,
            dropout=dropout if layers > 1 else 0.0,
        )
        initialise_gru(self.layers.named_parameters())

    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:
        """Inputs [B, S, inputs], mask [B, S] → h_j = [forward; backward], [B, S, D], zero at padding."""
        lengths = mask.sum(1).cpu()
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        states, _ = self.layers(packed)
        return pad_packed_sequence(states, batch_first=True, total_length=inputs.shape[1])[0]


def initialise_recurrent(weight: Tensor) -> None:
    """Initialise a weight [3D, D] in place with an orthogonal block for each of a GRU's three gates."""
    for block in weight.chunk(3):
        nn.init.orthogonal_(block)


def initialise_gru(parameters: Iterable[tuple[str, Tensor]]) -> None:
    """Initialise `nn.GRU`'s parameters: orthogonal recurrent blocks, Glorot inputs, zero biases."""
    for name, parameter in parameters:
        if name.startswith("weight_hh"):
            initialise_recurrent(parameter)
        elif name.startswith("weight_ih"):
            for block in parameter.chunk(3):
                nn.init.xavier_uniform_(block)
        else:
            nn.init.zeros_(parameter)


def masked_mean(states: Tensor, mask: Tensor) -> Tensor:
    """Mean over the words of each sentence: states [B, S, D], mask [B, S] → [B, D]."""
    weights = functional.normalize(mask.to(states.dtype), p=1.0, dim=1)
    return torch.bmm(weights[:, None], states).squeeze(1)

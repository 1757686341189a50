"""Gated units and the bidirectional encoder against literal transcriptions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from anaphora_nmt.nn.recurrent import BidirectionalGRU


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def literal_step(weights: tuple[np.ndarray, ...], x: np.ndarray, s: np.ndarray) -> np.ndarray:
    """One GRU step, gate by gate; `weights`: of input and state, and their biases, in the order r, z, n."""
    w, u, b, d = (np.split(part, 3) for part in weights)
    r = sigmoid(w[0] @ x + b[0] + u[0] @ s + d[0])
    z = sigmoid(w[1] @ x + b[1] + u[1] @ s + d[1])
    n = np.tanh(w[2] @ x + b[2] + r * (u[2] @ s + d[2]))
    return (1 - z) * n + z * s


def arrays(*tensors: torch.Tensor) -> tuple[np.ndarray, ...]:
    return tuple(tensor.detach().numpy() for tensor in tensors)


def randomise_biases(module: nn.Module) -> None:
    """Random biases, so that a missing one is noticed."""
    for name, parameter in module.named_parameters():
        if "bias" in name:
            nn.init.normal_(parameter)


def test_bidirectional_encoder_equals_the_equations_with_padding() -> None:
    torch.manual_seed(2)
    encoder = BidirectionalGRU(3, 4, 1, 0.0).double()
    randomise_biases(encoder)
    inputs, lengths = torch.randn(3, 5, 3).double(), [3, 5, 1]
    mask = torch.tensor([[n < length for n in range(5)] for length in lengths])
    result = encoder(inputs, mask).detach().numpy()
    gru: Any = encoder.layers
    ahead = arrays(gru.weight_ih_l0, gru.weight_hh_l0, gru.bias_ih_l0, gru.bias_hh_l0)
    back = arrays(
        gru.weight_ih_l0_reverse, gru.weight_hh_l0_reverse, gru.bias_ih_l0_reverse, gru.bias_hh_l0_reverse
    )
    for row, length in enumerate(lengths):
        words = [inputs[row, n].numpy() for n in range(length)]
        forward = [np.zeros(2)]
        for word in words:
            forward.append(literal_step(ahead, word, forward[-1]))
        backward = [np.zeros(2)]
        for word in reversed(words):
            backward.append(literal_step(back, word, backward[-1]))
        for n in range(length):
            expected = np.concatenate((forward[n + 1], backward[length - n]))
            np.testing.assert_allclose(result[row, n], expected)
        assert (result[row, length:] == 0).all()

"""Shared parts of the tests of recurrent decoders: transcriptions, and comparisons of whole decoders."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from anaphora_nmt.models.rnnsearch import RecurrentDecoder, RecurrentState
from anaphora_nmt.nn.attention import AdditiveAttention
from anaphora_nmt.nn.recurrent import GatedUnit
from anaphora_nmt.nn.state import Encoded


def array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy()


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softmax(x: Any) -> np.ndarray:
    return np.exp(x) / np.exp(x).sum()


def linear(layer: torch.nn.Linear, x: Any) -> np.ndarray:
    """W x, plus b if the layer has biases."""
    return array(layer.weight) @ x + (0 if layer.bias is None else array(layer.bias))


def literal_gru(unit: GatedUnit, from_input: np.ndarray, s: np.ndarray) -> np.ndarray:
    """A GRU step from W x + b; the reset gate after the product, as in dl4mt."""
    x_r, x_z, x_n = np.split(from_input, 3)
    s_r, s_z, s_n = np.split(linear(unit.state, s), 3)
    z = sigmoid(x_z + s_z)
    return (1 - z) * np.tanh(x_n + sigmoid(x_r + s_r) * s_n) + z * s


def literal_weights(attention: AdditiveAttention, query: np.ndarray, keys: list[np.ndarray]) -> np.ndarray:
    """Additive attention of one query over the keys."""
    score, from_query = array(attention.score.weight)[0], linear(attention.query, query)
    return softmax([score @ np.tanh(from_query + linear(attention.key, key)) for key in keys])


def check_equal(
    decoder: RecurrentDecoder, baseline: RecurrentDecoder, previous: torch.Tensor, encoded: Encoded
) -> None:
    """Both decoders agree bit for bit with the same weights, at once and step by step."""
    known = baseline.state_dict()
    baseline.load_state_dict({name: value for name, value in decoder.state_dict().items() if name in known})
    ours, theirs = decoder(previous, encoded, True), baseline(previous, encoded, True)
    assert torch.equal(decoder.logits(ours), baseline.logits(theirs))
    assert ours.attention is not None and theirs.attention is not None
    assert torch.equal(ours.attention, theirs.attention)
    state: RecurrentState = decoder.start(encoded)
    other: RecurrentState = baseline.start(encoded)
    for step in range(previous.shape[1]):
        ours, state = decoder.step(previous[:, step], state)
        theirs, other = baseline.step(previous[:, step], other)
        assert torch.equal(decoder.logits(ours), baseline.logits(theirs))

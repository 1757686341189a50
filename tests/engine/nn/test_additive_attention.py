"""Additive attention against a literal transcription of Wang et al. (2016), section 2.1."""

from __future__ import annotations

import numpy as np
import torch

from anaphora_nmt.nn.additive_attention import AdditiveAttention


def literal(attention: AdditiveAttention, query: np.ndarray, annotations: list[np.ndarray]) -> tuple:
    """c_t and α_t for one sentence, one annotation at a time."""
    w, bias = attention.query.weight.detach().numpy(), attention.query.bias.detach().numpy()
    u, v = attention.key.weight.detach().numpy(), attention.score.weight.detach().numpy()[0]
    energies = [v @ np.tanh(w @ query + bias + u @ h) for h in annotations]
    weights = np.exp(energies) / sum(np.exp(energies))
    return sum(a * h for a, h in zip(weights, annotations, strict=True)), weights


def test_equals_the_equations_with_padding() -> None:
    torch.manual_seed(0)
    attention = AdditiveAttention(3, 4, 5).double()
    query, annotations = torch.randn(2, 3).double(), torch.randn(2, 6, 4).double()
    lengths = [6, 4]
    mask = torch.tensor([[n < length for n in range(6)] for length in lengths])
    context, log_weights = attention(query, attention.project(annotations), annotations, mask)
    for row, length in enumerate(lengths):
        states = [annotations[row, n].numpy() for n in range(length)]
        expected_context, expected_weights = literal(attention, query[row].numpy(), states)
        np.testing.assert_allclose(context[row].detach().numpy(), expected_context)
        np.testing.assert_allclose(log_weights[row, :length].exp().detach().numpy(), expected_weights)
        assert torch.isneginf(log_weights[row, length:]).all()

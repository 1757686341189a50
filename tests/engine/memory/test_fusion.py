"""Interpolation."""

from __future__ import annotations

import numpy as np
import torch

from anaphora_nmt.memory.fusion import (
    blend_log_probs,
    blend_states,
    blend_target,
)


def test_states() -> None:
    state, other = torch.randn(3, 4), torch.randn(3, 4)
    assert torch.equal(blend_states(state, other, torch.zeros(3, 4)), state)
    torch.testing.assert_close(
        blend_states(state, other, torch.full((3, 4), 0.25)), 0.75 * state + 0.25 * other
    )


def test_distributions_and_their_parts_agree() -> None:
    torch.manual_seed(0)
    log_probs, keep = torch.randn(3, 9).log_softmax(-1), torch.randn(3)
    candidates = torch.tensor([[1, 2, 1, 0], [4, 5, 6, 4], [7, 7, 7, 7]])
    shares = torch.rand(3, 4)
    shares = shares / shares.sum(1, keepdim=True)
    shares[2] = 0
    mixed = blend_log_probs(log_probs, keep, candidates, shares)
    assert torch.equal(mixed[2], log_probs[2])
    alpha = torch.sigmoid(keep)
    for row in range(2):
        cached = np.zeros(9)
        for piece, share in zip(candidates[row], shares[row], strict=True):
            cached[piece] += share
        expected = (1 - alpha[row].numpy()) * cached + (alpha[row] * log_probs[row].exp()).numpy()
        np.testing.assert_allclose(mixed[row].exp(), expected, rtol=1e-5)
        for piece in range(9):
            one = blend_target(
                log_probs[row, piece], keep[row], torch.tensor(cached[piece]).float(), torch.tensor(True)
            )
            torch.testing.assert_close(one, mixed[row, piece])

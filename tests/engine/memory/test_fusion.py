"""Interpolation."""

from __future__ import annotations

import numpy as np
import torch

from anaphora_nmt.memory.fusion import (
    blend_log_probs,
    blend_states,
    blend_target,
    blend_word_probs,
    blend_word_target,
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


def test_a_piece_that_no_word_offers_has_finite_gradients() -> None:
    keep = torch.zeros(2, requires_grad=True)
    share = torch.tensor([0.0, 0.5], requires_grad=True)
    blend_target(torch.tensor([-80.0, -1.0]), keep, share, torch.tensor([True, False])).sum().backward()
    assert keep.grad is not None and share.grad is not None
    assert bool(torch.isfinite(keep.grad).all()) and bool(torch.isfinite(share.grad).all())


def test_extreme_gates_stay_finite_and_right() -> None:
    log_probs = torch.randn(2, 5).log_softmax(-1)
    candidates, shares = torch.tensor([[1], [1]]), torch.ones(2, 1)
    mixed = blend_log_probs(log_probs, torch.tensor([200.0, -200.0]), candidates, shares)
    torch.testing.assert_close(mixed[0], log_probs[0])
    assert float(mixed[1, 1]) == 0.0


def test_words_are_offered_as_the_equation_says() -> None:
    """(1 − λ) p + λ (m a + b) for pieces of words, (1 − λ r) p for the others; a row with λ = 0 stays."""
    torch.manual_seed(1)
    log_probs, weight = torch.randn(2, 6).log_softmax(-1), torch.tensor([[0.4], [0.0]])
    words = torch.tensor([1.0, 1.0, 1.0, 1.0, 0.0, 0.0])
    pieces = torch.tensor([[0, 1, 1], [2, 3, 0]])
    shares = torch.tensor([[0.5, 0.2, 0.3], [0.6, 0.3, 0.1]])
    inside = torch.tensor([[False, True, False], [False, False, True]])
    mixed = blend_word_probs(log_probs, weight, words, pieces, shares, inside)

    assert torch.equal(mixed[1], log_probs[1])
    probs, mass = log_probs[0].exp().numpy(), float(log_probs[0, :4].exp().sum())
    lost = 0.2
    expected = [(1 - 0.4 * (1 if piece < 4 else lost)) * probs[piece] for piece in range(6)]
    expected[0] += 0.4 * mass * 0.5
    expected[1] += 0.4 * (0.2 + mass * 0.3)
    np.testing.assert_allclose(mixed[0].exp().numpy(), expected, rtol=1e-5)
    offered = (0.5 * mass, 0.2 + 0.3 * mass, 0.0, 0.0, 0.0, 0.0)
    for piece in range(6):
        of_piece = torch.tensor(1.0 if piece < 4 else lost), torch.tensor(offered[piece])
        one = blend_word_target(log_probs[0, piece], weight[0, 0], *of_piece)
        torch.testing.assert_close(one, mixed[0, piece])

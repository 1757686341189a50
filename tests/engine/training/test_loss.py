"""Objectives against literal transcriptions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from anaphora_nmt.text.pieces import EOS, PAD
from anaphora_nmt.training.loss import eos_attention_loss, guided_attention_loss, likelihood_loss


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_likelihood(smoothing: float) -> None:
    torch.manual_seed(0)
    logits, target = torch.randn(2, 3, 5).double(), torch.tensor([[4, 1, 2], [3, 2, PAD]])
    expected = 0.0
    for row in range(2):
        for step in range(3):
            right = int(target[row, step])
            if right == PAD:
                continue
            scores = logits[row, step].numpy()
            log_p = scores - np.log(np.exp(scores).sum())
            for word in range(5):
                mass = smoothing / 5 + (1 - smoothing) * (word == right)
                expected -= mass * log_p[word]
    assert likelihood_loss(logits, target, smoothing).item() == pytest.approx(expected)


def test_guided_attention() -> None:
    torch.manual_seed(0)
    log_attention = torch.randn(2, 3, 4).log_softmax(-1).double()
    links = {(0, 0): [1], (0, 2): [0, 3], (1, 1): [1, 2, 3]}  # (sentence, target) → sources
    expected = 0.0
    for (row, step), sources in links.items():
        for source in sources:
            expected -= log_attention[row, step, source].item() / len(sources)
    flat = [(row, step, source) for (row, step), sources in links.items() for source in sources]
    rows, steps, sources = torch.tensor(flat).T
    loss = guided_attention_loss(log_attention, rows, steps, sources)
    assert loss.item() == pytest.approx(expected)


def test_guided_attention_at_padding_gives_finite_gradients() -> None:
    scores = torch.randn(1, 2, 3).requires_grad_()
    mask = torch.tensor([[[True, True, False]]])
    log_attention = scores.masked_fill(~mask, float("-inf")).log_softmax(-1)
    zero, one = torch.tensor([0]), torch.tensor([1])
    guided_attention_loss(log_attention, zero, one, one).backward()
    assert scores.grad is not None
    assert torch.isfinite(scores.grad).all()
    assert scores.grad[0, 1, 1] < 0


def test_no_links_no_loss() -> None:
    none = torch.zeros(0, dtype=torch.int64)
    assert guided_attention_loss(torch.zeros(1, 2, 3), none, none, none).item() == 0


def test_eos_attention() -> None:
    torch.manual_seed(0)
    log_attention = torch.randn(2, 4, 5).log_softmax(-1).double()
    target = torch.tensor([[7, 8, 9, EOS], [7, EOS, PAD, PAD]])
    mask = torch.tensor([[True] * 5, [True, True, True, False, False]])
    expected = 0.0
    for row, (m, n) in enumerate([(4, 5), (2, 3)]):
        for t in range(1, m + 1):
            a = log_attention[row, t - 1, n - 1].exp().item()
            expected += a if t < m else 1.0 - a  # (18)
    assert eos_attention_loss(log_attention, target, mask).item() == pytest.approx(expected)

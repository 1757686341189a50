"""Objectives against literal transcriptions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from anaphora_nmt.text.vocabulary import EOS, PAD
from anaphora_nmt.training.loop import (
    eos_attention_loss,
    guided_attention_loss,
    likelihood_loss,
    two_pass_loss,
)


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
    real = target != PAD
    assert likelihood_loss(logits[real], target[real], smoothing).item() == pytest.approx(expected)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_two_pass_loss(smoothing: float) -> None:
    """Liang et al. (2021), eqs (2) to (4), halved: word by word."""
    torch.manual_seed(3)
    logits, target, weight = torch.randn(2, 3, 5).double(), torch.tensor([4, 1, 2]), 0.7
    expected = 0.0
    for row in range(3):
        first, second = (np.exp(scores) / np.exp(scores).sum() for scores in logits[:, row].numpy())
        for probabilities in (first, second):
            for word in range(5):
                mass = smoothing / 5 + (1 - smoothing) * (word == target[row])
                expected -= mass * np.log(probabilities[word])
        there = sum(p * np.log(p / q) for p, q in zip(first, second, strict=True))
        back = sum(q * np.log(q / p) for p, q in zip(first, second, strict=True))
        expected += weight * (there + back) / 2
    loss = two_pass_loss(logits.flatten(0, 1), target, smoothing, weight)
    assert loss.item() == pytest.approx(expected / 2)


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

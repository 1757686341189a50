"""Dropout against its definition."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.nn.dropout import Dropout


@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_zeros_are_as_many_as_the_rate_says_and_the_mean_stays(kind: torch.dtype, rate: float) -> None:
    torch.manual_seed(0)
    states = torch.ones(301, 1003, dtype=kind)  # no multiple of the four that one draw serves
    dropped = Dropout(rate).train()(states)
    assert dropped.dtype == kind and dropped.shape == states.shape
    share = (dropped == 0).double().mean().item()
    assert share == pytest.approx(rate, abs=0.005)  # 8 standard deviations of 302,000 draws
    kept = dropped[dropped != 0].double()
    assert kept.min() == kept.max() == pytest.approx(1 / (1 - rate), rel=0.005)

"""The learning rate rises, stays, and falls."""

from __future__ import annotations

import pytest

from anaphora_nmt.config import TrainingConfig
from anaphora_nmt.training.loop import rate_factor

CONFIG = TrainingConfig(warmup=10, decay=20, updates=100)


def test_rise() -> None:
    assert rate_factor(CONFIG, 0) == pytest.approx(0.1)
    assert rate_factor(CONFIG, 4) == pytest.approx(0.5)
    assert rate_factor(CONFIG, 9) == 1


def test_plateau() -> None:
    assert {rate_factor(CONFIG, update) for update in range(9, 81)} == {1}


def test_fall() -> None:
    assert rate_factor(CONFIG, 90) == pytest.approx(0.5)
    assert rate_factor(CONFIG, 99) == pytest.approx(0.05)
    assert rate_factor(CONFIG, 100) == rate_factor(CONFIG, 500) == pytest.approx(0.02)


def test_a_plateau_can_be_prolonged() -> None:
    longer = TrainingConfig(warmup=10, decay=20, updates=200)
    assert all(rate_factor(CONFIG, update) == rate_factor(longer, update) for update in range(81))


def test_nothing_to_rise_or_fall() -> None:
    config = TrainingConfig(warmup=0, decay=0, updates=5)
    assert [rate_factor(config, update) for update in range(5)] == [1] * 5

"""Rounding a model's weights: near what they were, on few levels, in a folder that still loads."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

import experiments.trials
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.weight_format import read_weights

SCRIPT = Path(experiments.trials.__file__).parent / "quantise.py"


@pytest.fixture(scope="module")
def quantise() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(SCRIPT)))


def test_rows_have_their_own_grid(quantise: SimpleNamespace) -> None:
    torch.manual_seed(0)
    weights = torch.randn(6, 500) * torch.tensor([[0.01], [1.0], [30.0], [0.1], [2.0], [0.0]])
    for bits in (4, 8):
        found = quantise.rounded(weights, bits)
        steps = 2 ** (bits - 1) - 1
        step = weights.abs().amax(1, keepdim=True) / steps
        assert ((found - weights).abs() <= step / 2 + 1e-6).all()
        assert all(len(row.unique()) <= 2 * steps + 1 for row in found) and not found[5].any()
    vector = torch.randn(7)
    assert quantise.rounded(vector, 4) is vector


@pytest.mark.slow
def test_a_rounded_model_loads(
    quantise: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "rounded"
    monkeypatch.setattr(sys, "argv", ["quantise.py", str(embedded_model()), str(out), "--bits", "6"])
    quantise.main()
    before, after = (read_weights(path / quantise.TRAINED) for path in (embedded_model(), out))
    assert before.keys() == after.keys() and load_bundle(out).name == load_bundle(embedded_model()).name
    far = [float((after[name] - one).abs().max()) for name, one in before.items()]
    assert 0 < max(far) < 0.2

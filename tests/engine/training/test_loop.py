"""The training loop: it learns, and an interruption changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from anaphora_nmt.config import TrainingConfig
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.training.checkpoint import trained_tensors
from anaphora_nmt.training.loop import (
    Trainer,
    TrainingData,
)
from anaphora_nmt.training.pretrained_weights import initialise_from

CONFIG = TrainingConfig(
    batch_tokens=40, learning_rate=0.02, warmup=2, decay=5, updates=30, max_pieces=20, seed=3
)
Make = Callable[..., TranslationModel]


def parameters(model: TranslationModel) -> dict[str, list[float]]:
    return {name: parameter.flatten().tolist() for name, parameter in model.named_parameters()}


@pytest.mark.parametrize("kind", ["recurrent", "transformer", "memdec", "kvmematt"])
@pytest.mark.slow
def test_it_learns_and_writes_its_curve(
    kind: str, make_model: Make, data: TrainingData, tmp_path: Path
) -> None:
    trainer = Trainer(make_model(kind), CONFIG, data, tmp_path)
    before = trainer.score(data)
    trainer.run(dev=data, every=10)
    records = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert [record["update"] for record in records] == [10, 20, 30]
    assert records[-1]["dev_loss"] == pytest.approx(trainer.score(data))
    assert records[-1]["dev_loss"] < 0.9 * before


@pytest.mark.parametrize(("kind", "dropout"), [("recurrent", 0.3), ("memdec", 0.0)])
@pytest.mark.slow
def test_resumed_equals_uninterrupted_bit_for_bit(
    kind: str, dropout: float, make_model: Make, data: TrainingData, tmp_path: Path
) -> None:
    config = replace(CONFIG, updates=12)
    whole = Trainer(make_model(kind, dropout), config, data, tmp_path / "whole")
    assert not whole.resume()
    whole.run(every=100)
    first = Trainer(make_model(kind, dropout), config, data, tmp_path / "parts")
    while first.update < 7:
        first.run(minutes=0)
    torch.manual_seed(99)
    second = Trainer(make_model(kind, dropout), config, data, tmp_path / "parts")
    assert second.resume()
    assert second.update == 7
    second.run(every=100)
    assert (second.epoch, second.position, second.pieces_seen) == (
        whole.epoch,
        whole.position,
        whole.pieces_seen,
    )
    assert parameters(second.model) == parameters(whole.model)


@pytest.mark.slow
def test_fresh_parameters_keep_their_rate_after_an_interruption(
    make_model: Make, data: TrainingData, tmp_path: Path
) -> None:
    config = replace(CONFIG, updates=12, fresh_rate=0.0)
    base = parameters(make_model())
    fresh = initialise_from(make_model("kvmematt"), trained_tensors(make_model()))
    whole = Trainer(make_model("kvmematt"), config, data, tmp_path / "whole", fresh)
    start = parameters(whole.model)
    whole.run(every=100)
    moved = {name for name, value in parameters(whole.model).items() if value != start[name]}
    assert fresh and not moved & set(fresh) and moved >= set(base) - {"decoder.cell.final.state.bias"}
    config = replace(config, fresh_rate=3.0)
    whole = Trainer(make_model("kvmematt"), config, data, tmp_path / "fast", fresh)
    whole.run(every=100)
    Trainer(make_model("kvmematt"), config, data, tmp_path / "parts", fresh).run(minutes=0)
    second = Trainer(make_model("kvmematt"), config, data, tmp_path / "parts")  # the checkpoint knows them
    assert second.resume() and second.update == 1
    second.run(every=100)
    assert parameters(second.model) == parameters(whole.model)


def test_a_run_keeps_the_requested_weights(make_model: Make, data: TrainingData, tmp_path: Path) -> None:
    trainer = Trainer(make_model(), replace(CONFIG, updates=2), data, tmp_path)
    trainer.run(every=100, keep=(1, 3))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["at-1", "curve.jsonl", "last"]
    assert not (tmp_path / "at-1" / "optimizer.pt").exists()
    assert (tmp_path / "last" / "optimizer.pt").exists()
    curve = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert [record["update"] for record in curve] == [1, 2]
    assert "dev_loss" not in curve[0] and curve[0]["loss"] > 0 and curve[0]["pieces_per_second"] > 0

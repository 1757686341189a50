"""Between two models: the mean of their weights, with its own dev loss, and a checkpoint that goes on."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.commands.embedded import embedded_model
from anaphora_nmt.config import DecoderConfig, EncoderConfig, TrainingConfig
from anaphora_nmt.data.prepare import encode_corpus
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.training.run import Pace, load_base, train_base

SCRIPT = Path(__file__).parents[2] / "packaging" / "experiments" / "interpolate.py"
PAIRS = [
    (0, "张量是多维数组。", "A tensor is a multidimensional array."),
    (0, "变量保存模型的状态。", "Variables hold the state of the model."),
    (1, "他们昨天去了北京。", "They went to Beijing yesterday."),
]


def test_half_way_between_a_model_and_what_became_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle, prepared = load_bundle(embedded_model()), tmp_path / "prepared"
    prepared.mkdir()
    for name in ("train", "dev"):
        encode_corpus(PAIRS, bundle.source, bundle.target).save(prepared / f"{name}.npz")
    (prepared / "source.model").write_bytes(bundle.source.serialized)
    (prepared / "target.model").write_bytes(bundle.target.serialized)
    config = TrainingConfig(updates=2, warmup=1, decay=1, learning_rate=1e-3, bfloat16=False)
    encoder = EncoderConfig(layers=9, frozen_layers=8)
    trained = train_base(
        prepared,
        tmp_path / "run",
        config,
        encoder,
        DecoderConfig(layers=5),
        initial=embedded_model(),
        pace=Pace(every=1, keep=True),
    ).model
    losses = {}
    for share in (0.0, 0.5, 1.0):
        out = tmp_path / str(share)
        shown = ["--prepared", str(prepared), "--initial", str(embedded_model())]
        # the last checkpoint twice, the second time as it was kept
        parts = [["--part", str(tmp_path / "run" / name), str(share / 2)] for name in ("last", "at-2")]
        monkeypatch.setattr(sys, "argv", ["interpolate.py", str(out), *shown, *parts[0], *parts[1]])
        runpy.run_path(str(SCRIPT), run_name="__main__")
        losses[share] = json.loads((out / "curve.jsonl").read_text().splitlines()[-1])["dev_loss"]
    kept = {at.name: {file.name for file in at.iterdir()} for at in (tmp_path / "run").glob("at-*")}
    assert kept == {name: {"model.safetensors", "state.json"} for name in ("at-1", "at-2")}
    assert json.loads((tmp_path / "run" / "at-1" / "state.json").read_text())["update"] == 1
    ends = [load_file(tmp_path / share / "last" / "model.safetensors") for share in ("0.0", "1.0")]
    middle = dict(load_base(prepared, tmp_path / "0.5", embedded_model()).named_parameters())
    for name in ends[0]:
        torch.testing.assert_close(middle[name].detach(), (ends[0][name] + ends[1][name]) / 2)
        torch.testing.assert_close(ends[1][name], dict(trained.named_parameters())[name].detach())
    trained_loss = json.loads((tmp_path / "run" / "curve.jsonl").read_text().splitlines()[-1])["dev_loss"]
    assert losses[1.0] == pytest.approx(trained_loss, abs=1e-4) and losses[0.5] < losses[0.0]

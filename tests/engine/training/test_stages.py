"""Stages of a configuration: each starts from the previous one and can be interrupted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig, TrainingConfig
from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.training.configuration import (
    PRETRAINED,
    AverageConfig,
    StageConfig,
    load_configuration,
    own_stages,
    scale_stage,
    stage_from,
)
from anaphora_nmt.training.loading import load_base
from anaphora_nmt.training.runs import DataPaths
from anaphora_nmt.training.stages import (
    StageRuns,
    train_stage,
    train_stages,
)

PAIRS = [
    (0, "张量是多维数组。", "A tensor is a multidimensional array."),
    (0, "变量保存模型的状态。", "Variables hold the state of the model."),
    (1, "他们昨天去了北京。", "They went to Beijing yesterday."),
]
TRAINING = TrainingConfig(updates=2, warmup=1, decay=1, learning_rate=1e-3, bfloat16=False)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bundle, folder = load_bundle(embedded_model()), tmp_path_factory.mktemp("prepared")
    for name in ("train", "dev"):
        encode_corpus(PAIRS, bundle.source, bundle.target).save(folder / f"{name}.npz")
    (folder / "source.model").write_bytes(bundle.source.serialized)
    (folder / "target.model").write_bytes(bundle.target.serialized)
    return folder


@pytest.mark.slow
def test_an_average_lies_between_initial_and_final_weights(prepared: Path, tmp_path: Path) -> None:
    model = ModelConfig(0, 0, EncoderConfig(layers=9, frozen_layers=8), DecoderConfig(layers=5))
    stages = {
        str(share): StageConfig(
            str(share), model, "", PRETRAINED, training=TRAINING, every=1, average=AverageConfig((2,), share)
        )
        for share in (0.0, 0.5, 1.0)
    }
    runs = StageRuns(tmp_path, DataPaths(prepared, embedded_model()), stages)
    assert train_stages(runs, list(stages))
    curves = {name: read_curve(tmp_path / name) for name in stages}
    losses = {name: curve[-1]["dev_loss"] for name, curve in curves.items()}
    assert [at.name for at in (tmp_path / "0.5").glob("at-*")] == ["at-2"]
    assert {file.name for file in (tmp_path / "0.5" / "at-2").iterdir()} == {
        "model.safetensors",
        "state.json",
    }
    began, ended = (load_file(tmp_path / name / "mean" / "model.safetensors") for name in ("0.0", "1.0"))
    last = load_file(tmp_path / "0.5" / "last" / "model.safetensors")
    middle = dict(load_base(prepared, tmp_path / "0.5", embedded_model()).named_parameters())
    for name in began:
        torch.testing.assert_close(middle[name].detach(), (began[name] + ended[name]) / 2)
        torch.testing.assert_close(ended[name], last[name])
    assert losses["1.0"] == pytest.approx(curves["1.0"][-2]["dev_loss"], abs=1e-4)
    assert losses["0.5"] < losses["0.0"]


@pytest.mark.slow
def test_a_stage_continues_the_run_of_another(prepared: Path, tmp_path: Path) -> None:
    model = ModelConfig(0, 0, EncoderConfig(layers=9, frozen_layers=9), DecoderConfig(layers=1, width=384))
    once = StageConfig("once", model, training=replace(TRAINING, updates=4, decay=4, warmup=4))
    first = replace(once, name="first", training=replace(once.training, updates=2))  # type: ignore[type-var]
    second = replace(once, name="second", initial="first", resume=True)
    stages = {stage.name: stage for stage in (once, first, second)}
    runs = StageRuns(tmp_path, DataPaths(prepared, embedded_model()), stages)
    assert train_stages(runs, ["second", "once"])
    assert train_stage(runs, "second").updates == 4
    assert read_curve(tmp_path / "second")[0]["update"] == 4, "it made two updates itself"
    ours, theirs = (load_file(tmp_path / name / "last" / "model.safetensors") for name in ("second", "once"))
    far = max(float((ours[name] - theirs[name]).abs().max()) for name in ours)
    assert 0 < far < 5e-3, "the rate fell earlier in the first part; the rest is the same"


def read_curve(run: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (run / "curve.jsonl").read_text("utf-8").splitlines()]


def test_a_file_builds_on_another(tmp_path: Path) -> None:
    (tmp_path / "base.json").write_text('{"stages": {"base": {"training": {"updates": 10}}}}')
    path = tmp_path / "more.json"
    stages = {"tuned": {"like": "base", "initial": "base", "training": {"seed": 2}}}
    path.write_text(json.dumps({"include": ["base.json"], "stages": stages}))
    found = load_configuration(path)
    assert list(found) == ["base", "tuned"] and own_stages(path) == ["tuned"]
    tuned = found["tuned"].training
    assert tuned is not None and (tuned.updates, tuned.seed) == (10, 2)
    half = scale_stage(found["tuned"], 0.5).training
    assert half is not None and half.updates == 5


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"training": {}, "colour": 1}, "colour"),
        ({"training": {"colour": 1}}, "colour"),
        ({}, "must have training"),
        ({"training": {}, "second_pass": {}, "initial": "base"}, "both"),
        ({"second_pass": {}}, "whose name"),
        ({"training": {}, "initial": "nothing"}, "nothing"),
        ({"training": {}, "resume": True}, "continues a run"),
        ({"initial": PRETRAINED, "average": {"updates": [1], "share": 0.5}}, "averages"),
    ],
)
def test_an_invalid_stage_is_refused(values: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        stage_from(StageConfig, "one", {"one": values, "base": {"training": {}}})

"""What is for GPUs, as far as a CPU can tell: the same numbers by another way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from anaphora_nmt.config import CamnConfig, DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.training.device import compile_layers
from anaphora_nmt.training.loading import load_data
from anaphora_nmt.training.loop import TrainingData, encode_sources
from anaphora_nmt.training.preparation import frozen_layers, open_frozen

CPU = torch.device("cpu")


def build(camn: CamnConfig | None = None) -> TranslationModel:
    torch.manual_seed(1)
    encoder = EncoderConfig("pretrained", width=16, layers=2, frozen_layers=1, heads=2, feed_forward=16)
    decoder = DecoderConfig(width=16, layers=1, heads=2, feed_forward=16)
    model = TranslationModel(ModelConfig(20, 20, encoder, decoder, camn)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.3)
    return model


@pytest.fixture
def frozen(data: TrainingData) -> np.ndarray:
    pieces = int(data.corpus.source.offsets[-1])
    return np.random.default_rng(1).normal(size=(pieces, 16)).astype(np.float16)


@pytest.mark.parametrize("camn", [None, CamnConfig(size=2, heads=2, feed_forward=16, longest=4)])
def test_outputs_on_the_device_give_what_the_file_gives(
    camn: CamnConfig | None, data: TrainingData, frozen: np.ndarray
) -> None:
    corpus = replace(data.corpus, document=np.zeros(24, np.int32))
    read = TrainingData(corpus, frozen)
    there = replace(read, resident=torch.from_numpy(frozen))
    batch = np.array([3, 17, 4, 23, 0])
    with torch.inference_mode():
        one, other = encode_sources(build(camn), read, batch), encode_sources(build(camn), there, batch)
    assert torch.equal(one.states[one.mask], other.states[other.mask])


def test_only_outputs_of_as_many_layers_are_read(data: TrainingData, tmp_path: Path) -> None:
    data.corpus.save(tmp_path / "train.npz")
    path = tmp_path / "train.frozen.f16"
    assert frozen_layers(path) == 0
    open_frozen(path, data.corpus.source, 384, create=True)
    path.with_suffix(".layers").write_text("3")
    assert load_data(tmp_path, "train", EncoderConfig(frozen_layers=3)).frozen is not None
    for count in (0, 6):
        assert load_data(tmp_path, "train", EncoderConfig(frozen_layers=count)).frozen is None


@pytest.mark.slow
def test_compiled_layers_give_the_same(data: TrainingData) -> None:
    """With the backend that only captures: what the others make of it is theirs."""
    model, compiled = build(), build()
    assert compile_layers(compiled, "eager") == 3
    for batch in (np.array([1, 2]), np.array([3, 4, 5])):
        target = torch.randint(4, 20, (len(batch), 4))
        features = [one.force_decode(encode_sources(one, data, batch), target) for one in (model, compiled)]
        torch.testing.assert_close(features[0].state, features[1].state)

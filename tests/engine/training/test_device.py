"""What is for GPUs, as far as a CPU can tell."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.training.loop import TrainingData, encode_sources
from anaphora_nmt.training.stages import compile_layers


def build() -> TranslationModel:
    torch.manual_seed(1)
    encoder = EncoderConfig("pretrained", width=16, layers=2, frozen_layers=1, heads=2, feed_forward=16)
    decoder = DecoderConfig(width=16, layers=1, heads=2, feed_forward=16)
    model = TranslationModel(ModelConfig(20, 20, encoder, decoder)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.3)
    return model


@pytest.mark.slow
def test_compiled_layers_give_the_same(data: TrainingData) -> None:
    """With the backend that only captures: what the others make of it is theirs."""
    model, compiled = build(), build()
    assert compile_layers(compiled, "eager") == 3
    for batch in (np.array([1, 2]), np.array([3, 4, 5])):
        target = torch.randint(4, 20, (len(batch), 4))
        features = [one.force_decode(encode_sources(one, data, batch), target) for one in (model, compiled)]
        torch.testing.assert_close(features[0].state, features[1].state)

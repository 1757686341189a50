"""A model that extends a baseline is initialised from it."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from anaphora_nmt.config import BufferConfig, DecoderConfig, EncoderConfig, KeyMemoryConfig, ModelConfig
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.training.checkpoint import trained_tensors
from anaphora_nmt.training.pretrained_weights import initialise_from

ENCODER = EncoderConfig(kind="recurrent", width=12, layers=1, embedding=10)
SOURCE, TARGET = torch.tensor([[1, 5, 6, 7, 2], [1, 5, 2, 0, 0]]), torch.tensor([[4, 5, 2], [7, 2, 0]])


def build(kind: str, feedback: str = "gru", **decoder: Any) -> TranslationModel:
    config = DecoderConfig(kind, width=14, embedding=10, attention=8, feedback=feedback, **decoder)
    return TranslationModel(ModelConfig(30, 30, ENCODER, config)).eval()


def logits(model: TranslationModel) -> torch.Tensor:
    return model.decoder.logits(model.force_decode(model.encode(SOURCE), TARGET))


@pytest.mark.parametrize(
    ("feedback", "model"),
    [
        ("tanh", {"kind": "memdec"}),
        ("gru", {"kind": "memdec"}),
        ("tanh", {"kind": "memdec", "buffer": BufferConfig(read_at="none")}),
        ("gru", {"kind": "kvmematt", "key_memory": KeyMemoryConfig(rounds=2, update=False)}),
        ("gru", {"kind": "kvmematt", "key_memory": KeyMemoryConfig(rounds=2, gate_bias=-40.0)}),
        ("gru", {"kind": "recurrent"}),
    ],
)
def test_it_equals_the_baseline_before_training(feedback: str, model: dict[str, Any]) -> None:
    baseline, extended = build("recurrent", feedback), build(feedback=feedback, **model)
    assert not torch.equal(logits(extended), logits(baseline))
    fresh = initialise_from(extended, trained_tensors(baseline))
    torch.testing.assert_close(logits(extended), logits(baseline), atol=0, rtol=0)
    assert not set(fresh) & set(trained_tensors(baseline))

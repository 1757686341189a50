"""Requirements for every encoder and decoder, in all combinations."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from anaphora_nmt.config import (
    BufferConfig,
    CamnConfig,
    DecoderConfig,
    EncoderConfig,
    KeyMemoryConfig,
    ModelConfig,
)
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.document_context import NONE, ContextBatch
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.state import Encoded, shift_right
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD
from anaphora_nmt.training.loop import likelihood_loss

ENCODERS = {
    "pretrained": EncoderConfig(
        kind="pretrained", width=16, layers=2, frozen_layers=1, heads=2, feed_forward=24
    ),
    "recurrent": EncoderConfig(kind="recurrent", width=12, layers=2, embedding=10),
    "transformer": EncoderConfig(kind="transformer", width=16, layers=2, heads=2, feed_forward=24),
}
DECODERS = {
    "transformer": DecoderConfig(kind="transformer", width=16, layers=2, heads=2, feed_forward=24),
    "gru": DecoderConfig(kind="recurrent", width=14, embedding=10, attention=8, feedback="gru"),
    "tanh": DecoderConfig(kind="recurrent", width=14, embedding=10, attention=8, feedback="tanh"),
    "memdec": DecoderConfig(
        kind="memdec",
        width=14,
        embedding=10,
        attention=8,
        feedback="tanh",
        buffer=BufferConfig(cells=3, combine="replace", shared=False),
    ),
    "kvmematt": DecoderConfig(
        kind="kvmematt", width=14, embedding=10, attention=8, key_memory=KeyMemoryConfig(gate_bias=None)
    ),
}
PIECES = 30
SOURCE = torch.tensor(
    [[BOS, 5, 6, 7, 8, 9, EOS], [BOS, 11, 12, EOS, PAD, PAD, PAD], [BOS, 7, 7, 20, 21, EOS, PAD]]
)
TARGET = torch.tensor([[4, 5, 6, EOS, PAD], [9, 8, 7, 6, EOS], [12, EOS, PAD, PAD, PAD]])


COMBINATIONS = [
    (encoder, decoder)
    for encoder in ENCODERS
    for decoder in DECODERS
    if encoder != "transformer" or decoder in ("transformer", "gru")
]


@pytest.fixture(params=COMBINATIONS, ids="-".join)
def model(request: pytest.FixtureRequest) -> TranslationModel:
    encoder, decoder = request.param
    torch.manual_seed(0)
    config = ModelConfig(PIECES, PIECES, ENCODERS[encoder], DECODERS[decoder])
    return TranslationModel(config).double().eval()


def test_batched_equals_one_by_one(model: TranslationModel) -> None:
    features = model.force_decode(model.encode(SOURCE), TARGET, attention=True)
    logits = model.decoder.logits(features)
    assert features.attention is not None
    for row in range(len(SOURCE)):
        source = SOURCE[row][SOURCE[row] != PAD][None]
        target = TARGET[row][TARGET[row] != PAD][None]
        alone = model.force_decode(model.encode(source), target, attention=True)
        assert alone.attention is not None
        steps, length = target.shape[1], source.shape[1]
        torch.testing.assert_close(logits[row, :steps], model.decoder.logits(alone)[0])
        torch.testing.assert_close(features.state[row, :steps], alone.state[0])
        torch.testing.assert_close(features.context[row, :steps], alone.context[0])
        torch.testing.assert_close(features.attention[row, :steps, :length], alone.attention[0])


def test_incremental_equals_teacher_forcing(model: TranslationModel) -> None:
    """Includes a reordering of hypotheses half way."""
    encoded = model.encode(SOURCE)
    previous = shift_right(TARGET, BOS)
    whole = model.force_decode(encoded, TARGET, attention=True)
    assert whole.attention is not None
    order = torch.arange(len(SOURCE))
    state = model.decoder.start(encoded)
    for step in range(TARGET.shape[1]):
        features, state = model.decoder.step(previous[order, step], state)
        assert features.attention is not None
        torch.testing.assert_close(features.state, whole.state[order, step])
        torch.testing.assert_close(features.context, whole.context[order, step])
        torch.testing.assert_close(features.embedding, whole.embedding[order, step])
        torch.testing.assert_close(features.attention, whole.attention[order, step])
        torch.testing.assert_close(model.decoder.logits(features), model.decoder.logits(whole)[order, step])
        if step == 1:
            index = torch.tensor([2, 2, 0, 1])
            order, state = order[index], state.reorder(index)


def test_attention_is_a_distribution_over_the_words(model: TranslationModel) -> None:
    weights = model.force_decode(model.encode(SOURCE), TARGET, attention=True).attention
    assert weights is not None
    torch.testing.assert_close(weights.exp().sum(-1), torch.ones(TARGET.shape).double())
    padding = (SOURCE == PAD)[:, None].expand_as(weights)
    assert (weights.exp()[padding] == 0).all()
    assert model.force_decode(model.encode(SOURCE), TARGET).attention is None


def test_every_trained_parameter_learns(model: TranslationModel) -> None:
    logits = model.decoder.logits(model.force_decode(model.encode(SOURCE), TARGET))
    real = TARGET != PAD
    likelihood_loss(logits[real], TARGET[real], 0.0).backward()
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            assert parameter.grad is not None, name
            assert torch.isfinite(parameter.grad).all(), name
            # a bias of keys shifts all scores equally, without effect on the softmax
            assert name.endswith("key.bias") or parameter.grad.abs().sum() > 0, name
        else:
            assert parameter.grad is None, name


def test_unknown_kinds_are_errors() -> None:
    with pytest.raises(ConfigError, match="pretrained, recurrent, transformer"):
        TranslationModel(ModelConfig(PIECES, PIECES, EncoderConfig(kind="conv"), DECODERS["gru"]))
    with pytest.raises(ConfigError, match="transformer, recurrent"):
        TranslationModel(ModelConfig(PIECES, PIECES, ENCODERS["recurrent"], DecoderConfig(kind="conv")))
    with pytest.raises(ConfigError, match="even"):
        TranslationModel(
            ModelConfig(PIECES, PIECES, EncoderConfig(kind="recurrent", width=7), DECODERS["gru"])
        )
    with pytest.raises(ConfigError, match="5 heads"):
        TranslationModel(
            ModelConfig(PIECES, PIECES, EncoderConfig("transformer", width=16, heads=5), DECODERS["gru"])
        )


def with_context(reads: str, **more: Any) -> TranslationModel:
    torch.manual_seed(0)
    camn = CamnConfig(size=2, heads=2, feed_forward=24, reads=reads, **more)
    config = ModelConfig(PIECES, PIECES, ENCODERS["transformer"], DECODERS["transformer"], camn)
    return TranslationModel(config).double().eval()


ROWS = torch.tensor([[3, 4], [0, 3], [4, NONE]])
CONTEXT = torch.tensor([[BOS, 9, 9, EOS, PAD], [BOS, 11, 5, 6, EOS]])


@pytest.mark.parametrize("reads", ["embeddings", "outputs"])
def test_context_is_read_as_configured(reads: str) -> None:
    model = with_context(reads)
    assert model.camn is not None
    context = ContextBatch(ROWS, (CONTEXT,))
    found = model.encode(SOURCE, context)
    mask, there = SOURCE != PAD, CONTEXT != PAD
    lower, others = model.encoder.lower(SOURCE, mask), model.encoder.lower(CONTEXT, there)
    plain = Encoded(model.encoder.upper(lower, mask), mask)
    if reads == "embeddings":
        read = [(lower, mask), (others, there)]
    else:
        read = [(plain.states, mask), (model.encoder.upper(others, there), there)]
    expected = model.camn(plain, read, ROWS)
    torch.testing.assert_close(found.states, expected.states)
    assert torch.equal(model.encode(SOURCE).states, plain.states), "no context: the plain Transformer"

"""Training with CAMN, which learns from the context alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from anaphora_nmt.config import CamnConfig, DecoderConfig, EncoderConfig, ModelConfig, TrainingConfig
from anaphora_nmt.data.binary_corpus import BinaryCorpus, join_sentences
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import BOS, EOS, UNK
from anaphora_nmt.training.loop import Trainer, TrainingData, encode_sources

PIECES = 12
CAMN = CamnConfig(size=2, merging="flat", heads=2, feed_forward=16, gate_bias=0.0)
TRAINING = TrainingConfig(
    batch_tokens=120, learning_rate=0.02, encoder_rate=1.0, warmup=5, decay=20, updates=80, bfloat16=False
)


@pytest.fixture
def data() -> TrainingData:
    """Each target is the word of the previous sentence, or 11 for the first."""
    generator = np.random.default_rng(0)
    sources: list[list[int]] = []
    targets: list[list[int]] = []
    documents: list[int] = []
    for number in range(60):
        previous = 11
        for _ in range(int(generator.integers(1, 6))):
            word = int(generator.integers(4, 11))
            sources.append([BOS, word, *([UNK] * int(generator.integers(0, 3))), EOS])
            targets.append([previous, EOS])
            documents.append(number)
            previous = word
    return TrainingData(BinaryCorpus(join_sentences(sources), join_sentences(targets), np.array(documents)))


def build(camn: CamnConfig | None, kind: str = "transformer", layers: int = 1) -> TranslationModel:
    torch.manual_seed(1)
    encoder = EncoderConfig(kind, width=16, layers=layers, frozen_layers=1, heads=2, feed_forward=16)
    decoder = DecoderConfig(width=16, layers=1, heads=2, feed_forward=16)
    return TranslationModel(ModelConfig(PIECES, PIECES, encoder, decoder, camn))


@pytest.mark.slow
def test_it_learns_from_the_context_alone(data: TrainingData, tmp_path: Path) -> None:
    losses = {}
    for name, camn in (("plain", None), ("camn", replace(CAMN, size=1))):
        trainer = Trainer(build(camn), TRAINING, data, tmp_path / name)
        trainer.run(every=1000)
        losses[name] = trainer.score(data)
    assert losses["camn"] < 0.75 * losses["plain"]


@pytest.mark.parametrize("selection", ["previous", "next", "random"])
@pytest.mark.parametrize("reads", ["embeddings", "outputs"])
def test_sentences_in_a_batch_read_the_same_context_as_alone(
    data: TrainingData, selection: str, reads: str
) -> None:
    config = replace(CAMN, selection=selection, reads=reads)
    model = build(config, "pretrained", layers=2).eval()
    assert isinstance(model.encoder, PretrainedTransformerEncoder)
    with torch.no_grad():
        model.encoder.embedding.positions.normal_(std=0.5)
    batch = np.array([7, 3, 20, 8, 40, 4])
    with torch.inference_mode():
        computed = encode_sources(model, data, batch)
        for row in range(len(batch)):
            alone = encode_sources(model, data, batch[row : row + 1])
            size = alone.mask.shape[1]
            torch.testing.assert_close(computed.states[row, :size], alone.states[0])

"""A small model and a small corpus to train it on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.data.binary_corpus import BinaryCorpus, join_sentences
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import BOS, EOS
from anaphora_nmt.training.alignment import Links
from anaphora_nmt.training.loop import TrainingData

sys.path.insert(0, str(Path(__file__).parent))
PIECES = 20


@pytest.fixture
def data() -> TrainingData:
    """24 copied sentences of 3 to 6 words, with alignments."""
    generator = np.random.default_rng(0)
    words = [generator.integers(4, PIECES, size).tolist() for size in generator.integers(3, 7, 24)]
    corpus = BinaryCorpus(
        join_sentences([[BOS, *ids, EOS] for ids in words]),
        join_sentences([[*ids, EOS] for ids in words]),
        np.arange(24),
    )
    links = [[(n + 1, n) for n in range(len(ids))] for ids in words]
    pairs = np.array([link for sentence in links for link in sentence], np.uint16)
    return TrainingData(corpus, Links(pairs, np.cumsum([0, *map(len, links)])))


@pytest.fixture
def make_model() -> Callable[..., TranslationModel]:
    """Returns a function that makes equal models: (decoder kind, dropout) → model."""

    def make(kind: str = "recurrent", dropout: float = 0.0) -> TranslationModel:
        torch.manual_seed(1)
        encoder = EncoderConfig(kind="recurrent", width=8, layers=1, embedding=8, dropout=dropout)
        decoder = DecoderConfig(
            kind, width=8, layers=1, heads=2, feed_forward=12, embedding=8, attention=8, dropout=dropout
        )
        return TranslationModel(ModelConfig(PIECES, PIECES, encoder, decoder))

    return make

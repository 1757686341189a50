"""MemDec and KVMemAtt with beam search, document memories, model folders and training."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from anaphora_nmt.config import (
    BufferConfig,
    DecoderConfig,
    EncoderConfig,
    KeyMemoryConfig,
    ModelConfig,
)
from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.word_caches import WordCachesConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary, vocabulary_from_pieces

ENCODER = EncoderConfig(kind="recurrent", width=12, layers=1, embedding=10)
SMALL: dict[str, Any] = {"width": 14, "embedding": 10, "attention": 8}
DECODERS = {
    "memdec": DecoderConfig(
        "memdec", **SMALL, feedback="tanh", buffer=BufferConfig(cells=3, combine="replace", shared=False)
    ),
    "kvmematt": DecoderConfig("kvmematt", **SMALL, key_memory=KeyMemoryConfig(gate_bias=None)),
}
VOCABULARY = 8
SOURCE = torch.tensor([[BOS, 5, 6, 7, EOS], [BOS, 6, EOS, PAD, PAD], [BOS, 4, 4, 7, EOS]])


def build(kind: str, pieces: int = VOCABULARY) -> TranslationModel:
    """A model with sharp distributions."""
    torch.manual_seed(4)
    model = TranslationModel(ModelConfig(pieces, pieces, ENCODER, DECODERS[kind])).eval()
    with torch.no_grad():
        for parameter in model.decoder.parameters():
            parameter.mul_(2.0)
    return model


@pytest.mark.parametrize("kind", list(DECODERS))
@torch.inference_mode()
def test_document_memories_attach(kind: str) -> None:
    """Steps equal forced decoding even if reordered; only filled memories change the decoder."""
    spelling = "▁the ▁s er ver ▁send ▁data ▁to ▁cli ent"
    pieces = Vocabulary(vocabulary_from_pieces([(piece, -3.0) for piece in spelling.split()]))
    vocabulary = WordVocabulary(pieces)
    words = WordCachesConfig(dynamic_size=6, topic_size=4, scorer_hidden=(12, 8), gate_hidden=(8, 6))
    cache = ContinuousCacheConfig(size=7, gate_bias=-1.0)
    memories = MemoryConfig({"continuous_cache": cache, "word_caches": words})
    model = MemoryAugmentedModel(build(kind, len(vocabulary)), memories, vocabulary).eval()
    texts = ("the server send data", "send the data to the client", "the client")
    ids = [[*pieces.encode(text), EOS] for text in texts]
    longest = max(map(len, ids))
    target = torch.tensor([row + [PAD] * (longest - len(row)) for row in ids])
    encoded = model.encode(SOURCE)
    snapshots = [memories.empty(DocumentInfo(vocabulary, Topic(0, (("client", 0.1),), "client")))]
    for number, given in enumerate(model.contributions(encoded, target)):
        snapshots.append(snapshots[-1].after(given, number))
    snapshots = snapshots[1:]
    whole = model.force_decode(encoded, target, snapshots).target_log_probs
    alone = model.base.decoder.logits(model.base.force_decode(encoded, target)).log_softmax(-1)
    off = model.force_decode(encoded, target, snapshots, frozenset()).target_log_probs
    assert torch.equal(off, alone.gather(-1, target[..., None])[..., 0] * (target != PAD))
    assert not torch.allclose(off, whole)
    torch.testing.assert_close(steps_of(model, target, snapshots), whole, atol=1e-5, rtol=1e-5)


def steps_of(model: MemoryAugmentedModel, target: Tensor, snapshots: list[MemorySnapshot]) -> Tensor:
    """Log-probabilities of the targets step by step, the hypotheses permuted half way."""
    order, previous, picked = torch.arange(3), torch.full((3,), BOS), []
    state = model.start(model.encode(SOURCE), snapshots)
    for step in range(target.shape[1]):
        log_probs, state = model.step(previous, state)
        column = log_probs.gather(1, target[order, step][:, None])[:, 0]
        picked.append(torch.zeros(3).index_put((order,), column))
        if step == 2:
            index = torch.tensor([2, 0, 1])
            order, state = order[index], state.reorder(index)
        previous = target[order, step]
    return torch.stack(picked, 1) * (target != PAD)

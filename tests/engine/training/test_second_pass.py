"""The second pass: only memories learn, and a run can be resumed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.data.binary_corpus import BinaryCorpus, encode_corpus
from anaphora_nmt.memory.continuous_cache import CacheContents, ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.word_caches import WordCachesConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import EOS, Vocabulary, vocabulary_from_pieces
from anaphora_nmt.training.loop import TrainingData
from anaphora_nmt.training.memory import SecondPass, second_pass
from anaphora_nmt.training.memory_samples import (
    DocumentSamples,
    OwnDrafts,
    choose_documents,
    compute_features,
    draft_documents,
)

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
SETTINGS = SecondPass(
    updates=80,
    score_updates=40,
    sentences=60,
    dev_sentences=20,
    shortest=4,
    batch=8,
    positions=40,
    pool=16,
    learning_rate=1e-2,
)
CONFIG = MemoryConfig(
    {
        "continuous_cache": ContinuousCacheConfig(size=8, gate_bias=-2.0),
        "word_caches": WordCachesConfig(
            dynamic_size=8, topic_size=0, scorer_hidden=(16, 8), gate_hidden=(8, 8)
        ),
    }
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents that repeat one name."""
    folder = tmp_path_factory.mktemp("prepared")
    target = Vocabulary(vocabulary_from_pieces([(f"▁{name}", -3.0) for name in ("the", "runs", *NAMES)]))
    source = Vocabulary(vocabulary_from_pieces([("▁", -4.0), *((char, -3.0) for char in "这那跑着")]))
    (folder / "source.model").write_bytes(source.serialized)
    (folder / "target.model").write_bytes(target.serialized)
    for name, documents in (("train", 16), ("dev", 5)):
        pairs = [
            (number, "这着跑", f"the {NAMES[number % 8]} runs the {NAMES[number % 8]}")
            for number in range(documents)
            for _ in range(6)
        ]
        encode_corpus(pairs, source, target).save(folder / f"{name}.npz")
    return folder


def build(prepared: Path) -> TranslationModel:
    torch.manual_seed(0)
    sizes = len(Vocabulary.load(prepared / "source.model")), len(Vocabulary.load(prepared / "target.model"))
    encoder = EncoderConfig(width=16, layers=1, frozen_layers=0, heads=2, feed_forward=16)
    return TranslationModel(
        ModelConfig(*sizes, encoder, DecoderConfig(width=16, layers=1, heads=2, feed_forward=16))
    )


@pytest.mark.slow
def test_memories_learn_what_recurs_and_the_base_stays(prepared: Path, tmp_path: Path) -> None:
    base = build(prepared)
    before = {name: value.clone() for name, value in base.state_dict().items()}
    target = Vocabulary.load(prepared / "target.model")
    trainer, train, dev = second_pass(base, target, prepared, None, CONFIG, tmp_path, SETTINGS)
    trainer.run(train, dev)
    model = trainer.model
    for name, value in base.state_dict().items():
        assert torch.equal(value, before[name])
    curve = [json.loads(line) for line in (tmp_path / "memory_curve.jsonl").read_text().splitlines()]
    assert list(curve[-1])[2:] == ["base", "continuous_cache", "word_caches", "together"]
    assert curve[-1]["together"] < curve[0]["together"] - 0.1
    assert curve[-1]["together"] < curve[-1]["base"] - 0.1
    assert all(curve[-1][name] < curve[-1]["base"] for name in CONFIG.memories)
    saved = load_file(tmp_path / "memory.safetensors")
    assert all(torch.equal(value, saved[name]) for name, value in model.memory_state().items())


def test_drafts_replace_references_in_the_memory(prepared: Path) -> None:
    base = build(prepared).eval()
    pieces = Vocabulary.load(prepared / "source.model"), Vocabulary.load(prepared / "target.model")
    corpus = BinaryCorpus.load(prepared / "dev.npz")
    documents = choose_documents(corpus, 20, 4, 120, 1)
    data = TrainingData(corpus)
    drafted = draft_documents(base, data, documents, *pieces)
    sentence = int(documents[0][0])
    assert drafted.target[sentence][-1] == EOS
    assert drafted.target[sentence].tolist() != corpus.target[sentence].tolist()
    references = compute_features(base, data, documents)
    own = compute_features(base, TrainingData(drafted), documents)
    model = MemoryAugmentedModel(
        base, MemoryConfig({"continuous_cache": ContinuousCacheConfig(size=8)}), WordVocabulary(pieces[1])
    )
    topics = [None] * len(documents)

    def keys(drafts: OwnDrafts | None) -> np.ndarray:
        samples = list(DocumentSamples(model, references, topics, drafts).document(0))
        cache = samples[1].snapshot.contents["continuous_cache"]
        assert isinstance(cache, CacheContents)
        return cache.keys

    assert len(keys(None))
    assert np.array_equal(keys(OwnDrafts(own, 0.0)), keys(None))
    assert not np.array_equal(keys(OwnDrafts(own, 1.0)), keys(None))


def test_features_are_the_decoders(prepared: Path) -> None:
    model, corpus = build(prepared).eval(), BinaryCorpus.load(prepared / "train.npz")
    data, documents = TrainingData(corpus), choose_documents(corpus, 30, 4, 100, 1)
    assert sum(map(len, documents)) == 30
    store = compute_features(model, data, documents)
    sentence = int(documents[2][3])
    target = torch.from_numpy(corpus.target[sentence].astype(np.int64))[None]
    with torch.inference_mode():
        source = torch.from_numpy(corpus.source[sentence].astype(np.int64))[None]
        features = model.force_decode(model.encode(source), target)
        expected = model.decoder.logits(features).log_softmax(-1)[0].gather(1, target[0][:, None])[:, 0]
    span = store.span(sentence)
    np.testing.assert_allclose(store.states[span], features.state[0], atol=2e-3)
    np.testing.assert_allclose(store.contexts[span], features.context[0], atol=2e-3)
    np.testing.assert_allclose(store.log_probs[span], expected, rtol=1e-4)

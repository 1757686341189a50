"""Equation (10) of Kuang et al. (2018): model and caches learn together, by the likelihood of the mixture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.data.binary_corpus import BinaryCorpus, encode_corpus, pad
from anaphora_nmt.errors import ConfigError, CorpusError
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.word_caches import WordCaches, WordCachesConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary, vocabulary_from_pieces
from anaphora_nmt.training.configuration import StageConfig, stage_from
from anaphora_nmt.training.features import choose_documents, without_features
from anaphora_nmt.training.loop import TrainingData
from anaphora_nmt.training.memory import SecondPass, likelihoods, second_pass
from anaphora_nmt.training.memory_samples import LiveSamples
from anaphora_nmt.training.runs import DataPaths, load_run
from anaphora_nmt.training.stages import StageRuns, train_stages

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
WORDS = WordCachesConfig(
    dynamic_size=12, topic_size=0, scorer_hidden=(9, 5), gate_hidden=(7, 4), model_score=False
)
CONFIG = MemoryConfig({"word_caches": WORDS})
SETTINGS = SecondPass(
    updates=40,
    score_updates=20,
    sentences=60,
    dev_sentences=20,
    shortest=4,
    batch=8,
    positions=0,
    pool=16,
    learning_rate=1e-2,
    base_rate=0.5,
)
RAW: dict[str, dict[str, Any]] = {
    "base": {
        "model": {
            "encoder": {"kind": "recurrent", "width": 16, "layers": 1, "embedding": 16},
            "decoder": {"kind": "recurrent", "width": 16, "embedding": 16, "attention": 16, "dropout": 0.1},
        },
        "training": {"batch_tokens": 60, "learning_rate": 1e-2, "warmup": 5, "decay": 1, "updates": 20},
    },
    "joint": {
        "like": "base",
        "initial": "base",
        "training": None,
        "memory": {
            "word_caches": {
                "dynamic_size": 12,
                "topic_size": 0,
                "scorer_hidden": [9, 5],
                "gate_hidden": [7, 4],
            }
        },
        "second_pass": {key: getattr(SETTINGS, key) for key in vars(SETTINGS)},
    },
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents that say one name again and again; every word is a piece."""
    folder = tmp_path_factory.mktemp("prepared")
    target = Vocabulary(vocabulary_from_pieces([(f"▁{name}", -3.0) for name in ("the", "runs", *NAMES)]))
    source = Vocabulary(vocabulary_from_pieces([("▁", -4.0), *((char, -3.0) for char in "这那跑着")]))
    (folder / "source.model").write_bytes(source.serialized)
    (folder / "target.model").write_bytes(target.serialized)
    for name, documents in (("train", 16), ("dev", 5)):
        pairs = [
            (number, "这着跑", f"the {NAMES[number % 8]} runs the {NAMES[(number + line) % 8]}")
            for number in range(documents)
            for line in range(6)
        ]
        encode_corpus(pairs, source, target).save(folder / f"{name}.npz")
    return folder


def build(prepared: Path) -> TranslationModel:
    torch.manual_seed(0)
    sizes = len(Vocabulary.load(prepared / "source.model")), len(Vocabulary.load(prepared / "target.model"))
    encoder = EncoderConfig(kind="recurrent", width=8, layers=1, embedding=6)
    decoder = DecoderConfig("recurrent", width=8, embedding=6, attention=8)
    return TranslationModel(ModelConfig(*sizes, encoder, decoder))


def dense(layer: Any, x: np.ndarray) -> np.ndarray:
    bias = 0.0 if layer.bias is None else layer.bias.detach().numpy()
    return layer.weight.detach().numpy() @ x + bias


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@torch.no_grad()
def cost(model: MemoryAugmentedModel, corpus: BinaryCorpus, document: np.ndarray) -> float:
    """Eqs (6) to (10) of one document, word by word, divided by its pieces.

    A word enters the dynamic cache when the next one has begun, as a decoder that writes pieces learns then
    that it is whole; "the" is a stop word and never enters.
    """
    decoder, memory = model.base.decoder, model.memories["word_caches"]
    assert isinstance(memory, WordCaches)
    scorer, gate, table = memory.scorer, memory.gate, decoder.embeddings.numpy()
    stop = {model.vocabulary.encode("the")[0], EOS}
    cached: list[int] = []
    total, pieces = 0.0, 0
    for sentence in document:
        encoded = model.base.encode(torch.from_numpy(pad(corpus.source, np.array([sentence]))))
        state, previous, waiting = decoder.start(encoded), BOS, None
        for y in corpus.target[sentence].tolist():
            if waiting is not None and waiting not in stop and waiting not in cached:
                cached.append(waiting)
            waiting = previous if previous != BOS else None
            features, state = decoder.step(torch.tensor([previous]), state)
            p = softmax(decoder.logits(features)[0].numpy())
            if cached:
                s, c, e = (part[0].numpy() for part in (features.state, features.context, features.embedding))
                step = np.concatenate([s, c, e * np.sqrt(len(e))])
                scores = []
                for word in cached:  # (6)
                    given = dense(scorer.step.linear, step) + dense(
                        scorer.word, table[word] * np.sqrt(len(e))
                    )
                    scores.append(
                        dense(scorer.output, np.maximum(dense(scorer.hidden, np.maximum(given, 0)), 0))[0]
                    )
                hidden = np.maximum(dense(gate.step.linear, step), 0)  # type: ignore[union-attr]
                hidden = np.maximum(dense(gate.hidden, hidden), 0)  # type: ignore[union-attr]
                alpha = 1 / (1 + np.exp(-dense(gate.output, hidden)[0]))  # type: ignore[union-attr]  # (9)
                p_cache = np.zeros_like(p)
                p_cache[cached] = softmax(np.array(scores))  # (7)
                p = (1 - alpha) * p_cache + alpha * p  # (8)
            total -= np.log(p[y])  # (10)
            pieces += 1
            previous = y
        for last in (waiting, previous):  # the sentence's last words
            if last is not None and last not in stop and last not in cached:
                cached.append(last)
    return float(total / pieces)


def test_the_loss_and_its_gradient_are_those_of_the_equations(prepared: Path) -> None:
    corpus = BinaryCorpus.load(prepared / "train.npz")
    model = MemoryAugmentedModel(
        build(prepared), CONFIG, WordVocabulary(Vocabulary.load(prepared / "target.model"))
    )
    for name, parameter in model.attached.named_parameters():
        if name.endswith("output.weight"):
            torch.nn.init.normal_(parameter)
    model = model.double().eval()
    documents = choose_documents(corpus, 6, 4, 120, 1)
    samples = LiveSamples(
        model, without_features(corpus, documents), [None] * len(documents), data=TrainingData(corpus)
    )
    batch = samples.batch(list(samples.document(0)))
    loss = -likelihoods(model, batch, batch.target != PAD).together.mean()
    assert float(loss.detach()) == pytest.approx(cost(model, corpus, documents[0]), abs=1e-6)
    loss.backward()
    named = dict(model.named_parameters())
    base = [name for name in named if name.startswith("base.") and named[name].dim() > 1]
    for name in (base[0], base[-1], "base.decoder.words.weight", "attached.word_caches.scorer.word.weight"):
        parameter = named[name]
        assert parameter.grad is not None
        place = int(parameter.grad.abs().argmax())
        found = float(parameter.grad.flatten()[place])
        values = []
        for change in (1e-5, -2e-5):
            parameter.data.view(-1)[place] += change
            values.append(cost(model, corpus, documents[0]))
        parameter.data.view(-1)[place] += 1e-5
        assert found == pytest.approx((values[0] - values[1]) / 2e-5, rel=1e-3) and found != 0, name


@pytest.mark.slow
def test_a_joint_stage_learns_both_and_is_loaded_as_it_learned(prepared: Path, tmp_path: Path) -> None:
    stages = {name: stage_from(StageConfig, name, RAW) for name in RAW}
    runs = StageRuns(tmp_path / "runs", DataPaths(prepared), stages, score=False)
    assert train_stages(runs, ["joint"])
    folder = tmp_path / "runs" / "joint"
    curve = [json.loads(line) for line in (folder / "memory_curve.jsonl").read_text().splitlines()]
    assert [record["update"] for record in curve] == [0, 20, 40]
    assert curve[-1]["word_caches"] < curve[0]["word_caches"] - 0.1
    assert curve[-1]["base"] < curve[0]["base"], "the base learned, too"
    base, learned = (load_run(tmp_path / "runs" / name).model.base for name in ("base", "joint"))
    saved = load_file(folder / "base.safetensors")
    before, after = dict(base.named_parameters()), dict(learned.named_parameters())
    assert all(torch.equal(after[name], saved[name]) for name in saved)
    assert any(not torch.equal(before[name], after[name]) for name in saved)
    again = StageRuns(tmp_path / "again", DataPaths(prepared), stages, score=False)
    calls = 0
    while not train_stages(again, ["joint"], 0.004):
        calls += 1
    assert calls > 1, "one call had time for everything: nothing was tested"
    cut = load_file(tmp_path / "again" / "joint" / "base.safetensors")
    for name, value in saved.items():
        torch.testing.assert_close(cut[name], value)


def test_what_cannot_be_trained_so_is_refused(prepared: Path, tmp_path: Path) -> None:
    target = Vocabulary.load(prepared / "target.model")
    states = MemoryConfig({"continuous_cache": ContinuousCacheConfig(size=8)})
    with pytest.raises(ConfigError, match="words alone"):
        second_pass(build(prepared), target, prepared, None, states, tmp_path, SETTINGS)
    long = SecondPass(**{**vars(SETTINGS), "shortest": 50})
    with pytest.raises(CorpusError, match="no document of train has 50 sentences"):
        second_pass(build(prepared), target, prepared, None, CONFIG, tmp_path, long)

"""The published systems at toy size: tasks that a sentence alone cannot solve.

`python tests/engine/training/test_diagnostics.py` prints what every setting reaches (see EVIDENCE.md).
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from anaphora_nmt.config import (
    BufferConfig,
    CamnConfig,
    DecoderConfig,
    EncoderConfig,
    KeyMemoryConfig,
    ModelConfig,
    TrainingConfig,
)
from anaphora_nmt.data.binary_corpus import BinaryCorpus, join_sentences, pad
from anaphora_nmt.memory.confirmed import ConfirmedConfig
from anaphora_nmt.memory.contents import Origin
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.word_caches import WordCachesConfig
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary, vocabulary_from_pieces
from anaphora_nmt.training.loop import Trainer, TrainingData, encode_sources
from anaphora_nmt.training.memory import SecondPass, fit_constants, memory_log_probs, second_pass
from anaphora_nmt.training.memory_samples import DocumentSamples

WIDTH = 32
ENCODER = EncoderConfig("transformer", width=WIDTH, layers=1, heads=4, feed_forward=2 * WIDTH)
TRAINING = TrainingConfig(
    batch_tokens=400, learning_rate=5e-3, encoder_rate=1.0, warmup=20, decay=100, updates=300,
    label_smoothing=0.0, guide_weight=0.0, bfloat16=False,
)  # fmt: skip

# CAMN: "they" is "he" or "she" by the sentence before.
PLAIN = 8
MAN, THEY, HE = 4 + PLAIN, 6 + PLAIN, 6 + PLAIN
CAMN = CamnConfig(size=1, heads=4, feed_forward=2 * WIDTH)


@dataclass(frozen=True)
class Pronouns:
    data: TrainingData
    places: np.ndarray
    """Sentences with the position of each one's pronoun, −1 for none."""


def pronouns(documents: int, length: int, seed: int, share: float = 0.6) -> Pronouns:
    """Each sentence names a man or a woman; in some, a pronoun refers to the previous sentence's."""
    generator = random.Random(seed)
    sources, targets, numbers, places = [], [], [], []
    for number in range(documents):
        before = -1
        for _ in range(length):
            words = [4 + generator.randrange(PLAIN) for _ in range(3)]
            place, other = generator.sample(range(3), 2)
            sex = generator.randrange(2)
            words[other] = MAN + sex
            output = list(words)
            if before >= 0 and generator.random() < share:
                words[place], output[place] = THEY, HE + before
            else:
                place = -1
            sources.append([BOS, *words, EOS])
            targets.append([*output, EOS])
            numbers.append(number)
            places.append(place)
            before = sex
    corpus = BinaryCorpus(join_sentences(sources), join_sentences(targets), np.array(numbers, np.int32))
    return Pronouns(TrainingData(corpus), np.array(places))


def translator_of_pronouns(camn: CamnConfig | None, seed: int = 1) -> TranslationModel:
    torch.manual_seed(seed)
    decoder = DecoderConfig(width=WIDTH, layers=1, heads=4, feed_forward=2 * WIDTH)
    return TranslationModel(ModelConfig(HE + 2, HE + 2, ENCODER, decoder, camn)).eval()


@torch.inference_mode()
def right_pronouns(model: TranslationModel, test: Pronouns) -> float:
    """The share of pronouns that are more probable than the wrong one."""
    rows = np.flatnonzero(test.places >= 0)
    target = torch.from_numpy(pad(test.data.corpus.target, rows))
    encoded = encode_sources(model.eval(), test.data, rows)
    logits = model.decoder.logits(model.force_decode(encoded, target))
    at = torch.arange(len(rows)), torch.from_numpy(test.places[rows])
    gold = target[at]
    return float((logits[(*at, gold)] > logits[(*at, 2 * HE + 1 - gold)]).float().mean())


def trained_on_pronouns(camn: CamnConfig | None, seed: int = 1) -> TranslationModel:
    model = translator_of_pronouns(camn, seed)
    with tempfile.TemporaryDirectory() as folder:
        settings = replace(TRAINING, seed=seed)
        Trainer(model, settings, pronouns(150, 12, 1).data, Path(folder)).run(every=10**6)
    return model


@pytest.mark.slow
def test_camn_learns_a_word_that_depends_on_the_previous_sentence() -> None:
    test, model = pronouns(60, 12, 2), trained_on_pronouns(CAMN)
    assert right_pronouns(model, test) >= 0.95
    for control in (replace(CAMN, selection="random"), replace(CAMN, gate=0.0)):
        other = translator_of_pronouns(control)
        other.load_state_dict(model.state_dict(), strict=False)
        assert right_pronouns(other, test) <= 0.6, "nothing but the sentence before tells"


# KVMemAtt and MemDec: a long copy of few letters, without omissions or repetitions.
LETTERS = 8
RECURRENT = DecoderConfig(kind="recurrent", width=WIDTH, embedding=WIDTH, attention=WIDTH)
KVMEMATT = replace(RECURRENT, kind="kvmematt")
TANH = replace(RECURRENT, feedback="tanh")
MEMDEC = replace(TANH, kind="memdec")
PRINTED = BufferConfig(combine="replace", addressing="linear", pooling="outside")


def copies(count: int, seed: int) -> list[list[int]]:
    generator = random.Random(seed)
    return [
        [4 + generator.randrange(LETTERS) for _ in range(generator.randrange(10, 18))] for _ in range(count)
    ]


def copying(sources: list[list[int]], targets: list[list[int]]) -> TrainingData:
    sides = (
        join_sentences([[BOS, *each, EOS] for each in sources]),
        join_sentences([[*each, EOS] for each in targets]),
    )
    return TrainingData(BinaryCorpus(*sides, np.zeros(len(sources), np.int32)))


def copied(decoder: DecoderConfig, seed: int = 1) -> tuple[float, float, float]:
    """Nats per piece of long copies; shares that are likelier than copies with omissions or repetitions."""
    torch.manual_seed(seed)
    model = TranslationModel(ModelConfig(4 + LETTERS, 4 + LETTERS, ENCODER, decoder))
    learned, given = copies(3000, 1), copies(300, 2)
    settings = replace(TRAINING, batch_tokens=600, learning_rate=7e-3, decay=75, updates=150, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(model, settings, copying(learned, learned), Path(folder))
        trainer.run(every=10**6)
        nats = trainer.score(copying(given, given))
    middles = [len(each) // 2 for each in given]
    omitted = [each[: at - 2] + each[at + 2 :] for each, at in zip(given, middles, strict=True)]
    doubled = [each[: at + 2] + each[at - 2 :] for each, at in zip(given, middles, strict=True)]
    right = likelihood(model, given, given)
    lacking, twice = (likelihood(model, given, each) for each in (omitted, doubled))
    return nats, float((right > lacking).float().mean()), float((right > twice).float().mean())


@torch.inference_mode()
def likelihood(model: TranslationModel, sources: list[list[int]], targets: list[list[int]]) -> torch.Tensor:
    corpus, rows = copying(sources, targets).corpus, np.arange(len(sources))
    target = torch.from_numpy(pad(corpus.target, rows))
    features = model.eval().force_decode(model.encode(torch.from_numpy(pad(corpus.source, rows))), target)
    scores = model.decoder.log_probs(features).gather(-1, target[..., None])[..., 0]
    return (scores * (target != PAD)).sum(1)


@pytest.mark.slow
def test_kvmematt_learns_long_copies_faster() -> None:
    nats, omission, doubling = copied(KVMEMATT)
    assert nats < 0.5 * copied(RECURRENT)[0] and omission >= 0.98 and doubling >= 0.98


@pytest.mark.slow
def test_memdec_makes_complete_long_copies() -> None:
    _, omission, doubling = copied(MEMDEC)
    assert omission >= 0.95 and doubling >= 0.98


# Memories: a document has chosen one of two translations for each of some words.
SAME, CHOSEN = 6, 6


class Choices:
    """A base model that does not know a document's choices, and its corpora, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        letters = random.Random(1)
        names: dict[str, None] = {}
        while len(names) < SAME + 2 * CHOSEN:
            names["".join(letters.choice("bdfgklmnprstvz") + letters.choice("aeiou") for _ in range(3))] = (
                None
            )
        pieces = [(f"▁{name}", -4.0) for name in names]
        alphabet = [(letter, -9.0) for letter in "▁abcdefghijklmnopqrstuvwxyz"]
        signs = [chr(0x4E00 + number) for number in range(SAME + CHOSEN)]
        self.target = Vocabulary(vocabulary_from_pieces([*pieces, *alphabet]))
        source = Vocabulary(vocabulary_from_pieces([*((sign, -4.0) for sign in signs), ("▁", -9.0)]))
        self._words = [self.target.encode(name)[0] for name in names]
        self._signs = [source.encode(sign)[-1] for sign in signs]
        (folder / "source.model").write_bytes(source.serialized)
        (folder / "target.model").write_bytes(self.target.serialized)
        train, _ = self._corpus(200, 1)
        dev, self.decided = self._corpus(40, 2)
        train.save(folder / "train.npz")
        dev.save(folder / "dev.npz")
        torch.manual_seed(0)
        decoder = DecoderConfig(kind="recurrent", width=WIDTH, embedding=WIDTH, attention=WIDTH)
        self.base = TranslationModel(ModelConfig(len(source), len(self.target), ENCODER, decoder))
        Trainer(self.base, TRAINING, TrainingData(train), folder / "base").run(every=10**6)

    def _corpus(self, documents: int, seed: int) -> tuple[BinaryCorpus, list[list[bool]]]:
        """The corpus, and for each piece whether an earlier choice determines it."""
        generator = random.Random(seed)
        sources, targets, numbers, decided = [], [], [], []
        for number in range(documents):
            used = generator.sample(range(CHOSEN), 3)
            second = {word: generator.random() < 0.5 for word in used}
            seen: set[int] = set()
            for _ in range(8):
                signs = [
                    SAME + generator.choice(used) if generator.random() < 0.4 else generator.randrange(SAME)
                    for _ in range(4)
                ]
                words = [sign + CHOSEN * second.get(sign - SAME, False) for sign in signs]
                sources.append([BOS, *(self._signs[sign] for sign in signs), EOS])
                targets.append([*(self._words[word] for word in words), EOS])
                numbers.append(number)
                decided.append([sign in seen for sign in signs] + [False])
                seen |= {sign for sign in signs if sign >= SAME}
        corpus = BinaryCorpus(join_sentences(sources), join_sentences(targets), np.array(numbers, np.int32))
        return corpus, decided

    def right(self, **memory: object) -> float:
        """The number of words that agree with the document, with a memory trained on such documents, or
        fitted to them."""
        (name,) = memory
        updates = 0 if name == "confirmed" else TRAINING.updates
        settings = SecondPass(
            updates=updates, score_updates=max(updates, 1), sentences=1500, dev_sentences=320, shortest=4,
            positions=0, pool=300, learning_rate=5e-3, bfloat16=False,
        )  # fmt: skip
        config = MemoryConfig(memory)
        with tempfile.TemporaryDirectory() as folder:
            given = self.base, self.target, self.folder, None, config, Path(folder), settings
            trainer, train, dev = second_pass(*given)
            if updates:
                trainer.run(train, dev)
        model = trainer.model.eval()
        if not updates:
            config, _ = fit_constants(self.base, model.vocabulary, train.store, dev.store, config)
            model = MemoryAugmentedModel(self.base, config, model.vocabulary).eval()
            dev = DocumentSamples(model, dev.store, [None] * len(dev.store.documents), None, Origin.CONFIRMED)
        right = []
        with torch.inference_mode():
            for sample in dev.samples():
                batch = dev.batch([sample])
                found = memory_log_probs(model, batch, batch.target != PAD)
                likely = found.alone.get(name, found.base) > math.log(0.5)
                right += likely[torch.tensor(self.decided[sample.sentence])].tolist()
        return sum(right) / len(right)


SHALLOW = ContinuousCacheConfig(25, "dot", None, "all", "shallow")
DEEP = ContinuousCacheConfig(25, "dot", None, "all")
WORDS = WordCachesConfig(20, 0, (32, 16), (16, 16))
CONFIRMED = ConfirmedConfig(context_share=0.5)


@pytest.fixture(scope="module")
def choices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Choices]:
    yield Choices(tmp_path_factory.mktemp("choices"))


@pytest.mark.slow
def test_word_caches_follow_a_documents_choices(choices: Choices) -> None:
    assert choices.right(word_caches=WORDS) >= 0.9


@pytest.mark.slow
def test_a_shallow_cache_follows_a_documents_choices(choices: Choices) -> None:
    assert choices.right(continuous_cache=SHALLOW) >= 0.8


@pytest.mark.slow
def test_a_deep_cache_of_words_follows_a_documents_choices(choices: Choices) -> None:
    assert choices.right(continuous_cache=replace(DEEP, values="word")) >= 0.7


@pytest.mark.slow
def test_confirmed_text_is_followed(choices: Choices) -> None:
    assert choices.right(confirmed=CONFIRMED) >= 0.85


def main() -> None:
    torch.set_num_threads(1)
    test = pronouns(60, 12, 2)
    camn: dict[str, CamnConfig | None] = {
        "no context": None,
        "CAMN, 1 sentence, gate_bias 2, fresh_rate 1": CAMN,
        "the same, gate_bias 0": replace(CAMN, gate_bias=0.0),
        "the same as the second, 1 random sentence": replace(CAMN, selection="random"),
    }
    for name, config in camn.items():
        started = time.process_time()
        found = [right_pronouns(trained_on_pronouns(config, seed), test) for seed in (1, 2, 3)]
        print(
            f"{name}: {', '.join(f'{each:.3f}' for each in found)} ({time.process_time() - started:.0f} s)",
            flush=True,
        )
    decoders = {
        "RNNSearch (GRU)": RECURRENT,
        "KVMemAtt, 2 rounds, gate_bias −3": KVMEMATT,
        "the same, gate_bias None, as printed": replace(KVMEMATT, key_memory=KeyMemoryConfig(gate_bias=None)),
        "the second, never written": replace(KVMEMATT, key_memory=KeyMemoryConfig(update=False)),
        "RNNSearch (tanh)": TANH,
        "MemDec, added, tanh addressing, mean inside": MEMDEC,
        "MemDec as printed": replace(MEMDEC, buffer=PRINTED),
    }
    for name, decoder in decoders.items():
        results = [
            "nats {:.3f}, no omission {:.3f}, no doubling {:.3f}".format(*copied(decoder, seed))
            for seed in (1, 2, 3)
        ]
        print(f"{name}: {'; '.join(results)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        choices = Choices(Path(folder))
        memories: dict[str, dict[str, Any]] = {
            "deep cache as printed": {"continuous_cache": DEEP},
            "the same, cosine, gate_bias −2": {
                "continuous_cache": replace(DEEP, matching="cosine", gate_bias=-2.0)
            },
            "deep cache that reads words": {"continuous_cache": replace(DEEP, values="word")},
            "shallow cache, dot products, no bias": {"continuous_cache": SHALLOW},
            "shallow cache, cosine, gate_bias −2": {
                "continuous_cache": replace(SHALLOW, matching="cosine", gate_bias=-2.0)
            },
            "word cache as printed": {"word_caches": replace(WORDS, model_score=False)},
            "the same, α fixed at 0.5": {"word_caches": replace(WORDS, model_score=False, fixed_gate=0.5)},
            "word cache with the model's score": {"word_caches": WORDS},
            "confirmed text, found by states alone": {"confirmed": replace(CONFIRMED, context_share=0.0)},
            "confirmed text, found by states and contexts": {"confirmed": CONFIRMED},
        }
        for name, memory in memories.items():
            started = time.process_time()
            print(
                f"{name}: {choices.right(**memory):.3f} ({time.process_time() - started:.0f} s)", flush=True
            )


if __name__ == "__main__":
    main()

"""The second pass (Tu et al., 2018, eq. 10): only the memories' parameters learn, the base is frozen."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from tqdm import tqdm

from anaphora_nmt.config import MemoryConfig, to_dict
from anaphora_nmt.memory.candidates import follow
from anaphora_nmt.memory.contents import MemorySnapshot, contribution
from anaphora_nmt.memory.document import empty_snapshot, topic_cache
from anaphora_nmt.memory.fusion import blend_target
from anaphora_nmt.memory.topics import Topic, TopicModel
from anaphora_nmt.memory.word_caches import WordCaches
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.remembering import RememberingModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.state import Features, shift_right
from anaphora_nmt.text.pieces import BOS, PAD, Pieces
from anaphora_nmt.text.words import load_source_pieces
from anaphora_nmt.training.features import FeatureStore, choose_documents, compute_features
from anaphora_nmt.training.run import load_data

MEMORY_WEIGHTS, MEMORY_CONFIG, _CURVE = "memory.safetensors", "memory.json", "memory_curve.jsonl"
_NAMES = ("base", "continuous cache", "word caches", "both")


@dataclass(frozen=True)
class SecondPass:
    """How to train the memories.

    Attributes:
        minutes: time budget of the updates; the features before them take their own time.
        sentences, dev_sentences: how many to compute features of (whole documents).
        shortest: documents with fewer sentences are left out. longest: so are longer sentences, pieces.
        batch: sentences an update.
        positions: target positions of a batch that count, a random choice; the scorer is what costs.
        pool: sentences that are shuffled together; of many documents, or the updates would sway between them.
        learning_rate: peak, of Adam; it falls to a tenth.
        together: one loss on the final mixture; False: each memory learns as if it were alone.
        score_every: minutes between scores on dev; the best weights are kept.
        bfloat16: matrix products in bfloat16 (CPUs with AVX512-BF16: several times faster).
        seed: of the choice of documents and of the shuffling.
    """

    minutes: float = 10.0
    sentences: int = 24000
    dev_sentences: int = 1000
    shortest: int = 8
    longest: int = 120
    batch: int = 32
    positions: int = 320
    pool: int = 1500
    learning_rate: float = 7e-4
    together: bool = False
    score_every: float = 2.5
    bfloat16: bool = True
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence and the memory before it."""

    sentence: int
    snapshot: MemorySnapshot


def train_memories(
    base: TranslationModel,
    target_pieces: Pieces,
    prepared: Path,
    topics: TopicModel | None,
    config: MemoryConfig,
    folder: Path,
    settings: SecondPass = SecondPass(),
) -> RememberingModel:
    """Train the memories of `config` on documents of the prepared corpus, the base frozen.

    Writes `memory.safetensors` and `memory.json` (the best by dev loss), `memory_curve.jsonl`, and the
    features, which another run with the same base and documents takes up again.

    Raises:
        CorpusError: the prepared folder is incomplete.
    """
    torch.manual_seed(settings.seed)
    model = RememberingModel(base, config, WordVocabulary(target_pieces))
    base.requires_grad_(False)
    stores = {}
    for name, count in (("train", settings.sentences), ("dev", settings.dev_sentences)):
        data = load_data(prepared, name, base.config.encoder)
        chosen = choose_documents(data.corpus, count, settings.shortest, settings.longest, settings.seed)
        stores[name] = compute_features(
            base, data, chosen, folder / f"features.{name}", bfloat16=settings.bfloat16
        )
    source_pieces = load_source_pieces(prepared / "source.model", base.config.encoder.kind)
    trainer = MemoryTrainer(model, settings, folder)
    trainer.run(
        DocumentSamples(model, stores["train"], target_topics(stores["train"], topics, target_pieces)),
        DocumentSamples(model, stores["dev"], projected_topics(stores["dev"], topics, source_pieces)),
    )
    return model


def target_topics(store: FeatureStore, topics: TopicModel | None, pieces: Pieces) -> list[Topic | None]:
    """In training a document's topic comes from its target side."""
    if topics is None:
        return [None] * len(store.documents)
    side = store.corpus.target
    return [topics.infer_target([pieces.decode(side[n]) for n in document]) for document in store.documents]


def projected_topics(store: FeatureStore, topics: TopicModel | None, pieces: Pieces) -> list[Topic | None]:
    """Elsewhere it comes from the source side, through the projection."""
    if topics is None:
        return [None] * len(store.documents)
    side = store.corpus.source
    return [topics.infer([pieces.decode(side[n]) for n in document]) for document in store.documents]


class DocumentSamples:
    """The sentences of documents, each with the memory that the references before it make."""

    def __init__(self, model: RememberingModel, store: FeatureStore, topics: Sequence[Topic | None]) -> None:
        self.model = model
        self.store = store
        self._empty = [
            empty_snapshot(
                model.config, tuple(word for word, _ in topic_cache(topic, model.config, model.vocabulary))
            )
            for topic in topics
        ]

    def document(self, number: int) -> Iterator[Sample]:
        """A document's sentences in order."""
        cache = self.model.config.continuous_cache
        snapshot = self._empty[number]
        for index, sentence in enumerate(self.store.documents[number]):
            yield Sample(int(sentence), snapshot)
            span = self.store.span(sentence)
            given = contribution(
                self.store.corpus.target[sentence][:-1],
                self.store.contexts[span][:-1],
                self.store.states[span][:-1],
                self.model.vocabulary,
                cache.write if cache else "none",
            )
            snapshot = snapshot.after(given, index)

    def all(self) -> Iterator[Sample]:
        """Every sentence, document by document."""
        for number in range(len(self.store.documents)):
            yield from self.document(number)

    def forever(self, pool: int, seed: int) -> Iterator[Sample]:
        """Sentences without end, shuffled within pools of that size."""
        generator = np.random.default_rng(seed)
        waiting: list[Sample] = []
        while True:
            for number in generator.permutation(len(self.store.documents)):
                for sample in self.document(int(number)):
                    waiting.append(sample)
                    if len(waiting) == pool:
                        generator.shuffle(waiting)  # type: ignore[arg-type]
                        yield from waiting
                        waiting = []

    def batch(self, samples: Sequence[Sample]) -> Batch:
        """Tensors of some samples."""
        store = self.store
        spans = [store.span(sample.sentence) for sample in samples]
        longest = max(span.stop - span.start for span in spans)
        shape = len(samples), longest
        states = np.zeros((*shape, store.states.shape[1]), np.float32)
        contexts = np.zeros((*shape, store.contexts.shape[1]), np.float32)
        log_probs = np.zeros(shape, np.float32)
        target = np.full(shape, PAD, np.int64)
        for row, (sample, span) in enumerate(zip(samples, spans, strict=True)):
            size = span.stop - span.start
            states[row, :size], contexts[row, :size] = store.states[span], store.contexts[span]
            log_probs[row, :size] = store.log_probs[span]
            target[row, :size] = store.corpus.target[sample.sentence]
        ids = torch.from_numpy(target)
        previous = shift_right(ids, BOS)
        embedding = self.model.base.decoder.embeddings[previous]
        features = Features(torch.from_numpy(states), torch.from_numpy(contexts), embedding)
        snapshots = tuple(sample.snapshot for sample in samples)
        return Batch(features, previous, ids, torch.from_numpy(log_probs), snapshots)


@dataclass(frozen=True)
class Batch:
    """Sentences with their memories, [B, T] and features [B, T, …]."""

    features: Features
    previous: Tensor
    target: Tensor
    log_probs: Tensor
    snapshots: tuple[MemorySnapshot, ...]


def batch_log_probs(model: RememberingModel, batch: Batch, counted: Tensor) -> list[Tensor | None]:
    """log p of the target pieces where `counted` [B, T] is true, under each choice of memories, [N].

    Returns:
        base, continuous cache alone, word caches alone, both; None where the model has not got one.
    """
    target = batch.target[counted]
    decoder = model.base.decoder
    base, cached, words, both = batch.log_probs[counted], None, None, None
    if model.continuous is not None:
        slots = model.continuous.gather([snapshot.cache for snapshot in batch.snapshots])
        read = model.continuous(batch.features, slots).features.select(counted)
        whole = decoder.logits(read).float().log_softmax(-1)
        cached = whole.gather(1, target[:, None])[:, 0]
    if model.words is not None:
        scored = _score_words(model.words, decoder.embeddings, batch, counted)
        words = scored.mix(
            model.words, decoder.logits(batch.features.select(counted)).float().log_softmax(-1)
        )
        both = scored.mix(model.words, whole) if cached is not None else None
    return [base, cached, words, both]


@dataclass(frozen=True)
class _Scored:
    """The word caches at the counted positions, [N, K] and [N]."""

    scores: Tensor
    offered: Tensor
    visible: Tensor
    keep: Tensor
    target: Tensor

    def mix(self, words: WordCaches, log_probs: Tensor) -> Tensor:
        """log p of the targets when log p_nmt is `log_probs` [N, V]."""
        shares = words.shares(self.scores, self.offered, self.visible, log_probs)
        share = (shares * (self.offered == self.target[:, None])).sum(1)
        likelihood = log_probs.gather(1, self.target[:, None])[:, 0]
        return blend_target(likelihood, self.keep, share, self.visible.any(1))


def _score_words(words: WordCaches, embeddings: Tensor, batch: Batch, counted: Tensor) -> _Scored:
    followed = follow(words.candidates, words.candidates.start(batch.snapshots), batch.previous)
    features = batch.features.select(counted)
    parts = words.scorer.of_words(followed.slots.words, embeddings)
    scores = words.scorer(words.scorer.step(features), parts.index_select(0, counted.nonzero()[:, 0]))
    return _Scored(
        scores.float(),
        followed.offered[counted],
        followed.visible[counted],
        words.gate(features).float(),
        batch.target[counted],
    )


class MemoryTrainer:
    """Adam on the memories' parameters, within a time budget."""

    def __init__(self, model: RememberingModel, settings: SecondPass, folder: Path) -> None:
        self.model = model
        self.settings = settings
        self.folder = folder
        self.parameters = [p for name, p in model.named_parameters() if not name.startswith("base.")]
        self.optimizer = torch.optim.Adam(self.parameters, lr=settings.learning_rate, betas=(0.9, 0.98))
        self.best = math.inf
        self.update = 0
        self._generator = torch.Generator().manual_seed(settings.seed)

    def run(self, train: DocumentSamples, dev: DocumentSamples) -> None:
        """Train for the time allowed; save, and end with, the weights that score best on dev."""
        settings = self.settings
        samples = train.forever(settings.pool, settings.seed)
        self.model.base.eval()
        self._score(dev, 0.0)
        with tqdm(total=round(settings.minutes * 60), unit="s", desc="second pass") as bar:
            spent, since, mean = 0.0, 0.0, math.nan
            while spent < settings.minutes * 60:
                started = time.monotonic()
                loss = self._train_one(train, samples, spent / (settings.minutes * 60))
                mean = loss if math.isnan(mean) else 0.98 * mean + 0.02 * loss
                seconds = time.monotonic() - started
                spent, since = spent + seconds, since + seconds
                bar.update(round(spent) - bar.n)
                bar.set_postfix({"gain": f"{mean:.4f}"})
                if since > settings.score_every * 60:
                    self._score(dev, spent)
                    since = 0.0
        self._score(dev, spent)
        self.model.load_memory_state(load_file(self.folder / MEMORY_WEIGHTS))

    def _train_one(self, train: DocumentSamples, samples: Iterator[Sample], share: float) -> float:
        """One update; returns how much the loss a piece is below the base's."""
        batch = train.batch([next(samples) for _ in range(self.settings.batch)])
        counted = self._choose(batch.target != PAD)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.settings.bfloat16):
            base, cached, words, both = batch_log_probs(self.model, batch, counted)
        assert base is not None
        if both is not None and self.settings.together:
            likelihoods = [both]
        else:
            likelihoods = [part for part in (cached, words) if part is not None]
        loss = -torch.stack([likelihood.mean() for likelihood in likelihoods]).sum()
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * (1 - 0.9 * share) * min(1.0, (self.update + 1) / 50)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.update += 1
        return float((likelihoods[-1].detach() - base).mean())

    def _choose(self, real: Tensor) -> Tensor:
        places = real.flatten().nonzero()[:, 0]
        chosen = places[torch.randperm(len(places), generator=self._generator)[: self.settings.positions]]
        counted = torch.zeros(real.numel(), dtype=torch.bool)
        counted[chosen] = True
        return counted.view_as(real)

    def _score(self, dev: DocumentSamples, spent: float) -> None:
        losses = dev_losses(self.model, dev)
        record = {"update": self.update, "seconds": round(spent), **losses}
        tqdm.write("dev loss a piece: " + json.dumps(record))
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / _CURVE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        total = sum(loss for name, loss in losses.items() if name != "base")
        if total < self.best:
            self.best = total
            save_memories(self.folder, self.model)


@torch.inference_mode()
def dev_losses(model: RememberingModel, dev: DocumentSamples, batch: int = 12) -> dict[str, float]:
    """Cross-entropy in nats a piece without memory, with each memory, and with both."""
    sums: dict[str, float] = {}
    pieces = 0
    waiting: list[Sample] = []
    total = sum(len(document) for document in dev.store.documents)
    for number, sample in enumerate(dev.all(), 1):
        waiting.append(sample)
        if len(waiting) == batch or number == total:
            given = dev.batch(waiting)
            counted = given.target != PAD
            for name, log_probs in zip(_NAMES, batch_log_probs(model, given, counted), strict=True):
                if log_probs is not None:
                    sums[name] = sums.get(name, 0.0) - float(log_probs.sum())
            pieces += int(counted.sum())
            waiting = []
    return {name: round(value / pieces, 5) for name, value in sums.items()}


def save_memories(folder: Path, model: RememberingModel) -> None:
    """Write the memories' weights and configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(model.memory_state(), folder / MEMORY_WEIGHTS)
    (folder / MEMORY_CONFIG).write_text(json.dumps(to_dict(model.config), indent=1), "utf-8")

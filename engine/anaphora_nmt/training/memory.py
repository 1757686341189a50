"""The second pass: training of memories on a frozen base model (Tu et al., 2018, eq. 10).

The constants of memories are not trained, but fitted: they maximise the likelihood of references,
where all earlier references of the same document count as confirmed.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.memory.contents import Origin
from anaphora_nmt.memory.protocol import FittingSample, Reading
from anaphora_nmt.memory.registry import MemoryConfig, registered
from anaphora_nmt.memory.topics import Topic, TopicModel
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.devices import mixed_precision
from anaphora_nmt.nn.state import Features
from anaphora_nmt.text.vocabulary import PAD, Vocabulary, load_source_vocabulary
from anaphora_nmt.training.checkpoint import load_checkpoint, save_checkpoint
from anaphora_nmt.training.loading import load_data
from anaphora_nmt.training.memory_samples import (
    DocumentSamples,
    FeatureStore,
    MemoryBatch,
    OwnDrafts,
    Sample,
    choose_documents,
    compute_features,
    draft_documents,
)

MEMORY_WEIGHTS, _CURVE = "memory.safetensors", "memory_curve.jsonl"
BASE, TOGETHER = "base", "together"
"""Keys of losses; the other keys are the memories' names."""


@dataclass(frozen=True)
class SecondPass:
    """How to train the memories.

    Attributes:
        updates: number of updates; 0 trains nothing.
        sentences, dev_sentences: number of training and dev sentences whose features are computed.
        shortest: minimum number of sentences of a document.
        longest: maximum number of pieces of a sentence; longer ones are left out.
        batch: number of sentences in an update.
        positions: number of random target positions of a batch that enter the loss, to save time; 0 for all.
        pool: number of sentences that are shuffled together. They must come from many documents, or updates
            would oscillate between documents.
        learning_rate: Adam's peak rate, which falls to a tenth.
        drafted: share of sentences whose draft by the model enters the history instead of the reference.
        score_updates: number of updates after which dev is scored and a checkpoint made; the best is kept.
        bfloat16: compute matrix products in bfloat16 if the device supports it (`nn/devices.py`).
        seed: seed for choosing documents and shuffling.
    """

    updates: int = 2000
    sentences: int = 24000
    dev_sentences: int = 1000
    shortest: int = 8
    longest: int = 120
    batch: int = 32
    positions: int = 320
    pool: int = 1500
    learning_rate: float = 7e-4
    drafted: float = 0.0
    score_updates: int = 250
    bfloat16: bool = True
    seed: int = 1


def second_pass(
    base: TranslationModel,
    target_pieces: Vocabulary,
    prepared: Path,
    topics: TopicModel | None,
    config: MemoryConfig,
    folder: Path,
    settings: SecondPass,
) -> tuple[MemoryTrainer, DocumentSamples, DocumentSamples]:
    """A new trainer of memories, and its training and dev documents. CorpusError if all are too short."""
    torch.manual_seed(settings.seed)
    model = MemoryAugmentedModel(base, config, WordVocabulary(target_pieces)).to(
        base.decoder.embeddings.device
    )
    base.requires_grad_(False)
    source_pieces = load_source_vocabulary(prepared / "source.model", base.config.encoder.kind)
    samples: list[DocumentSamples] = []
    for name, count in (("train", settings.sentences), ("dev", settings.dev_sentences)):
        data = replace(load_data(prepared, name), links=None)
        chosen = choose_documents(data.corpus, count, settings.shortest, settings.longest, settings.seed)
        if not chosen:
            raise CorpusError(
                f"no document of {name} has {settings.shortest} sentences "
                f"of {settings.longest} pieces at most; use corpora with documents"
            )
        references, drafted = compute_features(base, data, chosen, settings.bfloat16), None
        if settings.drafted:
            corpus = draft_documents(base, data, chosen, source_pieces, target_pieces)
            store = compute_features(base, replace(data, corpus=corpus), chosen, settings.bfloat16)
            drafted = OwnDrafts(store, settings.drafted)
        target = target_pieces if name == "train" else None
        inferred = document_topics(references, topics, source_pieces, target)
        samples.append(DocumentSamples(model, references, inferred, drafted))
    return MemoryTrainer(model, settings, folder), samples[0], samples[1]


def document_topics(
    store: FeatureStore, topics: TopicModel | None, source: Vocabulary, target: Vocabulary | None
) -> list[Topic | None]:
    """The documents' topics, inferred from targets (sources if `target` is None); None without `topics`."""
    inferred: list[Topic | None] = []
    for document in store.documents:
        if topics is None:
            inferred.append(None)
        elif target is not None:
            inferred.append(topics.infer_target([target.decode(store.corpus.target[n]) for n in document]))
        else:
            inferred.append(topics.infer([source.decode(store.corpus.source[n]) for n in document]))
    return inferred


@dataclass(frozen=True)
class MemoryLogProbs:
    """log p of N target pieces without memory, with each non-empty memory alone, and with all memories."""

    base: Tensor
    alone: Mapping[str, Tensor]
    together: Tensor


def memory_log_probs(model: MemoryAugmentedModel, batch: MemoryBatch, counted: Tensor) -> MemoryLogProbs:
    """log p of the N target pieces for which `counted` [B, T] is True."""
    target, base = batch.target[counted], batch.log_probs[counted]
    readings = model.read(batch.steps, model.source(), batch.snapshots, counted=counted)
    output = _OutputLayer(model, batch.steps.features.select(counted))
    alone = {
        name: reading.fuse_target(output.log_probs([reading]), target) for name, reading in readings.items()
    }
    together = [*alone.values(), base][0]
    if len(readings) > 1:
        *earlier, last = readings.values()
        log_probs = output.log_probs([*earlier, last])
        for reading in earlier:
            log_probs = reading.fuse_log_probs(log_probs)
        together = last.fuse_target(log_probs, target)
    return MemoryLogProbs(base, alone, together)


class _OutputLayer:
    """Computes log p over the vocabulary at some steps, once for each set of readings that change states."""

    def __init__(self, model: MemoryAugmentedModel, features: Features) -> None:
        self._model, self._features = model, features
        self._known: dict[tuple[int, ...], Tensor] = {}

    def log_probs(self, readings: Sequence[Reading]) -> Tensor:
        deep = [reading for reading in readings if reading.deep]
        key = tuple(map(id, deep))
        if key not in self._known:
            self._known[key] = self._model.log_probs_after(self._features, deep)
        return self._known[key]


class MemoryTrainer:
    """Trains the memories' parameters with Adam.

    Attributes:
        best: lowest score on dev so far, a sum of losses.
        update: number of updates so far.
        seconds: time of these updates, including those before an interruption.
        pieces_seen: number of target pieces that entered the loss.
    """

    def __init__(self, model: MemoryAugmentedModel, settings: SecondPass, folder: Path) -> None:
        self.model = model
        self.settings = settings
        self.folder = folder
        self.parameters = list(model.attached.parameters())
        groups = [{"params": self.parameters}]  # Adam accepts an empty group, but not an empty list
        self.optimizer = torch.optim.Adam(groups, lr=settings.learning_rate, betas=(0.9, 0.98))
        self.best = math.inf
        self.update = 0
        self.seconds = 0.0
        self.pieces_seen = 0

    def resume(self) -> bool:
        last = self.folder / "last"
        if not last.exists() and not last.with_name("last.old").exists():
            return False
        state = load_checkpoint(last, self.model, self.optimizer)
        self.update, self.best, self.seconds = state["update"], state["best"], state["spent"]
        self.pieces_seen = state["pieces_seen"]
        return True

    @property
    def is_finished(self) -> bool:
        return self.update >= self.settings.updates

    def run(self, train: DocumentSamples, dev: DocumentSamples, minutes: float = math.inf) -> None:
        """Train for at most `minutes`; a finished run loads the weights with the best score on dev."""
        settings, started = self.settings, time.monotonic()
        samples = train.endless_samples(settings.pool, settings.seed, self.update * settings.batch)
        if self.update == 0:
            self._score(dev)
        with tqdm(total=settings.updates, initial=self.update, unit="update", desc="memory") as bar:
            while not self.is_finished:
                gain = self._train_one(train, samples)
                bar.update()
                bar.set_postfix({"gain": f"{gain:.4f}"}, refresh=False)
                is_late = time.monotonic() - started > minutes * 60
                is_due = self.update % settings.score_updates == 0
                if is_due or self.is_finished:
                    self._score(dev)
                if is_due or self.is_finished or is_late:
                    state = {"update": self.update, "best": self.best, "spent": self.seconds}
                    state["pieces_seen"] = self.pieces_seen
                    save_checkpoint(self.folder / "last", self.model, self.optimizer, state)
                if is_late and not self.is_finished:
                    return
        self.model.load_memory_state(load_file(self.folder / MEMORY_WEIGHTS))

    def _train_one(self, train: DocumentSamples, samples: Iterator[Sample]) -> float:
        """Make one update; return how much the last trainable memory lowers the loss, in nats per piece."""
        settings, started = self.settings, time.monotonic()
        share = self.update / settings.updates
        chosen = [next(samples) for _ in range(settings.batch)]
        counted = self._choose([train.length(sample) for sample in chosen])
        self.model.base.eval()
        self.optimizer.zero_grad(set_to_none=True)
        gain, pieces = 0.0, int(sum(part.sum() for part in counted))
        with mixed_precision(self.model.device, settings.bfloat16):
            batch = train.batch(chosen)
            is_counted = pad_sequence(list(counted), batch_first=True).to(batch.target.device)
            scores = memory_log_probs(self.model, batch, is_counted)
        trainable = [value for value in scores.alone.values() if value.requires_grad]
        if trainable:  # at least one memory with parameters is not empty
            (-torch.stack([likelihood.sum() for likelihood in trainable]).sum() / pieces).backward()
            gain = float((trainable[-1].detach() - scores.base.detach()).sum()) / pieces
        self.update += 1
        self.pieces_seen += pieces
        for group in self.optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1 - 0.9 * share) * min(1.0, self.update / 50)
        if trainable:
            torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.optimizer.step()
        self.seconds += time.monotonic() - started
        return gain

    def _choose(self, lengths: Sequence[int]) -> tuple[Tensor, ...]:
        """For sentences of these lengths, masks of the random target positions that enter the loss."""
        # A generator for each update lets a continued run make the same choice as an uninterrupted one.
        generator = torch.Generator().manual_seed(self.settings.seed * 1_000_003 + self.update)
        total = sum(lengths)
        counted = torch.zeros(total, dtype=torch.bool)
        counted[torch.randperm(total, generator=generator)[: self.settings.positions or None]] = True
        return counted.split(list(lengths))

    def _score(self, dev: DocumentSamples) -> None:
        losses = dev_losses(self.model, dev)
        total = sum(loss for name, loss in losses.items() if name != BASE)
        record = {"update": self.update, "seconds": round(self.seconds), **losses}
        tqdm.write("dev loss per piece: " + json.dumps(record))
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / _CURVE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        if total < self.best:
            self.best = total
            save_file(self.model.memory_state(), self.folder / MEMORY_WEIGHTS)


@torch.inference_mode()
def dev_losses(model: MemoryAugmentedModel, dev: DocumentSamples) -> dict[str, float]:
    """Losses in nats per piece: without memory, with each memory alone, and with all if there are several."""
    samples, sums, pieces = dev.samples(), dict[str, float](), 0
    while chosen := list(islice(samples, 12)):
        batch = dev.batch(chosen)
        counted = batch.target != PAD
        scores = memory_log_probs(model, batch, counted)
        # With an empty memory, the model equals the base.
        choices = {name: scores.alone.get(name, scores.base) for name in model.memories}
        choices = {BASE: scores.base, **choices}
        if len(model.memories) > 1:
            choices[TOGETHER] = scores.together
        for name, log_probs in choices.items():
            sums[name] = sums.get(name, 0.0) - float(log_probs.sum())
        pieces += int(counted.sum())
    return {name: round(value / pieces, 5) for name, value in sums.items()}


_BATCH = 16
_MAX_SENTENCES = 2000
"""Maximum number of sentences for fitting, enough for a few constants."""


def fit_constants(
    base: TranslationModel,
    vocabulary: WordVocabulary,
    train: FeatureStore,
    dev: FeatureStore,
    config: MemoryConfig,
) -> tuple[MemoryConfig, dict[str, float]]:
    """The configuration with constants fitted on `train`, and `dev_losses` with a confirmed history.

    The losses are {} if no memory has constants to fit.
    """
    fitted = {name: each for name, each in config.memories.items() if registered(name).fits_constants}
    if not fitted:
        return config, {}
    samples = _confirmed_samples(base, vocabulary, fitted, train)
    for name, memory in samples.model.memories.items():
        with torch.no_grad():
            evidence = [memory.evidence(_fitting_sample(samples, name, part)) for part in _batches(samples)]
        fitted[name] = memory.fit(evidence)
    dev_samples = _confirmed_samples(base, vocabulary, fitted, dev)
    losses = dev_losses(dev_samples.model, dev_samples)
    return config.with_memories(**fitted), losses


def _confirmed_samples(
    base: TranslationModel, vocabulary: WordVocabulary, memories: dict, store: FeatureStore
) -> DocumentSamples:
    device = base.decoder.embeddings.device
    model = MemoryAugmentedModel(base, MemoryConfig(memories), vocabulary).to(device).eval()
    return DocumentSamples(model, store, [None] * len(store.documents), origin=Origin.CONFIRMED)


def _batches(samples: DocumentSamples) -> Iterator[list[Sample]]:
    chosen = islice((sample for sample in samples.samples() if sample.snapshot.clock), _MAX_SENTENCES)
    while batch := list(islice(chosen, _BATCH)):
        yield batch


def _fitting_sample(samples: DocumentSamples, name: str, chosen: Sequence[Sample]) -> FittingSample:
    model, batch = samples.model, samples.batch(chosen)
    contents = [snapshot.contents[name] for snapshot in batch.snapshots]
    return FittingSample(
        batch.steps,
        model.memories[name].gather(contents, model.source()),
        batch.target,
        batch.target != PAD,
        model.log_probs_after(batch.steps.features, []),
    )

"""Sentences of documents with the memories before them, as the second pass reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot, Origin, contribution
from anaphora_nmt.memory.protocol import TargetSteps
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Features, shift_right
from anaphora_nmt.text.vocabulary import BOS, PAD
from anaphora_nmt.training.features import FeatureStore


@dataclass(frozen=True, slots=True)
class Sample:
    sentence: int
    snapshot: MemorySnapshot


@dataclass(frozen=True)
class Drafted:
    """The model's own drafts of the same sentences.

    Attributes:
        store: their features.
        share: how many of a document's sentences have them, not the reference, in the memory; the others
            stand for what a translator confirmed. The choice is the same for each pass over the document.
    """

    store: FeatureStore
    share: float


class DocumentSamples:
    """The sentences of documents, each with the memory that the references (or drafts) before it make."""

    def __init__(
        self,
        model: MemoryAugmentedModel,
        store: FeatureStore,
        topics: Sequence[Topic | None],
        drafted: Drafted | None = None,
        origin: Origin = Origin.DRAFT,
    ) -> None:
        self.model = model
        self.store = store
        self.drafted = drafted
        self._origin = origin
        self._empty = [model.config.empty(DocumentInfo(model.vocabulary, topic)) for topic in topics]

    def document(self, number: int) -> Iterator[Sample]:
        snapshot = self._empty[number]
        for index, sentence in enumerate(self.store.documents[number]):
            yield Sample(int(sentence), snapshot)
            history = self._history(int(sentence))
            span = history.span(sentence)
            given = contribution(
                history.corpus.target[sentence][:-1],
                history.contexts[span][:-1],
                history.states[span][:-1],
                self.model.vocabulary,
                self.model.config.kept_steps,
                self._origin if history is self.store else Origin.DRAFT,
            )
            snapshot = snapshot.after(given, index)

    def _history(self, sentence: int) -> FeatureStore:
        if self.drafted is None or np.random.default_rng(sentence).random() >= self.drafted.share:
            return self.store
        return self.drafted.store

    def all(self) -> Iterator[Sample]:
        for number in range(len(self.store.documents)):
            yield from self.document(number)

    def forever(self, pool: int, seed: int, skip: int = 0) -> Iterator[Sample]:
        """Sentences without end, shuffled within pools of whole documents, without the first `skip`."""
        generator = np.random.default_rng(seed)
        waiting: list[int] = []
        size = 0
        while True:
            for number in generator.permutation(len(self.store.documents)):
                waiting.append(int(number))
                size += len(self.store.documents[number])
                if size < pool:
                    continue
                order = generator.permutation(size)
                if skip < size:
                    samples = [sample for document in waiting for sample in self.document(document)]
                    yield from (samples[place] for place in order[skip:])
                skip, waiting, size = max(0, skip - size), [], 0

    def length(self, sample: Sample) -> int:
        span = self.store.span(sample.sentence)
        return span.stop - span.start

    def batch(self, samples: Sequence[Sample]) -> Batch:
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
        device = self.model.device
        ids = torch.from_numpy(target).to(device)
        embedding = self.model.base.decoder.embeddings[shift_right(ids, BOS)]
        features = Features(
            torch.from_numpy(states).to(device), torch.from_numpy(contexts).to(device), embedding
        )
        snapshots = tuple(sample.snapshot for sample in samples)
        steps = self.model.steps(features, ids)
        return Batch(steps, ids, torch.from_numpy(log_probs).to(device), snapshots)


@dataclass(frozen=True)
class Batch:
    """Sentences with their memories; pieces [B, T] and their log-probabilities without memory [B, T]."""

    steps: TargetSteps
    target: Tensor
    log_probs: Tensor
    snapshots: tuple[MemorySnapshot, ...]

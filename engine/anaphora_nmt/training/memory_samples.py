"""Sentences of documents with their memories, for the second pass.

The decoder features of reference translations, or of greedy drafts, are computed only once, because the base
model is frozen (Tu et al., 2018, section 3.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from anaphora_nmt.data.batches import FORWARD_TOKENS, batches_by_length, document_starts
from anaphora_nmt.data.binary_corpus import BinaryCorpus, join_sentences, pad
from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot, Origin, contribution
from anaphora_nmt.memory.protocol import TargetSteps
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.devices import mixed_precision
from anaphora_nmt.nn.state import Features, shift_right
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.search.constraints import Constraints, PieceTable
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary
from anaphora_nmt.training.loop import TrainingData, encode_sources


@dataclass(frozen=True)
class FeatureStore:
    """Features of the targets of some documents of a corpus.

    Attributes:
        documents: indices of the sentences of each document, in order.
        rows: first row of each sentence in the arrays below, by the sentence's index.
        contexts, states: c_t and s_t, float16 [pieces, C] and [pieces, D].
        log_probs: log p(y_t) of each target piece without memory, float32 [pieces].
    """

    corpus: BinaryCorpus
    documents: tuple[np.ndarray, ...]
    rows: dict[int, int]
    contexts: np.ndarray
    states: np.ndarray
    log_probs: np.ndarray

    def span(self, sentence: int) -> slice:
        start = self.rows[sentence]
        return slice(start, start + len(self.corpus.target[sentence]))


def choose_documents(
    corpus: BinaryCorpus, sentences: int, min_sentences: int, max_pieces: int, seed: int
) -> tuple[np.ndarray, ...]:
    """Choose random documents until they have `sentences` sentences; return each document's sentence indices.

    Only sentences of at most `max_pieces` pieces on both sides count. Documents with fewer than
    `min_sentences` of these are skipped; every other document contributes at most 200.
    """
    short = np.maximum(corpus.source.lengths, corpus.target.lengths) <= max_pieces
    starts = document_starts(corpus.document)
    counts = np.add.reduceat(short, starts[:-1], dtype=np.int64)
    documents = np.flatnonzero(counts >= min_sentences)
    chosen: list[np.ndarray] = []
    total = 0
    for number in np.random.default_rng(seed).permutation(len(documents)):
        if total >= sentences:
            break
        start, end = (int(starts[documents[number] + place]) for place in (0, 1))
        chosen.append((start + np.flatnonzero(short[start:end]))[:200])
        total += len(chosen[-1])
    return tuple(chosen)


@torch.inference_mode()
def compute_features(
    model: TranslationModel, data: TrainingData, documents: tuple[np.ndarray, ...], bfloat16: bool = False
) -> FeatureStore:
    """Compute features by forced decoding of the corpus's targets, in bfloat16 if requested and supported."""
    device = model.decoder.embeddings.device
    order = np.concatenate(documents)
    order = order[np.argsort(data.corpus.target.lengths_of(order), kind="stable")]
    lengths = data.corpus.target.lengths_of(order)
    starts = np.r_[0, np.cumsum(lengths)]
    pieces = int(starts[-1])
    states = np.empty((pieces, model.decoder.width), np.float16)
    contexts = np.empty((pieces, model.decoder.context_width), np.float16)
    log_probs = np.empty(pieces, np.float32)
    model.eval()
    spans = list(batches_by_length(lengths, FORWARD_TOKENS, FORWARD_TOKENS // 16))
    for span in tqdm(spans, unit="batch", desc="features"):
        target = torch.from_numpy(pad(data.corpus.target, order[span])).to(device)
        real = target != PAD
        with mixed_precision(device, bfloat16):
            features = model.force_decode(encode_sources(model, data, order[span]), target).select(real)
            logits = model.decoder.logits(features).float()
        rows = slice(int(starts[span.start]), int(starts[span.stop]))
        states[rows], contexts[rows] = (
            part.to(torch.float16).cpu().numpy() for part in (features.state, features.context)
        )
        picked = logits.log_softmax(-1).gather(1, target[real][:, None])[:, 0]
        log_probs[rows] = picked.cpu().numpy()
    first_rows = dict(zip(order.tolist(), starts[:-1].tolist(), strict=True))
    return FeatureStore(data.corpus, documents, first_rows, contexts, states, log_probs)


_GREEDY_PENALTY = 6.0  # see `search.constraints.Constraints`
_MAX_RATIO = 2.0
"""Maximum number of a draft's pieces divided by that of the source; ten more are always allowed."""


@torch.inference_mode()
def draft_documents(
    model: TranslationModel,
    data: TrainingData,
    documents: Sequence[np.ndarray],
    source_pieces: Vocabulary,
    target_pieces: Vocabulary,
) -> BinaryCorpus:
    """The corpus with greedy drafts (without memory) as targets of `documents`; other targets are empty."""
    augmented = MemoryAugmentedModel(model, MemoryConfig(), WordVocabulary(target_pieces)).eval()
    searcher = augmented.native()
    marks = [frozenset(ids) for ids in source_pieces.placeholder_ids]
    table = PieceTable.of(target_pieces.placeholder_ids, target_pieces.begin_words())
    source = data.corpus.source
    order = np.concatenate(documents)
    order = order[np.argsort(source.lengths_of(order), kind="stable")]
    drafts = [np.array([EOS], np.uint16)] * len(source)
    spans = list(batches_by_length(source.lengths_of(order), FORWARD_TOKENS, FORWARD_TOKENS // 16))
    for span in tqdm(spans, unit="batch", desc="drafts"):
        sources = [source[sentence].tolist() for sentence in order[span]]
        encoded = encode_sources(searcher.base, data, order[span])
        state = searcher.start(encoded, [MemorySnapshot()] * len(sources))
        limits = [int(_MAX_RATIO * len(ids)) + 10 for ids in sources]
        required = [[sum(piece in mark for piece in ids) for mark in marks] for ids in sources]
        constraints = Constraints(table, required, _GREEDY_PENALTY)
        hypotheses = beam_search(searcher, state, limits, BeamOptions(1), [constraints])
        for sentence, best in zip(order[span], hypotheses, strict=True):
            pieces = [piece for piece in best[0].pieces if piece != EOS]
            drafts[sentence] = np.array([*pieces, EOS], np.uint16)
    return replace(data.corpus, target=join_sentences(drafts))


@dataclass(frozen=True, slots=True)
class Sample:
    """The index of a sentence, and the memory before it."""

    sentence: int
    snapshot: MemorySnapshot


@dataclass(frozen=True)
class OwnDrafts:
    """The model's own drafts of the same sentences.

    Attributes:
        store: features of the drafts.
        share: share of sentences whose draft enters the memory instead of the reference. The choice depends
            only on the sentence, so it is the same in every pass over a document.
    """

    store: FeatureStore
    share: float


class DocumentSamples:
    """The sentences of documents, each with the memory of the references or drafts before it."""

    def __init__(
        self,
        model: MemoryAugmentedModel,
        store: FeatureStore,
        topics: Sequence[Topic | None],
        drafted: OwnDrafts | None = None,
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
            new = contribution(
                history.corpus.target[sentence][:-1],
                history.contexts[span][:-1],
                history.states[span][:-1],
                self.model.vocabulary,
                self.model.config.kept_steps,
                self._origin if history is self.store else Origin.DRAFT,
            )
            snapshot = snapshot.after(new, index)

    def _history(self, sentence: int) -> FeatureStore:
        if self.drafted is None or np.random.default_rng(sentence).random() >= self.drafted.share:
            return self.store
        return self.drafted.store

    def samples(self) -> Iterator[Sample]:
        for number in range(len(self.store.documents)):
            yield from self.document(number)

    def endless_samples(self, pool: int, seed: int, skip: int = 0) -> Iterator[Sample]:
        """Endless samples after the first `skip`, shuffled within groups of at least `pool` sentences."""
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
                    yield from (samples[index] for index in order[skip:])
                skip, waiting, size = max(0, skip - size), [], 0

    def length(self, sample: Sample) -> int:
        return len(self.store.corpus.target[sample.sentence])

    def batch(self, samples: Sequence[Sample]) -> MemoryBatch:
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
        return MemoryBatch(steps, ids, torch.from_numpy(log_probs).to(device), snapshots)


@dataclass(frozen=True)
class MemoryBatch:
    """Sentences with their memories, target pieces [B, T], and log-probabilities without memory [B, T]."""

    steps: TargetSteps
    target: Tensor
    log_probs: Tensor
    snapshots: tuple[MemorySnapshot, ...]

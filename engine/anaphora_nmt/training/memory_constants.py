"""Constants of memories that are fitted, not trained: on references whose history is confirmed.

With forced decoding, the sentences before are confirmed, and the next reference is to be likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import torch

from anaphora_nmt.memory.contents import Origin
from anaphora_nmt.memory.protocol import FittingSample
from anaphora_nmt.memory.registry import MemoryConfig, registered
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.training.features import FeatureStore
from anaphora_nmt.training.memory import dev_losses
from anaphora_nmt.training.memory_samples import DocumentSamples, Sample

_BATCH = 16
_SENTENCES = 2000  # a few numbers are fitted


def fit_constants(
    base: TranslationModel,
    vocabulary: WordVocabulary,
    train: FeatureStore,
    dev: FeatureStore,
    config: MemoryConfig,
) -> tuple[MemoryConfig, dict[str, float]]:
    """The configuration with fitted constants, and cross-entropies on dev in nats a piece.

    "base" and by memory, every reference confirmed before the next sentence.
    """
    fitted = {name: given for name, given in config.memories.items() if registered(name).fits_constants}
    if not fitted:
        return config, {}
    samples = _confirmed(base, vocabulary, fitted, train)
    for name, memory in samples.model.memories.items():
        with torch.no_grad():
            evidence = [memory.evidence(_fitting_sample(samples, name, some)) for some in _batches(samples)]
        fitted[name] = memory.fit(evidence)
    compared = _confirmed(base, vocabulary, fitted, dev)
    losses = dev_losses(compared.model, compared)
    return config.with_memories(**fitted), losses


def _confirmed(
    base: TranslationModel, vocabulary: WordVocabulary, memories: dict, store: FeatureStore
) -> DocumentSamples:
    device = base.decoder.embeddings.device
    model = MemoryAugmentedModel(base, MemoryConfig(memories), vocabulary).to(device).eval()
    return DocumentSamples(model, store, [None] * len(store.documents), origin=Origin.CONFIRMED)


def _batches(samples: DocumentSamples) -> Iterator[list[Sample]]:
    chosen = islice((sample for sample in samples.all() if sample.snapshot.clock), _SENTENCES)
    while waiting := list(islice(chosen, _BATCH)):
        yield waiting


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

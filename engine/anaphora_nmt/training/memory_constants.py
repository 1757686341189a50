"""Constants of memories that are fitted, not trained: on references whose history is confirmed.

With forced decoding, the sentences before are confirmed, and the next reference is to be likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from anaphora_nmt.memory.contents import Origin
from anaphora_nmt.memory.protocol import FittingSample, Memory
from anaphora_nmt.memory.registry import MemoryConfig, registered
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.training.features import choose_documents, compute_features
from anaphora_nmt.training.loading import load_data
from anaphora_nmt.training.memory import SecondPass, dev_losses
from anaphora_nmt.training.memory_samples import DocumentSamples, Sample
from anaphora_nmt.training.world import World

_BATCH = 16
_SENTENCES = 2000  # a few numbers are fitted


def fit_constants(
    base: TranslationModel,
    vocabulary: WordVocabulary,
    prepared: Path,
    folder: Path,
    settings: SecondPass,
    config: MemoryConfig,
) -> tuple[MemoryConfig, dict[str, float]]:
    """Fit the constants of `config` on the documents of a second pass.

    Args:
        folder: where the documents' features lie, or are computed.
    Returns:
        the configuration, and cross-entropies on dev in nats a piece with every reference confirmed before
        the next sentence: "base", and by memory.
    """
    fitted = {name: given for name, given in config.memories.items() if registered(name).fits_constants}
    if not fitted:
        return config, {}
    device, world = base.decoder.embeddings.device, World.join()
    model = MemoryAugmentedModel(base, MemoryConfig(fitted), vocabulary).to(device).eval()
    train = _samples(model, prepared, "train", folder, settings)
    for name, memory in model.memories.items():
        evidence = partial(_evidence, memory, train)
        found = list(world.map(evidence, batches(train, _SENTENCES)))
        fitted[name] = world.first(partial(memory.fit, found))
    model = MemoryAugmentedModel(base, MemoryConfig(fitted), vocabulary).to(device).eval()
    losses = dev_losses(model, _samples(model, prepared, "dev", folder, settings))
    return config.with_memories(**fitted), losses


def _samples(
    model: MemoryAugmentedModel, prepared: Path, name: str, folder: Path, settings: SecondPass
) -> DocumentSamples:
    """Documents of the corpus `name` ("train" or "dev"), each sentence confirmed before the next."""
    data = load_data(prepared, name, model.base.config.encoder)
    count = settings.sentences if name == "train" else settings.dev_sentences
    chosen = choose_documents(data.corpus, count, settings.shortest, settings.longest, settings.seed)
    path = folder / f"features.{name}"
    store = compute_features(model.base, data, chosen, path, bfloat16=settings.bfloat16)
    return DocumentSamples(model, store, [None] * len(chosen), origin=Origin.CONFIRMED)


def batches(samples: DocumentSamples, sentences: int) -> Iterator[list[Sample]]:
    """Up to so many sentences, in batches; those without a history are left out."""
    chosen = islice((sample for sample in samples.all() if sample.snapshot.clock), sentences)
    while waiting := list(islice(chosen, _BATCH)):
        yield waiting


@torch.no_grad()
def _evidence(memory: Memory, samples: DocumentSamples, chosen: Sequence[Sample]) -> Any:
    return memory.evidence(fitting_sample(samples, memory.name, chosen))


@torch.no_grad()
def fitting_sample(samples: DocumentSamples, name: str, chosen: Sequence[Sample]) -> FittingSample:
    """Sentences for one memory."""
    model, batch = samples.model, samples.batch(chosen)
    contents = [snapshot.contents[name] for snapshot in batch.snapshots]
    return FittingSample(
        batch.steps,
        model.memories[name].gather(contents, model.source()),
        batch.target,
        batch.target != PAD,
        model.log_probs_after(batch.steps.features, []),
    )

"""Fitting of the constants of a model's memories on confirmed references."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.errors import TooLittleTextError
from anaphora_nmt.imported.loading import load_model, rewrite_memory
from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot
from anaphora_nmt.memory.document import DocumentMemory
from anaphora_nmt.memory.protocol import FittingSample
from anaphora_nmt.memory.registry import MemoryConfig, registered
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.preparing.lines import prepare_pairs
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.steering import MemoryPack
from anaphora_nmt.text.vocabulary import EOS, PAD
from anaphora_nmt.types import FittedMemory

MIN_PAIRS = 10
PART_PAIRS = 25
"""A pack is split into documents of this many pairs, so that some documents can be held out."""
_BATCH, _MAX_PAIRS, _DEV_INTERVAL = 16, 100, 4
"""Number of pairs in a batch, maximum number in a document, and interval between held-out documents."""
_SENTENCES, _DEV_SENTENCES = 2000, 800
Step = Callable[[], None]


class MemoryFit:
    """Fits the constants of a model's memories; `before` has the constants before the fit."""

    def __init__(self, folder: Path, step: Step = lambda: None) -> None:
        self._folder, self._step = folder, step
        self.bundle = load_model(folder)
        configs = self.bundle.memory.memories.items()
        self.before = MemoryConfig({name: each for name, each in configs if registered(name).fits_constants})

    def documents(
        self, train: Path | MemoryPack, dev: Path | None = None
    ) -> tuple[list[ParallelDocument], list[ParallelDocument]]:
        """Documents for fitting and comparison; without `dev`, every fourth document of `train` is held out.

        Raises:
            CorpusError: a file cannot be read.
            TooLittleTextError: there are too few pairs.
        """
        fit = read_long_documents(train)
        if dev is not None:
            other = read_long_documents(dev)
        else:
            other = [each for number, each in enumerate(fit) if number % _DEV_INTERVAL == _DEV_INTERVAL - 1]
            fit = [each for number, each in enumerate(fit) if number % _DEV_INTERVAL != _DEV_INTERVAL - 1]
        if not fit or not other:
            short = train if not fit or dev is None else dev
            size = PART_PAIRS if isinstance(short, MemoryPack) else MIN_PAIRS
            raise TooLittleTextError(
                "There is too little confirmed text in {name} to tune the document memory: {pairs} "
                "segments are needed.",
                name=short.name,
                pairs=(_DEV_INTERVAL - 1) * size + MIN_PAIRS,
            )
        return choose(fit, _SENTENCES), choose(other, _DEV_SENTENCES)

    def fit_constants(self, train: list[ParallelDocument]) -> MemoryConfig:
        configs = dict(self.before.memories)
        for name, memory in drafter_of(self.bundle, self.before).model.memories.items():
            evidence = partial(self._evidence, drafter_of(self.bundle, self.before), name)
            samples = list(chain.from_iterable(map(evidence, train)))
            configs[name] = memory.fit(samples)
        return MemoryConfig(configs)

    def losses(self, config: MemoryConfig, documents: list[ParallelDocument]) -> tuple[float, float]:
        """Loss of the references in nats per piece, without memories and with those of a configuration."""
        drafter = drafter_of(self.bundle, config)

        @torch.inference_mode()
        def measure(document: ParallelDocument) -> list[tuple[float, float, int]]:
            results = []
            for encoded, target, snapshots in self.histories(drafter, document):
                inputs = encoded, target, snapshots
                both = (drafter.model.force_decode(*inputs, use) for use in (frozenset[str](), None))
                without, fused = (float(each.target_log_probs.double().sum()) for each in both)
                results.append((without, fused, int((target != PAD).sum())))
            return results

        batches = list(chain.from_iterable(map(measure, documents)))
        without, fused, pieces = (sum(each) for each in zip(*batches, strict=True)) if batches else (0, 0, 1)
        return -without / pieces, -fused / pieces

    def write(self, config: MemoryConfig) -> None:
        rewrite_memory(self._folder, self.bundle.memory.with_memories(**config.memories))

    def histories(
        self, drafter: Drafter, document: ParallelDocument
    ) -> Iterator[tuple[Encoded, Tensor, list[MemorySnapshot]]]:
        """Batches of encoded sources, references, and memories with all earlier references confirmed."""
        model: MemoryAugmentedModel = drafter.model
        names = [str(number) for number in range(len(document.pairs))]
        memory = DocumentMemory(document.id, names, model.config, DocumentInfo(model.vocabulary))
        for start in range(0, len(names), _BATCH):
            self._step()
            pairs = document.pairs[start : start + _BATCH]
            sources, targets = prepare_pairs(pairs, drafter.source, drafter.target)
            contributions = drafter.contributions(sources, targets)
            for number, contribution in enumerate(contributions, start):
                memory.confirm(number, contribution)
            rows = drafter.padded([[*target.ids, EOS] for target in targets])
            places = range(start, start + len(pairs))
            yield drafter.encode_whole(sources), rows, [memory.before(place) for place in places]

    @torch.inference_mode()
    def _evidence(self, drafter: Drafter, name: str, document: ParallelDocument) -> list[Any]:
        model, samples = drafter.model, []
        memory = model.memories[name]
        for encoded, target, snapshots in self.histories(drafter, document):
            features = model.decode(encoded, target)
            gathered = memory.gather([each.contents[name] for each in snapshots], model.source())
            steps, log_probs = model.steps(features, target), model.log_probs_after(features, ())
            samples.append(memory.evidence(FittingSample(steps, gathered, target, target != PAD, log_probs)))
        return samples


def fit_memory(
    folder: Path, train: Path | MemoryPack, step: Step = lambda: None, dev: Path | None = None
) -> FittedMemory:
    """Fit a model's memories on three quarters of a text; keep the result if the loss on the rest falls.

    Args:
        dev: another corpus for the comparison; the fit then uses the whole of `train`.
        step: called before each batch; an exception from it stops the fit and leaves the model unchanged.
    Raises:
        ModelFileError: the model cannot be read or written.
        CorpusError: see `MemoryFit.documents`.
    """
    fit = MemoryFit(folder, step)
    chosen, held_out = fit.documents(train, dev)
    constants = fit.fit_constants(chosen)
    without, before = fit.losses(fit.before, held_out)
    _, after = fit.losses(constants, held_out)
    if after < before:
        fit.write(constants)
    return FittedMemory(without, before, after, sum(len(each.pairs) for each in chosen))


def read_long_documents(text: Path | MemoryPack) -> list[ParallelDocument]:
    documents = split_pack(text) if isinstance(text, MemoryPack) else read_documents(text)
    return [each for each in documents if len(each.pairs) >= MIN_PAIRS]


def split_pack(pack: MemoryPack) -> Iterator[ParallelDocument]:
    for start in range(0, len(pack.pairs), PART_PAIRS):
        pairs = pack.pairs[start : start + PART_PAIRS]
        yield ParallelDocument(f"{pack.name}-{start}", pack.name, "", pairs)


def choose(documents: Sequence[ParallelDocument], sentences: int) -> list[ParallelDocument]:
    """Shuffled and shortened documents with about `sentences` sentences in total."""
    documents = list(documents)
    random.Random(1).shuffle(documents)
    chosen: list[ParallelDocument] = []
    for each in documents:
        if sum(len(document.pairs) for document in chosen) >= sentences:
            break
        chosen.append(ParallelDocument(each.id, each.source_name, each.licence, each.pairs[:_MAX_PAIRS]))
    return chosen


def drafter_of(bundle: Bundle, config: MemoryConfig) -> Drafter:
    """A drafter for a bundle's model with the memories of `config`, whose parameters are untrained."""
    model = MemoryAugmentedModel(bundle.model, config, WordVocabulary(bundle.target)).eval()
    return Drafter(model, bundle.source, bundle.target)

"""The word caches' scorer and gate, trained for a model whose own weights stay as they are.

The second pass of Tu et al. (2018, eq. 10) on the scorer and the gate of Kuang et al. (2018, eqs. 6 and 9).
The topic cache is left out: it takes topics of both sides (`training/topics.py`). They learn beside the
memories that the model has, as they will be read, so that they do not learn what these say already.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from anaphora_nmt.data.corpus import ParallelDocument
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.loading import is_imported, rewrite_memory, write_memory_weights
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.word_caches import WordCaches, WordCachesConfig
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Features
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.memory_fit import MemoryFit, Sizes, drafter_of
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.types import FittedMemory

_WARM_UP = 20
_PASSES = 6
_RATE = 7e-4
"""Adam's learning rate; it falls to a tenth."""


@dataclass(frozen=True)
class _Sentences:
    """Sentences with the caches before them.

    Attributes:
        features: of all their steps. target: [B, T], padded.
    """

    features: Features
    target: Tensor
    snapshots: list[MemorySnapshot]


def train_word_caches(
    folder: Path,
    train: Path,
    dev: Path | None = None,
    sizes: Sizes = Sizes(),
    keep: bool = True,
) -> FittedMemory:
    """Train the caches of an imported model, and keep them if they are better on what was not trained on.

    Args:
        train: a corpus, a TMX file or a project.
        dev: the same, to compare on; None: every fourth document of `train`.
        keep: whether anything is written.
    Returns:
        nats a piece without memory, with the memories that the model had, and with the caches besides.
    Raises:
        ModelFileError: the model cannot be read or written, or is one of our own.
        CorpusError: see `MemoryFit.documents`.
    """
    if not is_imported(folder):
        raise ModelFileError(
            "{folder} is no model of another toolkit; “anaphora-nmt train” trains the memories of our own.",
            folder=folder,
        )
    work = MemoryFit(folder)
    own, other = work.documents(train, dev, sizes)
    torch.manual_seed(sizes.seed)
    config = WordCachesConfig(topic_size=0)
    before = replace(work.bundle.memory, memories={**work.before.memories})
    after = before.with_memories(**{WordCaches.name: config})
    drafter = drafter_of(work.bundle, after)
    _learn(drafter.model, _sentences(work, drafter, own), sizes.seed)
    tensors = drafter.model.memory_state()
    without, with_old = work.losses(before, other)
    _, with_caches = work.losses(after, other, tensors)
    if keep and with_caches < with_old:
        write_memory_weights(folder, tensors)
        rewrite_memory(folder, after)
    return FittedMemory(without, with_old, with_caches, sum(len(each.pairs) for each in own))


def _sentences(work: MemoryFit, drafter: Drafter, documents: list[ParallelDocument]) -> list[_Sentences]:
    found = []
    for encoded, target, snapshots in work.histories(drafter, documents):
        with torch.inference_mode():
            features = drafter.model.base.force_decode(encoded, target)
        # what was made in inference mode takes no part in what is learnt
        parts = (part.clone() for part in (features.state, features.context, features.embedding))
        found.append(_Sentences(Features(*parts), target, snapshots))
    return found


def _learn(model: MemoryAugmentedModel, sentences: Sequence[_Sentences], seed: int) -> None:
    """Minimise −log p of the references under the mixture of model and memories, as it will be read."""
    model.base.requires_grad_(False)
    parameters = list(model.attached.parameters())
    optimizer = torch.optim.Adam(parameters, lr=_RATE, betas=(0.9, 0.98))
    order, chance = list(sentences), random.Random(seed)
    updates, done = _PASSES * len(order), 0
    for _ in range(_PASSES):
        chance.shuffle(order)
        for each in order:
            done += 1
            if (loss := _loss(model, each)) is None:
                continue
            for group in optimizer.param_groups:
                group["lr"] = _RATE * (1 - 0.9 * done / updates) * min(1.0, done / _WARM_UP)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()


def _loss(model: MemoryAugmentedModel, given: _Sentences) -> Tensor | None:
    """Nats a piece; None where the caches hold nothing yet."""
    counted = given.target != PAD
    steps = model.steps(given.features, given.target)
    readings = model.read(steps, model.source(), given.snapshots, counted=counted)
    if WordCaches.name not in readings:
        return None
    *others, last = readings.values()
    log_probs = model.log_probs_after(given.features.select(counted), readings.values())
    for reading in others:
        log_probs = reading.fuse_log_probs(log_probs)
    return -last.fuse_target(log_probs, given.target[counted]).mean()

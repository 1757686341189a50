"""Greedy drafts of training documents: the history of a document that nobody has worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.data.batches import FORWARD_TOKENS, like_lengths
from anaphora_nmt.data.binary_corpus import BinaryCorpus, joined_side
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.int8_decoder import with_int8_decoder
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.search.constraints import Constraints, PieceTable
from anaphora_nmt.text.vocabulary import EOS, Vocabulary
from anaphora_nmt.training.features import features_key
from anaphora_nmt.training.loop import TrainingData, encode_sources
from anaphora_nmt.training.world import World

_GREEDY_PENALTY = 6.0  # see `Constraints`
_LONGEST_RATIO = 2.0


@torch.inference_mode()
def draft_documents(
    model: TranslationModel,
    data: TrainingData,
    documents: Sequence[np.ndarray],
    pieces: tuple[Vocabulary, Vocabulary],
    path: Path,
) -> BinaryCorpus:
    """The corpus with greedy drafts, without memory, as the targets of some documents; the others have none.

    Args:
        pieces: source and target vocabulary.
        path: the drafts are kept beside it, in an `.npz` file named after the weights, and read from there.
    """
    path = path.with_name(f"{path.name}.{features_key(model, np.concatenate(documents))[:12]}.npz")
    world = World.join()
    if world.first(path.exists):
        return BinaryCorpus.load(path)
    source = data.corpus.source
    search = _Search(model, *pieces)
    drafts: dict[int, np.ndarray] = {}
    order = np.concatenate(documents)
    order = order[np.argsort(source.sizes(order), kind="stable")]
    spans = like_lengths(source.sizes(order), FORWARD_TOKENS, FORWARD_TOKENS // 16)
    batches = [order[span] for span in spans]
    found = world.map(lambda batch: search.draft(data, batch), batches)
    with tqdm(total=len(order), unit="sentence", desc="drafts", disable=world.rank > 0) as bar:
        for batch, written in zip(batches, found, strict=True):
            drafts.update(zip(batch.tolist(), written, strict=True))
            bar.update(len(batch))
    drafted = replace(data.corpus, target=joined_side([drafts.get(n, _NOTHING) for n in range(len(source))]))

    def save() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        drafted.save(path)

    world.first(save)
    return drafted


_NOTHING = np.array([EOS], np.uint16)


class _Search:
    """Greedy search without memory."""

    def __init__(self, model: TranslationModel, source: Vocabulary, target: Vocabulary) -> None:
        self._model = with_int8_decoder(
            MemoryAugmentedModel(model, MemoryConfig(), WordVocabulary(target)).eval()
        )
        self._marks = [frozenset(ids) for ids in source.placeholder_ids]
        self._table = PieceTable.of(target.placeholder_ids, target.begin_letters())

    def draft(self, data: TrainingData, batch: np.ndarray) -> list[np.ndarray]:
        sources = [data.corpus.source[sentence].tolist() for sentence in batch]
        encoded = encode_sources(self._model.base, data, batch)
        state = self._model.start(encoded, [MemorySnapshot()] * len(batch))
        limits = [int(_LONGEST_RATIO * len(ids)) + 10 for ids in sources]
        required = [[sum(piece in mark for piece in ids) for mark in self._marks] for ids in sources]
        constraints = Constraints(self._table, required, _GREEDY_PENALTY)
        found = beam_search(self._model, state, limits, BeamOptions(1), [constraints])
        return [_ended(best[0].pieces) for best in found]


def _ended(pieces: Sequence[int]) -> np.ndarray:
    return np.array([*(piece for piece in pieces if piece != EOS), EOS], np.uint16)

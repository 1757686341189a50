"""Greedy drafts of training documents: the history of a document that nobody has worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
from anaphora_nmt.training.loop import TrainingData, encode_sources

_GREEDY_PENALTY = 6.0  # see `Constraints`
_LONGEST_RATIO = 2.0


@torch.inference_mode()
def draft_documents(
    model: TranslationModel,
    data: TrainingData,
    documents: Sequence[np.ndarray],
    source_pieces: Vocabulary,
    target_pieces: Vocabulary,
) -> BinaryCorpus:
    """The corpus with greedy drafts, without memory, as targets of some documents; others have none."""
    augmented = MemoryAugmentedModel(model, MemoryConfig(), WordVocabulary(target_pieces)).eval()
    searcher = with_int8_decoder(augmented)
    marks = [frozenset(ids) for ids in source_pieces.placeholder_ids]
    table = PieceTable.of(target_pieces.placeholder_ids, target_pieces.begin_letters())
    source = data.corpus.source
    order = np.concatenate(documents)
    order = order[np.argsort(source.sizes(order), kind="stable")]
    drafts = [np.array([EOS], np.uint16)] * len(source)
    spans = list(like_lengths(source.sizes(order), FORWARD_TOKENS, FORWARD_TOKENS // 16))
    for span in tqdm(spans, unit="batch", desc="drafts"):
        sources = [source[sentence].tolist() for sentence in order[span]]
        encoded = encode_sources(searcher.base, data, order[span])
        state = searcher.start(encoded, [MemorySnapshot()] * len(sources))
        limits = [int(_LONGEST_RATIO * len(ids)) + 10 for ids in sources]
        required = [[sum(piece in mark for piece in ids) for mark in marks] for ids in sources]
        constraints = Constraints(table, required, _GREEDY_PENALTY)
        found = beam_search(searcher, state, limits, BeamOptions(1), [constraints])
        for sentence, best in zip(order[span], found, strict=True):
            pieces = [piece for piece in best[0].pieces if piece != EOS]
            drafts[sentence] = np.array([*pieces, EOS], np.uint16)
    return replace(data.corpus, target=joined_side(drafts))

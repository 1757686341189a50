"""What a model makes of its training pairs: how likely it finds each, and its own draft of each.

    python packaging/experiments/judge.py PREPARED MODEL OUT.npz [--no-drafts]

OUT.npz holds `losses` (nats a pair, without memory) and greedy drafts in pieces, as a `Side` has them
(`drafts`, `offsets`).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.data.batches import length_batches
from anaphora_nmt.data.prepare import BinaryCorpus, pad
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle, load_bundle
from anaphora_nmt.models.remembering import RememberingModel
from anaphora_nmt.models.searching import for_search
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.search.constraints import Constraints, PieceTable
from anaphora_nmt.text.pieces import EOS, PAD

BATCH_TOKENS = 3000


@torch.inference_mode()
def judge(bundle: Bundle, corpus: BinaryCorpus, drafts: bool = True) -> tuple[np.ndarray, list[list[int]]]:
    """Losses [N], and the drafts in pieces (empty ones unless they are asked for)."""
    model = for_search(RememberingModel(bundle.model, MemoryConfig(), WordVocabulary(bundle.target)).eval())
    table = PieceTable.of(bundle.target.placeholder_ids, bundle.target.begin_letters(), model.device)
    losses = np.zeros(len(corpus.source), np.float32)
    found: list[list[int]] = [[EOS] for _ in losses]
    lengths = corpus.source.lengths, corpus.target.lengths
    for batch in tqdm(length_batches(*lengths, BATCH_TOKENS, 1, 10**6), unit="batch"):
        source = torch.from_numpy(pad(corpus.source, batch))
        target = torch.from_numpy(pad(corpus.target, batch))
        encoded = model.base.encode(source)
        log_probs = model.base.decoder.logits(model.base.teach(encoded, target)).float().log_softmax(-1)
        losses[batch] = -(log_probs.gather(-1, target[..., None])[..., 0] * (target != PAD)).sum(1).numpy()
        if drafts:
            state = model.start(encoded, [MemorySnapshot()] * len(batch))
            limits = [int(1.6 * length) + 10 for length in lengths[0][batch]]
            required = [required_marks(corpus.source[number], bundle) for number in batch]
            best = beam_search(model, state, limits, BeamOptions(1), Constraints(table, 6.0), required)
            for number, hypotheses in zip(batch, best, strict=True):
                found[number] = list(hypotheses[0].pieces)
    return losses, found


def required_marks(source: np.ndarray, bundle: Bundle) -> list[int]:
    """How often each placeholder stands in a source."""
    return [int(np.isin(source, ids).sum()) for ids in bundle.source.placeholder_ids]


def main() -> None:
    """Judge the pairs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("prepared", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--no-drafts", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    corpus = BinaryCorpus.load(arguments.prepared / "train.npz")
    losses, drafts = judge(load_bundle(arguments.model), corpus, not arguments.no_drafts)
    offsets = np.concatenate(([0], np.cumsum([len(draft) for draft in drafts], dtype=np.int64)))
    np.savez(
        arguments.out,
        losses=losses,
        drafts=np.array([piece for draft in drafts for piece in draft], np.uint16),
        offsets=offsets,
    )


if __name__ == "__main__":
    main()

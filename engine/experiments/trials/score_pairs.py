"""What a model makes of its training pairs: how likely it finds each, and its own draft of each.

    python -m experiments.trials.score_pairs PREPARED MODEL OUT.npz

OUT.npz holds `losses` (nats a pair, without memory) and greedy drafts in pieces, as a `Side` has them
(`drafts`, `offsets`).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.data.batches import length_batches
from anaphora_nmt.data.binary_corpus import BinaryCorpus, pad
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.training.document_drafts import draft_documents
from anaphora_nmt.training.loop import TrainingData

BATCH_TOKENS = 3000


@torch.inference_mode()
def losses(model: TranslationModel, corpus: BinaryCorpus) -> np.ndarray:
    """−log p(target | source) of each pair, in nats, float32 [N]."""
    found = np.zeros(len(corpus.source), np.float32)
    lengths = corpus.source.lengths, corpus.target.lengths
    longest = max(int(each.max()) for each in lengths)
    for batch in tqdm(length_batches(*lengths, BATCH_TOKENS, 1, longest), unit="batch"):
        target = torch.from_numpy(pad(corpus.target, batch))
        features = model.force_decode(model.encode(torch.from_numpy(pad(corpus.source, batch))), target)
        log_probs = model.decoder.logits(features).log_softmax(-1).gather(-1, target[..., None])[..., 0]
        found[batch] = -(log_probs * (target != PAD)).sum(1).numpy()
    return found


def main() -> None:
    """Score the pairs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("prepared", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    corpus = BinaryCorpus.load(arguments.prepared / "train.npz")
    bundle = load_bundle(arguments.model)
    everything = [np.arange(len(corpus.source))]
    vocabularies = bundle.source, bundle.target
    data = TrainingData(corpus)
    drafts = draft_documents(bundle.model, data, everything, vocabularies, arguments.out).target
    scored = losses(bundle.model, corpus)
    np.savez(arguments.out, losses=scored, drafts=drafts.ids, offsets=drafts.offsets)


if __name__ == "__main__":
    main()

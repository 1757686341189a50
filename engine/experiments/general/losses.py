"""Nats a target piece of models on samples of dev sets, by source: what means of weights are chosen by.

    python -m experiments.general.losses MODEL … --corpus DEV.jsonl.xz … [--sample 180]

The models share their vocabularies; the first one's proper names are protected. No memory, no smoothing.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from anaphora_nmt.data.binary_corpus import BinaryCorpus, clean_pairs, encode_corpus, pad
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.models.bundle import Bundle, load_bundle
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import PAD

_BATCH = 24


def samples(paths: Sequence[Path], bundle: Bundle, size: int) -> dict[str, BinaryCorpus]:
    """Pairs drawn from each source of the corpora; a corpus of documentation counts as one source."""
    sources: dict[str, list[ParallelDocument]] = defaultdict(list)
    for path in paths:
        documents = list(read_documents(path))
        names = {document.source_name for document in documents}
        for document in documents:
            sources[document.source_name if len(names) <= 8 else path.parent.name].append(document)
    drawn = {}
    for name, documents in sources.items():
        pairs = list(clean_pairs(documents, bundle.names))
        chosen = np.random.default_rng(1).permutation(len(pairs))[:size]
        drawn[name or "(none)"] = encode_corpus(
            [pairs[each] for each in chosen], bundle.source, bundle.target
        )
    return drawn


@torch.inference_mode()
def loss(model: TranslationModel, corpus: BinaryCorpus) -> float:
    total, count = 0.0, 0
    order = np.argsort(corpus.source.lengths)
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        target = torch.from_numpy(pad(corpus.target, batch))
        features = model.force_decode(model.encode(torch.from_numpy(pad(corpus.source, batch))), target)
        scores = model.decoder.logits(features).log_softmax(-1).gather(-1, target[..., None])[..., 0]
        total -= float(scores[target != PAD].sum())
        count += int((target != PAD).sum())
    return total / count


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("model", type=Path, nargs="+")
    parser.add_argument("--corpus", type=Path, action="append", required=True)
    parser.add_argument("--sample", type=int, default=180)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    drawn = samples(arguments.corpus, load_bundle(arguments.model[0]), arguments.sample)
    for folder in arguments.model:
        model = load_bundle(folder).model
        losses = "  ".join(f"{name} {loss(model, corpus):.3f}" for name, corpus in drawn.items())
        print(f"{folder.name}: {losses}", flush=True)


if __name__ == "__main__":
    main()

"""Training data that differ in one thing, for trials of what the embedded model is trained on.

    python -m experiments.trials.corpus_variants P OUT --pairs 60000 [one of the changes below]

P is a prepared folder, OUT another one with a part of its training pairs, without alignments and without the
encoder's frozen outputs (training then computes them). The changes:

    --sampling 0.1      targets cut into pieces by lot, from the 64 best ways (Kudo, 2018)
    --windows 0.5       so many sentences, drawn by lot, joined with the next one of their document
    --everyday 0        how often pairs that are documents of their own occur (Tatoeba's); 2: twice
    --drop 0.1          without the share of pairs that `score_pairs` finds least likely for their length
    --drafts            targets replaced by the drafts that it made (distillation)
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np
import sentencepiece as spm

from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side, joined_side
from anaphora_nmt.data.packing import picked, some_documents
from anaphora_nmt.text.vocabulary import EOS, Vocabulary

LONGEST = 150
"""Pieces of a joined pair's longer side at most: training leaves out what is longer than 160."""


def sampled(corpus: BinaryCorpus, pieces: Vocabulary, alpha: float, seed: int = 1) -> BinaryCorpus:
    """Targets cut anew, by lot: the probability of each way to cut, to the power of `alpha`, decides."""
    spm.set_random_generator_seed(seed)
    processor = spm.SentencePieceProcessor()
    processor.LoadFromSerializedProto(pieces.serialized)
    targets = [
        np.array(
            [
                *processor.Encode(
                    pieces.decode(ids), out_type=int, enable_sampling=True, alpha=alpha, nbest_size=64
                ),
                EOS,
            ]
        )
        for ids in (corpus.target[number] for number in range(len(corpus.target)))
    ]
    return BinaryCorpus(corpus.source, joined_side(targets), corpus.document)


def joined(corpus: BinaryCorpus, share: float, seed: int = 1) -> BinaryCorpus:
    """Sentences drawn with probability `share` joined with the next of their document, if short."""
    draws = np.random.default_rng(seed).random(len(corpus.source)) < share
    lengths = np.maximum(corpus.source.lengths, corpus.target.lengths)
    sources, targets, documents, number = [], [], [], 0
    while number < len(corpus.source):
        source, target = corpus.source[number], corpus.target[number]
        documents.append(corpus.document[number])
        following = number + 1
        if (
            draws[number]
            and following < len(corpus.source)
            and corpus.document[following] == corpus.document[number]
            and lengths[number] + lengths[following] <= LONGEST
        ):
            # one sentence's end mark and the other's begin mark go
            source = np.concatenate((source[:-1], corpus.source[following][1:]))
            target = np.concatenate((target[:-1], corpus.target[following]))
            number = following
        sources.append(source)
        targets.append(target)
        number += 1
    return BinaryCorpus(joined_side(sources), joined_side(targets), np.array(documents, np.int32))


def everyday(corpus: BinaryCorpus, times: int) -> np.ndarray:
    """Numbers of the sentences, those that are documents of their own so many times."""
    _, first, counts = np.unique(corpus.document, return_index=True, return_counts=True)
    alone = np.zeros(len(corpus.source), bool)
    alone[first[counts == 1]] = True
    return np.repeat(np.arange(len(alone)), np.where(alone, times, 1))


def likely(corpus: BinaryCorpus, losses: np.ndarray, share: float) -> np.ndarray:
    """Numbers of the sentences without that share of the highest losses a piece.

    Short pairs have higher losses by themselves, so pairs are compared with those of about their length.
    """
    per_piece, kept = losses / corpus.target.lengths, []
    order = np.argsort(corpus.target.lengths, kind="stable")
    for group in np.array_split(order, max(1, len(order) // 1000)):
        kept.append(group[np.argsort(per_piece[group], kind="stable")[: round(len(group) * (1 - share))]])
    return np.sort(np.concatenate(kept))


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("prepared", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pairs", type=int, required=True)
    parser.add_argument("--sampling", type=float)
    parser.add_argument("--windows", type=float)
    parser.add_argument("--everyday", type=int)
    parser.add_argument("--drop", type=float)
    parser.add_argument("--drafts", action="store_true")
    parser.add_argument("--scored", type=Path, help="what score_pairs wrote about the same pairs")
    arguments = parser.parse_args()
    corpus = BinaryCorpus.load(arguments.prepared / "train.npz")
    corpus = picked(corpus, some_documents(corpus, arguments.pairs))
    arguments.out.mkdir(parents=True)
    for name in ("source.model", "target.model", "topics.npz", "dev.npz"):
        if (arguments.prepared / name).exists():
            shutil.copyfile(arguments.prepared / name, arguments.out / name)
    changed(corpus, arguments).save(arguments.out / "train.npz")


def changed(corpus: BinaryCorpus, arguments: argparse.Namespace) -> BinaryCorpus:
    """The corpus with the change that was asked for, or as it is."""
    if arguments.sampling is not None:
        return sampled(corpus, Vocabulary.load(arguments.prepared / "target.model"), arguments.sampling)
    if arguments.windows is not None:
        return joined(corpus, arguments.windows)
    if arguments.everyday is not None:
        return picked(corpus, everyday(corpus, arguments.everyday))
    if arguments.drop is None and not arguments.drafts:
        return corpus
    with np.load(arguments.scored) as scored:
        if len(scored["losses"]) != len(corpus.source):
            raise SystemExit(f"{arguments.scored} is about {len(scored['losses'])} pairs, not these")
        if arguments.drop is not None:
            return picked(corpus, likely(corpus, scored["losses"], arguments.drop))
        drafts = Side(scored["drafts"], scored["offsets"])
    return BinaryCorpus(corpus.source, drafts, corpus.document)


if __name__ == "__main__":
    main()

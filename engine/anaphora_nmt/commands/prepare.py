"""`anaphora-nmt prepare`: makes vocabularies, encoded corpora, alignments and topics."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--train", type=Path, action="append", required=True, help="training corpus; repeatable"
    )
    parser.add_argument("--dev", type=Path, required=True, help="development corpus")
    parser.add_argument(
        "--pretrained", type=Path, help="e5-small-q4.bin or a model folder; not for a recurrent encoder"
    )
    parser.add_argument("--out", type=Path, required=True, help="output folder")
    parser.add_argument(
        "--target-pieces", type=int, help="target vocabulary size; default: the model's, or 8000"
    )
    parser.add_argument(
        "--source-pieces", type=int, default=16000, help="source vocabulary size; default: %(default)s"
    )
    parser.add_argument("--no-alignments", action="store_true", help="do not align words (with eflomal)")
    parser.add_argument("--no-topics", action="store_true", help="do not train a topic model")


def run(arguments: argparse.Namespace) -> int:
    from anaphora_nmt.data.binary_corpus import BinaryCorpus
    from anaphora_nmt.training.alignment import align_corpus
    from anaphora_nmt.training.preparation import prepare
    from anaphora_nmt.training.topics import train_topics

    out = arguments.out
    if not (out / "dev.npz").exists():
        sizes = arguments.target_pieces, arguments.source_pieces
        prepare(arguments.train, arguments.dev, arguments.pretrained, out, *sizes)
    if not arguments.no_alignments and not (out / "train.links.npz").exists():
        align_corpus(BinaryCorpus.load(out / "train.npz")).save(out / "train.links.npz")
    if not arguments.no_topics and not (out / "topics.npz").exists():
        train_topics(arguments.train).save(out / "topics.npz")
    return 0

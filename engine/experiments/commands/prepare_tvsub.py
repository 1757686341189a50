"""`python -m experiments prepare-tvsub`: TVSub for training from scratch, and its test set."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--raw", type=Path, required=True, help="folder of TVSub's .jsonl.xz files")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--source-pieces", type=int, default=16000)
    parser.add_argument("--target-pieces", type=int, default=8000)
    parser.add_argument("--pairs", type=int, help="training pairs at most, in whole episodes; all without")
    parser.add_argument("--pack", type=Path, help="also write a packed folder, to carry to another machine")


def run(arguments: argparse.Namespace) -> int:
    from anaphora_nmt.data.packing import pack
    from experiments.measures.detokenise import detokenise
    from experiments.translations import SETS, TestSet
    from experiments.tvsub import TEST_SET, TvsubSizes, prepare_tvsub

    out: Path = arguments.out
    if not (out / SETS / f"{TEST_SET}.json").exists():
        sizes = TvsubSizes(arguments.source_pieces, arguments.target_pieces, arguments.pairs)
        sets = prepare_tvsub(arguments.raw, out, sizes, detokenise)
        for name in sorted(sets, key=TEST_SET.__eq__):  # the one that is looked for is written last
            TestSet(name, tuple(map(tuple, sets[name]))).save(out)
    if arguments.pack:
        size = pack(out, arguments.pack)
        print(f"{arguments.pack}: {size / 1e6:.1f} MB")
    return 0

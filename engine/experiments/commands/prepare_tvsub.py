"""`python -m experiments prepare-tvsub`: prepare TVSub for training from scratch, and its test set."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--raw", type=Path, required=True, help="folder of TVSub's .jsonl.xz files")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--source-pieces", type=int, default=16000)
    parser.add_argument("--target-pieces", type=int, default=8000)
    parser.add_argument("--hide-gender", action="store_true", help="TA for 他, 她 in every second sentence")


def run(arguments: argparse.Namespace) -> int:
    from experiments.translations import SETS, TestSet
    from experiments.tvsub import TEST_SET, prepare_tvsub

    out: Path = arguments.out
    if not (out / SETS / f"{TEST_SET}.json").exists():
        sizes = arguments.source_pieces, arguments.target_pieces
        sets = prepare_tvsub(arguments.raw, out, *sizes, hidden=arguments.hide_gender)
        for name in sorted(sets, key=TEST_SET.__eq__):  # `TEST_SET` is last: it marks completion
            TestSet(name, tuple(map(tuple, sets[name]))).save(out)
    return 0

"""`anaphora-nmt fit-quality`: fits the estimator of drafts' quality on dev sets, or measures a fitted one."""

from __future__ import annotations

import argparse
from pathlib import Path

_SAMPLE_SIZE = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", type=Path, required=True, help="model folder; quality.npz is written there"
    )
    parser.add_argument("--train", type=Path, action="append", default=[], help="training text; repeatable")
    parser.add_argument("--dev", type=Path, action="append", default=[], help="dev set; repeatable")
    parser.add_argument(
        "--measure",
        type=Path,
        action="append",
        default=[],
        help="only measure the existing estimate on these documents",
    )
    parser.add_argument("--segments", type=int, default=250, help="segments per genre; default: %(default)s")
    parser.add_argument(
        "--judged", type=Path, default=None, help="table with human ratings of drafts of the dev sets"
    )
    parser.add_argument("--threads", type=int, default=1, help="compute threads")


def run(arguments: argparse.Namespace) -> int:
    import torch

    from anaphora_nmt.data.corpus import read_documents
    from anaphora_nmt.errors import CorpusError
    from anaphora_nmt.models.bundle import load_bundle
    from anaphora_nmt.pipeline.fitting.quality_fit import (
        STANDARD,
        count_training_text,
        draw,
        estimate_all,
        fit,
        fit_usability,
        measures,
        rate_drafts,
        read_judgements,
    )

    if not arguments.measure and not (arguments.train and arguments.dev):
        raise CorpusError("specify the training text (--train) and the dev sets (--dev), or --measure FILE")
    torch.set_num_threads(arguments.threads)
    bundle = load_bundle(arguments.model)
    paths = arguments.measure or arguments.dev
    documents = draw((each for path in paths for each in read_documents(path)), arguments.segments)
    if arguments.measure and bundle.quality is None:
        raise CorpusError(f"{arguments.model} has no quality.npz to measure")
    if bundle.words is None:
        raise CorpusError(f"{arguments.model} has no list of words (words.txt.gz), which the estimate needs")
    rows = rate_drafts(bundle, documents)
    if arguments.measure and bundle.quality is not None:
        print(measures(rows, *estimate_all(bundle.quality, rows)))
        return 0
    pairs = [pair for path in arguments.train for each in read_documents(path) for pair in each.pairs]
    training = count_training_text(bundle, pairs, _SAMPLE_SIZE)
    judgements = read_judgements(arguments.judged) if arguments.judged is not None else {}
    fitted, report = fit(rows, training, STANDARD)
    print(report)
    if judgements:
        fitted, report = fit_usability(fitted, rows, judgements)
        print(report)
    fitted.save(arguments.model)
    return 0

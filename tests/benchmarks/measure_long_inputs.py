"""Compare recurrent decoders on inputs of several joined segments.

    P=tests/benchmarks/measure_long_inputs.py
    python $P join D/docs-zh-en/train.jsonl.xz --every 3 > T/train.jsonl
    python $P join D/docs-zh-en/dev.jsonl.xz > T/dev.jsonl
    python $P join D/docs-unseen-zh-en/test.jsonl.xz --size 3 > T/test.jsonl
    anaphora-nmt prepare --train T/train.jsonl --dev T/dev.jsonl --pretrained M --no-topics --out T/P
    python -m experiments train long-kvmematt-r2,long-memdec --data T/P --pretrained M --runs T/R \\
        --beam 5 --sets long-test=T/test.jsonl
    python $P score D/docs-unseen-zh-en/test.jsonl.xz --data T/P --pretrained M T/R/long-{rnnsearch,memdec}

Training joins two to four segments at random. `score` prints the nats per piece of the references, in total
and from the 40th piece on, and how often the reference is more probable than without its middle segment and
than with this segment twice. The first run is the baseline. Bootstrap over documents.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from measure_pronouns import difference  # type: ignore[import-not-found]

from anaphora_nmt.data.binary_corpus import encode_corpus, pad
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.evaluation.report import EvaluationSet, compare
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.training.loop import TrainingData, encode_sources
from anaphora_nmt.training.runs import DataPaths, LoadedRun, load_run
from experiments.translations import load_outputs

FAR = 40
_BATCH = 32


@dataclass(frozen=True)
class Input:
    """Joined segments of a document: the source, and the English segments."""

    document: int
    source: str
    targets: tuple[str, ...]

    @property
    def reference(self) -> str:
        return " ".join(self.targets)


def joined(document: ParallelDocument, number: int, size: int | None, rng: random.Random) -> Iterator[Input]:
    """Consecutive segments of a document, `size` or two to four together."""
    start = 0
    while start < len(document.pairs):
        some = document.pairs[start : start + (size or rng.randint(2, 4))]
        start += len(some)
        yield Input(number, "".join(source for source, _ in some), tuple(target for _, target in some))


def join(corpus: Path, every: int, size: int | None) -> None:
    """Print a corpus of joined segments."""
    rng = random.Random(1)
    for number, document in enumerate(read_documents(corpus)):
        if number % every == 0:
            segments = [(each.source, each.reference) for each in joined(document, number, size, rng)]
            values = {"doc": document.id, "source": document.source_name, "licence": document.licence}
            print(json.dumps({**values, "segments": segments}, ensure_ascii=False))


@torch.inference_mode()
def log_probs(run: LoadedRun, inputs: Sequence[Input], targets: Sequence[str]) -> list[np.ndarray]:
    """The log-probabilities of the pieces of each input's target."""
    pairs = [(each.document, each.source, target) for each, target in zip(inputs, targets, strict=True)]
    model = run.model.base
    corpus = encode_corpus(pairs, run.source, run.target)
    data = TrainingData(corpus)
    found: list[np.ndarray] = [np.zeros(0)] * len(pairs)
    order = np.argsort(corpus.target.lengths)
    for start in range(0, len(order), _BATCH):
        some = order[start : start + _BATCH]
        target = torch.from_numpy(pad(corpus.target, some))
        features = model.force_decode(encode_sources(model, data, some), target)
        scores = target_log_probs(model.decoder.log_probs(features), target)
        for row, kept, values in zip(some, target != PAD, scores, strict=True):
            found[row] = values[kept].double().numpy()
    return found


def score(corpus: Path, paths: DataPaths, folders: Sequence[Path], beam: int) -> None:
    inputs = [
        each
        for number, document in enumerate(read_documents(corpus))
        for each in joined(document, number, 3, random.Random(1))
    ]
    documents = np.array([each.document for each in inputs])
    whole = [each for each in inputs if len(each.targets) == 3]
    are_whole = np.array([len(each.targets) == 3 for each in inputs])
    omitted = [" ".join(each.targets[::2]) for each in whole]
    doubled = [" ".join((*each.targets[:2], *each.targets[1:])) for each in whole]
    print(f"{len(inputs)} inputs, {len(whole)} of them with three segments")
    outputs: dict[str, list[str]] = {}
    baseline: list[np.ndarray] = []
    for folder in folders:
        run = load_run(folder, paths)
        pieces = log_probs(run, inputs, [each.reference for each in inputs])
        losses, far_losses = (np.array([-each[start:].sum() for each in pieces]) for start in (0, FAR))
        counts, far_counts = (np.array([len(each[start:]) for each in pieces]) for start in (0, FAR))
        shorter, longer = (
            np.array([-each.sum() for each in log_probs(run, whole, texts)]) for texts in (omitted, doubled)
        )
        one, owners = np.ones(len(whole)), documents[are_whole]
        parts = {
            "nats a piece": (losses, counts, documents),
            f"from piece {FAR} on": (far_losses, far_counts, documents),
            "right, not omitted": (losses[are_whole] < shorter, one, owners),
            "right, not doubled": (losses[are_whole] < longer, one, owners),
        }
        line = [folder.name]
        means: list[np.ndarray] = []
        for number, (name, (values, weights, owners)) in enumerate(parts.items()):
            line.append(f"{name} {values.sum() / weights.sum():.4f}")
            means.append(values * len(values) / weights.sum())
            if baseline:
                line.append(f"({difference(means[-1] - baseline[number], owners, '+.4f')})")
        print(" ".join(line), flush=True)
        baseline = baseline or means
        found = load_outputs(folder, "long-test", beam)
        if found is not None:
            outputs[folder.name] = list(found.hypotheses)
    if outputs:
        test = EvaluationSet(
            [each.source for each in inputs], [[each.reference for each in inputs]], documents.tolist()
        )
        for row in compare(test, outputs, next(iter(outputs))):
            print(json.dumps(asdict(row)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    joining = commands.add_parser("join", help="print a corpus of joined segments")
    joining.add_argument("corpus", type=Path)
    joining.add_argument("--every", type=int, default=1, help="every such document")
    joining.add_argument("--size", type=int, help="segments to join; default: two to four at random")
    scoring = commands.add_parser("score", help="score runs")
    scoring.add_argument("corpus", type=Path)
    scoring.add_argument("runs", type=Path, nargs="+")
    scoring.add_argument("--data", type=Path, required=True)
    scoring.add_argument("--pretrained", type=Path, required=True)
    scoring.add_argument("--beam", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.command == "join":
        join(arguments.corpus, arguments.every, arguments.size)
    else:
        paths = DataPaths(arguments.data, arguments.pretrained)
        score(arguments.corpus, paths, arguments.runs, arguments.beam)


if __name__ == "__main__":
    main()

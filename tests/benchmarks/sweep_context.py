"""What a trained CAMN owes to its context: dev loss under fixed gates, other sizes and other selections.

    python tests/benchmarks/sweep_context.py RUNS/camn [documents]

Jiang et al., Figures 3 and 4, without training anew: the same weights read the context otherwise. A line of
JSON for each setting; gate null is the learned one, gate 0 and size 0 are the model without context.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from anaphora_nmt.config import CamnConfig, TrainingConfig
from anaphora_nmt.data.batches import document_order
from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side, joined_side
from anaphora_nmt.models.translation import TranslationModel, with_camn
from anaphora_nmt.training.loop import Trainer, TrainingData
from anaphora_nmt.training.runs import DataPaths, load_run

GATES = (0.0, 0.25, 0.5, 0.75, 1.0)


def settings(camn: CamnConfig) -> list[CamnConfig]:
    """The configurations to score: the run's own, fixed gates, fewer and more sentences, other sentences."""
    sizes = [] if camn.merging == "concatenation" else [m for m in range(1, 6) if m != camn.size]
    others = [name for name in ("previous", "next", "random") if name != camn.selection]
    return [
        camn,
        *(replace(camn, gate=gate) for gate in GATES),
        *(replace(camn, size=size) for size in sizes),
        *(replace(camn, selection=name) for name in others),
    ]


def first_documents(corpus: BinaryCorpus, count: int) -> BinaryCorpus:
    """The first `count` documents that have at least five sentences."""
    chosen = [order for order in document_order(corpus.document) if len(order) >= 5][:count]
    numbers = np.concatenate(chosen)
    return BinaryCorpus(
        _some(corpus.source, numbers), _some(corpus.target, numbers), corpus.document[numbers]
    )


def _some(side: Side, numbers: np.ndarray) -> Side:
    return joined_side([side[number] for number in numbers])


def dev_loss(model: TranslationModel, dev: TrainingData, folder: Path) -> float:
    """Nats a target piece."""
    return Trainer(model, TrainingConfig(bfloat16=False), dev, folder).score(dev)


def main(run: Path, documents: int = 12) -> None:
    torch.set_num_threads(1)
    model = load_run(run).model.base
    camn = model.config.camn
    if camn is None:
        raise SystemExit(f"{run} has no CAMN")
    corpus = BinaryCorpus.load(DataPaths.load(run.parent).prepared / "dev.npz")
    dev = TrainingData(first_documents(corpus, documents))
    for setting in settings(camn):
        loss = dev_loss(with_camn(model, setting), dev, run)
        about = {"gate": setting.gate, "size": setting.size, "selection": setting.selection}
        print(json.dumps({**about, "dev_loss": round(loss, 5)}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]))

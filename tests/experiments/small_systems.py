"""Systems small enough for tests, and training one in a separate process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.text.vocabulary import SegmentedVocabulary, Vocabulary, vocabulary_from_pieces
from anaphora_nmt.training.runs import DataPaths
from anaphora_nmt.training.stages import StageRuns, train_stages
from experiments.systems import SystemConfig, system_from, system_runs, train_system

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
RAW: dict[str, dict[str, Any]] = {
    "base": {
        "title": "A small RNNSearch",
        "model": {
            "encoder": {"kind": "recurrent", "width": 16, "layers": 1, "embedding": 16},
            "decoder": {"kind": "recurrent", "width": 16, "embedding": 16, "attention": 16, "dropout": 0.1},
        },
        "training": {"batch_tokens": 60, "learning_rate": 1e-2, "warmup": 5, "decay": 20, "updates": 60},
    },
    "continued": {"like": "base", "title": "It, trained on", "initial": "base", "training": {"updates": 20}},
    "kvmematt": {
        "like": "continued",
        "title": "KVMemAtt from it",
        "baseline": "continued",
        "model": {"decoder": {"kind": "kvmematt", "key_memory": {"rounds": 1}}},
    },
    "cache": {
        "like": "base",
        "title": "A cache on it",
        "baseline": "base",
        "initial": "base",
        "training": None,
        "memory": {"continuous_cache": {"size": 8}},
        "second_pass": {
            "updates": 60,
            "sentences": 60,
            "dev_sentences": 20,
            "shortest": 4,
            "batch": 8,
            "positions": 40,
            "pool": 16,
            "learning_rate": 1e-2,
            "score_updates": 20,
        },
    },
    "combined": {
        "like": "cache",
        "title": "A cache and confirmed text on KVMemAtt",
        "baseline": "kvmematt",
        "initial": "kvmematt",
        "model": {"decoder": {"kind": "kvmematt", "key_memory": {"rounds": 1}}},
        "memory": {"continuous_cache": {"fusion": "shallow"}, "confirmed": {"context_share": 0.0}},
        "second_pass": {"updates": 20},
        "fit_constants": True,
    },
    "fitted": {
        "like": "combined",
        "title": "Confirmed text alone on KVMemAtt",
        "memory": {"continuous_cache": None},
        "second_pass": {"updates": 0},
    },
}


def systems() -> dict[str, SystemConfig]:
    """The systems by name."""
    return {name: system_from(name, RAW) for name in RAW}


def experiment(prepared: Path, runs: Path, scale: float = 1.0) -> StageRuns:
    """The folder of the tests' runs."""
    return system_runs(runs, DataPaths(prepared), systems(), scale, every=20)


def prepare(folder: Path) -> None:
    """Documents that repeat one name."""
    folder.mkdir(parents=True)
    target = Vocabulary(vocabulary_from_pieces([(f"▁{name}", -3.0) for name in ("the", "runs", *NAMES)]))
    source = SegmentedVocabulary(
        vocabulary_from_pieces([("▁", -4.0), *((char, -3.0) for char in "这那跑着")])
    )
    (folder / "source.model").write_bytes(source.serialized)
    (folder / "target.model").write_bytes(target.serialized)
    for name, documents in (("train", 16), ("dev", 5)):
        pairs = [
            (number, "这着跑", f"the {NAMES[number % 8]} runs the {NAMES[number % 8]}")
            for number in range(documents)
            for _ in range(6)
        ]
        encode_corpus(pairs, source, target).save(folder / f"{name}.npz")


def train(prepared: Path, runs: Path, name: str) -> None:
    """Train a system and the systems that it needs, in a separate process."""
    torch.set_num_threads(1)
    train_stages(experiment(prepared, runs), [name], train=train_system)

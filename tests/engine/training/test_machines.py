"""Two machines that torchrun joins train, fit and stop as one process: here two launchers on this one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from anaphora_nmt.cli import main
from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.text.vocabulary import Vocabulary, vocabulary_from_pieces

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
_SIZE = {"kind": "recurrent", "width": 8, "embedding": 8}
STAGES: dict[str, Any] = {
    "base": {
        "model": {"encoder": {**_SIZE, "layers": 1}, "decoder": {**_SIZE, "attention": 8, "dropout": 0.1}},
        "every": 2,
        "training": {
            "batch_tokens": 60,
            "batches": 2,
            "learning_rate": 1e-2,
            "warmup": 2,
            "decay": 1,
            "updates": 6,
        },
        "average": {"updates": [4, 6], "share": 0.5},
    },
    "memories": {
        "like": "base",
        "initial": "base",
        "training": None,
        "average": None,
        "memory": {
            "continuous_cache": {"size": 8},
            "word_caches": {
                "dynamic_size": 8,
                "topic_size": 0,
                "scorer_hidden": [4, 4],
                "gate_hidden": [4, 4],
            },
            "confirmed": {"threshold": 0.0},
        },
        "second_pass": {
            "updates": 6,
            "score_updates": 3,
            "sentences": 30,
            "dev_sentences": 18,
            "shortest": 4,
            "batch": 6,
            "positions": 20,
            "pool": 12,
            "learning_rate": 1e-2,
            "drafted": 0.3,
        },
        "fit_constants": True,
        "export": "toy",
    },
    "longer": {
        "like": "base",
        "initial": "base",
        "resume": True,
        "training": {"updates": 10},
        "average": None,
    },
}


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    """Arguments of `train`, but for the folder of runs. The documents say one name again and again."""
    folder = tmp_path / "prepared"
    folder.mkdir()
    target = Vocabulary(vocabulary_from_pieces([(f"▁{name}", -3.0) for name in ("the", "runs", *NAMES)]))
    source = Vocabulary(vocabulary_from_pieces([("▁", -4.0), *((char, -3.0) for char in "这那跑着")]))
    (folder / "source.model").write_bytes(source.serialized)
    (folder / "target.model").write_bytes(target.serialized)
    for name, documents in (("train", 12), ("dev", 4)):
        pairs = [
            (number, "这着跑那"[: 2 + place % 3], f"the {NAMES[number % 8]} runs" + " the" * (place % 3))
            for number in range(documents)
            for place in range(6)
        ]
        encode_corpus(pairs, source, target).save(folder / f"{name}.npz")
    configuration = tmp_path / "stages.json"
    configuration.write_text(json.dumps({"stages": STAGES}), "utf-8")
    return ["train", str(configuration), "--data", str(folder)]


def on_two_machines(arguments: list[str]) -> list[tuple[int, str]]:
    """Exit status and standard error of a launcher on each."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shared = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    if sys.platform == "linux":
        shared["GLOO_SOCKET_IFNAME"] = "lo"
    launchers = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "torch.distributed.run", "--nnodes=2", f"--node-rank={number}"),
                *("--nproc-per-node=1", "--master-addr=127.0.0.1", f"--master-port={port}"),
                *("-m", "anaphora_nmt.cli", *arguments),
            ],
            env=shared,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(2)
    ]
    try:
        said = [launcher.communicate(timeout=170)[1] for launcher in launchers]
        return [(launcher.returncode, text) for launcher, text in zip(launchers, said, strict=True)]
    finally:
        for launcher in launchers:
            launcher.terminate()


def losses(path: Path) -> list[dict[str, float]]:
    """A curve without its times."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        {key: value for key, value in line.items() if "second" not in key and key != "shares"}
        for line in lines
    ]


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch was built without distribution")
@pytest.mark.slow
def test_two_machines_are_one_process(given: list[str], tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert main([*given, "--runs", str(one)]) == 0
    ends = on_two_machines([*given, "--runs", str(two), "--stage", "base", "--stage", "memories"])
    assert [status for status, _ in ends] == [0, 0], ends
    assert main([*given, "--runs", str(two)]) == 0, "one process goes on with the others' run"
    for curve in ("base/curve.jsonl", "memories/memory_curve.jsonl", "longer/curve.jsonl"):
        ours, theirs = losses(two / curve), losses(one / curve)
        assert len(theirs) > 1 and len(ours) == len(theirs)
        for mine, its in zip(ours, theirs, strict=True):
            assert mine == pytest.approx(its, rel=1e-4, abs=2e-4), curve
    fitted = [json.loads((runs / "memories" / "fitted_memory.json").read_text()) for runs in (one, two)]
    gates = [
        config["memories"]["confirmed"] if "memories" in config else config["confirmed"] for config in fitted
    ]
    assert gates[0].pop("gate_bias") == pytest.approx(gates[1].pop("gate_bias"), abs=0.02)
    assert {key: pytest.approx(value, abs=0.02) for key, value in gates[0].items()} == gates[1]
    assert (two / "memories" / "model" / "config.json").exists()

"""Several processes train as one."""

from __future__ import annotations

import os
import runpy
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.training.loop import TrainingData

WORKER = Path(__file__).with_name("two_processes.py")


def train(arguments: list[str], size: int) -> None:
    """Run `size` processes to their end, as torchrun would."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    shared = {**os.environ, "OMP_NUM_THREADS": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    if sys.platform == "linux":
        shared["GLOO_SOCKET_IFNAME"] = "lo"
    processes = [
        subprocess.Popen(
            [sys.executable, str(WORKER), *arguments],
            env={**shared, "WORLD_SIZE": str(size), "RANK": str(rank), "CUDA_VISIBLE_DEVICES": ""},
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(size)
    ]
    try:
        ends = [process.communicate(timeout=170)[1] for process in processes]
        assert [process.returncode for process in processes] == [0] * size, ends
    finally:
        for process in processes:
            process.kill()


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch was built without distribution")
@pytest.mark.slow
def test_two_processes_get_the_gradients_of_one(data: TrainingData, tmp_path: Path) -> None:
    lengths = data.corpus.source.lengths
    whole, half = int(lengths.max()) * len(lengths), int(lengths.max()) * len(lengths) // 2
    data.corpus.save(tmp_path / "corpus.npz")
    assert data.links is not None
    data.links.save(tmp_path / "links.npz")
    paths = [str(tmp_path / "corpus.npz"), str(tmp_path / "links.npz")]
    train([*paths, str(tmp_path / "two"), str(half)], 2)
    one = runpy.run_path(str(WORKER))["train_once"](data, tmp_path / "one", whole)
    first, second = (load_file(tmp_path / "two" / f"{rank}.safetensors") for rank in range(2))
    for name, tensor in one.items():
        assert torch.equal(first[name], second[name]), name
        torch.testing.assert_close(first[name], tensor, atol=1e-5, rtol=1e-4, msg=name)

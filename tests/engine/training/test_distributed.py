"""Several processes train as one."""

from __future__ import annotations

import json
import multiprocessing
import socket
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
import torch
from safetensors.torch import load_file
from torch.multiprocessing import start_processes
from two_processes import join, train

from anaphora_nmt.config import TrainingConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.training.loop import Trainer, TrainingData
from anaphora_nmt.training.world import World

HERE = pytest.mark.skipif(not torch.distributed.is_available(), reason="torch was built without distribution")
METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def run(paths: tuple[Path, Path], folder: Path, sizes: tuple[int, int, int], count: int) -> None:
    """Train in `count` processes to their end; torch is imported once for all of them."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    shared = {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": port,
        "WORLD_SIZE": str(count),
        "CUDA_VISIBLE_DEVICES": "",
    }
    if sys.platform == "linux":
        shared["GLOO_SOCKET_IFNAME"] = "lo"
    multiprocessing.set_forkserver_preload(["anaphora_nmt.training.loop", "torch._dynamo"])
    start_processes(join, (shared, paths, folder, *sizes), count, start_method=METHOD)


@pytest.fixture
def paths(data: TrainingData, tmp_path: Path) -> tuple[Path, Path]:
    """Of the corpus and its links."""
    assert data.links is not None
    data.corpus.save(tmp_path / "corpus.npz")
    data.links.save(tmp_path / "links.npz")
    return tmp_path / "corpus.npz", tmp_path / "links.npz"


def curve(folder: Path) -> list[float]:
    return [json.loads(line)["loss"] for line in (folder / "curve.jsonl").read_text("utf-8").splitlines()]


@HERE
@pytest.mark.slow
def test_two_processes_get_the_gradients_of_one(
    data: TrainingData, paths: tuple[Path, Path], tmp_path: Path
) -> None:
    lengths = data.corpus.source.lengths
    whole, half = int(lengths.max()) * len(lengths), int(lengths.max()) * len(lengths) // 2
    run(paths, tmp_path / "two", (half, 1, 0), 2)
    one = train(data, tmp_path / "one", whole, 1, 0)
    first, second = (load_file(tmp_path / "two" / f"{rank}.safetensors") for rank in range(2))
    for name, tensor in one.items():
        assert torch.equal(first[name], second[name]), name
        torch.testing.assert_close(first[name], tensor, atol=1e-5, rtol=1e-4, msg=name)


@HERE
@pytest.mark.slow
def test_one_process_and_four_have_the_same_curve_and_go_on_from_each_others_checkpoints(
    data: TrainingData, paths: tuple[Path, Path], tmp_path: Path
) -> None:
    """With dropout, three epochs long; an update takes four batches."""
    train(data, tmp_path / "one", 20, 12, 4)
    train(data, tmp_path / "four", 20, 3, 4)
    run(paths, tmp_path / "four", (20, 8, 4), 4)
    first, *others = (load_file(tmp_path / "four" / f"{rank}.safetensors") for rank in range(4))
    assert all(torch.equal(tensor, other[name]) for other in others for name, tensor in first.items())
    train(data, tmp_path / "four", 20, 12, 4)
    losses = curve(tmp_path / "one")
    assert len(losses) == 12 and losses[-1] < losses[0]
    assert curve(tmp_path / "four") == pytest.approx(losses, rel=1e-5)


def test_more_processes_than_batches_are_refused(data: TrainingData, make_model, tmp_path: Path) -> None:
    world = patch.object(World, "join", return_value=World(0, 5))
    with world, pytest.raises(ConfigError, match="5 processes cannot share an update of 4 batches"):
        Trainer(make_model(), TrainingConfig(batches=4), data, tmp_path)

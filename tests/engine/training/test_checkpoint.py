"""A checkpoint is always complete, even if writing the next one fails."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.training import checkpoint
from anaphora_nmt.training.checkpoint import load_checkpoint, save_checkpoint


def make(value: float) -> tuple[nn.Module, torch.optim.Optimizer]:
    """A model whose parameters are all `value`, after one step of its optimiser; one layer is frozen."""
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    model[0].requires_grad_(False)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.0)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    with torch.no_grad():
        for parameter in model[1].parameters():
            parameter.fill_(value)
    return model, optimizer


def loaded(folder: Path) -> tuple[float, dict[str, Any]]:
    """A parameter and the state of a folder's checkpoint; all parameters must agree."""
    model, optimizer = make(-1.0)
    state = load_checkpoint(folder, model, optimizer)
    values = {value for parameter in model[1].parameters() for value in parameter.flatten().tolist()}
    assert len(values) == 1
    return values.pop(), state


def test_everything_comes_back(tmp_path: Path) -> None:
    model, optimizer = make(2.0)
    frozen = model[0].weight.clone()
    save_checkpoint(tmp_path / "last", model, optimizer, {"update": 7, "name": "é"})
    other, other_optimizer = make(3.0)
    kept = other[0].weight.clone()
    state = load_checkpoint(tmp_path / "last", other, other_optimizer)
    assert state == {"update": 7, "name": "é"}
    assert other[1].weight.tolist() == model[1].weight.tolist()
    assert torch.equal(other[0].weight, kept)
    assert not torch.equal(kept, frozen)
    for old, new in zip(
        optimizer.state_dict()["state"].values(), other_optimizer.state_dict()["state"].values(), strict=True
    ):
        assert {name: value.tolist() for name, value in old.items()} == {
            name: value.tolist() for name, value in new.items()
        }


class Killed(BaseException):
    """Simulates a kill; no code may catch it."""


class Counter:
    """Allows `allowed` changes of the file system; the next one is omitted or done partially."""

    def __init__(self, allowed: int) -> None:
        self.left = allowed

    def guard(self, function: Callable[..., Any], half: Callable[..., None] | None) -> Callable[..., Any]:
        """`function`, counted."""

        def guarded(*args: Any, **kwargs: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                if half:
                    half(*args)
                raise Killed
            return function(*args, **kwargs)

        return guarded


def half_written(_: object, path: Path) -> None:
    path.write_bytes(b"\x00" * 10)


def half_removed(folder: Path, **_: object) -> None:
    for path in itertools.islice(folder.glob("*"), 1):
        path.unlink()


def kill_while_saving(monkeypatch: pytest.MonkeyPatch, folder: Path, value: float, allowed: int) -> bool:
    """Save, but stop after `allowed` changes of the file system; False if the save is complete."""
    counter = Counter(allowed)
    model, optimizer = make(value)
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "save_file", counter.guard(checkpoint.save_file, half_written))
        patch.setattr(os, "replace", counter.guard(os.replace, None))
        patch.setattr(shutil, "rmtree", counter.guard(shutil.rmtree, half_removed))
        try:
            save_checkpoint(folder, model, optimizer, {"value": value})
        except Killed:
            return True
    return False


def test_a_kill_at_any_moment_leaves_a_complete_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    for allowed in range(20):
        folder = tmp_path / str(allowed) / "last"
        save_checkpoint(folder, *make(1.0), {"value": 1.0})
        killed = kill_while_saving(monkeypatch, folder, 2.0, allowed)
        value, state = loaded(folder)
        assert state == {"value": value}
        seen.add(value)
        save_checkpoint(folder, *make(3.0), {"value": 3.0})  # and it continues from there
        assert loaded(folder)[0] == 3.0
        if not killed:
            break
    assert not killed
    assert seen == {1.0, 2.0}


def test_other_folders_are_not_checkpoints(tmp_path: Path) -> None:
    folder = tmp_path / "last"
    with pytest.raises(ModelFileError, match="last"):
        load_checkpoint(folder, *make(0.0))
    save_checkpoint(folder, *make(1.0), {})
    other = nn.Linear(7, 7)
    with pytest.raises(ModelFileError, match="not a checkpoint of this model"):
        load_checkpoint(folder, other, None)
    for name in ("model.safetensors", "optimizer.pt", "state.json"):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[: len(whole) // 2])
        with pytest.raises(ModelFileError):
            load_checkpoint(folder, *make(0.0))
        (folder / name).write_bytes(whole)

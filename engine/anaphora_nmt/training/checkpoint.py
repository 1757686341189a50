"""Checkpoints: weights in safetensors, the optimiser in torch's format, other state in JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.files import sync

WEIGHTS, _OPTIMIZER, _STATE = "model.safetensors", "optimizer.pt", "state.json"


def save_checkpoint(
    folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer | None, state: dict[str, Any]
) -> None:
    """Write a complete checkpoint beside the old one, then replace the old one; `optimizer` may be None."""
    new, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    save_file(trained_tensors(model), new / WEIGHTS)
    if optimizer is not None:
        torch.save(optimizer.state_dict()["state"], new / _OPTIMIZER)
    (new / _STATE).write_text(json.dumps(state, indent=1), "utf-8")
    for path in new.iterdir():
        sync(path)
    if folder.exists():  # if not, `old` may be the only complete checkpoint, after an interrupted save
        shutil.rmtree(old, ignore_errors=True)
        folder.replace(old)
    new.replace(folder)
    shutil.rmtree(old, ignore_errors=True)


def load_checkpoint(
    folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer | None
) -> dict[str, Any]:
    """Restore the weights, and the optimiser if given, in place; return the saved `state`.

    ModelFileError if the folder is not a checkpoint of this model.
    """
    if not folder.exists() and folder.with_name(folder.name + ".old").exists():
        folder.with_name(folder.name + ".old").replace(folder)  # a save was interrupted between the renames
    try:
        load_trained(model, load_file(folder / WEIGHTS))
        state = json.loads((folder / _STATE).read_text("utf-8"))
    except (OSError, SafetensorError, ValueError, KeyError, RuntimeError) as error:
        raise ModelFileError(f"{folder} is not a checkpoint of this model: {error}") from error
    if optimizer is not None:
        load_optimizer(folder, optimizer)
    return state


def load_optimizer(folder: Path, optimizer: torch.optim.Optimizer) -> None:
    """Restore an optimiser's state in place. ModelFileError if the file is missing, damaged or unsuitable."""
    try:
        state = torch.load(folder / _OPTIMIZER, weights_only=True)
        groups = optimizer.state_dict()["param_groups"]
        optimizer.load_state_dict({"state": state, "param_groups": groups})
    except (OSError, EOFError, UnpicklingError, ValueError, KeyError, RuntimeError) as error:
        raise ModelFileError(f"{folder} is not a checkpoint of this model: {error}") from error


def trained_tensors(model: nn.Module) -> dict[str, Tensor]:
    """The parameters that require gradients; frozen ones remain in their original files."""
    return {name: p.detach().contiguous() for name, p in model.named_parameters() if p.requires_grad}


def load_trained(model: nn.Module, tensors: dict[str, Tensor]) -> None:
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.requires_grad:
                parameter.copy_(tensors[name])

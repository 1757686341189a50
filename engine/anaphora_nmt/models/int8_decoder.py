"""A model whose decoder multiplies in 8 bits: quicker steps for the search."""

from __future__ import annotations

import copy
from typing import TypeVar

from torch import nn

from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.int8 import multiplies_int8

M = TypeVar("M", bound=nn.Module)


def with_int8_decoder(model: MemoryAugmentedModel, native: bool = True) -> MemoryAugmentedModel:
    """The model with its decoder's products in 8 bits, all else shared; as it is where that is not quicker.

    What is written to the memory, fitted or explained is better computed by the model itself.

    Args:
        native: in the native library, where it is there; else by torch.
    """
    decoder = model.base.decoder
    quick = decoder.native() if native else None
    if quick is None and multiplies_int8(model.device):
        quick = decoder.int8()
    return model if quick is None else _with(model, "base", _with(model.base, "decoder", quick))


def _with(module: M, name: str, child: nn.Module) -> M:
    """A module that shares everything with another but one child."""
    changed = copy.copy(module)
    changed._modules = {**module._modules, name: child}
    return changed

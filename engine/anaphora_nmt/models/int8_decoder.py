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

    What is fitted or explained is better computed by the model itself.

    Args:
        native: in the native library, where it is there, and the encoder with it; else by torch.
    """
    base = model.base
    decoder = base.decoder.native() if native else None
    encoder = base.encoder.native() if decoder is not None else None
    if decoder is None and multiplies_int8(model.device):
        decoder = base.decoder.int8()
    if decoder is None:
        return model
    if encoder is not None:
        base = _with(base, "encoder", encoder)
    return _with(model, "base", _with(base, "decoder", decoder))


def writes_what_it_searches(searcher: MemoryAugmentedModel) -> bool:
    """Whether whole targets are decoded as exactly as the model itself decodes them, or nearly.

    So does the native library, in a quarter of the time. Torch's 8 bits are no quicker where rows are many.
    """
    return searcher.base.decoder.library is not None


def _with(module: M, name: str, child: nn.Module) -> M:
    """A module that shares everything with another but one child."""
    changed = copy.copy(module)
    changed._modules = {**module._modules, name: child}
    return changed

"""A model whose layers the native library computes, in 8 bits: quicker steps for the search."""

from __future__ import annotations

import copy
from typing import TypeVar

from torch import nn

from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel

M = TypeVar("M", bound=nn.Module)


def with_int8_decoder(model: MemoryAugmentedModel) -> MemoryAugmentedModel:
    """The model with decoder and encoder in the native library, all else shared; as it is without that.

    What is fitted or explained is better computed by the model itself.
    """
    base = model.base
    decoder = base.decoder.native()
    if decoder is None:
        return model
    encoder = base.encoder.native()
    if encoder is not None:
        base = _with(base, "encoder", encoder)
    return _with(model, "base", _with(base, "decoder", decoder))


def writes_what_it_searches(searcher: MemoryAugmentedModel) -> bool:
    """Whether whole targets are decoded as exactly as the model itself decodes them, or nearly.

    So does the native library, in a quarter of the time.
    """
    return searcher.base.decoder.library is not None


def _with(module: M, name: str, child: nn.Module) -> M:
    """A module that shares everything with another but one child."""
    changed = copy.copy(module)
    changed._modules = {**module._modules, name: child}
    return changed

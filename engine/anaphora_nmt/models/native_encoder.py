"""An encoder whose layers the native library computes."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from anaphora_nmt.models.protocol import Encoder
from anaphora_nmt.native.stack import Stack

Embed = Callable[[Tensor], Tensor]
"""Ids [B, S] → what the first layer reads, [B, S, D]."""


class NativeEncoder(Encoder):
    """Computes what another encoder does, with its weights in 8 bits; `product` of the library says how."""

    def __init__(self, encoder: Encoder, stack: Stack, embed: Embed, frozen: int = 0) -> None:
        """Args:
        encoder: of these widths.
        frozen: the layers that belong to `lower`.
        """
        super().__init__()
        self.width, self.lower_width = encoder.width, encoder.lower_width
        self.stack, self._embed, self._frozen = stack, embed, frozen

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self._layers(self._embed(pieces), mask, 0, self._frozen)

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        found = self._layers(states, mask, self._frozen, self.stack.shape.layers)
        return self.stack.last_norm(found) if self.stack.shape.norm_before else found

    def _layers(self, states: Tensor, mask: Tensor, first: int, last: int) -> Tensor:
        return self.stack.encode(states, mask.sum(1).tolist(), first, last) if last > first else states

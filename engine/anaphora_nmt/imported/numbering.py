"""A toolkit's pieces under our ids: padding, begin, end and unknown first, then the others in their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.text.vocabulary import EOS, PAD, UNK

NEVER = -1e9
"""Bias of a piece that cannot come. No infinity: differences of two would be no number."""
_NONE = -1


@dataclass(frozen=True)
class Numbering:
    """The toolkit's piece for each of our ids.

    BOS is a copy of the toolkit's first token: padding, the end mark or a language, which keep their own
    ids. A copy is only read, never written.

    Attributes:
        order: the toolkit's id of each of ours, −1 where it has none.
        copies: our ids that are copies, or nothing.
        size: of the toolkit's vocabulary.
    """

    order: tuple[int, ...]
    copies: tuple[int, ...]
    size: int

    @classmethod
    def of(
        cls,
        size: int,
        *,
        end: int,
        pad: int | None = None,
        begin: int | None = None,
        unknown: int | None = None,
    ) -> Numbering:
        """The numbering of a vocabulary with these ids; `begin` is what its decoder begins with."""
        homes = {EOS: end}
        for own, theirs in ((UNK, unknown), (PAD, pad)):
            if theirs is not None and theirs not in homes.values():
                homes[own] = theirs
        given = {PAD: pad, EOS: end, UNK: unknown}
        first = [pad, begin, end, unknown]
        rest = sorted(set(range(size)) - set(homes.values()))
        copies = tuple(own for own in range(len(first)) if homes.get(own, _NONE) == _NONE or own not in given)
        return cls((*(_NONE if number is None else number for number in first), *rest), copies, size)

    def __len__(self) -> int:
        return len(self.order)

    def own(self) -> dict[int, int]:
        """Our id of each of the toolkit's."""
        return {theirs: own for own, theirs in enumerate(self.order) if own not in self.copies}

    def rows(self, table: Tensor) -> Tensor:
        """The toolkit's embeddings [V, D] in our order, zeros where it has none."""
        order = torch.tensor(self.order)
        rows = table[order.clamp_min(0)]
        rows[order == _NONE] = 0.0
        return rows

    def bias(self, bias: Tensor) -> Tensor:
        """The toolkit's bias [V] of the output layer, in our order; copies never come."""
        order = torch.tensor(self.order)
        values = bias[order.clamp_min(0)]
        values[list(self.copies)] = NEVER
        return values

    def pieces(self, pieces: Mapping[int, str]) -> list[str]:
        """The toolkit's pieces, given by its id, in our order."""
        return [pieces.get(theirs, f"<unused {theirs}>") for theirs in self.order]

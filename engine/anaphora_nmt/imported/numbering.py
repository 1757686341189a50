"""Number a toolkit's pieces by our ids: padding, begin, end, unknown, then the other pieces in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.text.vocabulary import EOS, PAD, UNK

NEVER_GENERATED = -1e9
"""Output bias of a piece that is never generated. It is finite, because ∞ − ∞ is NaN."""
_NO_PIECE = -1


@dataclass(frozen=True)
class Numbering:
    """The toolkit's id for each of our ids.

    Our BOS is a copy of the piece that the toolkit's decoder reads first: padding, the end mark or a language
    mark. The piece itself has another id of ours. A copy is only read, never generated.

    Attributes:
        order: the toolkit's id for each of our ids; −1 for ids without a piece.
        copies: our ids that are copies or have no piece.
        size: the size of the toolkit's vocabulary.
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
        """The numbering for a toolkit's special ids; `begin` is the piece that its decoder reads first."""
        originals = {EOS: end}
        for our_id, toolkit_id in ((UNK, unknown), (PAD, pad)):
            if toolkit_id is not None and toolkit_id not in originals.values():
                originals[our_id] = toolkit_id
        first = [pad, begin, end, unknown]
        ordinary = sorted(set(range(size)) - set(originals.values()))
        copies = tuple(our_id for our_id in range(len(first)) if our_id not in originals)
        return cls((*(_NO_PIECE if number is None else number for number in first), *ordinary), copies, size)

    def __len__(self) -> int:
        return len(self.order)

    def our_ids(self) -> dict[int, int]:
        """Our ids by the toolkit's ids, without copies."""
        return {number: our_id for our_id, number in enumerate(self.order) if our_id not in self.copies}

    def rows(self, table: Tensor) -> Tensor:
        """The toolkit's embeddings [V, D] in our order, with zeros for ids without a piece."""
        order = torch.tensor(self.order)
        rows = table[order.clamp_min(0)]
        rows[order == _NO_PIECE] = 0.0
        return rows

    def bias(self, bias: Tensor) -> Tensor:
        """The toolkit's output bias [V] in our order, with `NEVER_GENERATED` for copies."""
        order = torch.tensor(self.order)
        values = bias[order.clamp_min(0)]
        values[list(self.copies)] = NEVER_GENERATED
        return values

    def pieces(self, pieces: Mapping[int, str]) -> list[str]:
        """The toolkit's pieces, given by its ids, in our order; missing ones get a name."""
        return [pieces.get(number, f"<unused {number}>") for number in self.order]

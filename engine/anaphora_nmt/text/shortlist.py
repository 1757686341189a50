"""The target pieces that may render a source's pieces: the others are not computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shortlist:
    """Lists that come with a model, one for each source piece.

    Attributes:
        always: target pieces that may stand in any translation.
        starts, pieces: where each source piece's list begins and the last one ends, [V + 1], in `pieces`.
        copies: whether a source piece has the same number as the target's, and may be copied.
    """

    always: np.ndarray
    starts: np.ndarray
    pieces: np.ndarray
    copies: bool

    def of(self, source: Sequence[int]) -> np.ndarray:
        """Pieces of a source → those that may be written, in any order, some of them more than once."""
        each = [self.pieces[self.starts[piece] : self.starts[piece + 1]] for piece in set(source)]
        own = [np.array(source, self.pieces.dtype)] if self.copies else []
        return np.concatenate((self.always, *own, *each))

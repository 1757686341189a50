"""The target pieces that may translate a source's pieces; scores of other pieces are not computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shortlist:
    """A model's lists of target pieces, one for each source piece.

    Attributes:
        always: target pieces that are allowed in any translation.
        starts: where the list of each source piece begins in `pieces`, plus the end of the last, [V + 1].
        pieces: the lists, one after the other.
        copies: True if both sides share a vocabulary, so that source pieces may be copied.
    """

    always: np.ndarray
    starts: np.ndarray
    pieces: np.ndarray
    copies: bool

    def of(self, source: Sequence[int]) -> np.ndarray:
        """The allowed target pieces for a source's pieces, in any order, with repetitions."""
        each = [self.pieces[self.starts[piece] : self.starts[piece + 1]] for piece in set(source)]
        own = [np.array(source, self.pieces.dtype)] if self.copies else []
        return np.concatenate((self.always, *own, *each))

"""The pieces of words that several documents hold, as tensors that steps are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.memory.confirmed_pieces import ANY, ConfirmedPieces
from anaphora_nmt.native.library import NativeLibrary
from anaphora_nmt.native.stack import LANES
from anaphora_nmt.nn.precision import multiplies_bfloat16
from anaphora_nmt.nn.state import SentenceState

NEVER = -2
"""In place of the piece before one that never comes."""
_ROWS = 5
"""Hypotheses of a usual search; any number may be multiplied."""


class PackedKeys:
    """The keys of one sentence's slots in bfloat16, laid out as the processor multiplies them.

    A product finds them so in half of the time that it takes to lay them out anew at every step.
    """

    def __init__(self, packed: Tensor) -> None:
        self._packed = packed

    @classmethod
    def of(cls, keys: Tensor) -> PackedKeys | None:
        """Lay out keys [N, C + D], bfloat16; None where torch lacks the operations, which are private."""
        if not torch.is_inference_mode_enabled() or not _packs():
            return None
        return cls(torch.ops.mkldnn._reorder_linear_weight(keys, _ROWS))

    def products(self, steps: Tensor) -> Tensor:
        """Products of steps [T, C + D] with all keys, float32 [T, N]."""
        return _times_packed(steps.bfloat16(), self._packed).float()


def _times_packed(steps: Tensor, packed: Tensor) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(steps, packed, None, "none", [], "")
    return product


@cache
def _packs() -> bool:
    """Whether the operations are there, and multiply."""
    keys, steps = torch.eye(16, dtype=torch.bfloat16), torch.ones(1, 16, dtype=torch.bfloat16)
    try:
        with torch.inference_mode():
            found = _times_packed(steps, torch.ops.mkldnn._reorder_linear_weight(keys, _ROWS))
    except (AttributeError, RuntimeError, TypeError):  # missing, or with other arguments
        return False
    return bool(torch.equal(found, steps))


@dataclass(frozen=True)
class ConfirmedSlots(SentenceState):
    """Confirmed pieces of a batch of sentences.

    Features and log-probabilities that are compared with them may have several rows a sentence, one after the
    other: its hypotheses.

    Attributes:
        steps: (c_i, s_i), each of norm 1, in half precision as they are kept, [B, N, C + D].
        pieces: [B, N].
        before: the piece that must have come before, or `ANY` where it begins a word, or
            `NEVER` where there is no piece of a word,
            [B, N].
        log_weights: [B, N]; None where no user gave any a weight, and none is a draft.
        keys: the steps as they are multiplied, once they have been made ready, those that the library reads
            as `side_by_side` lays them out; else None.
        inside: whether a piece has to come after another one, [B, N], once they have been made ready.
        values: for the deep reading, in half precision, [B, N, D]; or None.
        still: whether they have no value, [B, N]; None where all have one.
        library: that reads them at each step; None: torch does.
    """

    steps: Tensor
    pieces: Tensor
    before: Tensor
    log_weights: Tensor | None = None
    keys: Tensor | PackedKeys | None = None
    inside: Tensor | None = None
    values: Tensor | None = None
    still: Tensor | None = None
    library: NativeLibrary | None = None

    def ready(self, width: int, library: NativeLibrary | None = None) -> ConfirmedSlots:
        """The same slots, prepared for being compared with many steps without gradients.

        With 2,000 pieces, comparing c and s reads 6 MB at every step in float32. In bfloat16 it is half of
        that, and a third of the time, where the processor multiplies in it; a likeness moves by less than
        0.001. Those of one sentence are laid out for it once.

        Args:
            width: of what they are compared with, see `products`.
            library: that is to read them.
        """
        if torch.is_grad_enabled():
            return self
        if library is not None:  # as they are kept: nothing is rounded
            keys = side_by_side(self.steps[..., -width:])
            return replace(self, keys=keys, inside=self.before != ANY, library=library)
        device = self.steps.device
        rounded = device.type == "cpu" and multiplies_bfloat16(device)
        keys = self.steps[..., -width:].to(torch.bfloat16 if rounded else torch.float32).contiguous()
        packed = PackedKeys.of(keys[0]) if rounded and len(keys) == 1 else None
        return replace(self, keys=packed or keys, inside=self.before != ANY)

    def products(self, steps: Tensor) -> Tensor:
        """Products of target steps [B, T, C + D], or of their states alone [B, T, D], with confirmed ones.

        Returns:
            float32 [B, T, N].
        """
        width = steps.shape[-1]
        if isinstance(self.keys, PackedKeys) and len(self.pieces) == 1:
            return self.keys.products(steps[0])[None]
        keys = self.keys if isinstance(self.keys, Tensor) else self.steps[..., -width:].to(steps.dtype)
        if keys.dtype is not torch.bfloat16:
            return steps @ keys.transpose(1, 2)
        # A batched product of matrices that small takes eight times as long in bfloat16.
        each = zip(steps.bfloat16(), keys, strict=True)
        return torch.stack([functional.linear(some, rows) for some, rows in each]).float()

    @property
    def is_inside(self) -> Tensor:
        """Whether they have to come after another piece, [B, N]."""
        return self.before != ANY if self.inside is None else self.inside

    def out(self, previous: Tensor) -> Tensor:
        """Which may not come after the pieces y_{t−1} [B, T], [B, T, N]."""
        before = self.before[:, None]
        elsewhere = before != previous[..., None]
        return elsewhere & self.is_inside[:, None]

    def step_of(self, columns: Tensor) -> Tensor:
        """The steps of columns [B or more, T], unrounded, [B or more, T, C + D]."""
        return rows_of(self.steps, columns).float()


def rows_of(rows: Tensor, columns: Tensor) -> Tensor:
    """Rows [B or 1, N, D] of columns [B, …] → [B, …, D]."""
    if len(rows) == 1:
        return rows[0][columns]
    # not `stack` of each row's, which refuses the float16 of kept vectors where training is in bfloat16
    numbers = torch.arange(len(rows), device=rows.device).view(-1, *[1] * (columns.dim() - 1))
    return rows[numbers, columns]


def side_by_side(rows: Tensor) -> Tensor:
    """Vectors [B, N, W], `LANES` of them side by side: [B, N / LANES rounded up, W, LANES]."""
    batch, count, width = rows.shape
    padded = functional.pad(rows, (0, 0, 0, -count % LANES))
    return padded.view(batch, -1, LANES, width).transpose(2, 3).contiguous()


def gather_confirmed(
    contents: Sequence[ConfirmedPieces], words: Tensor, deep: bool = False
) -> ConfirmedSlots | None:
    """Tensors of several documents' confirmed pieces; None where there are none at all.

    Args:
        words: 1 at pieces of words, else 0, [V].
        deep: with values, where they have any.
    """
    if not any(map(len, contents)):
        return None
    device = words.device
    pieces = _side_by_side([each.pieces for each in contents], 0).to(device)
    before = _side_by_side([each.before for each in contents], NEVER).to(device)
    before = before.masked_fill(words[pieces] == 0, NEVER)
    steps = _side_by_side([each.steps for each in contents], 0).to(device)
    slots = ConfirmedSlots(steps, pieces, before)
    moving = [each.moving for each in contents]
    if deep and any(each.any() for each in moving):
        values = _side_by_side([each.values for each in contents], 0).to(device)
        still = None
        if not all(each.all() for each in moving):
            still = ~_side_by_side(moving, False).to(device)
        slots = replace(slots, values=values, still=still)
    if all(each.evenly for each in contents):
        return slots
    log_weights = _side_by_side([np.log(each.weights) for each in contents], 0)
    return replace(slots, log_weights=log_weights.to(device))


def _side_by_side(parts: Sequence[np.ndarray], filler: float) -> Tensor:
    """Arrays [N, …] as one tensor [B, longest N, …]."""
    if len(parts) == 1:
        return torch.from_numpy(parts[0])[None]
    longest = max(parts, key=len)
    joined = np.full((len(parts), *longest.shape), filler, longest.dtype)
    for row, part in enumerate(parts):
        if len(part):
            joined[row, : len(part)] = part
    return torch.from_numpy(joined)

"""The confirmed pieces of several documents as tensors, and their reading by the native library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.memory.confirmed_pieces import WORD_START, ConfirmedPieces
from anaphora_nmt.memory.protocol import Reading, TargetSteps
from anaphora_nmt.native.library import NativeLibrary
from anaphora_nmt.native.stack import LANES
from anaphora_nmt.native.words import SlotTensors, blend, read
from anaphora_nmt.nn.state import SentenceState

NEVER = -2
"""The value of `before` for padding and for pieces that are never offered."""


@dataclass(frozen=True)
class ConfirmedSlots(SentenceState):
    """The confirmed pieces that B sentences read, N for each sentence after padding.

    Features and log-probabilities may have several consecutive rows for each sentence, one for each of the
    sentence's hypotheses.

    Attributes:
        steps: c_i and s_i, each of norm 1, concatenated, float16 [B, N, C + D].
        pieces: ids, [B, N].
        before: the required previous piece, or `WORD_START` for a piece that begins a word, or `NEVER`,
            [B, N].
        log_weights: logarithms of the weights, [B, N]; None if all weights are 1.
        keys: steps prepared for products (for the library, see `interleaved`); None before `ready`.
        values: shifts of states (`moved_states`), float16 [B, N, D]; None without deep reading.
        inert: True for pieces without a value, [B, N]; None if all pieces have a value.
        library: the library that reads the slots at each step; None if torch reads them.
    """

    steps: Tensor
    pieces: Tensor
    before: Tensor
    log_weights: Tensor | None = None
    keys: Tensor | None = None
    values: Tensor | None = None
    inert: Tensor | None = None
    library: NativeLibrary | None = None

    def products(self, steps: Tensor) -> Tensor:
        """Dot products of the slots with target steps [B, T, C + D] or with states [B, T, D]; [B, T, N]."""
        keys = self.steps[..., -steps.shape[-1] :].to(steps.dtype) if self.keys is None else self.keys
        return steps @ keys.transpose(1, 2)

    @property
    def is_inside(self) -> Tensor:
        """True for pieces that need a certain previous piece or are never offered (`before`), [B, N]."""
        return self.before != WORD_START

    def excluded(self, previous: Tensor) -> Tensor:
        """True for slots that cannot follow the previous pieces y_{t−1} ([B, T]), [B, T, N]."""
        before = self.before[:, None]
        is_different = before != previous[..., None]
        return is_different & self.is_inside[:, None]

    def step_of(self, columns: Tensor) -> Tensor:
        """The steps at `columns` in float32, see `rows_of`."""
        return rows_of(self.steps, columns).float()


def rows_of(rows: Tensor, columns: Tensor) -> Tensor:
    """Select the rows at `columns` [B, …] for each of B sentences.

    Args:
        rows: values of the sentences' slots, [B, N, …], or [1, N, …] if all sentences have the same slots.
    """
    if len(rows) == 1:
        return rows[0][columns]
    # selecting and stacking row by row would fail with float16 vectors during training in bfloat16
    numbers = torch.arange(len(rows), device=rows.device).view(-1, *[1] * (columns.dim() - 1))
    return rows[numbers, columns]


def interleaved(rows: Tensor) -> Tensor:
    """Interleave vectors [B, N, W] in groups of `LANES`: [B, ⌈N / LANES⌉, W, LANES]."""
    batch, count, width = rows.shape
    padded = functional.pad(rows, (0, 0, 0, -count % LANES))
    return padded.view(batch, -1, LANES, width).transpose(2, 3).contiguous()


def gather_confirmed(
    contents: Sequence[ConfirmedPieces], words: Tensor, deep: bool = False
) -> ConfirmedSlots | None:
    """Tensors of several documents' confirmed pieces; None if no document has any.

    Args:
        words: 1 for the vocabulary's word pieces, 0 for other pieces, [V].
        deep: include the values, if any piece has a value.
    """
    if not any(map(len, contents)):
        return None
    device = words.device
    pieces = _padded_batch([each.pieces for each in contents], 0).to(device)
    before = _padded_batch([each.before for each in contents], NEVER).to(device)
    before = before.masked_fill(words[pieces] == 0, NEVER)
    steps = _padded_batch([each.steps for each in contents], 0).to(device)
    slots = ConfirmedSlots(steps, pieces, before)
    has_value = [each.has_value for each in contents]
    if deep and any(each.any() for each in has_value):
        values = _padded_batch([each.values for each in contents], 0).to(device)
        inert = None
        if not all(each.all() for each in has_value):
            inert = ~_padded_batch(has_value, False).to(device)
        slots = replace(slots, values=values, inert=inert)
    weights = [each.weights for each in contents]
    if all((each == 1).all() for each in weights):
        return slots
    return replace(slots, log_weights=_padded_batch([*map(np.log, weights)], 0).to(device))


def _padded_batch(parts: Sequence[np.ndarray], filler: float) -> Tensor:
    """Arrays [N, …] as one padded tensor [B, largest N, …]."""
    if len(parts) == 1:
        return torch.from_numpy(parts[0])[None]
    longest = max(parts, key=len)
    joined = np.full((len(parts), *longest.shape), filler, longest.dtype)
    for row, part in enumerate(parts):
        if len(part):
            joined[row, : len(part)] = part
    return torch.from_numpy(joined)


@dataclass(frozen=True)
class NativeReading(Reading):
    """A reading of B steps: one step of each hypothesis of N sentences, or all steps of N targets.

    Attributes:
        shares: share of each of K confirmed pieces in p_confirmed, [B, K].
        weight: λ, [B].
        shift: shift of the states, [B, D] for hypotheses or [N, B / N, D] for targets; None without a shift.
        words: 1 for the vocabulary's word pieces, 0 for other pieces, [V].
    """

    slots: ConfirmedSlots
    shares: Tensor
    weight: Tensor
    shift: Tensor | None
    words: Tensor

    @property
    def deep(self) -> bool:
        return self.shift is not None

    def fuse_state(self, state: Tensor) -> Tensor:
        return state if self.shift is None else state + self.shift

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        slots, before = self.slots, log_probs.reshape(-1, log_probs.shape[-1])
        mixed = torch.empty_like(before)
        assert slots.library is not None
        for number, rows in enumerate(_rows(len(before), len(slots.pieces))):
            inputs = before[rows], self.weight[rows], self.words, self.shares[rows]
            blend(slots.library, *inputs, (slots.pieces[number], slots.before[number]), mixed[rows])
        return mixed.view_as(log_probs)


def read_natively(steps: TargetSteps, slots: ConfirmedSlots, config: object, words: Tensor) -> Reading:
    """Read at one step of B hypotheses, or at all steps of N targets.

    Args:
        config: a `ConfirmedConfig`.
    Returns:
        a reading without an effect if no similarity exceeds the threshold.
    """
    shape, parts = steps.features.state.shape, (steps.features.state, steps.features.context)
    state, context = (part.reshape(-1, part.shape[-1]).contiguous() for part in parts)
    previous = steps.previous.flatten().contiguous()
    sentences, count = slots.pieces.shape
    shares, weight = torch.empty(len(state), count), torch.empty(len(state))
    moves = slots.values is not None and config.deep_strength != 0  # type: ignore[attr-defined]
    shift = torch.empty_like(state) if moves else None
    assert slots.library is not None
    is_near = False
    for number, rows in enumerate(_rows(len(state), sentences)):
        results = shares[rows], weight[rows], None if shift is None else shift[rows]
        inputs = previous[rows], state[rows], context[rows]
        is_near |= read(slots.library, sentence(slots, number), config, *inputs, results)
    if not is_near:
        return Reading()
    return NativeReading(slots, shares, weight, None if shift is None else shift.view(shape), words)


def _rows(rows: int, sentences: int) -> list[slice]:
    """Divide consecutive rows equally among sentences."""
    size = rows // sentences
    return [slice(first, first + size) for first in range(0, rows, size)]


def sentence(slots: ConfirmedSlots, number: int) -> SlotTensors:
    """The slots of one sentence for the library; they must be ready (`Memory.ready`)."""
    assert slots.keys is not None
    parts = slots.keys, slots.steps, slots.pieces, slots.before, slots.log_weights, slots.values, slots.inert
    return SlotTensors(*(None if part is None else part[number] for part in parts))  # type: ignore[arg-type]

"""The reading of confirmed text by the native library; `confirmed.py` says what is read."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.memory.confirmed_slots import ConfirmedSlots
from anaphora_nmt.memory.protocol import Reading, TargetSteps
from anaphora_nmt.native.slots import SlotTensors, blend, read


@dataclass(frozen=True)
class NativeReading(Reading):
    """What hypotheses of N sentences have read, B / N of each, or the steps of their targets [N, B / N].

    Attributes:
        shares: of each confirmed piece in p_confirmed, [B, N']. weight: λ, [B].
        shift: what the states are moved by, [B, D] or [N, B / N, D]; None: nothing moves them.
        words: of the vocabulary's pieces, whether they spell a word, float [V].
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
        found = torch.empty_like(before)
        assert slots.library is not None
        for number, rows in enumerate(_rows(len(before), len(slots.pieces))):
            given = before[rows], self.weight[rows], self.words, self.shares[rows]
            blend(slots.library, *given, (slots.pieces[number], slots.before[number]), found[rows])
        return found.view_as(log_probs)


def read_natively(steps: TargetSteps, slots: ConfirmedSlots, config: object, words: Tensor) -> Reading:
    """Read with a `ConfirmedConfig` at one step of B hypotheses, or at all of N targets."""
    shape, parts = steps.features.state.shape, (steps.features.state, steps.features.context)
    state, context = (part.reshape(-1, part.shape[-1]).contiguous() for part in parts)
    previous = steps.previous.flatten().contiguous()
    sentences, count = slots.pieces.shape
    shares, weight = torch.empty(len(state), count), torch.empty(len(state))
    moves = slots.values is not None and config.deep_strength != 0  # type: ignore[attr-defined]
    shift = torch.empty_like(state) if moves else None
    assert slots.library is not None
    near = False
    for number, rows in enumerate(_rows(len(state), sentences)):
        found = shares[rows], weight[rows], None if shift is None else shift[rows]
        given = previous[rows], state[rows], context[rows]
        near |= read(slots.library, sentence(slots, number), config, *given, found)
    if not near:
        return Reading()
    return NativeReading(slots, shares, weight, None if shift is None else shift.view(shape), words)


def _rows(rows: int, sentences: int) -> list[slice]:
    size = rows // sentences
    return [slice(first, first + size) for first in range(0, rows, size)]


def sentence(slots: ConfirmedSlots, number: int) -> SlotTensors:
    """Those of one sentence, once they have been made ready for the library."""
    assert slots.keys is not None
    parts = slots.keys, slots.steps, slots.pieces, slots.before, slots.log_weights, slots.values, slots.still
    return SlotTensors(*(None if part is None else part[number] for part in parts))  # type: ignore[arg-type]

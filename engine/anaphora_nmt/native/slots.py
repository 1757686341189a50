"""The reading of confirmed text in the native library: `memory/confirmed.py` says what it is."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.native.calls import address, call
from anaphora_nmt.native.library import NativeLibrary
from anaphora_nmt.native.stack import LANES

_FLOATS = (
    *("threshold", "temperature", "context_share", "gate_bias", "gate_context", "gate_state"),
    *("deep_strength", "deep_threshold", "deep_temperature"),
)


class GivenSlots(ctypes.Structure):
    """`Slots` of source/kernels.h."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("count", "width", "context", "key_width")),
        *((name, ctypes.c_void_p) for name in ("keys", "steps", "pieces", "before")),
        *((name, ctypes.c_void_p) for name in ("log_weights", "values", "still")),
        *((name, ctypes.c_float) for name in _FLOATS),
        ("deep_steps", ctypes.c_int),
    )


class _Reading(ctypes.Structure):
    """`Reading` of source/kernels.h."""

    _fields_ = (
        ("rows", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("previous", "state", "context")),
        *((name, ctypes.c_void_p) for name in ("shares", "weight", "shift", "scratch")),
    )


@dataclass(frozen=True)
class SlotTensors:
    """Confirmed pieces of one sentence, as `ConfirmedSlots`; keys [N / 16 rounded up, W, 16]."""

    keys: Tensor
    steps: Tensor
    pieces: Tensor
    before: Tensor
    log_weights: Tensor | None
    values: Tensor | None
    still: Tensor | None

    def given(self, config: object, width: int, context: int, moves: bool) -> GivenSlots:
        """What the library is given. The tensors have to be kept as long as it is used.

        Args:
            config: with the attributes of `ConfirmedConfig`.
            width, context: D and C, of the states and contexts that are compared with them.
            moves: whether states are moved by the values, if there are any.
        """
        count, (groups, key_width, lanes) = len(self.pieces), self.keys.shape
        if groups * lanes < count:
            raise ValueError(f"keys of {groups * lanes} slots, not of {count}")
        given = GivenSlots(count, width, context, key_width)
        for name in _FLOATS:
            setattr(given, name, getattr(config, name))
        given.deep_steps = config.deep_steps  # type: ignore[attr-defined]
        given.keys = address(self.keys, torch.float16, groups, key_width, LANES)
        given.steps = address(self.steps, torch.float16, count, context + width)
        given.pieces, given.before = (address(part, torch.long, count) for part in (self.pieces, self.before))
        if self.log_weights is not None:
            given.log_weights = address(self.log_weights, torch.float32, count)
        if moves and self.values is not None:
            given.values = address(self.values, torch.float16, count, width)
            if self.still is not None:
                given.still = address(self.still, torch.bool, count)
        return given


def read(
    library: NativeLibrary,
    slots: SlotTensors,
    config: object,
    previous: Tensor,
    state: Tensor,
    context: Tensor,
    found: tuple[Tensor, Tensor, Tensor | None],
) -> bool:
    """What hypotheses of one sentence read.

    Args:
        config: with the attributes of `ConfirmedConfig`.
        previous: [R]. state, context: [R, D] and [R, C].
        found: shares [R, N], weight [R] and, where there are values, the shift of the states [R, D]: written.
    Returns:
        whether anything is alike enough to be followed.
    """
    (rows, width), count = state.shape, len(slots.pieces)
    of_context = context.shape[1]
    shares, weight, shift = found
    given = slots.given(config, width, of_context, shift is not None)
    reading = _Reading(rows)
    if shift is not None and slots.values is not None:
        reading.shift = address(shift, torch.float32, rows, width)
    reading.previous = address(previous, torch.long, rows)
    reading.state = address(state, torch.float32, rows, width)
    reading.context = address(context, torch.float32, rows, of_context)
    reading.shares = address(shares, torch.float32, rows, count)
    reading.weight = address(weight, torch.float32, rows)
    is_near = ctypes.c_int()
    where = ctypes.byref(given), ctypes.byref(reading), ctypes.byref(is_near)
    call(library.functions.read, library.number, *where)
    return bool(is_near.value)


def blend(
    library: NativeLibrary,
    log_probs: Tensor,
    weight: Tensor,
    word_pieces: Tensor,
    shares: Tensor,
    slots: tuple[Tensor, Tensor],
    out: Tensor,
) -> None:
    """log-probabilities [R, V] after a reading: see `blend_word_probs`.

    Args:
        slots: pieces and those before them, [N] each.
    """
    (rows, pieces), count = log_probs.shape, shares.shape[1]
    where = address(log_probs, torch.float32, rows, pieces), rows, pieces
    read = address(weight, torch.float32, rows), address(word_pieces, torch.float32, pieces)
    offered = address(shares, torch.float32, rows, count)
    ids = [address(part, torch.long, count) for part in slots]
    found = address(out, torch.float32, rows, pieces)
    call(library.functions.blend, library.number, *where, *read, offered, *ids, count, found)

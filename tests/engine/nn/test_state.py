"""States follow their hypotheses through the beam."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.nn.state import DecoderState, Encoded, Features, shift_right


@dataclass(frozen=True)
class Inner(DecoderState):
    values: Tensor


@dataclass(frozen=True)
class Outer(DecoderState):
    position: int
    layers: tuple[tuple[Tensor, Tensor], ...]
    encoded: Encoded
    inner: Inner


def test_reorder_reaches_everything_nested() -> None:
    rows = torch.arange(3.0)[:, None]
    state = Outer(5, ((rows, rows * 10),), Encoded(rows[:, None], rows > 0), Inner(rows * 100))
    moved = state.reorder(torch.tensor([2, 0, 2, 1]))
    assert moved.position == 5
    assert moved.layers[0][0].flatten().tolist() == [2, 0, 2, 1]
    assert moved.layers[0][1].flatten().tolist() == [20, 0, 20, 10]
    assert moved.encoded.states.flatten().tolist() == [2, 0, 2, 1]
    assert moved.encoded.mask.flatten().tolist() == [True, False, True, True]
    assert moved.inner.values.flatten().tolist() == [200, 0, 200, 100]


def test_repeat_keeps_a_sentence_together() -> None:
    encoded = Encoded(torch.tensor([[[1.0]], [[2.0]]]), torch.tensor([[True], [False]])).repeat(3)
    assert encoded.states.flatten().tolist() == [1, 1, 1, 2, 2, 2]
    assert encoded.mask.flatten().tolist() == [True, True, True, False, False, False]


def test_shift_right() -> None:
    assert shift_right(torch.tensor([[5, 6, 2], [7, 2, 0]]), 1).tolist() == [[1, 5, 6], [1, 7, 2]]


def test_select_takes_steps_in_order() -> None:
    steps = torch.arange(6.0).view(2, 3, 1)
    chosen = Features(steps, steps, steps).select(torch.tensor([[True, False, True], [False, True, False]]))
    assert chosen.state.flatten().tolist() == [0, 2, 4]
    assert chosen.attention is None

"""States follow their hypotheses through the beam."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.nn.state import DecoderState, Encoded, SentenceState


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


@dataclass(frozen=True, kw_only=True)
class Sentences(SentenceState):
    layers: tuple[tuple[Tensor, ...], ...]


def sentences(*names: float) -> Sentences:
    """A row for each sentence; the first tensor follows an empty tuple."""
    return Sentences(layers=((), (torch.tensor(names),)))


def shown(state: Sentences) -> tuple[list[float], int, list[int] | None]:
    return state.layers[1][0].tolist(), state.group, None if state.owners is None else state.owners.tolist()


def test_hypotheses_share_the_row_of_their_sentence() -> None:
    state = sentences(10, 20).reorder(torch.tensor([0, 0, 0, 1, 1, 1]))
    assert shown(state) == ([10, 20], 3, [0, 0, 0, 1, 1, 1])
    assert state.reorder(torch.tensor([2, 0, 0, 4, 4, 5])) is state, (
        "hypotheses are reordered within sentences"
    )
    gone = state.reorder(torch.tensor([5, 4, 3]))
    assert shown(gone) == ([20], 3, [0, 0, 0])
    assert gone.reorder(torch.tensor([1, 1, 0])) is gone
    assert shown(gone.reorder(torch.tensor([1, 0]))) == ([20], 2, [0, 0])
    fewer = state.reorder(torch.tensor([0, 1, 3, 5]))
    assert shown(fewer) == ([10, 20], 2, [0, 0, 1, 1])
    assert fewer.layers[1][0] is state.layers[1][0], "the sentences stay, so nothing is copied"
    assert shown(state.reorder(torch.tensor([3, 4, 0, 1]))) == ([20, 10], 2, [0, 0, 1, 1])

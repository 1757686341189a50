"""What adjusters do to scores: the same whether changes are kept aside or made in a tensor."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from anaphora_nmt.search.adjusters import NextScores, ScoreAdjuster, StepScores

SIZE, COUNT = 40, 12
NEVER = float("-inf")


class Lowers:
    """Lowers some tokens, and forbids one."""

    def __init__(self, seed: int) -> None:
        chosen = random.Random(seed)
        self.changes = {chosen.randrange(SIZE): -4 * chosen.random() for _ in range(9)}
        self.changes[chosen.randrange(SIZE)] = NEVER

    def start(self, sentence: int) -> int:
        return 0

    def adjust(self, scores: NextScores, state: int) -> int:
        scores.lower(self.changes)
        return state + 1

    def advance(self, state: int, token: int) -> int:
        return state

    def native(self) -> None:
        return None

    def literally(self, scores: list[float]) -> list[float]:
        return [score + self.changes.get(token, 0.0) for token, score in enumerate(scores)]


class Penalises(Lowers):
    """Takes something from every third of the likeliest tokens."""

    def adjust(self, scores: NextScores, state: int) -> int:
        scores.penalise(COUNT, 2.5, lambda token: token % 3 == 0)
        return state + 1

    def literally(self, scores: list[float]) -> list[float]:
        likeliest = sorted(range(SIZE), key=lambda token: -scores[token])[:COUNT]
        return [
            score - 2.5 if token in likeliest and token % 3 == 0 else score
            for token, score in enumerate(scores)
        ]


class Raises(Lowers):
    """Raises a token in the tensor, as terms do."""

    def adjust(self, scores: NextScores, state: int) -> int:
        scores.all()[7] += 3.0
        return state + 1

    def literally(self, scores: list[float]) -> list[float]:
        return [score + 3.0 * (token == 7) for token, score in enumerate(scores)]


KINDS = (Lowers, Penalises, Raises)
ORDERS = [order for size in range(4) for order in itertools.product(KINDS, repeat=size)]


def as_listed(step: StepScores, scores: NextScores) -> list[float]:
    """The scores as a beam reads them, off the sorted list."""
    found = [0.0] * SIZE
    for rank, (value, token) in enumerate(scores.lowered(*step.sorted_row(1))):
        found[token] = value - scores.penalty(rank, token)
    return found


@pytest.mark.parametrize("order", ORDERS)
def test_changes_that_are_kept_aside_are_those_that_are_made(order: Sequence[type[Lowers]]) -> None:
    log_probs: Tensor = 3 * torch.randn(2, SIZE, generator=torch.Generator().manual_seed(5))
    given = log_probs.clone()
    adjusters: list[ScoreAdjuster[int]] = [kind(seed) for seed, kind in enumerate(order)]
    wanted: list[float] = log_probs[1].tolist()
    for each in adjusters:
        assert isinstance(each, Lowers)
        wanted = each.literally(wanted)
    step = StepScores(log_probs, lambda: None)
    scores, states = step.adjusted(adjusters, 1, (0,) * len(order))
    assert states == (1,) * len(order)
    assert as_listed(step, scores) == pytest.approx(wanted, abs=1e-5)
    assert scores.all().tolist() == pytest.approx(wanted, abs=1e-5)
    assert torch.equal(log_probs, given), "what the model gave is left as it is"
    assert torch.equal(step.copied()[0], given[0]), "and so is the other hypothesis"


def test_only_so_many_of_the_likeliest_are_penalised() -> None:
    scores = NextScores(StepScores(torch.tensor([[4.0, 3.0, 2.0]]), lambda: None), 0)
    assert scores.penalty(0, 0) == 0.0, "nobody has penalised any"
    scores.penalise(2, 1.5, lambda token: token != 0)
    assert [scores.penalty(rank, token) for rank, token in enumerate(range(3))] == [0.0, 1.5, 0.0]
    assert scores.all().tolist() == [4.0, 1.5, 2.0]
    scores.penalise(9, 1.0, lambda token: token == 2)
    assert scores.all().tolist() == [4.0, 1.5, 1.0], "the whole vocabulary may be meant"
    scores.penalise(3, 1.0, lambda token: False)
    assert scores.all().tolist() == [4.0, 1.5, 1.0]

"""The coverage of the source: against a literal transcription, and what it changes in real drafts."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from anaphora_nmt.search.beam import Hypothesis
from anaphora_nmt.search.coverage import coverage, ranked_by_coverage


def literal(attention: np.ndarray, source: np.ndarray, target: np.ndarray) -> list[float]:
    """Piece by piece."""
    found = []
    for weights, counts, steps in zip(attention, source, target, strict=True):
        total = 0.0
        for place in np.flatnonzero(counts):
            most = max(weights[step, place] for step in np.flatnonzero(steps))
            total += math.log(max(most, 0.01))
        found.append(total)
    return found


def test_coverage_is_the_literal_one() -> None:
    random = np.random.default_rng(3)
    attention = random.dirichlet([0.2] * 7, (4, 5))
    source, target = random.random((4, 7)) < 0.7, np.arange(5) < np.array([[5], [2], [1], [4]])
    found = coverage(torch.from_numpy(attention).log(), torch.from_numpy(source), torch.from_numpy(target))
    assert found.tolist() == pytest.approx(literal(attention, source, target))


def test_nothing_that_counts_is_covered_whatever_is_looked_at() -> None:
    attention = torch.full((1, 2, 3), -50.0)
    assert coverage(attention, torch.zeros(1, 3).bool(), torch.ones(1, 2).bool()).tolist() == [0.0]
    assert coverage(attention, torch.ones(1, 3).bool(), torch.ones(1, 2).bool()).item() == pytest.approx(
        3 * math.log(0.01)
    )


def test_a_hypothesis_that_leaves_something_out_falls_behind_by_weight() -> None:
    short, whole = Hypothesis((4, 3), -1.0, -0.5), Hypothesis((4, 5, 3), -1.5, -0.6)
    for weight, first in ((0.0, short), (0.01, short), (0.1, whole)):
        ranked = ranked_by_coverage([short, whole], [-5.0, -1.0], weight)
        assert ranked[0].pieces == first.pieces
        assert [h.score for h in ranked] == sorted((h.score for h in ranked), reverse=True)
    assert ranked[0].score == pytest.approx(-0.6 - 0.1)

"""The coverage of the source: a literal transcription, and the effect on real drafts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch

from anaphora_nmt.search.beam import Hypothesis, coverage, rank_by_coverage


def literal(attention: np.ndarray, source: np.ndarray, lengths: Sequence[int]) -> list[float]:
    """Piece by piece."""
    found = []
    for weights, counts, steps in zip(attention, source, lengths, strict=True):
        total = 0.0
        for place in np.flatnonzero(counts):
            most = max(weights[step, place] for step in range(steps))
            total += math.log(max(most, 0.01))
        found.append(total)
    return found


def test_coverage_follows_the_equation() -> None:
    random = np.random.default_rng(3)
    attention = random.dirichlet([0.2] * 7, (4, 5))
    source, lengths = random.random((4, 7)) < 0.7, (5, 2, 1, 4)
    seen = [
        torch.from_numpy(weights[:steps]).log().amax(0)
        for weights, steps in zip(attention, lengths, strict=True)
    ]
    found = coverage(torch.stack(seen), torch.from_numpy(source))
    assert found.tolist() == pytest.approx(literal(attention, source, lengths))


def test_an_incomplete_hypothesis_ranks_lower_with_weight() -> None:
    short, whole = Hypothesis((4, 3), -1.0, -0.5), Hypothesis((4, 5, 3), -1.5, -0.6)
    for weight, first in ((0.0, short), (0.01, short), (0.1, whole)):
        ranked = rank_by_coverage([short, whole], [-5.0, -1.0], weight)
        assert ranked[0].pieces == first.pieces
        assert [h.score for h in ranked] == sorted((h.score for h in ranked), reverse=True)
    assert ranked[0].score == pytest.approx(-0.6 - 0.1)

"""Ranking finished translations by what they leave of the source, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from anaphora_nmt.search.beam import Hypothesis

_LEAST = 0.01


def coverage(seen: Tensor, source: Tensor) -> Tensor:
    """How well each translation covers its source: Σ_i log max_j p_ij, 0 at best, [N].

    After Wu et al. (2016), eq. (14), which has min(Σ_j p_ij, 1) where this has the maximum: a piece that many
    words look at a little is translated by none of them. No source piece counts for less than log 0.01.

    Args:
        seen: log max_j p_ij, [N, S]. source: the source pieces that count, [N, S].
    """
    floor = torch.tensor(_LEAST, device=seen.device).log()
    return seen.maximum(floor).masked_fill(~source, 0.0).sum(1)


def ranked_by_coverage(
    hypotheses: Sequence[Hypothesis], covered: Sequence[float], weight: float
) -> list[Hypothesis]:
    """One sentence's hypotheses, best first, with `weight` times the log-coverage added to their scores."""
    scored = (
        replace(hypothesis, score=hypothesis.score + weight * each)
        for hypothesis, each in zip(hypotheses, covered, strict=True)
    )
    return sorted(scored, key=lambda hypothesis: -hypothesis.score)

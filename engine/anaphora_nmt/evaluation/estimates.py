"""How well estimates agree with what they estimate: rank correlation, area under the curve."""

from __future__ import annotations

import numpy as np


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1; equal values share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[places]


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman's rank correlation; 0 where either side says the same of everything."""
    if len(np.unique(first)) < 2 or len(np.unique(second)) < 2:
        return 0.0
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def area_under_curve(wrong: np.ndarray, right: np.ndarray) -> float:
    """How often a wrong one has the lower value of two, one wrong and one not; ties count half."""
    count = int(wrong.sum())
    below = ranks(right)[wrong].sum() - count * (count + 1) / 2
    return float(1 - below / max(1, count * (len(wrong) - count)))

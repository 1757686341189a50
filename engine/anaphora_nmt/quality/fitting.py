"""Fits the regressions of an estimate, and says what they say of documents they were not fitted on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anaphora_nmt.quality.estimator import CLIP, Regression

RIDGE = 0.02
FOLDS = 5
_STEPS = 25


def fit_regression(rows: np.ndarray, wanted: np.ndarray, ridge: float = RIDGE) -> Regression:
    """Logistic regression with a ridge on rows [N, F], by iteratively reweighted least squares.

    Values [N] between 0 and 1 are fitted as shares (Papke and Wooldridge, 1996).
    """
    centre, scale = rows.mean(0), rows.std(0) + 1e-3
    inputs = np.clip((rows - centre) / scale, -CLIP, CLIP).astype(np.float64)
    inputs = np.hstack([inputs, np.ones((len(rows), 1))])
    penalty = ridge * np.eye(inputs.shape[1])
    penalty[-1, -1] = 0.0
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        said = 1 / (1 + np.exp(-(inputs @ weights)))
        slope = np.maximum(said * (1 - said), 1e-4)
        gradient = inputs.T @ (wanted - said) / len(rows) - penalty @ weights
        step = np.linalg.solve((inputs.T * slope) @ inputs / len(rows) + penalty, gradient)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return Regression(*(each.astype(np.float32) for each in (centre, scale, weights[:-1], weights[-1:])))


def folds(documents: Sequence[str]) -> np.ndarray:
    """A fold for each row, [N], the same for all rows of a document."""
    names = sorted(set(documents))
    numbers = np.random.default_rng(1).permutation(len(names)) % FOLDS
    fold = dict(zip(names, numbers.tolist(), strict=True))
    return np.array([fold[document] for document in documents])


def out_of_fold(rows: np.ndarray, wanted: np.ndarray, fold: np.ndarray, ridge: float = RIDGE) -> np.ndarray:
    """What regressions say of rows that they were not fitted on, [N]."""
    said = np.zeros(len(rows))
    for number in np.unique(fold):
        held = fold == number
        said[held] = fit_regression(rows[~held], wanted[~held], ridge)(rows[held])
    return said

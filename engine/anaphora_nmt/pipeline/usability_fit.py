"""How far a reader can use a draft, fitted on what readers judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from anaphora_nmt.pipeline.judged_corpus import Judged
from anaphora_nmt.pipeline.judgements import VALUES, judged_rows
from anaphora_nmt.quality.estimator import QualityEstimator
from anaphora_nmt.quality.features import segment_features
from anaphora_nmt.quality.fitting import fit_regression, folds, out_of_fold

RIDGE = 0.3
"""More than for chrF, as there are fewer drafts: of 0.02, 0.1, 0.3 and 1 the best on dev, out of fold."""
_FEWEST = 100
_FEWEST_USABLE = 25
_STEP = 0.01
_MAY_BE_HIDDEN = 0.04


def fit_usability(
    estimator: QualityEstimator, rows: Sequence[Judged], judgements: Mapping[str, str]
) -> tuple[QualityEstimator, str]:
    """An estimate that says below which usability a draft is worse than none; as it is with too few
    judgements."""
    numbers, judged = judged_rows(rows, judgements)
    if len(judged) < _FEWEST or judged.count("usable") < _FEWEST_USABLE:
        return estimator, f"{len(judged)} drafts were judged: too few to fit their usability"
    some = [rows[number] for number in numbers]
    inputs = np.stack([segment_features(row.evidence, estimator.training) for row in some])
    values = np.array([VALUES[each] for each in judged])
    genres = np.unique([row.genre for row in some], return_inverse=True)[1]
    said = out_of_fold(inputs, values, folds([row.document for row in some]), RIDGE)
    bound = usable_bound(judged, said)
    report = ["Usability, fitted without the document:", *_table(judged, said, bound)]
    if genres.max() > 0:
        report.append("fitted without the genre:")
        report += _table(judged, out_of_fold(inputs, values, genres, RIDGE), bound)
    fitted = fit_regression(inputs, values, RIDGE)
    every = fitted(np.stack([segment_features(row.evidence, estimator.training) for row in rows]))
    report.append(f"  of all drafts, below {bound:.2f}: {_shares(rows, every < bound)}")
    thresholds = replace(estimator.thresholds, unusable=bound)
    return replace(estimator, usable=fitted, thresholds=thresholds), "\n".join(report)


def usable_bound(judged: Sequence[str], said: np.ndarray) -> float:
    """The highest hundredth of a usability [N] below which at most 4 % of the usable drafts lie."""
    usable = said[np.array([each == "usable" for each in judged])]
    bounds = np.arange(100) * _STEP
    return round(max(float(bound) for bound in bounds if (usable < bound).mean() <= _MAY_BE_HIDDEN), 2)


def _shares(rows: Sequence[Judged], below: np.ndarray) -> str:
    genres = np.array([row.genre for row in rows])
    return ", ".join(f"{genre} {below[genres == genre].mean():.0%}" for genre in sorted({*genres.tolist()}))


def _table(judged: Sequence[str], said: np.ndarray, bound: float) -> list[str]:
    """How many drafts of each judgement lie below a bound, and around it."""
    every, lines = Counter(judged), []
    for each in (bound - 0.1, bound - 0.05, bound, bound + 0.05, bound + 0.1):
        below = Counter(name for name, value in zip(judged, said, strict=True) if value < each)
        lines.append(
            f"  below {each:.2f}: " + ", ".join(f"{below[name]} of {every[name]} {name}" for name in VALUES)
        )
    return lines

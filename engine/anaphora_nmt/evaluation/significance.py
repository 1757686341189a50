"""Whether one system is better than another: paired bootstrap and sign test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.counts import MatchCounts

SEED = 12345


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of two systems on one test set, and the ends of its 95 % interval.

    `p` is the two-sided probability of a difference like this between equal systems.
    """

    metric: str
    baseline: float
    system: float
    difference: float
    low: float
    high: float
    p: float
    samples: int


@dataclass(frozen=True, slots=True)
class SignTest:
    """How many segments the system translated better and worse, and the two-sided p of that."""

    better: int
    worse: int
    equal: int
    p: float


def paired_bootstrap(
    baseline: MatchCounts, system: MatchCounts, samples: int = 1000, seed: int = SEED
) -> PairedDifference:
    """Paired bootstrap resampling (Koehn, 2004) over the rows: segments, or documents (`by_document`).

    p is twice the share of resampled test sets that contradict the sign of the difference; the true
    difference counts as one of them, so p is never 0. CorpusError: they are not of one test set and metric.
    """
    _check_paired(baseline, system)
    rows = len(baseline.counts)
    generator = np.random.default_rng(seed)
    weights = np.stack(
        [np.bincount(generator.integers(rows, size=rows), minlength=rows) for _ in range(samples)]
    ).astype(np.float64)
    differences = system.scores(weights @ system.counts) - baseline.scores(weights @ baseline.counts)
    contrary = min(int((differences <= 0).sum()), int((differences >= 0).sum()))
    low, high = np.quantile(differences, (0.025, 0.975))
    before, after = baseline.corpus_score(), system.corpus_score()
    return PairedDifference(
        baseline.metric,
        before,
        after,
        after - before,
        float(low),
        float(high),
        min(1.0, 2 * (contrary + 1) / (samples + 1)),
        samples,
    )


def sign_test(baseline: MatchCounts, system: MatchCounts) -> SignTest:
    """The sign test of Collins et al. (2005).

    A segment is better if the baseline's corpus score rises when the system's output takes the place of the
    baseline's there. Segments that change nothing do not count.
    """
    _check_paired(baseline, system)
    total = baseline.counts.sum(0)
    changes = system.scores(total + system.counts - baseline.counts) - baseline.corpus_score()
    better, worse = int((changes > 1e-9).sum()), int((changes < -1e-9).sum())
    return SignTest(better, worse, len(changes) - better - worse, _binomial_two_sided(better, worse))


def _binomial_two_sided(first: int, second: int) -> float:
    """Probability that a fair coin thrown first + second times is at least as uneven."""
    throws, tail = first + second, min(first, second)
    return min(1.0, 2 * sum(math.comb(throws, k) for k in range(tail + 1)) / 2**throws)


def _check_paired(baseline: MatchCounts, system: MatchCounts) -> None:
    if baseline.metric != system.metric or baseline.counts.shape != system.counts.shape:
        raise CorpusError(
            f"cannot compare {baseline.metric} of {len(baseline.counts)} segments with {system.metric} of "
            f"{len(system.counts)}; score both systems on the same test set"
        )

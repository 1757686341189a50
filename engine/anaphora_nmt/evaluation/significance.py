"""Comparison of two systems: paired bootstrap and sign test.

Both start from match counts of each segment: sums of them give BLEU and chrF of any selection of segments.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.bleu import bleu_metric, check_parallel, chrf_metric


@dataclass(frozen=True)
class MatchCounts:
    """A metric's sufficient statistics, one row a segment, float64 [N, K]; `scorer`: sacrebleu's metric."""

    metric: str
    counts: np.ndarray
    scorer: Any = field(compare=False, repr=False)

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """Scores of sums of rows, [N, K] → [N], 0 to 100."""
        return np.array([self.scorer._compute_score_from_stats(row).score for row in sums])

    def corpus_score(self) -> float:
        return float(self.scores(self.counts.sum(0)[None])[0])

    def by_document(self, documents: Sequence[object]) -> MatchCounts:
        """One row for each document instead of each segment: to resample whole documents."""
        if len(documents) != len(self.counts):
            raise CorpusError(f"{len(self.counts)} segments, but documents for {len(documents)}")
        starts = [n for n in range(len(documents)) if n == 0 or documents[n] != documents[n - 1]]
        return replace(self, counts=np.add.reduceat(self.counts, starts, axis=0))


def count_matches(
    metric: str, outputs: Sequence[str], references: Sequence[Sequence[str]], lowercase: bool = False
) -> MatchCounts:
    """Match counts ("BLEU" or "chrF2") of every segment; CorpusError: no outputs, or unequal lists."""
    check_parallel(outputs, references)
    scorer = bleu_metric(lowercase) if metric == "BLEU" else chrf_metric(lowercase)
    # The start of sacrebleu's own significance tests, and of `scores`: neither has a public name.
    rows = scorer._extract_corpus_statistics(list(outputs), [list(reference) for reference in references])
    return MatchCounts(metric, np.array(rows, np.float64), scorer)


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

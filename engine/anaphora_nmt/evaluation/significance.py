"""BLEU and chrF, and comparison of two systems by paired bootstrap and sign test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU, CHRF

from anaphora_nmt.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Score:
    """A score from 0 to 100, and sacrebleu's signature, which makes it reproducible."""

    value: float
    signature: str


def corpus_bleu(
    outputs: Sequence[str], references: Sequence[Sequence[str]], lowercase: bool = False
) -> Score:
    """BLEU of detokenised translations. CorpusError if there are no outputs, or the lists' lengths differ."""
    return _score(bleu_metric(lowercase), outputs, references)


def corpus_chrf(
    outputs: Sequence[str], references: Sequence[Sequence[str]], lowercase: bool = False
) -> Score:
    """chrF2 of a corpus, with the arguments and errors of `corpus_bleu`."""
    return _score(chrf_metric(lowercase), outputs, references)


def document_bleu(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    documents: Sequence[object],
    lowercase: bool = False,
) -> Score:
    """BLEU with each run of equal `documents` as one segment, in which n-grams may match anywhere."""
    check_parallel(outputs, [*references, documents])
    joined = [join_documents(reference, documents) for reference in references]
    return corpus_bleu(join_documents(outputs, documents), joined, lowercase)


def join_documents(lines: Sequence[str], documents: Sequence[object]) -> list[str]:
    joined: list[list[str]] = []
    for number, line in enumerate(lines):
        if number == 0 or documents[number] != documents[number - 1]:
            joined.append([])
        joined[-1].append(line)
    return [" ".join(parts) for parts in joined]


def bleu_metric(lowercase: bool = False) -> BLEU:
    # `force` only silences a warning about outputs that end in " ."
    return BLEU(lowercase=lowercase, force=True)


def chrf_metric(lowercase: bool = False) -> CHRF:
    return CHRF(lowercase=lowercase)


def check_parallel(outputs: Sequence[str], others: Sequence[Sequence[object]]) -> None:
    """Raise CorpusError if there are no outputs, or if another list has a different length."""
    if not outputs:
        raise CorpusError("there is no output to evaluate")
    for other in others:
        if len(other) != len(outputs):
            raise CorpusError(
                f"{len(outputs)} outputs, but {len(other)} lines to compare them with; use the same test set"
            )


def _score(metric: BLEU | CHRF, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    check_parallel(outputs, references)
    score = metric.corpus_score(list(outputs), [list(reference) for reference in references]).score
    return Score(float(score), str(metric.get_signature()))


@dataclass(frozen=True)
class MatchCounts:
    """A metric's name, its sufficient statistics for each segment, float64 [N, K], and sacrebleu's metric."""

    metric: str
    counts: np.ndarray
    scorer: Any = field(compare=False, repr=False)

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """Scores from 0 to 100 for sums of rows of `counts`, [N, K] → [N]."""
        return np.array([self.scorer._compute_score_from_stats(row).score for row in sums])

    def corpus_score(self) -> float:
        return float(self.scores(self.counts.sum(0)[None])[0])

    def by_document(self, documents: Sequence[object]) -> MatchCounts:
        """Match counts with one row for each run of equal `documents`, for resampling whole documents."""
        if len(documents) != len(self.counts):
            raise CorpusError(f"{len(self.counts)} segments, but documents for {len(documents)}")
        starts = [n for n in range(len(documents)) if n == 0 or documents[n] != documents[n - 1]]
        return replace(self, counts=np.add.reduceat(self.counts, starts, axis=0))


def count_matches(
    metric: str, outputs: Sequence[str], references: Sequence[Sequence[str]], lowercase: bool = False
) -> MatchCounts:
    """Match counts ("BLEU" or "chrF2") of each segment, with the errors of `corpus_bleu`."""
    check_parallel(outputs, references)
    scorer = bleu_metric(lowercase) if metric == "BLEU" else chrf_metric(lowercase)
    # sacrebleu's significance tests use this method, too; there is no public one.
    rows = scorer._extract_corpus_statistics(list(outputs), [list(reference) for reference in references])
    return MatchCounts(metric, np.array(rows, np.float64), scorer)


SEED = 12345


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of two systems on one test set, and its 95 % interval from `low` to `high`.

    `p` is the two-sided probability that equal systems differ at least as much.
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
    """Numbers of segments that the system translated better, worse and equally, and the two-sided p."""

    better: int
    worse: int
    equal: int
    p: float


def paired_bootstrap(
    baseline: MatchCounts, system: MatchCounts, samples: int = 1000, seed: int = SEED
) -> PairedDifference:
    """Paired bootstrap resampling (Koehn, 2004) over rows, which are segments or documents (`by_document`).

    p is twice the share of resampled test sets in which the system that is usually better is not better. One
    such set is added, so that p is never 0. CorpusError if the metrics or the numbers of segments differ.
    """
    _check_paired(baseline, system)
    rows = len(baseline.counts)
    generator = np.random.default_rng(seed)
    weights = np.stack(
        [np.bincount(generator.integers(rows, size=rows), minlength=rows) for _ in range(samples)]
    ).astype(np.float64)
    differences = system.scores(weights @ system.counts) - baseline.scores(weights @ baseline.counts)
    opposite = min(int((differences <= 0).sum()), int((differences >= 0).sum()))
    low, high = np.quantile(differences, (0.025, 0.975))
    before, after = baseline.corpus_score(), system.corpus_score()
    return PairedDifference(
        baseline.metric,
        before,
        after,
        after - before,
        float(low),
        float(high),
        min(1.0, 2 * (opposite + 1) / (samples + 1)),
        samples,
    )


def sign_test(baseline: MatchCounts, system: MatchCounts) -> SignTest:
    """The sign test of Collins et al. (2005).

    A segment is better if the baseline's corpus score rises when the system's output replaces the baseline's
    output for this segment. Segments that do not change the score do not affect p.
    """
    _check_paired(baseline, system)
    total = baseline.counts.sum(0)
    changes = system.scores(total + system.counts - baseline.counts) - baseline.corpus_score()
    better, worse = int((changes > 1e-9).sum()), int((changes < -1e-9).sum())
    return SignTest(better, worse, len(changes) - better - worse, _binomial_two_sided(better, worse))


def _binomial_two_sided(first: int, second: int) -> float:
    throws, tail = first + second, min(first, second)
    return min(1.0, 2 * sum(math.comb(throws, k) for k in range(tail + 1)) / 2**throws)


def _check_paired(baseline: MatchCounts, system: MatchCounts) -> None:
    if baseline.metric != system.metric or baseline.counts.shape != system.counts.shape:
        raise CorpusError(
            f"cannot compare {baseline.metric} of {len(baseline.counts)} segments with {system.metric} of "
            f"{len(system.counts)}; score both systems on the same test set"
        )

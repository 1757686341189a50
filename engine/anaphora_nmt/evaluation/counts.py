"""Match counts of each segment: sums of them give BLEU and chrF of any selection of segments at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.bleu import bleu_metric, check_parallel, chrf_metric


@dataclass(frozen=True)
class MatchCounts:
    """A metric's sufficient statistics, one row a segment, float64 [N, K]."""

    metric: str
    counts: np.ndarray

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """Scores of sums of rows, [..., K] → [...], 0 to 100."""
        return _SCORERS[self.metric](sums)

    def corpus_score(self) -> float:
        return float(self.scores(self.counts.sum(0)))

    def by_document(self, documents: Sequence[object]) -> MatchCounts:
        """One row for each document instead of each segment: to resample whole documents."""
        if len(documents) != len(self.counts):
            raise CorpusError(f"{len(self.counts)} segments, but documents for {len(documents)}")
        starts = [n for n in range(len(documents)) if n == 0 or documents[n] != documents[n - 1]]
        return replace(self, counts=np.add.reduceat(self.counts, starts, axis=0))


def count_matches(
    metric: str,
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    lowercase: bool = False,
) -> MatchCounts:
    """Match counts ("BLEU" or "chrF2") of every segment; CorpusError: no outputs, or unequal lists."""
    check_parallel(outputs, references)
    scorer = bleu_metric(lowercase) if metric == "BLEU" else chrf_metric(lowercase)
    # What sacrebleu's own significance tests start from; it has no public name.
    rows = scorer._extract_corpus_statistics(list(outputs), [list(reference) for reference in references])
    return MatchCounts(metric, np.array(rows, np.float64))


def _bleu(sums: np.ndarray) -> np.ndarray:
    """BLEU-4 with sacrebleu's default smoothing from (length, reference length, 4 matches, 4 totals)."""
    length, reference = sums[..., 0], sums[..., 1]
    matches, totals = sums[..., 2:6], sums[..., 6:]
    halvings = np.cumsum(matches == 0, axis=-1)
    smoothed = np.where(matches == 0, 0.5**halvings, matches)
    with np.errstate(divide="ignore"):
        precisions = np.divide(smoothed, totals, out=np.zeros_like(totals), where=totals > 0)
        geometric = np.exp(np.log(precisions).mean(-1))
    excess = 1 - np.divide(reference, length, out=np.zeros_like(length), where=length > 0)
    score = 100 * np.exp(np.minimum(excess, 0)) * geometric
    return np.where(matches.any(-1), score, 0.0)


def _chrf(sums: np.ndarray) -> np.ndarray:
    """chrF2 from (output n-grams, reference n-grams, matches) of each order."""
    triples = sums.reshape(*sums.shape[:-1], -1, 3)
    outputs, references, matches = triples[..., 0], triples[..., 1], triples[..., 2]
    used = (outputs > 0) & (references > 0)
    orders = np.maximum(used.sum(-1), 1)
    precision = np.divide(matches, outputs, out=np.zeros_like(matches), where=used).sum(-1) / orders
    recall = np.divide(matches, references, out=np.zeros_like(matches), where=used).sum(-1) / orders
    denominator = 4 * precision + recall
    return 100 * np.divide(
        5 * precision * recall, denominator, out=np.zeros_like(denominator), where=denominator > 0
    )


_SCORERS: dict[str, Callable[[np.ndarray], np.ndarray]] = {"BLEU": _bleu, "chrF2": _chrf}

"""Match counts of each segment: sums of them give BLEU and chrF of any selection of segments at once."""

from __future__ import annotations

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
    metric: str,
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    lowercase: bool = False,
) -> MatchCounts:
    """Match counts ("BLEU" or "chrF2") of every segment; CorpusError: no outputs, or unequal lists."""
    check_parallel(outputs, references)
    scorer = bleu_metric(lowercase) if metric == "BLEU" else chrf_metric(lowercase)
    # What sacrebleu's own significance tests start from, and `scores` too: neither has a public name.
    rows = scorer._extract_corpus_statistics(list(outputs), [list(reference) for reference in references])
    return MatchCounts(metric, np.array(rows, np.float64), scorer)

"""What a comparison says of long segments, and of alignments pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from anaphora_nmt.evaluation.report import EvaluationSet
from anaphora_nmt.evaluation.significance import paired_bootstrap
from experiments.commands.measure import HAND_ALIGNMENTS
from experiments.measures.alignment_error import (
    AlignmentCounts,
    alignment_error,
    count_links,
    load_aligned_pairs,
)
from experiments.measures.outputs import compare_long


def test_only_long_sources_count_and_few_say_nothing() -> None:
    references = [f"line {number} of a text that is translated" for number in range(60)]
    test = EvaluationSet(["源"] * 60, [references], [0] * 60)
    worse = [line.replace("translated", "done") for line in references]
    mixed = worse[:30] + references[30:]  # the gain is in the second half
    lengths = [29] * 30 + [30] * 30
    found = compare_long(test, worse, mixed, lengths)
    assert found is not None and found["segments"] == 30
    assert found["system"] == pytest.approx(100) and found["difference"] > 5 and found["p"] < 0.01
    short = compare_long(test, worse, mixed, [30] * 30 + [29] * 30)
    assert short is not None and short["difference"] == 0
    assert compare_long(test, worse, mixed, [29] * 50 + [30] * 10) is None


def test_counts_of_pairs_sum_to_the_error_rate() -> None:
    pairs = load_aligned_pairs(HAND_ALIGNMENTS)
    right = [set(pair.sure) for pair in pairs]
    wrong = [{(0, number) for number in range(len(pair.target_tokens))} for pair in pairs]
    for links in (right, wrong):
        rate = alignment_error(links, pairs).rate
        assert count_links(links, pairs).corpus_score() == pytest.approx(100 * rate)
    tested = paired_bootstrap(count_links(wrong, pairs), count_links(right, pairs))
    assert tested.difference < -50 and tested.p < 0.01
    assert tested.low < tested.difference < tested.high
    one = AlignmentCounts("AER", np.array([[4.0, 2.0, 3.0, 3.0]]))  # Och and Ney: 1 − (2 + 3) / (4 + 3)
    assert one.corpus_score() == pytest.approx(100 * (1 - 5 / 7))

"""Significance tests find real differences, and only these."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.significance import MatchCounts, count_matches, paired_bootstrap, sign_test

WORDS = np.array(
    ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "another", "dog", "near", "its", "old", "house"]
)


def corpus(size: int, seed: int) -> list[list[str]]:
    generator = np.random.default_rng(seed)
    return [generator.choice(WORDS, 10).tolist() for _ in range(size)]


def with_errors(lines: list[list[str]], rate: float, seed: int) -> list[str]:
    generator = np.random.default_rng(seed)
    return [" ".join(w if generator.random() > rate else "wrong" for w in line) for line in lines]


def counts(outputs: list[str], lines: list[list[str]], metric: str = "BLEU") -> MatchCounts:
    return count_matches(metric, outputs, [[" ".join(line) for line in lines]])


@pytest.mark.parametrize("metric", ["BLEU", "chrF2"])
def test_a_clear_difference(metric: str) -> None:
    lines = corpus(80, 0)
    worse = counts(with_errors(lines, 0.4, 1), lines, metric)
    better = counts(with_errors(lines, 0.1, 2), lines, metric)
    result = paired_bootstrap(worse, better, 500)
    assert result.metric == metric
    assert result.difference == pytest.approx(better.corpus_score() - worse.corpus_score())
    assert 0 < result.low < result.difference < result.high
    assert result.p == pytest.approx(2 / 501)
    mirrored = paired_bootstrap(better, worse, 500)
    assert (mirrored.difference, mirrored.p) == (-result.difference, result.p)
    assert sign_test(worse, better).p < 0.001


def test_the_same_system() -> None:
    lines = corpus(30, 0)
    same = counts(with_errors(lines, 0.3, 1), lines)
    result = paired_bootstrap(same, same, 200)
    assert (result.difference, result.low, result.high, result.p) == (0, 0, 0, 1)
    signs = sign_test(same, same)
    assert (signs.better, signs.worse, signs.equal, signs.p) == (0, 0, 30, 1)


@pytest.mark.slow
def test_equal_systems_rarely_differ_significantly() -> None:
    found = 0
    for seed in range(40):
        lines = corpus(60, seed)
        first, second = (counts(with_errors(lines, 0.3, seed * 2 + n + 500), lines) for n in range(2))
        found += paired_bootstrap(first, second, 200).p < 0.05
    assert found <= 6  # 2 are expected; 7 or more come once in 300 times


def test_the_sign_test_replaces_one_segment_at_a_time() -> None:
    """A literal transcription of Collins et al."""
    lines = corpus(25, 3)
    reference = [" ".join(line) for line in lines]
    first, second = with_errors(lines, 0.3, 1), with_errors(lines, 0.2, 2)
    before = counts(first, lines).corpus_score()
    better = worse = 0
    for n in range(len(lines)):
        swapped = count_matches("BLEU", [*first[:n], second[n], *first[n + 1 :]], [reference]).corpus_score()
        better += swapped > before + 1e-9
        worse += swapped < before - 1e-9
    result = sign_test(counts(first, lines), counts(second, lines))
    assert (result.better, result.worse, result.equal) == (better, worse, 25 - better - worse)
    throws, tail = better + worse, min(better, worse)
    exact = 2 * sum(math.comb(throws, k) for k in range(tail + 1)) / 2**throws
    assert result.p == pytest.approx(min(1, exact))


def test_different_test_sets_cannot_be_compared() -> None:
    lines = corpus(10, 0)
    outputs = with_errors(lines, 0.3, 1)
    whole = counts(outputs, lines)
    for other in (counts(outputs[:9], lines[:9]), counts(outputs, lines, "chrF2")):
        with pytest.raises(CorpusError, match="same test set"):
            paired_bootstrap(whole, other)
        with pytest.raises(CorpusError, match="same test set"):
            sign_test(whole, other)

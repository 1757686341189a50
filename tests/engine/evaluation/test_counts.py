"""Scores from match counts equal sacrebleu's, for any selection of segments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.significance import corpus_bleu, corpus_chrf, count_matches

lines = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat", ".", "Cat", "ok"]), max_size=9).map(
    " ".join
)
corpora = st.integers(1, 6).flatmap(
    lambda size: st.tuples(*[st.lists(lines, min_size=size, max_size=size)] * 3)
)


@pytest.mark.parametrize(("metric", "score"), [("BLEU", corpus_bleu), ("chrF2", corpus_chrf)])
@given(texts=corpora, lowercase=st.booleans())
@pytest.mark.slow
def test_equal_to_sacrebleu(metric: str, score, texts, lowercase: bool) -> None:  # type: ignore[no-untyped-def]
    outputs, *references = texts
    counts = count_matches(metric, outputs, references, lowercase)
    assert counts.corpus_score() == pytest.approx(score(outputs, references, lowercase).value, abs=1e-9)


@pytest.mark.parametrize(("metric", "score"), [("BLEU", corpus_bleu), ("chrF2", corpus_chrf)])
def test_many_selections_at_once(metric: str, score) -> None:  # type: ignore[no-untyped-def]
    generator = np.random.default_rng(0)
    words = np.array(["the", "cat", "sat", "on", "a", "mat", "and", "saw", "another", "one"])
    reference = [" ".join(generator.choice(words, 9)) for _ in range(12)]
    outputs = [" ".join(reversed(line.split())) if n % 3 else line for n, line in enumerate(reference)]
    counts = count_matches(metric, outputs, [reference])
    weights = generator.integers(0, 3, (5, 12)).astype(float)
    for row, value in zip(weights, counts.scores(weights @ counts.counts), strict=True):
        chosen = [n for n in range(12) for _ in range(int(row[n]))]
        expected = score([outputs[n] for n in chosen], [[reference[n] for n in chosen]]).value
        assert value == pytest.approx(expected)


def test_documents_are_sums_of_their_segments() -> None:
    counts = count_matches("BLEU", ["a b", "c d", "e"], [["a b", "c", "e f"]])
    grouped = counts.by_document(["x", "x", "y"])
    assert grouped.counts.tolist() == [
        (counts.counts[0] + counts.counts[1]).tolist(),
        counts.counts[2].tolist(),
    ]
    assert grouped.corpus_score() == counts.corpus_score()
    with pytest.raises(CorpusError, match="3 segments"):
        counts.by_document(["x"])

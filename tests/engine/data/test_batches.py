"""Batches contain every usable sentence once, within the limit, in an order determined by the seed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.data.batches import length_batches

lengths = st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=0, max_size=80)


def split(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    array = np.array(pairs, np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


@given(pairs=lengths, tokens=st.integers(60, 200), seed=st.integers(0, 5))
def test_every_usable_sentence_once_within_the_limit(
    pairs: list[tuple[int, int]], tokens: int, seed: int
) -> None:
    source, target = split(pairs)
    batches = length_batches(source, target, tokens, seed, 50)
    seen = sorted(int(n) for batch in batches for n in batch)
    assert seen == [n for n, pair in enumerate(pairs) if max(pair) <= 50]
    for batch in batches:
        assert len(batch) * int(np.maximum(source, target)[batch].max()) <= tokens


def test_the_seed_determines_the_order() -> None:
    source = np.random.default_rng(0).integers(1, 40, 300)
    target = np.random.default_rng(1).integers(1, 40, 300)

    def batches(seed: int) -> list[list[int]]:
        return [batch.tolist() for batch in length_batches(source, target, 100, seed, 50)]

    assert batches(3) == batches(3)
    assert batches(3) != batches(4)
    assert sorted(map(sorted, batches(3))) != sorted(map(sorted, batches(4)))

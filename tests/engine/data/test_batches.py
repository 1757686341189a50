"""Batches hold every usable sentence once, within the limit, in an order that the seed determines."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.data.batches import (
    document_order,
    length_batches,
    like_lengths,
)

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


def test_a_sentence_over_the_limit_is_a_batch_by_itself() -> None:
    batches = length_batches(np.array([90, 3, 3]), np.array([90, 3, 3]), 10, 0, 100)
    assert sorted(sorted(batch.tolist()) for batch in batches) == [[0], [1, 2]]


def test_the_seed_determines_the_order() -> None:
    source = np.random.default_rng(0).integers(1, 40, 300)
    target = np.random.default_rng(1).integers(1, 40, 300)

    def batches(seed: int) -> list[list[int]]:
        return [batch.tolist() for batch in length_batches(source, target, 100, seed, 50)]

    assert batches(3) == batches(3)
    assert batches(3) != batches(4)
    assert sorted(map(sorted, batches(3))) != sorted(map(sorted, batches(4)))


def test_like_lengths_come_together() -> None:
    source = target = np.random.default_rng(0).integers(1, 40, 400)
    batches = length_batches(source, target, 200, 0, 50)
    padded = sum(len(batch) * int(source[batch].max()) for batch in batches)
    assert padded < 1.1 * source.sum()


def test_document_order() -> None:
    assert [part.tolist() for part in document_order(np.array([0, 0, 3, 5, 5, 5]))] == [
        [0, 1],
        [2],
        [3, 4, 5],
    ]
    assert [part.tolist() for part in document_order(np.array([7]))] == [[0]]


def test_no_sentences_no_documents() -> None:
    assert list(document_order(np.array([], np.int32))) == []


def test_sentences_in_order_of_length_are_batched_by_a_longer_one_ahead() -> None:
    sizes = np.array([1, 1, 2, 2, 3, 4, 4, 8, 9, 30])
    assert [(part.start, part.stop) for part in like_lengths(sizes, 8, 0)] == [
        (0, 8),
        (8, 9),
        (9, 10),
    ]
    # 8 tokens: four sentences of 2, two of 4; the last are by themselves
    ahead = [(part.start, part.stop) for part in like_lengths(sizes, 8, 2)]
    assert ahead == [(0, 4), (4, 6), (6, 7), (7, 8), (8, 9), (9, 10)]
    assert [(part.start, part.stop) for part in like_lengths(sizes, 8, 2, start=6)] == ahead[2:]
    assert list(like_lengths(sizes[:0], 8, 2)) == []


def test_a_pair_as_long_as_the_longest_is_taken_and_a_longer_one_left_out() -> None:
    for sides in ((np.array([3, 9, 10]), np.array([3, 3, 3])), (np.array([3, 3, 3]), np.array([3, 9, 10]))):
        taken = np.concatenate(length_batches(*sides, tokens=100, seed=1, longest=9))
        assert sorted(taken.tolist()) == [0, 1]


def test_a_sentence_of_more_tokens_than_a_batch_holds_goes_by_itself() -> None:
    assert [*like_lengths(np.array([6, 6, 7]), tokens=5, ahead=1)] == [slice(0, 1), slice(1, 2), slice(2, 3)]
    assert [*like_lengths(np.array([2, 2, 3]), tokens=6, ahead=1)] == [slice(0, 3)]
    assert [*like_lengths(np.array([2, 2, 3]), tokens=5, ahead=2)] == [slice(0, 1), slice(1, 2), slice(2, 3)]

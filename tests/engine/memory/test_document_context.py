"""Which context sentences there are, and how a batch carries each of them once."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from anaphora_nmt.memory.document_context import (
    NONE,
    SourceGroup,
    context_places,
    corpus_context,
    gather_context,
    group_by_length,
)

DOCUMENTS = np.array([0, 0, 0, 2, 3, 3, 3, 3, 3])


@pytest.mark.parametrize(("place", "expected"), [(0, (NONE, NONE)), (1, (0, NONE)), (4, (3, 2))])
def test_the_nearest_come_first(place: int, expected: tuple[int, ...]) -> None:
    assert context_places(place, 2) == expected


def test_context_never_crosses_a_documents_border() -> None:
    chosen = corpus_context(DOCUMENTS, np.array([8, 3, 0, 4, 2, 5]), 4)
    assert chosen[0].tolist() == [7, 6, 5, 4]
    assert chosen[1].tolist() == chosen[2].tolist() == chosen[3].tolist() == [NONE] * 4
    assert chosen[4].tolist() == [1, 0, NONE, NONE] and chosen[5].tolist() == [4, NONE, NONE, NONE]


def test_every_sentence_is_loaded_once() -> None:
    texts = {0: [5], 1: [6, 6], 2: [7] * 30, 3: [8, 8, 8], 4: [9]}
    loaded: list[int] = []

    def load(keys: list[int]) -> SourceGroup:
        loaded.extend(keys)
        longest = max(len(texts[key]) for key in keys)
        return SourceGroup(torch.tensor([texts[key] + [0] * (longest - len(texts[key])) for key in keys]))

    contexts: list[list[int | None]] = [[0, 4, None], [3, 2, 0], [None, None, None]]
    batch = gather_context([3, 1, 0], contexts, lambda key: len(texts[key]), load, torch.device("cpu"))
    assert batch is not None
    assert sorted(loaded) == [2, 4]
    assert len(batch.groups) == 2
    rows = [texts[3], texts[1], texts[0]] + [
        [number for number in row.tolist() if number] for group in batch.groups for row in group.pieces
    ]
    found = [[None if n == NONE else rows[n] for n in row] for row in batch.rows.tolist()]
    assert found == [[None if key is None else texts[key] for key in keys] for keys in contexts]


def test_no_context_at_all_is_none() -> None:
    def fail(_: list[int]) -> SourceGroup:
        raise AssertionError("nothing to load")

    assert gather_context([1, 2], [[None], [None]], lambda key: key, fail, torch.device("cpu")) is None


def test_groups_are_padded_little() -> None:
    lengths = [40, 3, 100, 5, 41, 4, 99]
    groups = group_by_length(lengths)
    assert sorted(number for group in groups for number in group) == list(range(7))
    for group in groups:
        sizes = [lengths[number] for number in group]
        assert max(sizes) <= 1.3 * min(sizes) + 4
    assert len(groups) == 3
    assert group_by_length([]) == []


@pytest.mark.parametrize(
    ("lengths", "groups"),
    [
        ([10, 17], [[0, 1]]),  # 1.3 · 10 + 4
        ([10, 18], [[0], [1]]),
        ([18, 10], [[1], [0]]),
        ([10, 17, 18, 27], [[0, 1], [2, 3]]),  # counted from the shortest of the group
        ([5, 5, 5], [[0, 1, 2]]),
        ([0, 4, 5], [[0, 1], [2]]),
    ],
)
def test_how_much_longer_a_sentence_of_a_group_may_be(lengths: list[int], groups: list[list[int]]) -> None:
    assert group_by_length(lengths) == groups


def test_a_sentence_that_stands_twice_in_a_batch_is_the_first_of_them() -> None:
    def fail(_: list[int]) -> SourceGroup:
        raise AssertionError("nothing to load")

    batch = gather_context([7, 8, 7], [[8], [7], [None]], lambda key: key, fail, torch.device("cpu"))
    assert batch is not None and batch.rows.tolist() == [[1], [0], [NONE]] and batch.groups == ()


def test_a_context_of_no_sentences_is_empty() -> None:
    assert context_places(1, 0) == ()
    assert corpus_context(DOCUMENTS, np.array([1, 8]), 0).shape == (2, 0)

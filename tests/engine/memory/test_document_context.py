"""Selection of context sentences, and their batches without duplicates."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from anaphora_nmt.config import CamnConfig
from anaphora_nmt.memory.document_context import (
    NONE,
    context_places,
    corpus_context,
    gather_context,
)

DOCUMENTS = np.array([0, 0, 0, 2, 3, 3, 3, 3, 3])


@pytest.mark.parametrize(
    ("selection", "place", "expected"),
    [
        ("previous", 0, (NONE, NONE)),
        ("previous", 1, (0, NONE)),
        ("previous", 4, (3, 2)),
        ("next", 0, (1, 2)),
        ("next", 3, (4, NONE)),
        ("next", 4, (NONE, NONE)),
    ],
)
def test_the_nearest_sentences_come_first(selection: str, place: int, expected: tuple[int, ...]) -> None:
    assert context_places(place, 5, CamnConfig(size=2, selection=selection)) == expected


def test_random_context_is_from_the_same_document_and_constant() -> None:
    config = CamnConfig(size=3, selection="random", seed=4)
    drawn = [context_places(2, 9, config) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 3
    assert 2 not in drawn[0]
    assert set(context_places(1, 3, config)) == {0, 2, NONE}
    several = {context_places(2, 9, CamnConfig(size=3, selection="random", seed=seed)) for seed in range(5)}
    assert len(several) > 1


@pytest.mark.parametrize("selection", ["previous", "next", "random"])
def test_context_never_crosses_a_documents_border(selection: str) -> None:
    config = CamnConfig(size=4, selection=selection)
    sentences = np.array([8, 3, 0, 4, 2, 5])
    chosen = corpus_context(DOCUMENTS, sentences, config)
    for sentence, row in zip(sentences, chosen, strict=True):
        found = [int(number) for number in row if number != NONE]
        assert sentence not in found
        assert all(DOCUMENTS[number] == DOCUMENTS[sentence] for number in found)
        length = int((DOCUMENTS[sentence] == DOCUMENTS).sum())
        assert selection != "random" or len(found) == min(4, length - 1)
    if selection == "previous":
        assert chosen[0].tolist() == [7, 6, 5, 4]
        assert chosen[1].tolist() == chosen[2].tolist() == chosen[3].tolist() == [NONE] * 4
    if selection == "next":
        assert chosen[2].tolist() == [1, 2, NONE, NONE]


def test_every_sentence_is_loaded_once() -> None:
    texts = {0: [5], 1: [6, 6], 2: [7] * 30, 3: [8, 8, 8], 4: [9]}
    loaded: list[int] = []

    def load(keys: list[int]) -> torch.Tensor:
        loaded.extend(keys)
        longest = max(len(texts[key]) for key in keys)
        return torch.tensor([texts[key] + [0] * (longest - len(texts[key])) for key in keys])

    contexts: list[list[int | None]] = [[0, 4, None], [3, 2, 0], [None, None, None]]
    batch = gather_context([3, 1, 0], contexts, lambda key: len(texts[key]), load, torch.device("cpu"))
    assert batch is not None
    assert sorted(loaded) == [2, 4]
    assert len(batch.groups) == 2
    rows = [texts[3], texts[1], texts[0]] + [
        [number for number in row.tolist() if number] for group in batch.groups for row in group
    ]
    found = [[None if n == NONE else rows[n] for n in row] for row in batch.rows.tolist()]
    assert found == [[None if key is None else texts[key] for key in keys] for keys in contexts]

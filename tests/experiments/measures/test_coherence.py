"""Word vectors, and the cosine of adjacent sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.errors import CorpusError
from experiments.measures.coherence import coherence
from experiments.measures.word_vectors import WordVectorOptions, WordVectors, train_word_vectors

SMALL = WordVectorOptions(dimension=4, window=2, fewest=2)
TEXTS = ["the cat drinks milk", "the dog drinks milk", "a server sends pages", "a client sends pages"] * 5


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    return train_word_vectors(TEXTS, SMALL)


def cosine(vectors: WordVectors, one: str, other: str) -> float:
    a, b = vectors.sentence(one), vectors.sentence(other)
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_words_of_like_neighbours_are_alike(vectors: WordVectors) -> None:
    assert cosine(vectors, "cat", "dog") > 0.9 > 0.5 > cosine(vectors, "cat", "server")
    assert cosine(vectors, "Client", "server") > 0.9
    assert not vectors.sentence("42 unheard-of").any()


def test_vectors_are_the_same_each_time_and_from_a_file(vectors: WordVectors, tmp_path: Path) -> None:
    again = train_word_vectors(TEXTS, SMALL)
    assert again.words == vectors.words and np.array_equal(again.vectors, vectors.vectors)
    vectors.save(tmp_path / "vectors.npz")
    loaded = WordVectors.load(tmp_path / "vectors.npz")
    assert loaded.words == vectors.words and np.allclose(loaded.vectors, vectors.vectors, atol=1e-2)
    with pytest.raises(CorpusError, match="too small"):
        train_word_vectors(["one two three"], SMALL)


def test_coherence_is_the_mean_cosine_within_documents() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    assert coherence(rows, ["a", "a", "a", "b", "b"]) == pytest.approx((0 + 1) / 2)
    assert coherence(rows[:2], [1, 1]) == 0
    with pytest.raises(CorpusError, match="no two sentences"):
        coherence(rows[:2], [1, 2])
    with pytest.raises(CorpusError, match="documents for 1"):
        coherence(rows, [1])

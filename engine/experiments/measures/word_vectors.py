"""Word vectors of the target side's training text: a truncated SVD of positive pointwise mutual information.

Kuang et al. (2018) train word2vec. Factorising shifted PMI is what its skip-gram does implicitly (Levy and
Goldberg, 2014), needs no other library, and has no chance in it but the solver's start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch

from anaphora_nmt.data.array_files import read_arrays
from anaphora_nmt.errors import CorpusError
from experiments.measures.tokens import english_tokens, is_word


@dataclass(frozen=True)
class WordVectorOptions:
    """How to make word vectors.

    Attributes:
        dimension: as the paper's.
        window: words on each side that count as neighbours.
        fewest: rarer words are left out. most: words kept, the most frequent.
        seed: of the solver's start.
    """

    dimension: int = 200
    window: int = 5
    fewest: int = 5
    most: int = 20000
    seed: int = 1


@dataclass(frozen=True)
class WordVectors:
    """Vectors of words in lower case; `vectors` [words, dimension]."""

    words: tuple[str, ...]
    vectors: np.ndarray

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def sentence(self, text: str) -> np.ndarray:
        """Mean of the vectors of a sentence's words (Kuang et al., 2018, eq. 11); 0 where none is known."""
        rows = [self._index[word] for word in _words(text) if word in self._index]
        return self.vectors[rows].mean(0) if rows else np.zeros(self.vectors.shape[1], np.float32)

    def sentences(self, texts: Sequence[str]) -> np.ndarray:
        """`sentence` of each text, [N, dimension]."""
        return np.stack([self.sentence(text) for text in texts])

    def save(self, path: Path) -> None:
        """Write one `.npz` file, vectors in float16."""
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, words=np.array(self.words), vectors=self.vectors.astype(np.float16))

    @classmethod
    def load(cls, path: Path) -> WordVectors:
        """Read what `save` wrote; CorpusError where it cannot be."""
        words, vectors = read_arrays(path, ("words", "vectors"))
        return cls(tuple(str(word) for word in words), vectors.astype(np.float32))


def train_word_vectors(texts: Iterable[str], options: WordVectorOptions = WordVectorOptions()) -> WordVectors:
    """Word vectors of English text, a sentence each.

    Raises:
        CorpusError: hardly a word is frequent enough.
    """
    sentences = [_words(text) for text in texts]
    frequencies = Counter(word for sentence in sentences for word in sentence)
    kept = [word for word, count in frequencies.most_common(options.most) if count >= options.fewest]
    if len(kept) < 2:
        raise CorpusError("the text is too small for word vectors")
    index = {word: number for number, word in enumerate(kept)}
    numbers = [np.array([index[word] for word in sentence if word in index]) for sentence in sentences]
    information = _information(numbers, len(kept), options.window)
    torch.manual_seed(options.seed)
    rank = min(options.dimension, len(kept) - 1)
    left, values, _ = torch.svd_lowrank(information, q=min(rank + 20, len(kept)), niter=3)
    vectors = left[:, :rank] * values[:rank].sqrt()
    return WordVectors(tuple(kept), vectors.numpy().astype(np.float32))


def _words(text: str) -> list[str]:
    return [token.text.lower() for token in english_tokens(text) if is_word(token.text)]


def _information(sentences: Sequence[np.ndarray], size: int, window: int) -> torch.Tensor:
    """Positive pointwise mutual information of neighbours, sparse [size, size].

    Contexts are smoothed by the power 0.75, as word2vec's noise is; neighbours count by nearness (window − d
    + 1 of window), as its random windows make them.
    """
    lengths = [len(sentence) for sentence in sentences]
    flat = np.concatenate([sentence for sentence in sentences if len(sentence)]).astype(np.int64)
    owner = np.repeat(np.arange(len(sentences)), lengths)
    keys: list[np.ndarray] = []
    weights: list[np.ndarray] = []
    for distance in range(1, window + 1):
        together = owner[:-distance] == owner[distance:]
        pairs = flat[:-distance][together] * size + flat[distance:][together]
        found, times = np.unique(pairs, return_counts=True)
        keys.append(found)
        weights.append(times * (window - distance + 1) / window)
    found, places = np.unique(np.concatenate(keys), return_inverse=True)
    counts = np.bincount(places, np.concatenate(weights))
    rows, columns = found // size, found % size
    rows, columns = np.concatenate((rows, columns)), np.concatenate((columns, rows))
    counts = np.concatenate((counts, counts))
    totals = np.bincount(rows, counts, minlength=size)
    smoothed = totals**0.75
    smoothed /= smoothed.sum()
    values = np.log(counts / (totals[rows] * smoothed[columns]))
    positive = values > 0
    indices = torch.from_numpy(np.stack((rows[positive], columns[positive])))
    sparse = torch.sparse_coo_tensor(
        indices, torch.from_numpy(values[positive].astype(np.float32)), (size, size), check_invariants=False
    )
    return sparse.coalesce()

"""Batches of sentences of like length, and where documents begin."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def length_batches(
    source_lengths: np.ndarray, target_lengths: np.ndarray, tokens: int, seed: int, longest: int
) -> list[np.ndarray]:
    """Sentences of like length together, in an order that `seed` determines: their numbers by batch.

    A batch has at most `tokens` padded target pieces (and source pieces); pairs with a side above `longest`
    are left out.
    """
    generator = np.random.default_rng(seed)
    usable = np.flatnonzero((source_lengths <= longest) & (target_lengths <= longest))
    noise = generator.random(len(usable))
    sizes = np.maximum(source_lengths, target_lengths)[usable]
    order = usable[np.lexsort((noise, sizes))]
    # Shuffled within a band of lengths, so that batches differ from epoch to epoch.
    batches: list[np.ndarray] = []
    start = 0
    sizes = np.maximum(source_lengths, target_lengths)[order]
    while start < len(order):
        end = start + 1
        while end < len(order) and int(sizes[end]) * (end + 1 - start) <= tokens:
            end += 1
        batches.append(order[start:end])
        start = end
    generator.shuffle(batches)  # type: ignore[arg-type]
    return batches


FORWARD_TOKENS = 2000
"""Tokens of a batch without learning: it needs no memory for gradients."""


def like_lengths(lengths: np.ndarray, tokens: int, ahead: int) -> Iterator[slice]:
    """Batches of sentences in order of length, each of up to `tokens`, going by one `ahead` of its first."""
    start = 0
    while start < len(lengths):
        longest = int(lengths[min(start + ahead, len(lengths) - 1)])
        end = min(len(lengths), start + max(1, tokens // longest))
        yield slice(start, end)
        start = end


def document_starts(documents: np.ndarray) -> np.ndarray:
    """The first sentence of each document, and after the last the number of sentences."""
    changes = np.flatnonzero(np.diff(documents)) + 1
    return np.concatenate((np.zeros(min(1, len(documents)), np.int64), changes, [len(documents)]))

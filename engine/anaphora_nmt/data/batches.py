"""Batches: by length for training without memory, by document order for training with it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def length_batches(
    source_lengths: np.ndarray, target_lengths: np.ndarray, tokens: int, seed: int, longest: int
) -> list[np.ndarray]:
    """Sentences of like length together, in an order that `seed` determines.

    Args:
        tokens: padded target pieces (and padded source pieces) a batch, at most.
        longest: pairs with a longer side are left out.
    Returns:
        sentence numbers of each batch.
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


def document_order(documents: np.ndarray) -> Iterator[np.ndarray]:
    """Sentence numbers of each document, in order."""
    if not len(documents):
        return
    starts = np.flatnonzero(np.r_[True, documents[1:] != documents[:-1]])
    for start, end in zip(starts, np.r_[starts[1:], len(documents)], strict=True):
        yield np.arange(start, end)

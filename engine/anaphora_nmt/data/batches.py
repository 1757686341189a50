"""Batches of sentences of similar length, and the beginnings of documents."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def length_batches(
    source_lengths: np.ndarray, target_lengths: np.ndarray, tokens: int, seed: int, longest: int
) -> list[np.ndarray]:
    """Numbers of the sentences in each batch; sentences of similar length are together, in random order.

    Each side of a batch has at most `tokens` pieces including padding. Pairs with a side longer than
    `longest` are left out.
    """
    generator = np.random.default_rng(seed)
    usable = np.flatnonzero((source_lengths <= longest) & (target_lengths <= longest))
    noise = generator.random(len(usable))
    sizes = np.maximum(source_lengths, target_lengths)[usable]
    order = usable[np.lexsort((noise, sizes))]
    # The noise shuffles sentences of equal length, so that batches differ between epochs.
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
"""Number of tokens in a batch without gradients."""


def batches_by_length(lengths: np.ndarray, tokens: int, ahead: int) -> Iterator[slice]:
    """Batches of sentences in order of length, each of up to `tokens` tokens.

    The length of the sentence `ahead` places after a batch's first one approximates the batch's maximum.
    """
    start = 0
    while start < len(lengths):
        longest = int(lengths[min(start + ahead, len(lengths) - 1)])
        end = min(len(lengths), start + max(1, tokens // longest))
        yield slice(start, end)
        start = end


def document_starts(documents: np.ndarray) -> np.ndarray:
    """The number of the first sentence of each document, and finally the number of sentences."""
    changes = np.flatnonzero(np.diff(documents)) + 1
    return np.concatenate((np.zeros(min(1, len(documents)), np.int64), changes, [len(documents)]))

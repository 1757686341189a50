"""Batches of sentences with similar lengths, starts of documents, and weights of a corpus's sources."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from anaphora_nmt.data.binary_corpus import BinaryCorpus, read_arrays, write_arrays
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.files import write_json


def length_batches(
    source_lengths: np.ndarray, target_lengths: np.ndarray, tokens: int, seed: int, max_pieces: int
) -> list[np.ndarray]:
    """Indices of the sentences of each batch. A batch has sentences of similar length; batches are shuffled.

    Each side of a batch of several sentences has at most `tokens` pieces, including padding. Pairs with more
    than `max_pieces` pieces on a side are left out.
    """
    generator = np.random.default_rng(seed)
    usable = np.flatnonzero((source_lengths <= max_pieces) & (target_lengths <= max_pieces))
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


def batches_by_length(lengths: np.ndarray, tokens: int, offset: int) -> Iterator[slice]:
    """Slices of sentences whose `lengths` ascend, each of about `tokens` tokens.

    The sentence `offset` places after a slice's first one is taken for the longest of the slice.
    """
    start = 0
    while start < len(lengths):
        longest = int(lengths[min(start + offset, len(lengths) - 1)])
        end = min(len(lengths), start + max(1, tokens // longest))
        yield slice(start, end)
        start = end


def document_starts(documents: np.ndarray) -> np.ndarray:
    """The index of the first sentence of each document, followed by the number of all sentences."""
    changes = np.flatnonzero(np.diff(documents)) + 1
    return np.concatenate((np.zeros(min(1, len(documents)), np.int64), changes, [len(documents)]))


SOURCES, ORIGINS = "train.sources.json", "train.origins.npz"
"""Files in a prepared folder: names of sources (origins of documents), and each document's source index."""


def save_sources(folder: Path, names: Sequence[str], sources: np.ndarray) -> None:
    write_json(folder / SOURCES, {"names": list(names)})
    write_arrays(folder / ORIGINS, sources=sources.astype(np.uint16, copy=False))


def load_weights(folder: Path, corpus: BinaryCorpus, shares: Mapping[str, float]) -> np.ndarray:
    try:
        names, sources = load_sources(folder)
        pieces = np.bincount(sources[corpus.document], corpus.target.lengths, len(names)).astype(np.int64)
    except (OSError, ValueError, IndexError, KeyError, TypeError, CorpusError) as error:
        raise CorpusError(
            f"{folder} does not name the source of each document ({error!r}); "
            "run `anaphora-nmt prepare` again, or train without shares"
        ) from error
    return source_weights(names, pieces, shares)[sources[corpus.document]]


def load_sources(folder: Path) -> tuple[list[str], np.ndarray]:
    """The names of the sources, and for each document the index of its source."""
    names = json.loads((folder / SOURCES).read_text("utf-8"))["names"]
    return names, read_arrays(folder / ORIGINS, ["sources"])[0]


def source_weights(names: Sequence[str], pieces: np.ndarray, shares: Mapping[str, float]) -> np.ndarray:
    """For each source, the mean number of times that its sentences are read in an epoch.

    Args:
        pieces: number of target pieces of each source.
        shares: shares of the target pieces in an epoch, by source; the other sources are read once.
    Raises:
        CorpusError: a share is not positive, its source does not occur, or no share is left for the others.
    """
    rest = 1.0 - sum(shares.values())
    present = {name for name, count in zip(names, pieces, strict=True) if count}
    if missing := sorted(shares.keys() - present):
        raise CorpusError(f"no sentence is from {', '.join(missing)}; available: {sorted(present)}")
    if any(share <= 0 for share in (*shares.values(), rest)):
        raise CorpusError("each share must be above 0 and their sum below 1, as other sources get the rest")
    rest_pieces = int(sum(count for name, count in zip(names, pieces, strict=True) if name not in shares))
    if not rest_pieces:
        raise CorpusError("at least one source must have no share: it defines the length of an epoch")
    parts = zip(names, pieces, strict=True)
    return np.array([shares[name] / rest * rest_pieces / n if name in shares else 1.0 for name, n in parts])


def draw_sentences(weights: np.ndarray, seed: int | Sequence[int]) -> np.ndarray:
    """Indices of the sentences of an epoch, each repeated by its weight, which is rounded at random."""
    chance = np.random.default_rng(seed).random(len(weights))
    return np.repeat(np.arange(len(weights)), (weights + chance).astype(np.int64))

"""Batches of sentences of similar length, the beginnings of documents, and shares of a corpus's sources."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from anaphora_nmt.data.binary_corpus import BinaryCorpus, read_arrays, write_arrays
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.files import write_json


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

    The sentence `ahead` places after a batch's first one serves as an estimate of its longest sentence.
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


SOURCES, ORIGINS = "train.sources.json", "train.origins.npz"
"""Files in a prepared folder: the names of the sources, and the number of each document's source."""


def save_sources(folder: Path, names: Sequence[str], sources: np.ndarray) -> None:
    write_json(folder / SOURCES, {"names": list(names)})
    write_arrays(folder / ORIGINS, sources=sources.astype(np.uint16, copy=False))


def load_weights(folder: Path, corpus: BinaryCorpus, shares: Mapping[str, float]) -> np.ndarray:
    """`source_weights` for each sentence of a prepared folder's training corpus."""
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
    names = json.loads((folder / SOURCES).read_text("utf-8"))["names"]
    return names, read_arrays(folder / ORIGINS, ["sources"])[0]


def source_weights(names: Sequence[str], pieces: np.ndarray, shares: Mapping[str, float]) -> np.ndarray:
    """The mean number of times that the sentences of each source are read in an epoch.

    Sources without a share are read once and get the remaining share.

    Args:
        pieces: number of target pieces of each source.
        shares: shares of the target pieces in an epoch, by source.
    Raises:
        CorpusError: a named source does not occur, or nothing is left for the others.
    """
    left = 1.0 - sum(shares.values())
    present = {name for name, own in zip(names, pieces, strict=True) if own}
    if missing := sorted(shares.keys() - present):
        raise CorpusError(f"no sentence is from {', '.join(missing)}; available: {sorted(present)}")
    if any(share <= 0 for share in (*shares.values(), left)):
        raise CorpusError("each share must be above 0 and their sum below 1, as other sources get the rest")
    others = int(sum(own for name, own in zip(names, pieces, strict=True) if name not in shares))
    if not others:
        raise CorpusError("at least one source must have no share: it defines the length of an epoch")
    parts = zip(names, pieces, strict=True)
    return np.array([shares[name] / left * others / own if name in shares else 1.0 for name, own in parts])


def drawn(weights: np.ndarray, seed: int | Sequence[int]) -> np.ndarray:
    """Numbers of the sentences of an epoch, each as often as its weight, which is rounded at random."""
    chance = np.random.default_rng(seed).random(len(weights))
    return np.repeat(np.arange(len(weights)), (weights + chance).astype(np.int64))

"""How often the parts of a corpus are read: a share of the training for each source, whatever its size."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from anaphora_nmt.data.binary_corpus import BinaryCorpus
from anaphora_nmt.errors import CorpusError

SOURCES = "train.sources.json"
"""In a prepared folder: the name of the source of each document, in order."""


def load_weights(folder: Path, corpus: BinaryCorpus, shares: Mapping[str, float]) -> np.ndarray:
    """`sentence_weights` of a prepared folder's training corpus.

    Raises:
        CorpusError: the folder does not say where its documents come from, or the shares do not fit.
    """
    try:
        names = json.loads((folder / SOURCES).read_text("utf-8"))
        sources = [names[document] for document in corpus.document.tolist()]
    except (OSError, ValueError, IndexError) as error:
        raise CorpusError(
            f"{folder} does not say which source each document is of ({error!r}); "
            "run `anaphora-nmt prepare` again, or train without shares"
        ) from error
    return sentence_weights(sources, corpus.target.lengths, shares)


def sentence_weights(sources: Sequence[str], lengths: np.ndarray, shares: Mapping[str, float]) -> np.ndarray:
    """How many times each sentence is read in an epoch, on average.

    Sources that `shares` does not name are read once; together they get what the named ones leave.

    Args:
        sources: of each sentence.
        lengths: target pieces of each sentence, [N]; shares are of them.
        shares: of the pieces that are read, by source.
    Returns:
        float64 [N].
    Raises:
        CorpusError: a named source does not occur, or nothing is left for the others.
    """
    left = 1.0 - sum(shares.values())
    if missing := sorted(shares.keys() - set(sources)):
        raise CorpusError(f"no sentence is from {', '.join(missing)}; there are {sorted(set(sources))}")
    if min(shares.values(), default=1.0) <= 0 or left <= 0:
        raise CorpusError("shares must be above 0, and below 1 together: the other sources get the rest")
    names = np.array(sources)
    others = int(lengths[~np.isin(names, list(shares))].sum())
    if not others:
        raise CorpusError("name all sources but one at most: the others are what an epoch is counted by")
    weights = np.ones(len(names))
    for name, share in shares.items():
        own = names == name
        weights[own] = share / left * others / int(lengths[own].sum())
    return weights


def drawn(weights: np.ndarray, seed: int) -> np.ndarray:
    """Numbers of the sentences of an epoch: each as often as its weight says, the fraction by lot."""
    chance = np.random.default_rng(seed).random(len(weights))
    return np.repeat(np.arange(len(weights)), (weights + chance).astype(np.int64))

"""The selection of context sentences in a document, and their batches (Jiang et al., CAMN, 3.3.1)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.config import CamnConfig

NONE = -1
"""Marks a missing context sentence."""

Key = TypeVar("Key", bound=Hashable)


def context_places(place: int, count: int, config: CamnConfig) -> tuple[int, ...]:
    """Indices of the m context sentences of sentence `place` of `count`; `NONE` for missing ones.

    Section 3.3.1. c_1 is the nearest, as in Table 6. "random" draws without repetition from the other
    sentences of the document, as in section 6.4; the draw depends only on place, count and seed.
    """
    if config.selection == "previous":
        places = list(range(place - 1, -1, -1))[: config.size]
    elif config.selection == "next":
        places = list(range(place + 1, min(count, place + 1 + config.size)))
    else:
        others = np.delete(np.arange(count), place)
        places = (
            np.random.default_rng((config.seed, place, count)).permutation(others)[: config.size].tolist()
        )
    return (*places, *([NONE] * (config.size - len(places))))


def corpus_context(documents: np.ndarray, sentences: np.ndarray, config: CamnConfig) -> np.ndarray:
    """Context sentences of some sentences of a corpus, [B, m]; `NONE` for missing ones.

    Args:
        documents: number of each sentence's document, in ascending order, [all sentences].
    """
    chosen = np.full((len(sentences), config.size), NONE, np.int64)
    for row, sentence in enumerate(sentences):
        number = documents[sentence]
        start, end = bisect_left(documents, number), bisect_right(documents, number)
        places = np.array(context_places(int(sentence) - start, end - start, config))
        chosen[row] = np.where(places == NONE, NONE, places + start)
    return chosen


@dataclass(frozen=True)
class ContextBatch:
    """The context sentences of a batch of B sentences, without duplicates.

    Attributes:
        rows: numbers of the context sentences, [B, m], below B in the batch and from B in groups; or `NONE`.
        groups: padded pieces of the other context sentences, [N, S] for N sentences of similar length.
    """

    rows: Tensor
    groups: tuple[Tensor, ...]


def gather_context(
    batch: Sequence[Key],
    contexts: Iterable[Sequence[Key | None]],
    length: Callable[[Key], int],
    load: Callable[[list[Key]], Tensor],
    device: torch.device,
) -> ContextBatch | None:
    """Number the context sentences of a batch, which may share some.

    Args:
        batch, contexts: keys of the batch's sentences, and of each one's context sentences.
        length: returns the number of pieces of a sentence.
        load: returns the padded pieces of several sentences.
    Returns:
        None if no sentence has any context.
    """
    own: dict[Key, int] = {}
    for row, key in enumerate(batch):
        own.setdefault(key, row)
    wanted = [list(keys) for keys in contexts]
    others = list(dict.fromkeys(key for keys in wanted for key in keys if key is not None and key not in own))
    groups = group_by_length([length(key) for key in others])
    for row, number in enumerate((number for group in groups for number in group), len(batch)):
        own[others[number]] = row
    rows = np.array([[NONE if key is None else own[key] for key in keys] for keys in wanted], np.int64)
    if not (rows != NONE).any():
        return None
    loaded = tuple(load([others[number] for number in group]) for group in groups)
    return ContextBatch(torch.from_numpy(rows).to(device), loaded)


def group_by_length(lengths: Sequence[int]) -> list[list[int]]:
    """Group sentence numbers by similar length, in ascending order, so that groups need little padding."""
    groups: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        if not groups or lengths[number] > 1.3 * lengths[groups[-1][0]] + 4:
            groups.append([])
        groups[-1].append(number)
    return groups

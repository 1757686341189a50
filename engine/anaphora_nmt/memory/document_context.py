"""The selection and batching of context sentences in a document (Jiang et al., CAMN, section 3.3.1)."""

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
    """Indexes of the context sentences c_1 … c_m of a sentence; `NONE` for each missing one (section 3.3.1).

    With "previous" and "next", c_1 is the nearest sentence, as in Table 6. "random" draws without repetition
    from the other sentences of the document, as in section 6.4; the draw depends only on place, count and
    seed.

    Args:
        place, count: the sentence's index in its document, and the document's number of sentences.
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
    """The m context sentences of each of B sentences, as indexes in a corpus, [B, m]; `NONE` if missing.

    Args:
        documents: for each sentence in the corpus, the number of its document; in ascending order.
        sentences: indexes of the B sentences in the corpus.
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
        rows: number of each context sentence, [B, m]: below B for a sentence of the batch itself, from B on
            for the sentences of `groups` in order, and `NONE` for a missing sentence.
        groups: padded pieces of the context sentences outside the batch, [N, S] for each group of N
            sentences with up to S pieces.
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
    """Number the context sentences of a batch. A sentence that occurs several times gets one number.

    Args:
        batch: keys of the batch's sentences.
        contexts: for each sentence of the batch, the keys of its context sentences; None if missing.
        length: returns the number of pieces of a sentence.
        load: returns the padded pieces of several sentences.
    Returns:
        None if no sentence has any context.
    """
    rows: dict[Key, int] = {}
    for row, key in enumerate(batch):
        rows.setdefault(key, row)
    wanted = [list(keys) for keys in contexts]
    extra = list(dict.fromkeys(key for keys in wanted for key in keys if key is not None and key not in rows))
    groups = group_by_length([length(key) for key in extra])
    for row, number in enumerate((number for group in groups for number in group), len(batch)):
        rows[extra[number]] = row
    numbers = np.array([[NONE if key is None else rows[key] for key in keys] for keys in wanted], np.int64)
    if not (numbers != NONE).any():
        return None
    loaded = tuple(load([extra[number] for number in group]) for group in groups)
    return ContextBatch(torch.from_numpy(numbers).to(device), loaded)


def group_by_length(lengths: Sequence[int]) -> list[list[int]]:
    """Group the numbers of sentences of similar length, shortest first, so that little padding is needed."""
    groups: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        if not groups or lengths[number] > 1.3 * lengths[groups[-1][0]] + 4:
            groups.append([])
        groups[-1].append(number)
    return groups

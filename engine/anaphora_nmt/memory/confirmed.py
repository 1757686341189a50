"""What a translator confirmed, word for word: the model follows it where the same thing comes again.

A choice of ours beside the published caches. A confirmed word that the model would not have said cannot
come back through the continuous cache: the state that is stored for it asks for the model's own word. So
confirmed pieces are kept with their steps, and are mixed into the distribution as the shallow fusion of Tu et
al. (2018), section 4.4, mixes cached words, with a weight that grows with how alike the two steps are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.config import ConfirmedConfig
from anaphora_nmt.nn.state import DecoderState, Features

_HIDDEN = -1e4  # far below any cosine, and no infinity: a row may have nothing at all


@dataclass(frozen=True, slots=True)
class ConfirmedPieces:
    """The last `size` confirmed pieces of words, oldest first.

    Attributes:
        steps: (c_t, s_t), each of norm 1, side by side, float16 [N, C + D].
        pieces: ids, int64 [N].
        places: of each piece, its word and the index in it.
        segments: the segment that each comes from.
    """

    size: int = 0
    steps: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    pieces: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    places: tuple[tuple[tuple[int, ...], int], ...] = ()
    segments: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.pieces)

    def words(self) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
        """(word, segment, its pieces' columns) of each confirmed word that is still there, oldest first."""
        groups: list[list[int]] = []
        for column, (_, index) in enumerate(self.places):
            if index == 0 or not groups:
                groups.append([])
            groups[-1].append(column)
        return [(self.places[group[0]][0], self.segments[group[0]], tuple(group)) for group in groups]

    def write(
        self,
        contexts: np.ndarray,
        states: np.ndarray,
        places: Sequence[tuple[tuple[int, ...], int]],
        segment: int,
    ) -> ConfirmedPieces:
        """With one more confirmed sentence, segment number `segment`."""
        if not self.size or not len(places):
            return self
        pieces = [word[index] for word, index in places]
        new = np.concatenate((_directed(contexts), _directed(states)), axis=1).astype(np.float16)
        steps = np.concatenate((self.steps, new)) if len(self) else new
        joined = np.concatenate((self.pieces, np.array(pieces, np.int64)))
        return ConfirmedPieces(
            self.size,
            steps[-self.size :],
            joined[-self.size :],
            (*self.places, *places)[-self.size :],
            (*self.segments, *([segment] * len(places)))[-self.size :],
        )


def _directed(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)


@dataclass(frozen=True)
class ConfirmedSlots(DecoderState):
    """Confirmed pieces of a batch: steps [B, N, C + D], pieces [B, N], mask [B, N]."""

    steps: Tensor
    pieces: Tensor
    mask: Tensor


def gather_confirmed(contents: Sequence[ConfirmedPieces], device: torch.device) -> ConfirmedSlots | None:
    """Tensors of several documents' confirmed pieces; None where there are none at all."""
    count = max((len(content) for content in contents), default=0)
    if not count:
        return None
    width = next(content.steps.shape[1] for content in contents if len(content))
    steps = np.zeros((len(contents), count, width), np.float32)
    pieces = np.zeros((len(contents), count), np.int64)
    mask = np.zeros((len(contents), count), bool)
    for row, content in enumerate(contents):
        if used := len(content):
            steps[row, :used], pieces[row, :used], mask[row, :used] = content.steps, content.pieces, True
    return ConfirmedSlots(*(torch.from_numpy(array).to(device) for array in (steps, pieces, mask)))


def follow_confirmed(
    log_probs: Tensor, features: Features, slots: ConfirmedSlots, config: ConfirmedConfig
) -> Tensor:
    """(1 − λ) p + λ p_confirmed, at one step ([B, V]) or at all ([B, T, V]).

    Two steps are as alike as the cosines of their contexts and of their states, averaged with weights
    `context_share` and the rest. λ rises from 0 at `threshold` to `weight` for equal steps; p_confirmed is a
    softmax over the confirmed pieces' likeness / `temperature`. A row where nothing is alike stays exactly
    as it is.
    """
    if log_probs.dim() == 2:
        one = Features(features.state[:, None], features.context[:, None], features.embedding[:, None])
        return follow_confirmed(log_probs[:, None], one, slots, config)[:, 0]
    weight, shares = confirmed_shares(features, slots, config)
    pieces = slots.pieces[:, None].expand_as(shares)
    confirmed = torch.zeros_like(log_probs).scatter_add(-1, pieces, shares)
    mixed = torch.log((1 - weight) * log_probs.exp() + weight * confirmed)
    return torch.where(weight > 0, mixed, log_probs)


def confirmed_shares(
    features: Features, slots: ConfirmedSlots, config: ConfirmedConfig
) -> tuple[Tensor, Tensor]:
    """λ [B, T, 1] and the share of each confirmed piece in p_confirmed [B, T, N]; see `follow_confirmed`."""
    context = functional.normalize(features.context.float(), dim=-1) * config.context_share
    state = functional.normalize(features.state.float(), dim=-1) * (1 - config.context_share)
    likeness = torch.cat((context, state), dim=-1) @ slots.steps.transpose(1, 2)
    likeness = likeness.masked_fill(~slots.mask[:, None], _HIDDEN)
    best = likeness.amax(-1, keepdim=True)
    weight = config.weight * ((best - config.threshold) / (1 - config.threshold)).clamp(0, 1)
    return weight, (likeness / config.temperature).softmax(-1)

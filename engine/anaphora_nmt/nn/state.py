"""Encoded sources, decoder states that beam search can reorder, and features of target steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import torch
from torch import Tensor

S = TypeVar("S", bound="DecoderState")
T = TypeVar("T", bound="SentenceState")


@dataclass(frozen=True)
class Encoded:
    """The annotations [B, S, C] of a batch of sources, and their mask [B, S], which is True for words."""

    states: Tensor
    mask: Tensor

    def repeat(self, times: int) -> Encoded:
        return Encoded(self.states.repeat_interleave(times, 0), self.mask.repeat_interleave(times, 0))

    def select(self, rows: Tensor) -> Encoded:
        return Encoded(self.states[rows], self.mask[rows])


@dataclass(frozen=True)
class DecoderState:
    """Base class of all decoder states.

    Each field is one of these: another state, an encoded source, a tensor with a row for each hypothesis, a
    tuple of any of these, or a value that is the same for all hypotheses.
    """

    def reorder(self: S, index: Tensor) -> S:
        """A state whose row n is row `index[n]` of this state; `index` may repeat or omit rows."""
        changes = {name: _select(value, index) for name, value in vars(self).items()}
        return replace(self, **changes)


@dataclass(frozen=True, kw_only=True)
class SentenceState(DecoderState):
    """A part of a state with one row for each of N sentences. Consecutive hypotheses share a row.

    Attributes:
        group: number of hypotheses of each sentence, B / N.
        owners: sentence of each hypothesis, [B]; None before the first reordering.
    """

    group: int = 1
    owners: Tensor | None = None

    def reorder(self: T, index: Tensor) -> T:
        """Like `DecoderState.reorder`, but rows are copied only if the sentences or their order change.

        If all sentences still have the same number of hypotheses, each sentence keeps one row. Otherwise,
        each hypothesis gets a row.
        """
        if self.owners is not None and len(self.owners) == self.group == len(index):
            return self  # there is only one sentence
        owners = torch.div(index, self.group, rounding_mode="floor") if self.group > 1 else index
        if self.owners is not None and torch.equal(owners, self.owners):
            return self  # the usual case: hypotheses are reordered within their sentences
        sentences, counts = torch.unique_consecutive(owners, return_counts=True)
        sizes = counts.tolist()
        if not sizes or min(sizes) != max(sizes):
            sentences, sizes = owners, [1]
        numbers = torch.arange(len(sentences), device=sentences.device)
        rows = {name: value for name, value in vars(self).items() if name not in ("group", "owners")}
        if len(sentences) != _row_count(tuple(rows.values())) or not torch.equal(sentences, numbers):
            rows = {name: _select(value, sentences) for name, value in rows.items()}
        return replace(self, **rows, group=sizes[0], owners=numbers.repeat_interleave(sizes[0]))


def _row_count(value: object) -> int | None:
    """Number of rows of the first tensor in nested tuples; None without a tensor."""
    if isinstance(value, Tensor):
        return len(value)
    parts = value if isinstance(value, tuple) else ()
    return next((count for part in parts if (count := _row_count(part)) is not None), None)


def _select(value: object, index: Tensor) -> object:
    if isinstance(value, Tensor):
        return value.index_select(0, index)
    if isinstance(value, tuple):
        return tuple(_select(part, index) for part in value)
    if isinstance(value, Encoded):
        return value.select(index)
    if isinstance(value, DecoderState):
        return value.reorder(index)
    return value


@dataclass(frozen=True)
class Features:
    """A decoder's results at target steps. Document memories read them, and may change the state.

    Attributes:
        state: s_t, [B, D] or [B, T, D].
        context: c_t, the output of the attention to the source, [B, C] or [B, T, C].
        embedding: e(y_{t−1}), the previous word's embedding, [B, E] or [B, T, E].
        attention: source log-weights, [B, S] or [B, T, S]; None if not requested.
    """

    state: Tensor
    context: Tensor
    embedding: Tensor
    attention: Tensor | None = None

    def with_state(self, state: Tensor) -> Features:
        return replace(self, state=state)

    def _map(self, function: Callable[[Tensor], Tensor]) -> Features:
        return Features(function(self.state), function(self.context), function(self.embedding))

    def expand(self, rows: int) -> Features:
        """Repeat the only row of these features: [1, …] → [rows, …]; `attention` is None."""
        return self._map(lambda part: part.expand(rows, *part.shape[1:]))

    def by_sentence(self, count: int) -> Features:
        """Reshape hypotheses of `count` sentences: [B, …] → [count, B / count, …]; `attention` is None."""
        return self._map(lambda part: part.reshape(count, -1, part.shape[-1]))

    def until(self, end: int) -> Features:
        """The steps before `end` of [B, T, …]; `attention` is None."""
        return self._map(lambda part: part[:, :end])

    def select(self, steps: Tensor) -> Features:
        """The steps where `steps` [B, T] is True, flattened; `attention` is None."""
        return self._map(lambda part: part[steps])

    def at(self, places: Tensor) -> Features:
        """The steps at `places` [N] of the flattened batch; `attention` is None."""
        return self._map(lambda part: part.flatten(0, 1).index_select(0, places))

    def rows(self) -> Features:
        """Make each of N flattened steps a row: [N, …] → [N, 1, …]; `attention` is None."""
        return self._map(lambda part: part[:, None])


def shift_right(target: Tensor, first_piece: int) -> Tensor:
    """The previous pieces of each step: y_1 … y_T → <s> y_1 … y_{T−1}, [B, T]."""
    first = torch.full_like(target[:, :1], first_piece)
    return torch.cat((first, target[:, :-1]), dim=1)

"""A decoder's state from one target step to the next, in the form that beam search reorders."""

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
    """An encoded source batch: annotations [B, S, D], and their mask [B, S], true where there is a word."""

    states: Tensor
    mask: Tensor

    def repeat(self, times: int) -> Encoded:
        return Encoded(self.states.repeat_interleave(times, 0), self.mask.repeat_interleave(times, 0))

    def select(self, rows: Tensor) -> Encoded:
        return Encoded(self.states[rows], self.mask[rows])


@dataclass(frozen=True)
class DecoderState:
    """Base of every decoder's state: named tuples of tensors whose first dimension is the hypothesis."""

    def reorder(self: S, index: Tensor) -> S:
        """Row n of the result is row `index[n]` of this state; `index` may repeat or drop rows."""
        changes = {name: _select(value, index) for name, value in vars(self).items()}
        return replace(self, **changes)


@dataclass(frozen=True, kw_only=True)
class SentenceState(DecoderState):
    """The constant part: one row for each of N sentences, read by the same number of hypotheses in a row.

    Attributes:
        group: hypotheses a sentence: B = N · group.
        owners: sentence of each hypothesis, [B]; None until hypotheses are chosen.
    """

    group: int = 1
    owners: Tensor | None = None

    def reorder(self: T, index: Tensor) -> T:
        """As of every state, but rows are copied only when the sentences change, and once for a group."""
        if self.owners is not None and len(self.owners) == self.group == len(index):
            return self  # one sentence: whichever hypotheses go on are its own
        owners = torch.div(index, self.group, rounding_mode="floor") if self.group > 1 else index
        if self.owners is not None and torch.equal(owners, self.owners):
            return self  # the usual case: hypotheses change places within their sentences
        sentences, counts = torch.unique_consecutive(owners, return_counts=True)
        sizes = counts.tolist()
        if not sizes or min(sizes) != max(sizes):
            sentences, sizes = owners, [1]
        numbers = torch.arange(len(sentences), device=sentences.device)
        rows = {name: value for name, value in vars(self).items() if name not in ("group", "owners")}
        if len(sentences) != _count(tuple(rows.values())) or not torch.equal(sentences, numbers):
            rows = {name: _select(value, sentences) for name, value in rows.items()}
        return replace(self, **rows, group=sizes[0], owners=numbers.repeat_interleave(sizes[0]))


def _count(value: object) -> int | None:
    """Rows of the first tensor in nested tuples."""
    if isinstance(value, Tensor):
        return len(value)
    parts = value if isinstance(value, tuple) else ()
    return next((count for part in parts if (count := _count(part)) is not None), None)


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
    """A decoder's results at target steps; everything a document memory needs to attach to it.

    Attributes:
        state: s_t, [B, D] or [B, T, D].
        context: c_t, the attention's reading of the source, [B, C] or [B, T, C].
        embedding: e(y_{t−1}), the previous word's, [B, E] or [B, T, E].
        attention: source weights, [B, S] or [B, T, S]; None if it was not requested.
    """

    state: Tensor
    context: Tensor
    embedding: Tensor
    attention: Tensor | None = None

    def with_state(self, state: Tensor) -> Features:
        return replace(self, state=state)

    def _cut(self, cut: Callable[[Tensor], Tensor]) -> Features:
        return Features(cut(self.state), cut(self.context), cut(self.embedding))

    def expand(self, rows: int) -> Features:
        """One row's features [1, …] for several rows, without attention."""
        return self._cut(lambda part: part.expand(rows, *part.shape[1:]))

    def of_sentences(self, count: int) -> Features:
        """Hypotheses [B, …] of so many sentences, side by side: [count, B / count, …], without attention."""
        return self._cut(lambda part: part.reshape(count, -1, part.shape[-1]))

    def until(self, end: int) -> Features:
        """The steps before `end` of [B, T, …], without attention."""
        return self._cut(lambda part: part[:, :end])

    def select(self, steps: Tensor) -> Features:
        """The steps where `steps` [B, T] is true, flattened, without attention."""
        return self._cut(lambda part: part[steps])

    def at(self, places: Tensor) -> Features:
        """The steps of these numbers [N], counted through the batch, flattened, without attention."""
        return self._cut(lambda part: part.flatten(0, 1).index_select(0, places))

    def rows(self) -> Features:
        """Flattened steps [N, …] as rows of one step each, [N, 1, …], without attention."""
        return self._cut(lambda part: part[:, None])


def shift_right(target: Tensor, begin: int) -> Tensor:
    """y_1 … y_T → <s> y_1 … y_{T−1}, the previous words; [B, T]."""
    first = torch.full_like(target[:, :1], begin)
    return torch.cat((first, target[:, :-1]), dim=1)

"""What changes the scores of a hypothesis' next tokens: one protocol, whatever the reason.

Constraints, terms and the penalty on words out of the vocabulary are adjusters. A search is given some, and
asks them one after the other at each step of each hypothesis: `start`, then `adjust` and `advance` in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor

from anaphora_nmt.native.search import Rules, WordPenalty
from anaphora_nmt.search.largest import largest

State = TypeVar("State")


class ScoreAdjuster(Protocol[State]):
    """Changes the scores of a hypothesis' next tokens by what the hypothesis has written so far.

    It serves the sentences of one batch. Its state is immutable: hypotheses with the same beginning share it.
    """

    def start(self, sentence: int) -> State:
        """The state of an empty hypothesis of a sentence of the batch."""
        ...

    def adjust(self, scores: NextScores, state: State) -> State:
        """Change the scores of a hypothesis' next tokens.

        Returns:
            the state, with what is to be known of this step when a token has been chosen.
        """
        ...

    def advance(self, state: State, token: int) -> State:
        """The state of a hypothesis with one more token; `state` is what `adjust` returned."""
        ...

    def native(self) -> Rules | WordPenalty | None:
        """The same rules for the native library's search; None: it has none like them."""
        ...


Adjusters = Sequence[ScoreAdjuster[Any]]
States = tuple[Any, ...]
"""Each adjuster's state for one hypothesis."""


class StepScores:
    """The log-probabilities of one step of several hypotheses, [N, V]; what was given is left as it is.

    Args:
        attention: returns the step's log-weights over source tokens, [N, S]; None where there are none.
    """

    def __init__(self, log_probs: Tensor, attention: Callable[[], Tensor | None]) -> None:
        self._scores, self._is_copy = log_probs, False
        self._attention = attention
        self._weights: tuple[list[list[float]] | None] | None = None

    def adjusted(self, adjusters: Adjusters, row: int, states: States) -> tuple[NextScores, States]:
        """The scores of one hypothesis as all adjusters leave them, and their states."""
        scores = NextScores(self, row)
        after = tuple(each.adjust(scores, state) for each, state in zip(adjusters, states, strict=True))
        return scores, after

    @property
    def size(self) -> int:
        """Tokens of the vocabulary, V."""
        return self._scores.shape[1]

    def weights(self, row: int) -> Sequence[float] | None:
        """Weights of a hypothesis over source tokens, [S]; None where there are none."""
        if self._weights is None:
            attention = self._attention()
            self._weights = (None if attention is None else attention.exp().tolist(),)
        (weights,) = self._weights
        return None if weights is None else weights[row]

    def copied(self) -> Tensor:
        """The scores, [N, V], which may be changed in place."""
        if not self._is_copy:
            self._scores, self._is_copy = self._scores.clone(), True
        return self._scores

    def largest(self, count: int) -> list[tuple[list[float], list[int]]]:
        """For each hypothesis the `count` largest scores and their tokens, without pending changes."""
        values, tokens = largest(self._scores, min(count, self.size))
        return list(zip(values.tolist(), tokens.tolist(), strict=True))

    def sorted_row(self, row: int) -> tuple[list[float], list[int]]:
        """All scores of a hypothesis and their tokens, largest first, without changes that are pending."""
        every = self._scores[row].sort(descending=True, stable=True)
        return every.values.tolist(), every.indices.tolist()


class NextScores:
    """The scores of the tokens that may follow one hypothesis.

    Changes of a few tokens are kept aside: of most tokens nobody ever asks. `all` makes them in a tensor.
    """

    def __init__(self, step: StepScores, row: int) -> None:
        self._step, self._row = step, row
        self._changes: Mapping[int, float] = {}
        self._penalty: tuple[int, float, Callable[[int], bool]] | None = None

    @property
    def attention(self) -> Sequence[float] | None:
        """The step's weights over source tokens, [S]; None where there are none."""
        return self._step.weights(self._row)

    def lower(self, changes: Mapping[int, float]) -> None:
        """Add to the scores of some tokens what is never more than nothing."""
        if self._changes or self._penalty is not None:
            self.all()
        self._changes = changes

    def penalise(self, count: int, penalty: float, applies: Callable[[int], bool]) -> None:
        """Take `penalty` from those of the `count` likeliest tokens to which it applies."""
        if self._penalty is not None:
            self.all()
        self._penalty = count, penalty, applies

    def all(self) -> Tensor:
        """All scores, [V], to be changed in place."""
        scores = self._step.copied()[self._row]
        if self._changes:
            tokens = torch.tensor(list(self._changes), device=scores.device)
            changes = list(self._changes.values())
            scores[tokens] += torch.tensor(changes, dtype=scores.dtype, device=scores.device)
        if self._penalty is not None:
            count, penalty, applies = self._penalty
            candidates = largest(scores[None], min(count, len(scores)))[1][0].tolist()
            if penalised := [token for token in candidates if applies(token)]:
                scores[penalised] -= penalty
        self._changes, self._penalty = {}, None
        return scores

    def lowered(self, values: list[float], tokens: list[int]) -> Iterable[tuple[float, int]]:
        """Tokens with their scores, likeliest first, as `lower` leaves them.

        Args:
            values, tokens: from `StepScores.largest`.
        """
        some = zip(values, tokens, strict=True)
        if not self._changes or self._changes.keys().isdisjoint(tokens):
            return some
        changed = [(value + self._changes.get(token, 0.0), token) for value, token in some]
        return sorted(changed, key=_by_value)

    def penalty(self, rank: int, token: int) -> float:
        """What is still to be taken from the score of the token that has that rank in `lowered`."""
        if self._penalty is None:
            return 0.0
        count, penalty, applies = self._penalty
        return penalty if rank < count and applies(token) else 0.0


def _by_value(candidate: tuple[float, int]) -> float:
    return -candidate[0]

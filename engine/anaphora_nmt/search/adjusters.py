"""Adjusters of the scores of a hypothesis' next tokens.

Constraints, terms and the penalty on words out of the vocabulary are adjusters. A search calls `start` for
each sentence, then `adjust` and `advance` in turn for each step of each hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar

from torch import Tensor

from anaphora_nmt.native.search import SearchPart

State = TypeVar("State")


class ScoreAdjuster(Protocol[State]):
    """Changes the scores of a hypothesis' next tokens, depending on its earlier tokens.

    An adjuster belongs to one batch. Its states are immutable, as hypotheses with the same beginning share
    them.
    """

    def start(self, sentence: int) -> State:
        """The state of an empty hypothesis of a sentence of the batch."""
        ...

    def adjust(self, scores: NextScores, state: State) -> State:
        """Change the scores of a hypothesis' next tokens.

        Returns:
            the state, with data about this step for `advance`.
        """
        ...

    def advance(self, state: State, token: int) -> State:
        """The state of a hypothesis with one more token; `state` is the result of `adjust`."""
        ...

    def native(self) -> SearchPart | None:
        """The same rules for the native library's search; None: the library does not support them."""
        ...


Adjusters = Sequence[ScoreAdjuster[Any]]
States = tuple[Any, ...]
"""Each adjuster's state for one hypothesis."""


class StepScores:
    """The scores of one step of several hypotheses.

    Args:
        log_probs: [N, V]; they are copied.
        attention: returns the step's log-weights over source tokens, [N, S], or None.
    Attributes:
        values: the adjusted log-probabilities, [N, V].
    """

    def __init__(self, log_probs: Tensor, attention: Callable[[], Tensor | None]) -> None:
        self.values = log_probs.clone()
        self._attention = attention

    @cached_property
    def weights(self) -> list[list[float]] | None:
        """Weights over source tokens, [N, S], or None."""
        attention = self._attention()
        return None if attention is None else attention.exp().tolist()

    def adjust(self, adjusters: Adjusters, row: int, states: States) -> States:
        """Let all adjusters change the scores of one hypothesis; returns their states."""
        scores = NextScores(self, row)
        return tuple(each.adjust(scores, state) for each, state in zip(adjusters, states, strict=True))


class NextScores:
    """The scores of the tokens that may follow one hypothesis.

    Attributes:
        values: [V], changed in place.
    """

    def __init__(self, step: StepScores, row: int) -> None:
        self._step, self._row = step, row
        self.values = step.values[row]

    @property
    def attention(self) -> Sequence[float] | None:
        """The step's weights over source tokens, [S], or None."""
        return None if self._step.weights is None else self._step.weights[self._row]

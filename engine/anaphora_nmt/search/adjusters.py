"""Adjusters of the scores of a hypothesis' next tokens: one protocol for all reasons.

Constraints, terms and the penalty on words out of the vocabulary are adjusters. A search is given some, and
asks them one after the other at each step of each hypothesis: `start`, then `adjust` and `advance` in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar

from torch import Tensor

from anaphora_nmt.native.search import SearchPart

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
            the state, with the data about this step for after the choice of a token.
        """
        ...

    def advance(self, state: State, token: int) -> State:
        """The state of a hypothesis with one more token; `state` is what `adjust` returned."""
        ...

    def native(self) -> SearchPart | None:
        """The same rules for the native library's search; None: it has none like them."""
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
        values: the log-probabilities as adjusters leave them, [N, V].
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
        values: [V], to be changed in place.
    """

    def __init__(self, step: StepScores, row: int) -> None:
        self._step, self._row = step, row
        self.values = step.values[row]

    @property
    def attention(self) -> Sequence[float] | None:
        """The step's weights over source tokens, [S], or None."""
        return None if self._step.weights is None else self._step.weights[self._row]

"""The interface of objects that adjust scores in a search, and constraints on placeholders and repetition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor

from anaphora_nmt.native.search import Rules, SearchPart
from anaphora_nmt.text.vocabulary import EOS, UNK

State = TypeVar("State")


class ScoreAdjuster(Protocol[State]):
    """Changes the scores of a hypothesis' next pieces, depending on its earlier pieces.

    An adjuster belongs to one batch. Its states are immutable, because hypotheses with the same first pieces
    share them.
    """

    def start(self, sentence: int) -> State:
        """The state of an empty hypothesis of a sentence of the batch."""
        ...

    def adjust(self, scores: NextScores, state: State) -> State:
        """Change the scores of the next pieces, and return the state with data about this step."""
        ...

    def advance(self, state: State, piece: int) -> State:
        """The state of a hypothesis with one more piece; `state` is the result of `adjust`."""
        ...

    def native(self) -> SearchPart | None:
        """The same rules for the native library's search; None if the library does not support them."""
        ...


Adjusters = Sequence[ScoreAdjuster[Any]]
States = tuple[Any, ...]


class StepScores:
    """The scores of one step of several hypotheses.

    Args:
        log_probs: [N, V]; they are copied.
        attention: returns the step's log-weights over source pieces, [N, S], or None if the model has none.
    Attributes:
        values: the adjusted log-probabilities, [N, V].
    """

    def __init__(self, log_probs: Tensor, attention: Callable[[], Tensor | None]) -> None:
        self.values = log_probs.clone()
        self._attention = attention

    @cached_property
    def weights(self) -> list[list[float]] | None:
        attention = self._attention()
        return None if attention is None else attention.exp().tolist()

    def adjust(self, adjusters: Adjusters, row: int, states: States) -> States:
        scores = NextScores(self, row)
        return tuple(each.adjust(scores, state) for each, state in zip(adjusters, states, strict=True))


class NextScores:
    """The scores [V] of the pieces that may follow one hypothesis; `values` is changed in place."""

    def __init__(self, step: StepScores, row: int) -> None:
        self._step, self._row = step, row
        self.values = step.values[row]

    @property
    def attention(self) -> Sequence[float] | None:
        return None if self._step.weights is None else self._step.weights[self._row]


_NEVER = float("-inf")

Changes = Mapping[int, float]
"""Additions to log-probabilities, by piece; they are never positive."""


@dataclass(frozen=True)
class PieceTable:
    """Data about the target pieces for constraints.

    Attributes:
        marks: placeholder number of each piece that is a placeholder, by piece.
        count: P, the number of placeholders.
        begin_words: whether each piece begins a word, [V].
    """

    marks: Mapping[int, int]
    count: int
    begin_words: tuple[bool, ...]

    @classmethod
    def of(cls, placeholder_ids: Sequence[Sequence[int]], begin_words: Sequence[bool]) -> PieceTable:
        marks = {piece: mark for mark, ids in enumerate(placeholder_ids) for piece in ids}
        return cls(marks, len(placeholder_ids), tuple(begin_words))

    @cached_property
    def arrays(self) -> tuple[Tensor, Tensor]:
        """Each piece's placeholder number, or −1, int32 [V], and `begin_words`, uint8 [V]."""
        marks = torch.full((len(self.begin_words),), -1, dtype=torch.int32)
        for piece, mark in self.marks.items():
            marks[piece] = mark
        return marks, torch.tensor(self.begin_words, dtype=torch.uint8)


@dataclass(frozen=True, slots=True)
class ConstraintState:
    """The number of missing occurrences of each placeholder, and the last pieces (−1 before the first)."""

    unmet: tuple[int, ...]
    tail: tuple[int, ...]


class Constraints:
    """Adjusts log-probabilities by constraints on placeholders and on repetition.

    Surplus placeholders and the unknown piece are forbidden. Each placeholder that is missing at the end
    costs a penalty. A third occurrence of the same 1 to 4 pieces in a row is forbidden. A second occurrence
    costs a penalty if its first piece begins a word ("the the"). On the development set, beam search (size 5)
    loses no placeholder with a penalty of 12, but greedy search then rambles. A penalty of 2 for second
    occurrences has the best chrF2.
    """

    def __init__(
        self,
        table: PieceTable,
        required: Sequence[Sequence[int]],
        unmet_penalty: float = 12.0,
        repeat_penalty: float = 0.0,
        longest_cycle: int = 4,
    ) -> None:
        """Args: `required`: for each sentence, how often the source contains each placeholder;
        `longest_cycle`: maximum number of pieces of a repeated sequence."""
        self.table = table
        self.required = required
        self.unmet_penalty = unmet_penalty
        self.repeat_penalty = repeat_penalty
        self.longest_cycle = longest_cycle

    def start(self, sentence: int) -> ConstraintState:
        required = self.required[sentence]
        unmet = (*required, *(0,) * (self.table.count - len(required)))
        return ConstraintState(unmet, (-1,) * (3 * self.longest_cycle))

    def adjust(self, scores: NextScores, state: ConstraintState) -> ConstraintState:
        changes, values = self.changes(state), scores.values
        pieces = torch.tensor(list(changes), device=values.device)
        values[pieces] += torch.tensor(list(changes.values()), dtype=values.dtype, device=values.device)
        return state

    def changes(self, state: ConstraintState) -> Changes:
        changes = {piece: _NEVER for piece, mark in self.table.marks.items() if state.unmet[mark] <= 0}
        if missing := sum(count > 0 for count in state.unmet):
            changes[EOS] = -self.unmet_penalty * missing
        changes[UNK] = _NEVER
        tail, repeats = state.tail, dict[int, float]()
        for length in range(1, self.longest_cycle + 1):
            if change := self._repeat_change(tail, length):
                repeats[tail[-length]] = repeats.get(tail[-length], changes.get(tail[-length], 0.0)) + change
        return {**changes, **repeats} if repeats else changes

    def _repeat_change(self, tail: tuple[int, ...], length: int) -> float:
        """The addition to the score of `tail[-length]` as the next piece.

        It is −inf if the piece would begin a third occurrence of `length` pieces, the negative penalty if it
        would complete a second occurrence, and otherwise 0.
        """
        if tail[-length] < 0:
            return 0.0
        if tail[-length:] == tail[-2 * length : -length]:
            return _NEVER
        first = tail[-2 * length + 1]
        if first < 0 or not self.table.begin_words[first]:
            return 0.0
        begun_again = tail[len(tail) - length + 1 :] == tail[-2 * length + 1 : -length]
        return -self.repeat_penalty if begun_again else 0.0

    def advance(self, state: ConstraintState, piece: int) -> ConstraintState:
        unmet, mark = state.unmet, self.table.marks.get(piece)
        if mark is not None:
            unmet = (*unmet[:mark], unmet[mark] - 1, *unmet[mark + 1 :])
        return ConstraintState(unmet, (*state.tail[1:], piece))

    def native(self) -> Rules:
        marks, begin_words = self.table.arrays
        counts = torch.zeros(len(self.required), self.table.count, dtype=torch.int32)
        for row, required in enumerate(self.required):
            counts[row, : len(required)] = torch.tensor(required, dtype=torch.int32)
        penalties = self.unmet_penalty, self.repeat_penalty
        return Rules(marks, begin_words, counts, self.longest_cycle, *penalties)

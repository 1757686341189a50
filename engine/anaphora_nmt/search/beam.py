"""Batched beam search. Knows a model only by `StepModel`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappush, heapreplace

import torch
from torch import Tensor

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.native.calls import cancelled_by
from anaphora_nmt.nn.state import DecoderState
from anaphora_nmt.search.adjusters import Adjusters, NextScores, States, StepScores
from anaphora_nmt.search.native_beam import native_search
from anaphora_nmt.search.protocol import StepModel
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD

_NEVER = float("-inf")
_SPARE = 16
"""Candidates of a hypothesis that are listed besides those that are looked at: some may be forbidden."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finished translation.

    Attributes:
        pieces: ids, the end mark included where search reached it.
        log_probability: sum over the pieces.
        score: what hypotheses are ranked by: normalised by length, with the coverage where that counts.
        seen: logarithm of the largest weight that each source piece had at any step, [S]; None unless
            `BeamOptions.sees`.
    """

    pieces: tuple[int, ...]
    log_probability: float
    score: float
    seen: Tensor | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BeamOptions:
    """Settings of a search.

    Attributes:
        size: k. length_penalty: α. n_best: hypotheses returned for each sentence.
        sees: whether hypotheses say which source pieces they have attended to.
    """

    size: int = 5
    length_penalty: float = 0.8
    n_best: int = 1
    sees: bool = False


def length_norm(length: int, alpha: float) -> float:
    """Wu et al. (2016), eq. (14): what a log-probability is divided by."""
    return ((5.0 + length) / 6.0) ** alpha


class _Sentence:
    """The finished hypotheses of one sentence of the batch."""

    def __init__(self, options: BeamOptions, limit: int) -> None:
        self.options = options
        self.limit = limit
        self.finished: list[Hypothesis] = []

    def add(self, pieces: Sequence[int], log_probability: float, seen: Tensor | None) -> None:
        score = log_probability / length_norm(len(pieces), self.options.length_penalty)
        self.finished.append(Hypothesis(tuple(pieces), log_probability, score, seen))
        self.finished.sort(key=lambda hypothesis: -hypothesis.score)

    def complete(self, best_alive: float, length: int) -> bool:
        """Whether no hypothesis alive (its best log-probability given) can enter the n best any more."""
        if len(self.finished) < self.options.n_best:
            return False
        # Log-probabilities only fall, so an alive one is at best divided by the norm of the longest length.
        bound = best_alive / length_norm(max(self.limit, length), self.options.length_penalty)
        return (
            len(self.finished) >= self.options.size or self.finished[self.options.n_best - 1].score >= bound
        )


@torch.inference_mode()
def beam_search(
    model: StepModel,
    state: DecoderState,
    limits: Sequence[int],
    options: BeamOptions,
    adjusters: Adjusters = (),
    cancel: Callable[[], bool] | None = None,
) -> list[list[Hypothesis]]:
    """Translate a batch; the native library does it where it supports all that is asked (`native_beam.py`).

    Args:
        state: the model's start state, one row for each sentence.
        limits: how many pieces each sentence's translation may have.
        adjusters: change the scores of each step, one after the other.
    Returns:
        for each sentence its n best, best first.
    Raises:
        Cancelled: `cancel()` was true before a step.
    """
    if cancel is not None and cancel():
        raise Cancelled("translation was cancelled")
    wanted = options.size, options.n_best, options.length_penalty, options.sees
    with cancelled_by(cancel):
        found = native_search(model, state, wanted, limits, adjusters)
    if found is not None:
        return [[Hypothesis(*vars(each).values()) for each in some] for some in found]
    search = _Beam(model, state, limits, options, adjusters)
    while search.alive:
        if cancel is not None and cancel():
            raise Cancelled("translation was cancelled")
        search.step()
    return [sentence.finished[: options.n_best] for sentence in search.sentences]


@dataclass(frozen=True, slots=True)
class _Row:
    """A hypothesis that is being written.

    Attributes:
        pieces: written so far. score: their log-probability; −inf marks a row that only fills its place.
        states: the state of each adjuster.
    """

    pieces: tuple[int, ...] = ()
    score: float = 0.0
    states: States = ()


_Candidate = tuple[float, int, int]
"""Score of a hypothesis with one more piece, the hypothesis' row, and the piece."""


class _Beam:
    """The running search: hypotheses of sentence n in rows n·k … n·k + k − 1 of the sentences still alive.

    Before the first step there is one of each. Adjusters seldom raise a piece's
    log-probability, so only each hypothesis' likeliest pieces are looked at, as long as one may still enter.
    """

    def __init__(
        self,
        model: StepModel,
        state: DecoderState,
        limits: Sequence[int],
        options: BeamOptions,
        adjusters: Adjusters,
    ) -> None:
        self.model, self.options, self.adjusters = model, options, adjusters
        self.sentences = [_Sentence(options, limit) for limit in limits]
        self.alive = list(range(len(limits)))
        numbers = range(len(limits))
        self.rows = [_Row(states=tuple(each.start(number) for each in adjusters)) for number in numbers]
        self.state = state
        self.length = 0
        self.seen: Tensor | None = None

    def step(self) -> None:
        """Lengthen every hypothesis by a token."""
        self.length += 1
        before = [row.pieces[-1] if row.pieces else BOS for row in self.rows]
        previous = torch.tensor(before, dtype=torch.long, device=self.model.device)
        log_probs, state = self.model.step(previous, self.state)
        self._see(state)
        ranking = _Ranking(self, StepScores(log_probs, lambda: self.model.attention(state)))
        kept, alive = self._select(ranking)
        self.alive = alive
        if not alive:
            return
        index = torch.tensor([row for _, row, _ in kept], dtype=torch.long, device=previous.device)
        self.state = state.reorder(index)
        self.seen = None if self.seen is None else self.seen[index]
        self.rows = [self._lengthened(*each, ranking.states) for each in kept]

    def _lengthened(self, score: float, row: int, piece: int, states: Sequence[States]) -> _Row:
        after = zip(self.adjusters, states[row], strict=True)
        advanced = tuple(each.advance(state, piece) for each, state in after)
        return _Row((*self.rows[row].pieces, piece), score, advanced)

    def _see(self, state: DecoderState) -> None:
        """Keep what the step that led to a state has looked at."""
        attention = self.model.attention(state) if self.options.sees else None
        if attention is not None:
            self.seen = attention if self.seen is None else torch.maximum(self.seen, attention)

    def _add(self, sentence: _Sentence, score: float, row: int, piece: int) -> None:
        """A hypothesis has come to its end."""
        seen = None if self.seen is None else self.seen[row]
        sentence.add([*self.rows[row].pieces, piece], score, seen)

    def _select(self, ranking: _Ranking) -> tuple[list[_Candidate], list[int]]:
        """Sort the candidates into finished and going on: those that go on, and their sentences."""
        kept: list[_Candidate] = []
        alive: list[int] = []
        size, width = self.options.size, len(self.rows) // len(self.alive)
        for position, number in enumerate(self.alive):
            sentence, going = self.sentences[number], list[_Candidate]()
            best = ranking.best(range(position * width, (position + 1) * width))
            for rank, candidate in enumerate(best):
                if candidate[2] != EOS:
                    going.append(candidate)
                elif rank < size:
                    self._add(sentence, *candidate)
            del going[size:]
            if self.length >= sentence.limit and not sentence.finished:
                for candidate in going:
                    self._add(sentence, *candidate)
            over = self.length >= sentence.limit
            if not going or over or sentence.complete(going[0][0], self.length):
                continue
            _, row, piece = going[-1]
            kept += going + [(float("-inf"), row, piece)] * (size - len(going))
            alive.append(number)
        return kept, alive


class _Ranking:
    """The likeliest candidates of one step.

    Attributes:
        states: of each hypothesis its adjusters' states after this step.
    """

    def __init__(self, beam: _Beam, scores: StepScores) -> None:
        self._rows, self._scores = beam.rows, scores
        self._wanted = 2 * beam.options.size
        self._next: list[NextScores | None] = []
        self.states: list[States] = []
        for row, hypothesis in enumerate(beam.rows):
            if hypothesis.score == _NEVER:
                self._next.append(None)
                self.states.append(())
            else:
                adjusted, states = scores.adjusted(beam.adjusters, row, hypothesis.states)
                self._next.append(adjusted)
                self.states.append(states)
        self._listed = scores.largest(self._wanted + _SPARE)

    def best(self, rows: Sequence[int]) -> list[_Candidate]:
        """The best candidates of one sentence, best first: twice as many as the beam is wide."""
        found: list[_Candidate] = []  # a heap, the worst one first; of equal ones the first row's is better
        for row in rows:
            scores = self._next[row]
            if scores is not None and not self._take(found, row, scores, *self._listed[row]):
                self._take(found, row, scores, *self._scores.sorted_row(row))
        ranked = sorted(found, reverse=True)
        return [(score, -row, piece) for score, row, piece in ranked]

    def _take(
        self,
        found: list[_Candidate],
        row: int,
        scores: NextScores,
        values: list[float],
        pieces: list[int],
    ) -> bool:
        """Put one hypothesis' pieces, the most probable first, among the best candidates found so far.

        Returns:
            False, and nothing done, if a piece that is not given could be among the best.
        """
        kept, before, wanted = list(found), self._rows[row].score, self._wanted
        if len(kept) == wanted and before + values[0] <= kept[0][0]:
            return True
        for rank, (value, piece) in enumerate(scores.lowered(values, pieces)):
            score = before + value
            if len(kept) == wanted and score <= kept[0][0]:
                break
            if score == _NEVER or piece in (PAD, BOS):
                continue
            score -= scores.penalty(rank, piece)
            if len(kept) < wanted:
                heappush(kept, (score, -row, piece))
            elif score > kept[0][0]:
                heapreplace(kept, (score, -row, piece))
        left = before + values[-1]  # more than any that is not given
        if len(values) < self._scores.size and (len(kept) < wanted or left > kept[0][0]):
            return False
        found[:] = kept
        return True

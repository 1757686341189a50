"""Batched beam search with a `StepModel`, and the ranking of its results by the coverage of the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from anaphora_nmt.errors import Cancel, Cancelled
from anaphora_nmt.models.protocol import StepModel
from anaphora_nmt.native.library import cancelled_by
from anaphora_nmt.native.search import Hypothesis, SearchRequest
from anaphora_nmt.nn.state import DecoderState
from anaphora_nmt.search.constraints import Adjusters, States, StepScores
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, UNK

_NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class BeamOptions:
    """Settings of a search.

    Attributes:
        size: k, the number of hypotheses of each sentence at each step.
        length_penalty: α of Wu et al. (2016), eq. (14).
        n_best: number of hypotheses returned for each sentence.
        with_attention: whether hypotheses report their attention (`Hypothesis.seen`).
    """

    size: int = 5
    length_penalty: float = 0.8
    n_best: int = 1
    with_attention: bool = False


def length_norm(length: int, alpha: float) -> float:
    """The divisor of a log-probability: Wu et al. (2016), eq. (14)."""
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

    def is_complete(self, best_alive: float, length: int) -> bool:
        """True if `size` hypotheses are finished, or `n_best` are and no unfinished one can be better."""
        if len(self.finished) < self.options.n_best:
            return False
        # Log-probabilities only decrease, so no unfinished hypothesis can end with a higher score.
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
    cancel: Cancel | None = None,
) -> list[list[Hypothesis]]:
    """Translate a batch, with `model.search` if it supports the request, otherwise step by step.

    Args:
        state: the model's start state, one row for each sentence.
        limits: maximum number of pieces of each sentence's translation.
        adjusters: they change the scores of each step, in this order.
    Returns:
        at most `n_best` hypotheses of each sentence, best first.
    Raises:
        Cancelled: `cancel()` was true before a step or during `model.search`.
    """
    if cancel is not None and cancel():
        raise Cancelled("translation was cancelled")
    marks = BOS, EOS, PAD, UNK
    settings = options.length_penalty, marks, options.with_attention
    request = SearchRequest(options.size, options.n_best, limits, *settings)
    with cancelled_by(cancel):
        hypotheses = model.search(state, request, (each.native() for each in adjusters))
    if hypotheses is not None:
        return hypotheses
    search = _Beam(model, state, limits, options, adjusters)
    while search.alive:
        if cancel is not None and cancel():
            raise Cancelled("translation was cancelled")
        search.step()
    return [sentence.finished[: options.n_best] for sentence in search.sentences]


@dataclass(frozen=True, slots=True)
class _Row:
    """An unfinished hypothesis; a score of −inf marks an unused row."""

    pieces: tuple[int, ...] = ()
    score: float = 0.0
    states: States = ()


_Candidate = tuple[float, int, int]
"""Score of a hypothesis with one more piece, the hypothesis' row, and the piece."""


class _Beam:
    """A running search. Before the first step, each sentence has one hypothesis, which is one row.

    Afterwards, rows n·k … n·k + k − 1 are the hypotheses of the unfinished sentence at index n of `alive`.
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
        self.rows = [_Row(states=tuple(each.start(number) for each in adjusters)) for number in self.alive]
        self.state = state
        self.length = 0
        self.seen: Tensor | None = None  # maximum log-attention so far, [rows, S]

    def step(self) -> None:
        self.length += 1
        before = [row.pieces[-1] if row.pieces else BOS for row in self.rows]
        previous = torch.tensor(before, dtype=torch.long, device=self.model.device)
        log_probs, state = self.model.step(previous, self.state)
        attention = self.model.attention(state) if self.options.with_attention else None
        if attention is not None:
            self.seen = attention if self.seen is None else torch.maximum(self.seen, attention)
        scores = StepScores(log_probs, lambda: self.model.attention(state))
        states = [
            () if row.score == _NEVER else scores.adjust(self.adjusters, number, row.states)
            for number, row in enumerate(self.rows)
        ]
        scores.values[:, [PAD, BOS]] = _NEVER
        kept = self._select(scores.values)
        if not self.alive:
            return
        index = torch.tensor([row for _, row, _ in kept], dtype=torch.long, device=previous.device)
        self.state = state.reorder(index)
        self.seen = None if self.seen is None else self.seen[index]
        self.rows = [self._lengthened(score, row, piece, states[row]) for score, row, piece in kept]

    def _lengthened(self, score: float, row: int, piece: int, states: States) -> _Row:
        pairs = zip(self.adjusters, states, strict=True)
        advanced = tuple(each.advance(state, piece) for each, state in pairs)
        return _Row((*self.rows[row].pieces, piece), score, advanced)

    def _finish(self, sentence: _Sentence, score: float, row: int, piece: int) -> None:
        seen = None if self.seen is None else self.seen[row]
        sentence.add([*self.rows[row].pieces, piece], score, seen)

    def _select(self, scores: Tensor) -> list[_Candidate]:
        """Store the finished candidates, and return k candidates for each sentence that continues.

        If a sentence reaches its limit without a finished hypothesis, unfinished candidates are stored.
        """
        kept: list[_Candidate] = []
        alive: list[int] = []
        size, width = self.options.size, len(self.rows) // len(self.alive)
        top = scores.topk(min(2 * size, scores.shape[1]), dim=1)
        listed = [list(zip(*row, strict=True)) for row in zip(*(each.tolist() for each in top), strict=True)]
        for position, number in enumerate(self.alive):
            sentence, unfinished = self.sentences[number], list[_Candidate]()
            candidates = [
                (self.rows[row].score + value, row, piece)
                for row in range(position * width, (position + 1) * width)
                for value, piece in listed[row]
                if self.rows[row].score + value > _NEVER
            ]
            candidates.sort(key=lambda candidate: -candidate[0])
            for rank, candidate in enumerate(candidates[: 2 * size]):
                if candidate[2] != EOS:
                    unfinished.append(candidate)
                elif rank < size:
                    self._finish(sentence, *candidate)
            del unfinished[size:]
            at_limit = self.length >= sentence.limit
            if at_limit and not sentence.finished:
                for candidate in unfinished:
                    self._finish(sentence, *candidate)
            if not unfinished or at_limit or sentence.is_complete(unfinished[0][0], self.length):
                continue
            _, row, piece = unfinished[-1]
            kept += unfinished + [(_NEVER, row, piece)] * (size - len(unfinished))
            alive.append(number)
        self.alive = alive
        return kept


_MIN_COVERAGE = 0.01


def coverage(seen: Tensor, source: Tensor) -> Tensor:
    """The coverage of N sources by their translations: Σ_i log max_j p_ij, 0 at best, [N].

    Wu et al. (2016), eq. (14), for the attention p_ij of target piece j on source piece i. The maximum
    replaces min(Σ_j p_ij, 1), because many weak weights do not show that a piece was translated. Each source
    piece adds at least log 0.01.

    Args:
        seen: log max_j p_ij of each source piece, [N, S].
        source: mask of the source pieces that count, [N, S].
    """
    floor = torch.tensor(_MIN_COVERAGE, device=seen.device).log()
    return seen.maximum(floor).masked_fill(~source, 0.0).sum(1)


def rank_by_coverage(
    hypotheses: Sequence[Hypothesis], covered: Sequence[float], weight: float
) -> list[Hypothesis]:
    """Add `weight` times the log-coverage to the scores of a sentence's hypotheses, and sort them."""
    scored = (
        replace(hypothesis, score=hypothesis.score + weight * each)
        for hypothesis, each in zip(hypotheses, covered, strict=True)
    )
    return sorted(scored, key=lambda hypothesis: -hypothesis.score)

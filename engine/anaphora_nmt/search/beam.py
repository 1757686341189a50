"""Batched beam search. Knows a model only by `StepModel`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.nn.state import DecoderState
from anaphora_nmt.search.constraints import Constraints
from anaphora_nmt.search.known_words import LOOK_BACK, KnownWords
from anaphora_nmt.search.largest import largest
from anaphora_nmt.search.protocol import StepModel
from anaphora_nmt.search.terms import Progress, TermGuide
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finished translation.

    Attributes:
        pieces: ids, the end mark included where search reached it.
        log_probability: sum over the pieces.
        score: length-normalised, and with the coverage where that counts; hypotheses are ranked by it.
        seen: logarithm of the largest weight that each source piece had at any step, [S]; None unless
            `BeamOptions.sees`.
    """

    pieces: tuple[int, ...]
    log_probability: float
    score: float
    seen: Tensor | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BeamOptions:
    """Attributes: size k; α of the length penalty; n best to return; whether they say what they have seen."""

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
    constraints: Constraints | None = None,
    required: Sequence[Sequence[int]] | None = None,
    cancel: Callable[[], bool] | None = None,
    guide: TermGuide | None = None,
    known: KnownWords | None = None,
) -> list[list[Hypothesis]]:
    """Translate a batch.

    Args:
        state: the model's start state, one row for each sentence.
        limits: most pieces of each sentence's translation.
        constraints, required: see `Constraints.start`.
        guide: holds the sentences to their terms; it needs `constraints`.
        known: the words of the sentences' language; it needs `constraints`, too.
    Returns:
        for each sentence its n best, best first.
    Raises:
        Cancelled: `cancel()` was true before a step.
    """
    search = _Beam(model, state, limits, options, constraints, required, guide, known)
    while search.alive:
        if cancel is not None and cancel():
            raise Cancelled("translation was cancelled")
        search.step()
    return [sentence.finished[: options.n_best] for sentence in search.sentences]


class _Beam:
    """The running search: hypotheses of sentence n in rows n·k … n·k + k − 1 of the sentences still alive."""

    def __init__(
        self,
        model: StepModel,
        state: DecoderState,
        limits: Sequence[int],
        options: BeamOptions,
        constraints: Constraints | None,
        required: Sequence[Sequence[int]] | None,
        guide: TermGuide | None,
        known: KnownWords | None,
    ) -> None:
        self.model, self.options, self.constraints, self.guide = model, options, constraints, guide
        self.known = known
        self.sentences = [_Sentence(options, limit) for limit in limits]
        self.alive = list(range(len(limits)))
        size = options.size
        rows = torch.arange(len(limits), device=model.device).repeat_interleave(size)
        self.constraint_state = None
        if constraints is not None:
            self.constraint_state = constraints.start(required or [()] * len(limits)).reorder(rows)
        self.state = state.reorder(rows)
        self.words = torch.full((len(rows), 1), BOS, dtype=torch.long, device=rows.device)
        self.seen: Tensor | None = None
        self.progress: list[Progress] = [] if guide is None else guide.start(size)
        self.scores = torch.full((len(limits), size), float("-inf"), device=rows.device)
        self.scores[:, 0] = 0.0  # all hypotheses start equal: only one may speak

    def step(self) -> None:
        """Lengthen every hypothesis by a word."""
        log_probs, state = self.model.step(self.words[:, -1], self.state)
        self._see(state)
        if self.constraints is not None and self.constraint_state is not None:
            log_probs = self.constraints.adjust(log_probs, self.constraint_state)
        looked = None
        if self.guide is not None:
            looked = self.guide.adjust(log_probs, self.model.attention(state), self.progress)
        if self.known is not None:
            sentences = [number for number in self.alive for _ in range(self.options.size)]
            self.known.adjust(log_probs, self.words[:, -LOOK_BACK:].tolist(), sentences)
        log_probs[:, PAD] = float("-inf")
        log_probs[:, BOS] = float("-inf")
        size, vocabulary = self.options.size, log_probs.shape[1]
        total = (self.scores.view(-1, 1) + log_probs).view(len(self.alive), size * vocabulary)
        values, choices = largest(total, 2 * size)
        kept_rows, kept_words, kept_scores, alive = self._select(values, choices, vocabulary)
        index = torch.tensor(kept_rows, dtype=torch.long, device=self.words.device)
        words = torch.tensor(kept_words, dtype=torch.long, device=self.words.device)
        self.alive = alive
        if not alive:
            return
        self.state = state.reorder(index)
        self.seen = None if self.seen is None else self.seen[index]
        if self.guide is not None and looked is not None:
            self.progress = [
                self.guide.advance(self.progress[row], looked[row], word)
                for row, word in zip(kept_rows, kept_words, strict=True)
            ]
        if self.constraints is not None and self.constraint_state is not None:
            self.constraint_state = self.constraints.advance(words, self.constraint_state.reorder(index))
        self.words = torch.cat((self.words[index], words[:, None]), dim=1)
        self.scores = torch.tensor(kept_scores, device=self.words.device).view(len(alive), size)

    def _see(self, state: DecoderState) -> None:
        """Keep what the step that led to a state has looked at."""
        attention = self.model.attention(state) if self.options.sees else None
        if attention is not None:
            self.seen = attention if self.seen is None else torch.maximum(self.seen, attention)

    def _add(self, sentence: _Sentence, row: int, word: int, value: float) -> None:
        """A hypothesis has come to its end."""
        seen = None if self.seen is None else self.seen[row]
        sentence.add([*self.words[row, 1:].tolist(), word], value, seen)

    def _select(
        self, values: Tensor, choices: Tensor, vocabulary: int
    ) -> tuple[list[int], list[int], list[float], list[int]]:
        """Sort the candidates into finished and going on; rows, words and scores of those that go on."""
        rows: list[int] = []
        words: list[int] = []
        scores: list[float] = []
        alive: list[int] = []
        size, length = self.options.size, self.words.shape[1]
        candidates = zip(self.alive, values.tolist(), choices.tolist(), strict=True)
        for position, (number, row_values, row_choices) in enumerate(candidates):
            sentence = self.sentences[number]
            going: list[tuple[int, int, float]] = []
            for rank, (value, choice) in enumerate(zip(row_values, row_choices, strict=True)):
                row, word = position * size + choice // vocabulary, choice % vocabulary
                if value == float("-inf"):
                    continue
                if word == EOS:
                    if rank < size:
                        self._add(sentence, row, EOS, value)
                elif len(going) < size:
                    going.append((row, word, value))
            if length >= sentence.limit and not sentence.finished:
                for row, word, value in going:
                    self._add(sentence, row, word, value)
            done = not going or length >= sentence.limit or sentence.complete(going[0][2], length)
            if done:
                continue
            going += [(going[-1][0], going[-1][1], float("-inf"))] * (size - len(going))
            alive.append(number)
            for row, word, value in going:
                rows.append(row)
                words.append(word)
                scores.append(value)
        return rows, words, scores, alive

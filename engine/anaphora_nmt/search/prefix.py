"""Greedy search that continues a typed text and caches its steps."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import torch
from torch import Tensor

from anaphora_nmt.errors import Cancel, Cancelled
from anaphora_nmt.models.protocol import StepModel
from anaphora_nmt.nn.state import DecoderState
from anaphora_nmt.search.constraints import Adjusters, States, StepScores
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD

SPACE = "▁"
_NEVER = float("-inf")
_MAX_STATES = 16
"""Number of the latest steps whose decoder states stay cached; all states would take too much memory."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The pieces after the typed text, and whether they complete the sentence."""

    pieces: tuple[int, ...]
    ended: bool


@dataclass(frozen=True, slots=True)
class _Step:
    plain: Tensor  # log-probabilities, [V]
    scores: Tensor  # the same after the adjusters changed them
    states: States


class PrefixSearch:
    """Continues a sentence greedily after typed pieces. Steps after the same pieces stay cached."""

    def __init__(
        self,
        model: StepModel,
        state: DecoderState,
        adjusters: Adjusters,
        texts: Mapping[int, str],
    ) -> None:
        """Args: `state`: start state of one sentence; `texts`: text of each piece, with `▁` for a space."""
        self._model, self._adjusters, self.texts = model, adjusters, texts
        self._by_text: dict[str, list[int]] = {text: [] for text in sorted(texts.values())}
        for piece, text in texts.items():
            self._by_text[text].append(piece)
        self._sorted = list(self._by_text)
        self._pieces: list[int] = []
        self._steps: list[_Step] = []
        self._states: list[DecoderState | None] = []
        self._start = state.reorder(torch.tensor([0], device=model.device))

    @torch.inference_mode()
    def extend(self, typed: Sequence[int], prefix: str, limit: int, cancel: Cancel | None = None) -> Ending:
        """Continue `typed` by up to `limit` pieces, until the sentence ends or no piece agrees with `prefix`.

        Args:
            prefix: text that the continuation must begin with, with `▁` for a space; may be "".
        Raises:
            Cancelled: `cancel()` was true before a step; the earlier steps stay cached.
        """
        for index, piece in enumerate(typed):
            self._set_piece(index, piece, cancel)
        pieces: list[int] = []
        while len(pieces) < limit:
            step = self._step_at(len(typed) + len(pieces), cancel)
            if prefix in ("", SPACE) and int(step.scores.argmax()) == EOS:
                return Ending(tuple(pieces), True)
            best = self._best_piece(step, prefix)
            if best is None:
                break
            prefix = prefix[len(self.texts[best]) :]
            self._set_piece(len(typed) + len(pieces), best, cancel)
            pieces.append(best)
        return Ending(tuple(pieces), False)

    def _best_piece(self, step: _Step, prefix: str) -> int | None:
        """The most probable piece that begins with the prefix, or that the prefix begins with; or None.

        Pieces with the whole prefix are preferred to shorter ones that are more probable.
        """
        if not prefix:
            piece = int(step.scores.argmax())
            return piece if float(step.scores[piece]) > _NEVER else None
        later = self._sorted[bisect_left(self._sorted, prefix) :]
        longer = takewhile(lambda text: text.startswith(prefix), later)
        complete = [piece for text in longer for piece in self._by_text[text]]
        beginnings = (prefix[:length] for length in range(len(prefix), 0, -1))
        partial = next((self._by_text[each] for each in beginnings if each in self._by_text), [])
        for scores in (step.scores, step.plain):
            for fitting in (complete, partial):
                if fitting and float(scores[best := fitting[int(scores[fitting].argmax())]]) > _NEVER:
                    return best
        return None

    def _set_piece(self, index: int, piece: int, cancel: Cancel | None) -> None:
        self._step_at(index, cancel)
        if index < len(self._pieces) and self._pieces[index] == piece:
            return
        del self._pieces[index:]
        del self._steps[index + 1 :], self._states[index + 1 :]
        self._pieces.append(piece)

    def _step_at(self, index: int, cancel: Cancel | None) -> _Step:
        """The step that scores the piece at an index; all earlier pieces must be set."""
        if index < len(self._steps):
            return self._steps[index]
        if cancel is not None and cancel():
            raise Cancelled("completion was cancelled")
        before = self._steps[index - 1] if index else None
        piece = self._pieces[index - 1] if index else BOS
        device = self._model.device
        plain, state = self._model.step(torch.tensor([piece], device=device), self._state(index, cancel))
        if before is None:
            states = tuple(each.start(0) for each in self._adjusters)
        else:
            pairs = zip(self._adjusters, before.states, strict=True)
            states = tuple(each.advance(state_before, piece) for each, state_before in pairs)
        step = StepScores(plain, lambda: self._model.attention(state))
        states = step.adjust(self._adjusters, 0, states)
        scores = step.values[0]
        scores[[PAD, BOS]] = _NEVER
        self._states.append(state)
        if index >= _MAX_STATES:
            self._states[index - _MAX_STATES] = None
        self._steps.append(_Step(plain[0], scores, states))
        return self._steps[index]

    def _state(self, index: int, cancel: Cancel | None) -> DecoderState:
        """The model's state before a step; if it is not cached, all earlier steps are computed again."""
        cached = self._states[index - 1] if index else self._start
        if cached is not None:
            return cached
        state = self._start
        for number in range(index):
            if cancel is not None and cancel():
                raise Cancelled("completion was cancelled")
            piece = self._pieces[number - 1] if number else BOS
            _, state = self._model.step(torch.tensor([piece], device=self._model.device), state)
            if number >= index - _MAX_STATES:
                self._states[number] = state
        return state

"""Reading what was written into the state: towards the words that came, away from what the model wanted.

A step's state s_i (the value in Tu et al., 2018) asks for what the model wanted, and leads away from what a
human wrote. The value here is the direction in which log p(y_i | s_i) grows fastest.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.memory.confirmed_slots import rows_of

_SMALL = 1e-6


def moved_values(log_probs: Tensor, target: Tensor, embeddings: Tensor, words: Tensor) -> Tensor:
    """v_i = E[y_i] − Σ_y p(y | y is a piece of a word) E[y], [B, T, D]: the gradient of log p(y_i) for s_i.

    Args:
        log_probs: of the model alone, [B, T, V].
        target: y_i, pieces of words where the result means anything, [B, T].
        embeddings: of the output layer, [V, D].
        words: 1 at pieces of words, else 0, [V].
    """
    of_words = log_probs.float().masked_fill(words == 0, float("-inf")).softmax(-1)
    return embeddings[target] - of_words @ embeddings


@dataclass(frozen=True, slots=True)
class MovingSettings:
    """η, θ, τ and M of the deep reading; a step that is less alike than `least` moves nothing."""

    strength: float
    threshold: float
    temperature: float
    steps: int
    least: float


@dataclass(frozen=True)
class MovedStates:
    """The shift of other states by written steps, s̃_t = s_t + η Σ_i w_i v_i.

    Attributes:
        shift: η Σ_i w_i v_i, [B, T, D].
        weights, columns: w_i of the steps that are most alike, and which they are, [B, T, M].
        values: η v_i of these, [B, T, M, D].
    """

    shift: Tensor
    weights: Tensor
    columns: Tensor
    values: Tensor

    def select(self, steps: Tensor) -> MovedStates:
        return MovedStates(*(part[steps] for part in (self.shift, self.weights, self.columns, self.values)))

    def told_anew(self, embeddings: Tensor, pieces: Tensor) -> Tensor:
        """w_i, times how far v_i goes towards its own word (0: the model wanted it anyway), [B, T, M].

        Args: `embeddings` of the output layer, [V, D]; `pieces`: y_i, as `columns`.
        """
        own = embeddings[pieces]
        pull = (self.values * own).sum(-1) / (own * own).sum(-1)
        return self.weights * pull.clamp(0.0, 1.0)

    def towards(self, embeddings: Tensor, pieces: Tensor, target: Tensor) -> Tensor:
        """Each value's part of a target piece's logit [B, T], as a share of its part of its own logit, [B, T,
        M]."""
        own = (self.values * embeddings[pieces]).sum(-1)
        given = torch.einsum("btmd,btd->btm", self.values, embeddings[target])
        return (given / own.clamp_min(_SMALL)).clamp(0.0, 1.0)


def move_states(
    alike: Tensor, weights: Tensor | None, values: Tensor, settings: MovingSettings
) -> MovedStates:
    """Read the values of the steps that are most alike: w is a softmax over (likeness − θ) / τ and over a 0.

    Args:
        alike: likeness to each written step, [B, T, N]; far below any cosine where it may not come.
        weights: logarithms of what the odds of each are multiplied with, [B or 1, N]; None: 0.
        values: v_i, [B or 1, N, D], in any precision.
    """
    best, columns = alike.topk(min(settings.steps, alike.shape[-1]), -1)
    scores = (best - settings.threshold) / settings.temperature
    if weights is not None:
        scores = scores + rows_of(weights, columns)
    odds = torch.cat((scores, torch.zeros_like(scores[..., :1])), -1).softmax(-1)[..., :-1]
    odds = odds * (best > settings.least)
    chosen = rows_of(values, columns).to(odds.dtype).mul_(settings.strength)
    return MovedStates((odds[..., None, :] @ chosen)[..., 0, :], odds, columns, chosen)

"""Deep reading of confirmed steps: states move towards the confirmed words.

The state s_i of a step (the value in Tu et al., 2018) predicts the model's own word, not the human's. So the
value v_i here is the direction in which a change of s_i raises log p(y_i | s_i) most.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.memory.confirmed_slots import rows_of

_MIN_EFFECT = 1e-6  # minimum divisor in `relative_effect`


def moved_values(log_probs: Tensor, target: Tensor, embeddings: Tensor, words: Tensor) -> Tensor:
    """v_i = E[y_i] − Σ_y p(y | y is a word piece) E[y], [B, T, D]: the gradient of log p(y_i) at s_i.

    Args:
        log_probs: log-probabilities by the model alone, [B, T, V].
        target: y_i, [B, T]; the result is meaningful only for word pieces.
        embeddings: of the output layer, [V, D].
        words: 1 for word pieces, 0 for other pieces, [V].
    """
    probs = log_probs.float().masked_fill(words == 0, float("-inf")).softmax(-1)
    return embeddings[target] - probs @ embeddings


@dataclass(frozen=True, slots=True)
class MovingSettings:
    """η (`strength`), θ (`threshold`), τ (`temperature`) and M (`steps`) of the deep reading.

    Steps whose similarity does not exceed `min_similarity` have no effect.
    """

    strength: float
    threshold: float
    temperature: float
    steps: int
    min_similarity: float


@dataclass(frozen=True)
class MovedStates:
    """The shift of target states s_t by the M most similar stored steps i: s̃_t = s_t + η Σ_i w_i v_i.

    Attributes:
        shift: η Σ_i w_i v_i, [B, T, D].
        weights, columns: w_i and columns of these steps, [B, T, M].
        values: η v_i of these steps, [B, T, M, D].
    """

    shift: Tensor
    weights: Tensor
    columns: Tensor
    values: Tensor

    def select(self, steps: Tensor) -> MovedStates:
        return MovedStates(*(part[steps] for part in (self.shift, self.weights, self.columns, self.values)))

    def new_support(self, embeddings: Tensor, pieces: Tensor) -> Tensor:
        """w_i times the part of E[y_i] that η v_i contains, from 0 to 1, [B, T, M].

        The part is small if the model predicted y_i anyway.

        Args:
            embeddings: of the output layer, [V, D].
            pieces: y_i, [B, T, M].
        """
        wanted = embeddings[pieces]
        pull = (self.values * wanted).sum(-1) / (wanted * wanted).sum(-1)
        return self.weights * pull.clamp(0.0, 1.0)

    def relative_effect(self, embeddings: Tensor, pieces: Tensor, target: Tensor) -> Tensor:
        """The effect of each value on the logit of a target piece, divided by its effect on y_i's logit.

        The result, [B, T, M], is limited to the range from 0 to 1. The target pieces are [B, T].
        """
        full_effect = (self.values * embeddings[pieces]).sum(-1)
        effect = torch.einsum("btmd,btd->btm", self.values, embeddings[target])
        return (effect / full_effect.clamp_min(_MIN_EFFECT)).clamp(0.0, 1.0)


def move_states(
    similarity: Tensor, weights: Tensor | None, values: Tensor, settings: MovingSettings
) -> MovedStates:
    """Read the values of the M most similar steps.

    w is a softmax over weight + (similarity − θ) / τ of these steps, and over a 0 that stands for no shift.
    Steps with a similarity of at most `settings.min_similarity` then get w = 0.

    Args:
        similarity: similarity to each of N stored steps, [B, T, N]; far below any cosine for excluded steps.
        weights: logarithms of the factors that multiply the steps' odds, [B or 1, N]; None if all are 0.
        values: v_i, [B or 1, N, D], in any precision.
    """
    best, columns = similarity.topk(min(settings.steps, similarity.shape[-1]), -1)
    scores = (best - settings.threshold) / settings.temperature
    if weights is not None:
        scores = scores + rows_of(weights, columns)
    shares = torch.cat((scores, torch.zeros_like(scores[..., :1])), -1).softmax(-1)[..., :-1]
    shares = shares * (best > settings.min_similarity)
    chosen = rows_of(values, columns).to(shares.dtype).mul_(settings.strength)
    return MovedStates((shares[..., None, :] @ chosen)[..., 0, :], shares, columns, chosen)

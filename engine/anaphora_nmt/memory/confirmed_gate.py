"""The fit of the gate that decides when the model follows confirmed text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

_FLOOR = 1e-12
"""Addition to each probability, so that its logarithm is finite."""

Weights = tuple[float, float, float]
"""The bias, and the weights of the cosines of contexts and of states."""


@dataclass(frozen=True)
class GateEvidence:
    """The gate's inputs at N target positions, and the probabilities that the gate mixes.

    Attributes:
        contexts, states: cosines of c_t and of s_t with the step of the most similar piece, [N].
        near: 1 where y_t is a word piece and the highest similarity exceeds the threshold, otherwise 0, [N].
        model: p_nmt(y_t), [N].
        confirmed: sum of the shares of y_t in p_confirmed, each times its factor `fusion.slot_mass`, [N].
    """

    contexts: Tensor
    states: Tensor
    near: Tensor
    model: Tensor
    confirmed: Tensor

    @classmethod
    def joined(cls, parts: Sequence[GateEvidence]) -> GateEvidence:
        return cls(*(torch.cat([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    def loss(self, weights: Weights) -> float:
        """Cross-entropy of the mixture, in nats per piece."""
        return float(_loss(self, torch.tensor(weights)))


def fit_gate(evidence: GateEvidence) -> Weights:
    """The weights that maximise the likelihood of the references."""
    weights = torch.tensor([-2.0, 0.0, 0.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = _loss(evidence, weights)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    bias, context, state = weights.detach().tolist()
    return bias, context, state


def _loss(evidence: GateEvidence, weights: Tensor) -> Tensor:
    logits = weights[0] + weights[1] * evidence.contexts + weights[2] * evidence.states
    share = torch.sigmoid(logits) * evidence.near
    return -torch.log((1 - share) * evidence.model + share * evidence.confirmed + _FLOOR).mean()

"""How much the model follows each confirmed piece (`confirmed`), fitted on references of training text.

With forced decoding, the sentences before are confirmed, and the likelihood of the next reference is to grow:
a multinomial logistic regression whose labels, "the model" or one of the pieces, are hidden in a mixture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

_FLOOR = 1e-12
_START = -4.0
_RIDGE = 1e-5
"""Of the squared weights, nats a piece: where following is always right, they would grow without end."""


@dataclass(frozen=True)
class Evidence:
    """What the gate sees of N target positions, and what following would have given there.

    Attributes:
        features: of the K confirmed pieces that may be followed, [N, K, F].
        begun: the least score that each has, whatever the weights, [N, K].
        offered: where there is one, [N, K].
        right: where it is y_t, [N, K].
        inside: where it goes on in a word that has begun, [N, K].
        word: 1 where y_t is a piece of a word, else 0, [N].
        model: p_nmt(y_t), [N].
        mass: m, the probability that a piece of a word comes, [N].
    """

    features: Tensor
    begun: Tensor
    offered: Tensor
    right: Tensor
    inside: Tensor
    word: Tensor
    model: Tensor
    mass: Tensor

    @classmethod
    def joined(cls, parts: Sequence[Evidence]) -> Evidence:
        """All of it."""
        return cls(*(torch.cat([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def loss(self, weights: Sequence[float]) -> float:
        """Cross-entropy of the mixture, nats a piece; weights: the bias, and of each feature."""
        return float(_loss(self, torch.tensor(weights)))


def fit_gate(evidence: Evidence) -> list[float]:
    """The bias and the features' weights that make the references most likely."""
    weights = torch.zeros(evidence.features.shape[-1] + 1)
    weights[0] = _START
    weights.requires_grad_(True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = _loss(evidence, weights) + _RIDGE * weights.square().sum()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    return [float(value) for value in weights.detach()]


def _loss(evidence: Evidence, weights: Tensor) -> Tensor:
    scores = torch.maximum(evidence.features @ weights[1:] + weights[0], evidence.begun)
    scores = scores.masked_fill(~evidence.offered, -torch.inf)
    shares = torch.nn.functional.pad(scores, (1, 0)).softmax(-1)[:, 1:]
    kept = 1 - (shares * torch.where(evidence.inside, 1.0, evidence.word[:, None])).sum(-1)
    mass = torch.where(evidence.inside, 1.0, evidence.mass[:, None])
    followed = (shares * evidence.right * mass).sum(-1)
    return -torch.log(kept * evidence.model + followed + _FLOOR).mean()

"""Additive attention (Bahdanau et al., 2015): a tanh layer scores every annotation for a query."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class AdditiveAttention(nn.Module):
    """e_tj = vᵀ tanh(W s̃_{t−1} + U h_j), Wang et al. (2016), section 2.1; Tu et al. (2018), eq. (4).

    U h_j is the same at every step, so `project` computes it once.
    """

    def __init__(self, query_width: int, annotation_width: int, inner: int) -> None:
        super().__init__()
        self.query = nn.Linear(query_width, inner)
        self.key = nn.Linear(annotation_width, inner, bias=False)
        self.score = nn.Linear(inner, 1, bias=False)

    def project(self, annotations: Tensor) -> Tensor:
        """U h_j: [B, S, C] → keys [B, S, inner]."""
        return self.key(annotations)

    def forward(
        self, query: Tensor, keys: Tensor, annotations: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Read the annotations at one step.

        Args:
            query: s̃_{t−1}, [B, D].
            keys: `project(annotations)`.
            annotations, mask: h_j, [B, S, C], and True for words, [B, S].
        Returns:
            c_t [B, C] and the log-weights [B, S], −∞ at padding.
        """
        log_weights = self.address(query, keys, mask)
        context = torch.bmm(log_weights.exp()[:, None], annotations).squeeze(1)
        return context, log_weights

    def address(self, query: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
        """The log-weights of `forward`, [B, S]."""
        scores = self.score(torch.tanh(self.query(query)[:, None] + keys)).squeeze(-1)
        return scores.masked_fill(~mask, float("-inf")).log_softmax(-1)

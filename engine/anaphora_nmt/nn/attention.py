"""Additive attention (Bahdanau et al., 2015), and scaled dot-product attention."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


def dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, causal: bool = False
) -> Tensor:
    """Attention of Vaswani et al. (2017), eq. (1), for each head: [B, H, T, D/H] → [B, H, T, D/H].

    On CPUs it uses at least float32, because the gradient of the bfloat16 kernel takes five times as long.

    Args:
        mask: True where attention is allowed, broadcastable to [B, H, T, S].
    """
    if query.device.type != "cpu":
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)
    query, key, value = at_least_float32(query), at_least_float32(key), at_least_float32(value)
    with torch.autocast("cpu", enabled=False):
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)


def at_least_float32(values: Tensor) -> Tensor:
    """Convert half precision to float32; float32 and float64 do not change."""
    return values.float() if values.dtype in (torch.bfloat16, torch.float16) else values


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
            annotations, mask: h_j [B, S, C], and a mask [B, S] that is True for words.
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

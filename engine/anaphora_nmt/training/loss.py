"""Training objectives."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.text.pieces import PAD


def likelihood_loss(logits: Tensor, target: Tensor, smoothing: float) -> Tensor:
    """Summed cross-entropy with label smoothing; logits [B, T, V], target [B, T] padded → scalar."""
    return functional.cross_entropy(
        logits.flatten(0, -2), target.flatten(), ignore_index=PAD, label_smoothing=smoothing, reduction="sum"
    )


def guided_attention_loss(log_attention: Tensor, rows: Tensor, steps: Tensor, sources: Tensor) -> Tensor:
    """Summed cross-entropy of the guided head against alignment links.

    Chen et al. (2016), guided alignment. A target piece with n links gives each 1/n.

    Args:
        log_attention: [B, T, S].
        rows, steps, sources: sentence, target and source position of each link, [L] each.
    """
    picked = log_attention[rows, steps, sources]
    share = torch.zeros_like(log_attention[..., 0])
    share.index_put_((rows, steps), torch.ones_like(picked), accumulate=True)
    return -(picked / share[rows, steps]).sum()

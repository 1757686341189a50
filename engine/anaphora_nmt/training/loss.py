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


def eos_attention_loss(log_attention: Tensor, target: Tensor, mask: Tensor) -> Tensor:
    """Summed ATTEOS (Meng et al., 2018, eqs 17 and 18).

    Attention to the source's end mark costs what it weighs, but at the target's end mark, where what it
    lacks to 1 does.

    Args:
        log_attention: [B, T, S].
        target: ending in </s>, padded, [B, T].
        mask: true where there is a source word, [B, S]; the last of them is the end mark.
    """
    real = target != PAD
    source_end = mask.sum(1) - 1
    steps = torch.arange(target.shape[1], device=target.device)
    weight = log_attention[torch.arange(len(target), device=target.device), :, source_end].exp()
    ends = steps == real.sum(1, keepdim=True) - 1
    return (torch.where(ends, 1.0 - weight, weight) * real).sum()


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

"""Training objectives."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.nn.dot_product import at_least_float32
from anaphora_nmt.text.vocabulary import PAD


def likelihood_loss(logits: Tensor, target: Tensor, smoothing: float) -> Tensor:
    """Summed cross-entropy with label smoothing, at least in single precision: [N, V], [N] → scalar."""
    logits = at_least_float32(logits)
    return functional.cross_entropy(logits, target, reduction="sum", label_smoothing=smoothing)


def two_pass_loss(logits: Tensor, target: Tensor, smoothing: float, weight: float) -> Tensor:
    """R-Drop (Liang et al., 2021, eq. 4) of two passes over the same text, halved: the loss of one pass.

    [2 N, V], the first pass and then the second, and [N] → the mean of the passes' cross-entropies, and α/4
    times the sum of the Kullback-Leibler divergences of each pass from the other.
    """
    first, second = at_least_float32(logits).log_softmax(-1).chunk(2)
    apart = ((first.exp() - second.exp()) * (first - second)).sum()
    return likelihood_loss(logits, target.repeat(2), smoothing) / 2 + weight / 4 * apart


def eos_attention_loss(log_attention: Tensor, target: Tensor, mask: Tensor) -> Tensor:
    """Summed ATTEOS (Meng et al., 2018, eqs 17 and 18) of log-weights [B, T, S].

    Attention to the source's end mark, its last word, costs what it weighs, but at the target's end mark,
    where what it lacks to 1 does.
    """
    real = target != PAD
    source_end = mask.sum(1) - 1
    steps = torch.arange(target.shape[1], device=target.device)
    weight = log_attention[torch.arange(len(target), device=target.device), :, source_end].exp()
    ends = steps == real.sum(1, keepdim=True) - 1
    return (torch.where(ends, 1.0 - weight, weight) * real).sum()


def guided_attention_loss(log_attention: Tensor, rows: Tensor, steps: Tensor, sources: Tensor) -> Tensor:
    """Summed cross-entropy of the guided head [B, T, S] against alignment links, [L] places each.

    Chen et al. (2016), guided alignment. A target piece with n links gives each 1/n.
    """
    picked = log_attention[rows, steps, sources]
    share = torch.zeros_like(log_attention[..., 0])
    share.index_put_((rows, steps), torch.ones_like(picked), accumulate=True)
    return -(picked / share[rows, steps]).sum()

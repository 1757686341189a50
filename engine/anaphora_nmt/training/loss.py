"""Training objectives."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from anaphora_nmt.text.vocabulary import PAD

_CACHED_ROWS = 64


def likelihood_loss(logits: Tensor, target: Tensor, smoothing: float) -> Tensor:
    """Summed cross-entropy with label smoothing, in single precision.

    Args:
        logits: [N, V], of any precision. They are used up: their memory holds the gradient afterwards.
        target: [N], without padding.
    Returns:
        scalar.
    """
    loss, _ = _SmoothedLikelihood.apply(logits, target, smoothing)
    return loss  # type: ignore[no-any-return]


class _SmoothedLikelihood(torch.autograd.Function):
    """The loss and its gradient in one pass over the logits, in their place.

    `functional.cross_entropy` makes several single-precision copies of all logits, and a CPU waits for them;
    here the rows go in groups that stay in its cache, and no second array of this size is ever made.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, target: Tensor, smoothing: float) -> tuple[Tensor, Tensor]:
        rows = _CACHED_ROWS if logits.device.type == "cpu" else max(1, len(logits))
        exact = logits.dtype if logits.dtype == torch.float64 else torch.float32
        total = logits.new_zeros((), dtype=exact)
        kept = 1 - smoothing
        for start in range(0, len(logits), rows):
            part = logits[start : start + rows].to(exact, copy=True)
            right = target[start : start + rows, None]
            norm = part.logsumexp(1, keepdim=True)
            total += (norm - kept * part.gather(1, right) - smoothing * part.mean(1, keepdim=True)).sum()
            part.sub_(norm).exp_().sub_(smoothing / logits.shape[1])
            part.scatter_add_(1, right, part.new_full(right.shape, -kept))
            logits[start : start + rows] = part
        ctx.mark_dirty(logits)
        ctx.set_materialize_grads(False)  # nobody asks for the gradient of what the logits have become
        ctx.save_for_backward(logits)
        return total, logits

    @staticmethod
    def backward(ctx: Any, *outer: Any) -> tuple[Tensor | None, None, None]:
        if outer[0] is None:
            return None, None, None
        (gradient,) = ctx.saved_tensors
        scale = outer[0].to(gradient.dtype)
        if scale.device.type == "cpu" and scale == 1:  # to ask a GPU would be to wait for it
            return gradient, None, None
        return gradient * scale, None, None


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

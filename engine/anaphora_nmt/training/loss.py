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


def two_pass_loss(logits: Tensor, target: Tensor, smoothing: float, weight: float) -> Tensor:
    """R-Drop (Liang et al., 2021, eq. 4) of two passes over the same text, halved: so much is it for a pass.

    Args:
        logits: [2 N, V], the first pass and then the second. They are used up, as in `likelihood_loss`.
        target: [N], without padding.
        weight: α.
    Returns:
        the mean of the passes' cross-entropies, and α/4 times the sum of the Kullback-Leibler divergences of
        each pass from the other; scalar.
    """
    loss, _ = _TwoPasses.apply(logits, target, smoothing, weight)
    return loss  # type: ignore[no-any-return]


class _TwoPasses(torch.autograd.Function):
    """Both passes' logits by groups of rows, and their gradients in their place."""

    @staticmethod
    def forward(
        ctx: Any, logits: Tensor, target: Tensor, smoothing: float, weight: float
    ) -> tuple[Tensor, Tensor]:
        rows = _CACHED_ROWS if logits.device.type == "cpu" else max(1, len(target))
        exact = logits.dtype if logits.dtype == torch.float64 else torch.float32
        total, kept = logits.new_zeros((), dtype=exact), 1 - smoothing
        passes = logits.chunk(2)
        for start in range(0, len(target), rows):
            right = target[start : start + rows, None]
            log_probs = [each[start : start + rows].to(exact).log_softmax(1) for each in passes]
            probs = [each.exp() for each in log_probs]
            apart, between = log_probs[0] - log_probs[1], probs[0] - probs[1]
            total += weight / 4 * (between * apart).sum()
            for each, own, log_own, sign in zip(passes, probs, log_probs, (1.0, -1.0), strict=True):
                total -= (
                    kept * log_own.gather(1, right) + smoothing * log_own.mean(1, keepdim=True)
                ).sum() / 2
                expected = (own * apart).sum(1, keepdim=True)
                gradient = own.sub(smoothing / logits.shape[1])
                gradient.scatter_add_(1, right, gradient.new_full(right.shape, -kept))
                drawn = sign * (own * (apart - expected) + between)
                each[start : start + rows] = gradient / 2 + weight / 4 * drawn
        ctx.mark_dirty(logits)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(logits)
        return total, logits

    @staticmethod
    def backward(ctx: Any, *outer: Any) -> tuple[Tensor | None, None, None, None]:
        if outer[0] is None:
            return None, None, None, None
        (gradient,) = ctx.saved_tensors
        return gradient * outer[0].to(gradient.dtype), None, None, None


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

"""Interpolation of the model's states and distributions with those of a memory."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.nn.devices import is_on_cpu

_TINY = 1e-30  # minimum share before a logarithm


def blend_states(state: Tensor, other: Tensor, gate: Tensor) -> Tensor:
    """(1 − λ) ⊗ s + λ ⊗ m, all [..., D]: Tu et al. (2018), eq. (6). The result is exactly s where λ is 0."""
    return torch.lerp(state, other.to(state.dtype), gate.to(state.dtype))


def blend_log_probs(log_probs: Tensor, keep: Tensor, candidates: Tensor, shares: Tensor) -> Tensor:
    """(1 − α) p_cache + α p_nmt over the vocabulary: Kuang et al. (2018), eq. (8).

    Shallow fusion (Tu et al., 2018, section 4.4) is the same with α = 1 − λ and slots instead of words. A row
    without any positive share (an empty cache) does not change.

    Args:
        log_probs: log p_nmt, [B, V].
        keep: logit of α, [B].
        candidates: piece that each of K cached words offers, [B, K].
        shares: p_cache of each cached word, [B, K]; 0 for a hidden word.
    """
    keep = keep[:, None]
    kept = log_probs + functional.logsigmoid(keep)
    sums = torch.zeros_like(log_probs).scatter_add(1, candidates, shares).gather(1, candidates)
    # the logarithm of 0 would have no gradient
    offered = torch.where(sums > 0, sums.clamp_min(_TINY).log(), float("-inf"))
    before = kept.gather(1, candidates)
    gain = torch.logaddexp(before, offered + functional.logsigmoid(-keep)) - before
    # each word that offers a piece adds an equal part of the piece's gain, so that gradients add up correctly
    times = torch.zeros_like(log_probs).scatter_add(1, candidates, torch.ones_like(shares))
    mixed = kept.scatter_add(1, candidates, gain / times.gather(1, candidates))
    return torch.where(shares.any(1, keepdim=True), mixed, log_probs)


def target_log_probs(log_probs: Tensor, target: Tensor) -> Tensor:
    """Log-probabilities of target pieces [...] from those of all pieces [..., V]; shapes are broadcast."""
    # torch.broadcast_shapes would import sympy and delay the first explanation by a third of a second
    shape = np.broadcast_shapes(log_probs.shape[:-1], target.shape)
    return log_probs.expand(*shape, -1).gather(-1, target.expand(shape)[..., None])[..., 0]


def blend_target(log_prob: Tensor, keep: Tensor, share: Tensor, filled: Tensor) -> Tensor:
    """`blend_log_probs` for one piece at each step; differentiable everywhere.

    Args:
        log_prob, keep, share: log p_nmt of the piece, logit of α, p_cache of the piece, [...].
        filled: whether anything is cached, [...].
    """
    cached = share.clamp_min(_TINY).log() + functional.logsigmoid(-keep)
    mixed = torch.logaddexp(log_prob + functional.logsigmoid(keep), cached)
    return torch.where(filled, mixed, log_prob)


def word_mass(log_probs: Tensor, words: Tensor) -> Tensor:
    """The probability of all word pieces, [...], from log-probabilities [..., V] and `words` [V]."""
    return log_probs.exp() @ words


def blend_word_probs(
    log_probs: Tensor, weight: Tensor, words: Tensor, pieces: Tensor, shares: Tensor, inside: Tensor
) -> Tensor:
    """(1 − λ) p + λ (m a + b) for word pieces, (1 − λ r) p for other pieces.

    p_cache of a piece is a + b: a sums the shares of its slots at the beginning of a word, b the shares of
    its slots inside the unfinished word. m is the sum of p over all word pieces, r the sum of b over all
    pieces.

    Args:
        log_probs: log p, [..., V].
        weight: λ, [..., 1]; rows with weight 0 do not change.
        words: 1 for word pieces, 0 for other pieces, [V].
        pieces, shares, inside: piece of each of K slots, the slot's share in p_cache, and whether the slot
            is inside a word, [..., K].
    """
    read = weight > 0
    on_cpu = is_on_cpu(read)
    if on_cpu and not bool(read.any()):
        return log_probs
    probs = log_probs.exp()
    lost = lost_share(shares, inside)[..., None] * weight
    mixed = (1 - torch.lerp(lost, weight, words)) * probs
    offered = weight * slot_mass(probs @ words, inside) * shares
    mixed = mixed.scatter_add_(-1, pieces.expand_as(shares), offered).log()
    return mixed if on_cpu and bool(read.all()) else torch.where(read, mixed, log_probs)


def lost_share(shares: Tensor, inside: Tensor) -> Tensor:
    """r of `blend_word_probs`: the sum of the shares [..., K] of slots inside a word, [...]."""
    return (shares * inside).sum(-1)


def slot_mass(mass: Tensor, inside: Tensor) -> Tensor:
    """The factor of each slot's share, [..., K]: 1 for a slot inside a word, otherwise m (`mass`, [...])."""
    return mass[..., None].masked_fill(inside, 1.0)


def blend_word_target(log_prob: Tensor, weight: Tensor, lost: Tensor, cached: Tensor) -> Tensor:
    """`blend_word_probs` for one piece at each step; all [...].

    Args:
        log_prob, weight, cached: log p, λ, and m a + b.
        lost: 1 for a word piece, r for any other piece.
    """
    mixed = torch.log((1 - weight * lost) * log_prob.exp() + weight * cached)
    return torch.where(weight > 0, mixed, log_prob)

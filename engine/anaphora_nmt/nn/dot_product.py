"""Scaled dot-product attention, in the faster precision of the device."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, causal: bool = False
) -> Tensor:
    """Attention of Vaswani et al. (2017), eq. (1), for each head: [B, H, T, D/H] → [B, H, T, D/H].

    CPUs use at least float32, because the gradient of the bfloat16 kernel takes five times as long.

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

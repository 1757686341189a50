"""Scaled dot-product attention, in the precision that is fast on the device."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, causal: bool = False
) -> Tensor:
    """Attention of Vaswani et al. (2017), eq. (1), for each head; [B, H, T, D/H] → the same.

    On CPUs never in half precision: the gradient of the bfloat16 kernel takes five times as long.
    """
    if query.device.type != "cpu":
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)
    query, key, value = at_least_float32(query), at_least_float32(key), at_least_float32(value)
    with torch.autocast("cpu", enabled=False):
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)


def at_least_float32(values: Tensor) -> Tensor:
    """Half precision made single; float32 and float64 stay as they are."""
    return values.float() if values.dtype in (torch.bfloat16, torch.float16) else values

"""Devices of tensors, and the precision of matrix products."""

from __future__ import annotations

import torch
from torch import Tensor


def fastest_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def is_on_cpu(values: Tensor) -> bool:
    """True if the values can be read at once; reading them from a GPU would wait for its earlier work."""
    return values.device.type == "cpu"


def multiplies_bfloat16(device: torch.device) -> bool:
    """True if the device has instructions for matrix products in bfloat16.

    A CPU without AVX512-BF16 or AMX emulates bfloat16 about thirty times slower than float32.
    """
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def mixed_precision(device: torch.device, wanted: bool = True) -> torch.autocast:
    """A context with matrix products in bfloat16 if `wanted` and supported; parameters stay float32."""
    return torch.autocast(device.type, torch.bfloat16, enabled=wanted and multiplies_bfloat16(device))

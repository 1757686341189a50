"""Kernels that multiply 8-bit weights on CPUs: torch has them, but not as a part of its public interface."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

LARGEST = 127
"""The largest weight."""

_COUNT = 64

Product = Callable[[Tensor], Tensor]
"""x [N, in] → W x [N, out], float32, x being rounded and within ± the kernel's largest input."""


@dataclass(frozen=True)
class Kernel:
    """Products of weights in 8 bits with whole numbers.

    Attributes:
        make: a product, of W in 8 bits [out, in], a scale for each of its rows [out], and the largest input.
        largest: the largest input for which products are exact. Processors without VNNI sum pairs of
            products in 16 bits, which full ranges would overflow.
    """

    make: Callable[[Tensor, Tensor, int], Product]
    largest: int

    def product(self, weight: Tensor, scales: Tensor) -> Product:
        """The product of one layer; see `make`."""
        return self.make(weight, scales, self.largest)


@cache
def kernel() -> Kernel | None:
    """The quickest that works on this processor and in this torch; None: there is none.

    For few rows FBGEMM's product is quicker than oneDNN's; the results are equal.
    """
    return _tried(_fbgemm) or _tried(_onednn)


def _tried(make: Callable[[Tensor, Tensor, int], Product]) -> Kernel | None:
    """A kernel with its largest input; None where this torch lacks it, or has it with other arguments."""
    weight, scales = torch.full((16, _COUNT), LARGEST, dtype=torch.int8), torch.ones(16)
    for largest in (LARGEST, LARGEST // 2):
        inputs = torch.tensor([[largest], [-largest]]).float().repeat(1, _COUNT)
        try:
            sums = make(weight, scales, largest)(inputs)
        except (AttributeError, RuntimeError, TypeError):
            return None
        if torch.equal(sums, inputs.sum(1, keepdim=True).mul(LARGEST).expand(-1, len(weight))):
            return Kernel(make, largest)
    return None


def _fbgemm(weight: Tensor, scales: Tensor, largest: int) -> Product:
    with warnings.catch_warnings():
        # quantised tensors are to leave torch one day: then the next kernel is taken
        warnings.filterwarnings("ignore", "torch.quantize_per_tensor", UserWarning)
        zeros = torch.zeros(len(scales), dtype=torch.long)
        quantised = torch._make_per_channel_quantized_tensor(weight, scales, zeros, 0)
    packed = torch.ops.quantized.linear_prepack(quantised, None)
    multiply = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32
    # the inputs are unsigned to the kernel: they are read as from a zero point
    return lambda inputs: multiply(inputs, 1.0, largest + 1, packed)


def _onednn(weight: Tensor, scales: Tensor, largest: int) -> Product:
    packed = torch.ops.onednn.qlinear_prepack(weight, None)
    zeros = torch.zeros(len(scales), dtype=torch.int32)
    multiply = torch.ops.onednn.qlinear_pointwise

    def product(inputs: Tensor) -> Tensor:
        # unsigned inputs with a zero point: the kernels for signed ones are far slower
        unsigned = (inputs.round() + (largest + 1)).to(torch.uint8)
        found: Tensor = multiply(
            unsigned, 1.0, largest + 1, packed, scales, zeros, None, 1.0, 0, torch.float32, "none", [], ""
        )
        return found

    return product

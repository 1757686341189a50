"""Matrix products of 8-bit integers, for decoding on CPUs.

A step of search multiplies large weights by a handful of rows: what it costs is the reading of the weights,
and in 8 bits there is a quarter of float32 to read.
"""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn

from anaphora_nmt.nn.int8_kernels import LARGEST, kernel
from anaphora_nmt.nn.key_value_cache import KeyValue
from anaphora_nmt.nn.transformer import Attention, TransformerDecoderLayer

_SMALLEST = 1e-8


class Int8Linear(nn.Module):
    """W x + b with W in 8 bits, a scale for each output, and x in two parts of 8 bits, a scale for each row.

    The second part is what rounding left of the first, in finer steps: with the first alone most of the
    error would be that of x. W is read once for both, so it costs little where rows are few. A row's
    result does not depend on the rows beside it. `tests/benchmarks/measure_int8.py` measures the error.
    """

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        """Args: `weight` W [out, in] and `bias` b [out], float32 on the CPU."""
        super().__init__()
        chosen = kernel()
        if chosen is None:
            raise RuntimeError("no kernel multiplies in 8 bits here: see `multiplies_int8`")
        self._bias = bias.detach()
        scales = weight.detach().abs().amax(1).clamp_min(_SMALLEST) / LARGEST
        rounded = torch.round(weight.detach() / scales[:, None]).to(torch.int8)
        self._multiply = chosen.product(rounded, scales)
        self._largest = chosen.largest

    @classmethod
    def of(cls, *layers: nn.Linear) -> Int8Linear:
        """Layers of one input; their outputs stand side by side."""
        return cls(torch.cat([layer.weight for layer in layers]), torch.cat([layer.bias for layer in layers]))

    def forward(self, states: Tensor) -> Tensor:
        """[..., in] → [..., out], float32."""
        rows = states.flatten(0, -2)
        scales = rows.abs().amax(1, keepdim=True).clamp_min_(_SMALLEST).div_(self._largest)
        exact = rows / scales
        whole = exact.round()
        finer = 2 * self._largest
        parts = torch.cat((whole, (exact - whole).mul_(finer)))
        first, second = self._multiply(parts).chunk(2)
        product = torch.add(first, second, alpha=1 / finer)
        return torch.addcmul(self._bias, product, scales).unflatten(0, states.shape[:-1])


class Int8Attention(Attention):
    """The same attention with its projections in 8 bits."""

    def __init__(self, attention: Attention) -> None:
        nn.Module.__init__(self)
        parts = attention.query, attention.key, attention.value
        self.heads = attention.heads
        self.query = Int8Linear.of(attention.query)  # type: ignore[assignment]
        self.key_value = Int8Linear.of(attention.key, attention.value)
        self.all = Int8Linear.of(*parts) if len({part.in_features for part in parts}) == 1 else None
        self.output = Int8Linear.of(attention.output)  # type: ignore[assignment]

    def project(self, states: Tensor) -> KeyValue:
        key, value = self.key_value(states).chunk(2, -1)
        return self._split(key), self._split(value)

    def project_all(self, states: Tensor) -> tuple[Tensor, KeyValue]:
        if self.all is None:
            return super().project_all(states)
        query, key, value = self.all(states).chunk(3, -1)
        return self._split(query), (self._split(key), self._split(value))


def int8_layer(layer: TransformerDecoderLayer) -> TransformerDecoderLayer:
    """A copy of a decoder layer with its products in 8 bits."""
    changed = copy.deepcopy(layer)
    changed.self_attention = Int8Attention(layer.self_attention)
    changed.cross_attention = Int8Attention(layer.cross_attention)
    changed.up = Int8Linear.of(layer.up)  # type: ignore[assignment]
    changed.down = Int8Linear.of(layer.down)  # type: ignore[assignment]
    return changed


def multiplies_int8(device: torch.device) -> bool:
    """Whether `Int8Linear` runs there, and quicker than float32 where rows are few."""
    return device.type == "cpu" and bool(torch.cpu.get_capabilities().get("avx2")) and kernel() is not None

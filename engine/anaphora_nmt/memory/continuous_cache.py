"""Reading the continuous cache (Tu et al., 2018, section 3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.config import ContinuousCacheConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.contents import CacheContents
from anaphora_nmt.memory.fusion import blend_states
from anaphora_nmt.nn.state import DecoderState, Features


@dataclass(frozen=True)
class Slots(DecoderState):
    """Slots of a batch of sentences.

    Attributes:
        keys: c_i, [B, K, C]; of norm 1 for "cosine" matching. values: s_i, [B, K, D].
        mask: true where a slot is filled, [B, K].
    """

    keys: Tensor
    values: Tensor
    mask: Tensor


@dataclass(frozen=True)
class Reading:
    """What reading the cache gave.

    Attributes:
        features: with s̃_t in place of s_t.
        matching: P_m, [B, K] or [B, T, K]; 0 at empty slots.
        gate: λ_t, [B, D] or [B, T, D]; 0 where the cache is empty.
    """

    features: Features
    matching: Tensor
    gate: Tensor


class ContinuousCache(nn.Module):
    """Matching, reading and combining, eqs (5) to (8). U, V and W are all there is to learn.

    s̃_t feeds the output layer only; the recurrence goes on with s_t.

    Matching: "dot" is eq. (5). The attention contexts of a Transformer are long and differ in length, so
    their dot products pick out one slot, often just the longest. "scaled" divides the products by √C;
    "cosine" matches by direction alone (times √C: the scaled product of vectors with mean square 1).

    Eq. (8) has no bias; `gate_bias` adds a learned one, since without it a fresh gate is 0.5 everywhere.
    """

    def __init__(self, config: ContinuousCacheConfig, width: int, context_width: int) -> None:
        super().__init__()
        scales = {"dot": 1.0, "scaled": 1 / math.sqrt(context_width), "cosine": math.sqrt(context_width)}
        if config.matching not in scales:
            raise ConfigError(f"matching is {config.matching!r}; known: {', '.join(scales)}")
        self.config = config
        self.width, self.context_width = width, context_width
        self.u = nn.Linear(width, width, bias=False)
        self.v = nn.Linear(context_width, width, bias=False)
        self.w = nn.Linear(width, width, bias=False)
        for matrix in (self.u, self.v, self.w):
            nn.init.zeros_(matrix.weight)
        start = config.gate_bias
        self.bias = None if start is None else nn.Parameter(torch.full((width,), float(start)))
        self._scale = scales[config.matching]

    def gather(self, contents: Sequence[CacheContents]) -> Slots:
        """Tensors of several caches, padded to the fullest."""
        parameter = self.u.weight
        count = max((len(content) for content in contents), default=0)
        keys = np.zeros((len(contents), count, self.context_width), np.float16)
        values = np.zeros((len(contents), count, self.width), np.float16)
        mask = np.zeros((len(contents), count), bool)
        for row, content in enumerate(contents):
            if used := len(content):
                keys[row, :used], values[row, :used], mask[row, :used] = content.keys, content.values, True
        return Slots(
            self._directed(torch.from_numpy(keys).to(parameter.device, parameter.dtype)),
            torch.from_numpy(values).to(parameter.device, parameter.dtype),
            torch.from_numpy(mask).to(parameter.device),
        )

    def forward(self, features: Features, slots: Slots) -> Reading:
        """Read at one step (features [B, …]) or at all steps (features [B, T, …]).

        A row without slots keeps its state bit for bit.
        """
        if features.state.dim() == 2:
            one = Features(features.state[:, None], features.context[:, None], features.embedding[:, None])
            reading = self.forward(one, slots)
            state = reading.features.state[:, 0]
            return Reading(features.with_state(state), reading.matching[:, 0], reading.gate[:, 0])
        matching = self._match(features.context, slots)
        read = matching @ slots.values
        logits = self.u(features.state) + self.v(features.context) + self.w(read)
        gate = torch.sigmoid(logits if self.bias is None else logits + self.bias)
        filled = slots.mask.any(1)[:, None, None]
        state = torch.where(filled, blend_states(features.state, read, gate), features.state)
        return Reading(features.with_state(state), matching, gate * filled)

    def _directed(self, contexts: Tensor) -> Tensor:
        return functional.normalize(contexts, dim=-1) if self.config.matching == "cosine" else contexts

    def _match(self, context: Tensor, slots: Slots) -> Tensor:
        """Eq. (5), [B, T, K]; zeros where a row has no slots."""
        hidden = ~slots.mask[:, None]
        if slots.mask.shape[1] == 0:
            return context.new_zeros(*context.shape[:2], 0)
        # the products are large: half precision would round differences away that matter after exp
        with torch.autocast(context.device.type, enabled=False):
            keys = slots.keys.to(self.u.weight.dtype).transpose(1, 2)
            scores = (self._directed(context.to(keys.dtype)) @ keys) * self._scale
        lowest = torch.finfo(scores.dtype).min
        return scores.masked_fill(hidden, lowest).softmax(-1).masked_fill(hidden, 0.0)

"""Layers of imported Transformers, with normalisation before or after the sublayers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.native.stack import Activation, NormPlace, Place, put_own_attention
from anaphora_nmt.native.stack import Stack as NativeStack
from anaphora_nmt.nn.attention import at_least_float32
from anaphora_nmt.nn.key_value_cache import KeyValue, append_step
from anaphora_nmt.nn.state import DecoderState
from anaphora_nmt.nn.transformer import Attention

MAX_POSITIONS = 1024

LayerState = tuple[Tensor, ...]
"""A decoder layer's state between two steps: (keys, values), or a recurrence's (cell,) with cell [B, D]."""


@dataclass(frozen=True)
class Cells(DecoderState):
    """The states of recurrent layers for all hypotheses, with the interface of `KeyValueCache`."""

    layers: tuple[LayerState, ...]

    def next(self, position: int) -> tuple[Cells, None]:
        return self, None

    def with_layers(self, layers: Sequence[LayerState]) -> Cells:
        return Cells(tuple(layers))


def position_table(width: int, half_minus_one: bool, first: int) -> Tensor:
    """Sinusoids for the positions from `first` on, [MAX_POSITIONS, width]; see `Architecture`."""
    half = width // 2
    steps = half - half_minus_one
    rates = torch.exp(torch.arange(half, dtype=torch.float64) * (-math.log(10000.0) / max(steps, 1)))
    angles = torch.arange(first, first + MAX_POSITIONS, dtype=torch.float64)[:, None] * rates
    return torch.cat((angles.sin(), angles.cos()), 1).float()


def activation(kind: Activation) -> Callable[[Tensor], Tensor]:
    if kind is Activation.RELU:
        return functional.relu
    if kind is Activation.SWISH:
        return functional.silu
    if kind is Activation.GELU:
        return functional.gelu
    if kind is Activation.GELU_TANH:
        return lambda states: functional.gelu(states, approximate="tanh")
    return lambda states: states * torch.sigmoid(1.702 * states)


def mean_head_weights(queries: Tensor, memory: KeyValue, mask: Tensor) -> Tensor:
    """Logarithms of the mean attention weights of all heads, [B, T, S]; see `first_head_weights`."""
    keys = memory[0]
    batch, heads, steps, size = queries.shape
    grouped = queries
    if batch != len(keys):  # one step of several hypotheses for each sentence
        grouped = queries.reshape(len(keys), batch // len(keys), heads, size).transpose(1, 2)
    scores = at_least_float32(grouped @ keys.transpose(2, 3)) / math.sqrt(size)
    weights = scores.masked_fill(~mask, float("-inf")).softmax(-1).mean(1).log()
    return weights.reshape(batch, steps, -1)


class Sublayer(nn.Module):
    """A sublayer f with a residual sum and a norm: x + f(norm(x)), or norm(x + f(x))."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.norm_before = architecture.norm_before
        self.norm = nn.LayerNorm(architecture.width, architecture.epsilon)

    def enter(self, states: Tensor) -> Tensor:
        return self.norm(states) if self.norm_before else states

    def leave(self, states: Tensor, change: Tensor) -> Tensor:
        states = states + change
        return states if self.norm_before else self.norm(states)


class FeedForward(Sublayer):
    """W2 f(W1 x)."""

    def __init__(self, architecture: Architecture, stack: Stack) -> None:
        super().__init__(architecture)
        self.up = nn.Linear(architecture.width, stack.feed_forward)
        self.down = nn.Linear(stack.feed_forward, architecture.width)
        self.kind = architecture.activation

    def forward(self, states: Tensor) -> Tensor:
        inner = activation(self.kind)(self.up(self.enter(states)))
        return self.leave(states, self.down(inner))


class AttentionSublayer(Sublayer):
    def __init__(self, architecture: Architecture, stack: Stack) -> None:
        super().__init__(architecture)
        self.attention = Attention(architecture.width, stack.heads)


class OwnAttention(AttentionSublayer):
    def forward(
        self, states: Tensor, previous: LayerState | None, mask: Tensor | None = None
    ) -> tuple[Tensor, LayerState]:
        """Process sentences [B, T, D], or one step after `previous`; also returns all keys and values."""
        inputs = self.enter(states)
        queries, key_value = self.attention.queries(inputs), self.attention.project(inputs)
        if previous is not None:
            keys, values = previous
            key_value = append_step((keys, values), key_value)
        mixed = self.attention.mix(queries, key_value, mask, causal=previous is None)
        return self.leave(states, mixed), key_value

    def put(self, stack: NativeStack, number: int) -> None:
        put_own_attention(stack, number, self.attention, self.norm)


class Recurrence(Sublayer):
    """The simpler simple recurrent unit (SSRU; Kim et al., 2019, section 3.2), as in Marian.

    c_t = σ(W_f x_t + b_f) ⊗ c_{t−1} + (1 − σ(W_f x_t + b_f)) ⊗ W x_t; the output is relu(c_t).
    """

    def __init__(self, architecture: Architecture) -> None:
        super().__init__(architecture)
        self.input = nn.Linear(architecture.width, architecture.width)
        self.forget = nn.Linear(architecture.width, architecture.width)

    def start(self, states: Tensor) -> LayerState:
        """The state before the first step: c_0 = 0 for each row of `states` [B, …]."""
        return (states.new_zeros(len(states), self.norm.normalized_shape[0]),)

    def forward(
        self, states: Tensor, previous: LayerState | None, mask: Tensor | None = None
    ) -> tuple[Tensor, LayerState]:
        """Process sentences [B, T, D], or one step after `previous`; also returns the new state."""
        inputs = self.enter(states)
        new, gate = self.input(inputs), self.forget(inputs).sigmoid()
        (cell,) = self.start(states) if previous is None else previous
        cells = []
        for step in range(states.shape[1]):
            cell = gate[:, step] * cell + (1 - gate[:, step]) * new[:, step]
            cells.append(cell)
        return self.leave(states, torch.stack(cells, 1).relu()), (cell,)

    def put(self, stack: NativeStack, number: int) -> None:
        stack.put(number, Place.OWN_IN, self.input, self.forget)
        stack.put_norm(number, NormPlace.OWN, self.norm)


class EncoderLayer(nn.Module):
    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.own = AttentionSublayer(architecture, architecture.encoder)
        self.feed_forward = FeedForward(architecture, architecture.encoder)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """[B, S, D] → [B, S, D]; `mask` [B, 1, 1, S] is True at words, False at padding."""
        inputs, attention = self.own.enter(states), self.own.attention
        states = self.own.leave(states, attention(inputs, attention.project(inputs), mask))
        return self.feed_forward(states)


class DecoderLayer(nn.Module):
    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.own: OwnAttention | Recurrence = OwnAttention(architecture, architecture.decoder)
        if architecture.recurrent:
            self.own = Recurrence(architecture)
        self.source = AttentionSublayer(architecture, architecture.decoder)
        self.feed_forward = FeedForward(architecture, architecture.decoder)

    def forward(
        self,
        states: Tensor,
        own: LayerState | None,
        source: KeyValue,
        mask: Tensor,
        own_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, LayerState]:
        """See `nn.transformer.TransformerDecoderLayer.forward`; the last result is the next `own`."""
        states, new_state = self.own(states, own, own_mask)
        queries = self.source.attention.queries(self.source.enter(states))
        context = self.source.attention.mix(queries, source, mask)
        states = self.source.leave(states, context)
        return self.feed_forward(states), context, queries, new_state

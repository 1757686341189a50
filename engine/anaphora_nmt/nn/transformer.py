"""Transformer layers with pre-norm, for whole sentences or single steps, and BERT's layers with post-norm."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.nn.attention import at_least_float32, dot_product_attention
from anaphora_nmt.nn.key_value_cache import KeyValue, append_step, by_sentence


def sinusoids(length: int, width: int) -> Tensor:
    """Position encodings of Vaswani et al. (2017), [length, width]."""
    position = torch.arange(length, dtype=torch.float32)[:, None]
    rate = torch.exp(torch.arange(0, width, 2, dtype=torch.float32) * (-math.log(10000.0) / width))
    table = torch.zeros(length, width)
    table[:, 0::2] = torch.sin(position * rate)
    table[:, 1::2] = torch.cos(position * rate)
    return table


class Attention(nn.Module):
    """Multi-head scaled dot-product attention with separate projections of queries, keys and values."""

    def __init__(self, width: int, heads: int, source_width: int | None = None) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(source_width or width, width)
        self.value = nn.Linear(source_width or width, width)
        self.output = nn.Linear(width, width)

    def _split(self, states: Tensor) -> Tensor:
        batch, length, width = states.shape
        return states.reshape(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def queries(self, states: Tensor) -> Tensor:
        """Queries [B, H, T, D/H] of `states` [B, T, D]."""
        return self._split(self.query(states))

    def project(self, states: Tensor) -> KeyValue:
        """Keys and values, each [B, H, S, D/H], of `states` [B, S, D]."""
        return self._split(self.key(states)), self._split(self.value(states))

    def mix(self, queries: Tensor, memory: KeyValue, mask: Tensor | None, causal: bool = False) -> Tensor:
        """Let queries attend to `memory`: [B, H, T, D/H] → [B, T, D].

        Args:
            memory: keys and values of B rows, or of N sentences with B / N hypotheses each (then T is 1).
            mask: True where allowed, broadcastable to [B, H, T, S] or [N, H, B / N, S].
        """
        batch, heads, _, size = queries.shape
        mixed = dot_product_attention(by_sentence(queries, len(memory[0])), *memory, mask, causal)
        return self.output(mixed.transpose(1, 2).reshape(batch, -1, heads * size))

    def forward(self, states: Tensor, memory: KeyValue, mask: Tensor | None, causal: bool = False) -> Tensor:
        """Let states [B, T, D] attend to `memory`; see `mix`."""
        return self.mix(self.queries(states), memory, mask, causal)


def first_head_weights(queries: Tensor, memory: KeyValue, mask: Tensor) -> Tensor:
    """Log-weights of head 0, [B, T, S]; `mask` is [B, 1, 1, S] or [N, 1, 1, S], see `Attention.mix`.

    Training guides head 0 towards word alignments, so explanations show its weights.
    """
    batch, _, _, size = queries.shape
    keys = memory[0][:, 0].transpose(1, 2)
    scores = at_least_float32(by_sentence(queries[:, :1], len(keys))[:, 0] @ keys) / math.sqrt(size)
    weights = scores.masked_fill(~mask[:, 0], float("-inf")).log_softmax(-1)
    return weights.reshape(batch, -1, weights.shape[-1])


class TransformerDecoderLayer(nn.Module):
    """Self-attention, source attention and a feed-forward network, each with pre-norm and addition."""

    def __init__(self, width: int, heads: int, feed_forward: int, source_width: int, dropout: float) -> None:
        super().__init__()
        self.self_norm = nn.LayerNorm(width)
        self.self_attention = Attention(width, heads)
        self.cross_norm = nn.LayerNorm(width)
        self.cross_attention = Attention(width, heads, source_width)
        self.feed_forward_norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, feed_forward)
        self.down = nn.Linear(feed_forward, width)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        states: Tensor,
        own: KeyValue | None,
        source: KeyValue,
        mask: Tensor,
        own_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, KeyValue]:
        """Process whole sentences (causally) if `own` is None, or else one step after the steps in `own`.

        Args:
            states: [B, T, D], or [B, 1, D] for one step.
            own: the layer's keys and values in a `KeyValueCache`.
            source: keys and values of the source, [B, H, S, D/H] each, or [N, …], see `Attention.mix`.
            mask: True for source words, [B, 1, 1, S] or [N, 1, 1, S].
            own_mask: mask of the words that a step reads (`KeyValueCache.next`); None for whole sentences.
        Returns:
            new states, the source context [B, T, D], the queries of the source attention [B, H, T, D/H], and
            the layer's keys and values of the target, including the new steps.
        """
        normed = self.self_norm(states)
        own_queries, key_value = self.self_attention.queries(normed), self.self_attention.project(normed)
        if own is not None:
            key_value = append_step(own, key_value)
        mixed = self.self_attention.mix(own_queries, key_value, own_mask, causal=own is None)
        states = states + self.dropout(mixed)
        queries = self.cross_attention.queries(self.cross_norm(states))
        context = self.cross_attention.mix(queries, source, mask)
        states = states + self.dropout(context)
        inner = self.down(functional.gelu(self.up(self.feed_forward_norm(states))))
        return states + self.dropout(inner), context, queries, key_value


class TransformerEncoderLayer(nn.Module):
    """Self-attention and a feed-forward network, each with pre-norm and addition."""

    def __init__(self, width: int, heads: int, feed_forward: int, dropout: float) -> None:
        super().__init__()
        self.self_norm = nn.LayerNorm(width)
        self.self_attention = Attention(width, heads)
        self.feed_forward_norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, feed_forward)
        self.down = nn.Linear(feed_forward, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """[B, S, D] → [B, S, D]; `mask` [B, 1, 1, S] is True for words."""
        normed = self.self_norm(states)
        mixed = self.self_attention(normed, self.self_attention.project(normed), mask)
        states = states + self.dropout(mixed)
        inner = self.down(functional.gelu(self.up(self.feed_forward_norm(states))))
        return states + self.dropout(inner)


class BertLayer(nn.Module):
    """Self-attention and a GELU feed-forward network, each followed by addition and LayerNorm."""

    def __init__(
        self, width: int, heads: int, feed_forward: int, dropout: float = 0.0, epsilon: float = 1e-12
    ):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=epsilon)
        self.up = nn.Linear(width, feed_forward)
        self.down = nn.Linear(feed_forward, width)
        self.feed_forward_norm = nn.LayerNorm(width, eps=epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """[B, S, D] → [B, S, D]; `mask` [B, 1, 1, S] is True for words."""
        batch, length, width = states.shape

        def split(part: Tensor) -> Tensor:
            return part.reshape(batch, length, self.heads, width // self.heads).transpose(1, 2)

        query, key, value = (split(part(states)) for part in (self.query, self.key, self.value))
        mixed = dot_product_attention(query, key, value, mask)
        mixed = self.output(mixed.transpose(1, 2).reshape(batch, length, width))
        states = self.attention_norm(states + self.dropout(mixed))
        inner = self.down(functional.gelu(self.up(states)))
        return self.feed_forward_norm(states + self.dropout(inner))


class BertEmbedding(nn.Module):
    """Word, position and type embeddings, summed and normalised."""

    def __init__(self, pieces: int, width: int, positions: int) -> None:
        super().__init__()
        self.words = nn.Embedding(pieces, width)
        self.positions = nn.Parameter(torch.zeros(positions, width))
        self.types = nn.Parameter(torch.zeros(2, width))
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, pieces: Tensor) -> Tensor:
        """Ids [B, S] → [B, S, D]. Positions count from 0; all tokens are of type 0."""
        return self.norm(self.words(pieces) + self.positions[: pieces.shape[1]] + self.types[0])

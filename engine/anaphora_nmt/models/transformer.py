"""The Transformer decoder (pre-norm, shallow), with features for document memories."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.models.native_decoder import NativeDecoder
from anaphora_nmt.models.protocol import Decoder, TorchOutputs
from anaphora_nmt.native.stack import (
    Activation,
    Shape,
    Stack,
    library_for,
    put_feed_forward,
    put_own_attention,
    put_source_attention,
)
from anaphora_nmt.nn.key_value_cache import KeyValue, KeyValueCache
from anaphora_nmt.nn.state import DecoderState, Encoded, Features, SentenceState
from anaphora_nmt.nn.transformer import TransformerDecoderLayer, first_head_weights, sinusoids

MAX_TARGET = 512
"""Maximum number of decoding steps."""


@dataclass(frozen=True, kw_only=True)
class SourceMemory(SentenceState):
    """Keys and values of the source for each layer, [N, H, S, D/H], and its mask, [N, 1, 1, S]."""

    layers: tuple[KeyValue, ...]
    mask: Tensor


@dataclass(frozen=True)
class TransformerState(DecoderState):
    """State between two target words.

    Attributes:
        position: number of decoded ids.
        own: the layers' keys and values of the decoded ids.
        source: the layers' keys and values of the source.
    """

    position: int
    own: KeyValueCache
    source: SourceMemory


class TransformerDecoder(Decoder):
    """s_t is the last layer's normalised output, c_t the output of its attention to the source.

    The output layer shares the embeddings.
    """

    scores_states = True
    positions: Tensor

    def __init__(self, config: DecoderConfig, pieces: int, source_width: int) -> None:
        super().__init__()
        self.width = self.context_width = self.embedding_width = config.width
        self.words = nn.Embedding(pieces, config.width)
        nn.init.normal_(self.words.weight, std=config.width**-0.5)
        self.register_buffer("positions", sinusoids(MAX_TARGET, config.width), persistent=False)
        self.layers = nn.ModuleList(
            TransformerDecoderLayer(
                config.width, config.heads, config.feed_forward, source_width, config.dropout
            )
            for _ in range(config.layers)
        )
        self.norm = nn.LayerNorm(config.width)
        # With shared embeddings, a new model repeats the previous word; small states shorten this phase.
        nn.init.constant_(self.norm.weight, 0.25)
        self.output_bias = nn.Parameter(torch.zeros(pieces))
        self.dropout = nn.Dropout(config.dropout)

    def native(self) -> NativeDecoder | None:
        first = self._stack[0]
        heads, inner = first.self_attention.heads, first.up.out_features
        source_width = first.cross_attention.key.in_features
        library = library_for(self.words.weight.device, self.width, heads, inner, source_width)
        if library is None:
            return None
        pieces, last = len(self.words.weight), len(self.layers) - 1
        sizes = len(self.layers), self.width, heads, inner, source_width, pieces, len(self.positions)
        options = dict(activation=Activation.GELU, norm_before=True, aligning=last)
        stack = Stack(library, Shape(*sizes, **options, epsilon=self.norm.eps, scale=math.sqrt(self.width)))
        for number, layer in enumerate(self._stack):
            put_own_attention(stack, number, layer.self_attention, layer.self_norm)
            put_source_attention(stack, number, layer.cross_attention, layer.cross_norm)
            put_feed_forward(stack, number, layer.up, layer.down, layer.feed_forward_norm)
        stack.put_last_norm(self.norm)
        stack.put_output(self.words.weight, self.output_bias)
        stack.put_tables(self.words.weight, self.positions)
        stack.check()
        return NativeDecoder(self, stack)

    @property
    def embeddings(self) -> Tensor:
        return self.words.weight

    @property
    def _stack(self) -> list[TransformerDecoderLayer]:
        return [cast(TransformerDecoderLayer, layer) for layer in self.layers]

    def start(self, encoded: Encoded) -> TransformerState:
        source = tuple(layer.cross_attention.project(encoded.states) for layer in self._stack)
        empty = KeyValueCache.empty([keys for keys, _ in source])
        return TransformerState(0, empty, SourceMemory(layers=source, mask=encoded.mask[:, None, None, :]))

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Features, TransformerState]:
        assert isinstance(state, TransformerState)
        source = state.source
        embedding = self.words(previous[:, None])
        hidden = self._embed(embedding, state.position)
        cache, own_mask = state.own.next(state.position)
        key_values = []
        for number, layer in enumerate(self._stack):
            hidden, context, queries, key_value = layer(
                hidden, cache.layers[number], source.layers[number], source.mask, own_mask
            )
            key_values.append(key_value)
        attention = first_head_weights(queries, source.layers[-1], source.mask)
        features = Features(self.norm(hidden)[:, 0], context[:, 0], embedding[:, 0], attention[:, 0])
        return features, TransformerState(state.position + 1, cache.with_layers(key_values), source)

    def forward(self, previous: Tensor, encoded: Encoded, attention: bool = False) -> Features:
        embedding = self.words(previous)
        hidden = self.dropout(self._embed(embedding, 0))
        mask = encoded.mask[:, None, None, :]
        for layer in self._stack:
            source = _projected(layer, encoded.states)
            hidden, context, queries, _ = layer(hidden, None, source, mask)
        weights = first_head_weights(queries, source, mask) if attention else None
        return Features(self.norm(hidden), context, embedding, weights)

    def outputs(self, pieces: Tensor) -> TorchOutputs:
        return TorchOutputs.of(self.words.weight, self.output_bias, pieces)

    def logits(self, features: Features) -> Tensor:
        return functional.linear(features.state, self.words.weight, self.output_bias)

    def _embed(self, embedding: Tensor, position: int) -> Tensor:
        length = embedding.shape[1]
        return embedding * math.sqrt(self.width) + self.positions[position : position + length]


def _projected(layer: TransformerDecoderLayer, states: Tensor) -> KeyValue:
    """Keys and values of annotations [B, S, C]; one sentence expanded to all rows is projected only once."""
    rows = len(states)
    if rows == 1 or states.stride(0):
        return layer.cross_attention.project(states)
    keys, values = layer.cross_attention.project(states[:1])
    return keys.expand(rows, -1, -1, -1), values.expand(rows, -1, -1, -1)

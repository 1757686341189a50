"""Encoders (source pieces → annotations): a pretrained one, and two that are trained from scratch."""

from __future__ import annotations

import math
from typing import cast

import torch
from torch import Tensor, nn

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.native_decoder import NativeEncoder
from anaphora_nmt.models.protocol import Encoder
from anaphora_nmt.native.stack import (
    Activation,
    Shape,
    Stack,
    library_for,
    put_feed_forward,
    put_own_attention,
)
from anaphora_nmt.nn.pretrained import PretrainedEncoder
from anaphora_nmt.nn.recurrent import BidirectionalGRU
from anaphora_nmt.nn.transformer import BertEmbedding, BertLayer, TransformerEncoderLayer, sinusoids
from anaphora_nmt.text.vocabulary import PAD

MAX_POSITIONS = 512
"""Maximum number of pieces of a source sentence, including begin and end marks."""


class PretrainedTransformerEncoder(Encoder):
    """The first layers of a pretrained encoder; the embeddings and the lowest of these layers are frozen."""

    def __init__(self, config: EncoderConfig, pieces: int) -> None:
        super().__init__()
        self.config = config
        self.width = self.lower_width = config.width
        self.embedding = BertEmbedding(pieces, config.width, MAX_POSITIONS)
        self.layers = nn.ModuleList(
            BertLayer(
                config.width,
                config.heads,
                config.feed_forward,
                dropout=config.dropout if number >= config.frozen_layers else 0.0,
            )
            for number in range(config.layers)
        )
        for frozen in (self.embedding, *self.layers[: config.frozen_layers]):
            frozen.requires_grad_(False)

    def load_pretrained(self, pretrained: PretrainedEncoder, rows: Tensor) -> None:
        """Copy the pretrained weights; `rows` [V] are the pretrained rows of the vocabulary's pieces."""
        with torch.no_grad():
            self.embedding.words.weight.copy_(torch.from_numpy(pretrained.words(rows.numpy())))
            tensors = {name: torch.from_numpy(array.copy()) for name, array in pretrained.tensors.items()}
            self.embedding.positions.copy_(tensors["positions"][:MAX_POSITIONS])
            self.embedding.types.copy_(tensors["types"])
            self.embedding.norm.weight.copy_(tensors["norm.weight"])
            self.embedding.norm.bias.copy_(tensors["norm.bias"])
            for name, parameter in self.layers.named_parameters():
                parameter.copy_(tensors[f"layers.{name}"])

    def native(self) -> NativeEncoder | None:
        """The same encoder in the native library; None if the library is missing or does not support it.

        The frozen layers' weights are stored in two parts (see `Stack.put`), because the upper layers were
        trained on exact outputs of the frozen layers.
        """
        config, layers = self.config, [cast(BertLayer, layer) for layer in self.layers]
        device = self.embedding.types.device
        library = library_for(device, config.width, config.heads, config.feed_forward)
        if library is None:
            return None
        sizes = config.layers, config.width, config.heads, config.feed_forward
        epsilon = layers[0].attention_norm.eps
        stack = Stack(library, Shape(*sizes, activation=Activation.GELU, epsilon=epsilon))
        for number, layer in enumerate(layers):
            frozen = number < config.frozen_layers
            put_own_attention(stack, number, layer, layer.attention_norm, frozen)
            put_feed_forward(stack, number, layer.up, layer.down, layer.feed_forward_norm, frozen)
        stack.check()
        return NativeEncoder(self, stack, self.embedding.forward, config.frozen_layers)

    @torch.no_grad()
    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        states = self.embedding(pieces)
        for layer in self.layers[: self.config.frozen_layers]:
            states = layer(states, mask[:, None, None, :])
        return states

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers[self.config.frozen_layers :]:
            states = layer(states, mask[:, None, None, :])
        return states


class RecurrentEncoder(Encoder):
    """Word embeddings and a bidirectional GRU (Bahdanau et al., 2015); h_j concatenates both directions."""

    def __init__(self, config: EncoderConfig, pieces: int) -> None:
        super().__init__()
        if config.width % 2:
            raise ConfigError(
                f"a recurrent encoder needs an even width, not {config.width}: half for each direction"
            )
        self.width, self.lower_width = config.width, config.embedding
        self.words = nn.Embedding(pieces, config.embedding, padding_idx=PAD)
        nn.init.normal_(self.words.weight, std=config.embedding**-0.5)
        self.layers = BidirectionalGRU(config.embedding, config.width, config.layers, config.dropout)
        self.dropout = nn.Dropout(config.dropout)

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self.dropout(self.words(pieces))

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        return self.layers(states, mask)


class TransformerEncoder(Encoder):
    """Word embeddings times √D plus sinusoids, then pre-norm layers and a LayerNorm.

    There are two differences from Vaswani et al. (2017). The layers normalise before each sublayer, not after
    it, because this trains without a long warm-up. The feed-forward network uses GELU, like the decoder
    (`TransformerDecoder`).
    """

    positions: Tensor

    def __init__(self, config: EncoderConfig, pieces: int) -> None:
        super().__init__()
        if config.width % 2 or config.width % config.heads:
            raise ConfigError(
                f"a Transformer encoder needs an even width that {config.heads} heads divide, "
                f"not {config.width}"
            )
        self.width = self.lower_width = config.width
        self.words = nn.Embedding(pieces, config.width, padding_idx=PAD)
        nn.init.normal_(self.words.weight, std=config.width**-0.5)
        self.register_buffer("positions", sinusoids(MAX_POSITIONS, config.width), persistent=False)
        self.layers = nn.ModuleList(
            TransformerEncoderLayer(config.width, config.heads, config.feed_forward, config.dropout)
            for _ in range(config.layers)
        )
        self.norm = nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def native(self) -> NativeEncoder | None:
        layers = [cast(TransformerEncoderLayer, layer) for layer in self.layers]
        heads, inner = layers[0].self_attention.heads, layers[0].up.out_features
        library = library_for(self.positions.device, self.width, heads, inner)
        if library is None:
            return None
        options = dict(activation=Activation.GELU, norm_before=True, epsilon=self.norm.eps)
        stack = Stack(library, Shape(len(layers), self.width, heads, inner, **options))
        for number, layer in enumerate(layers):
            put_own_attention(stack, number, layer.self_attention, layer.self_norm)
            put_feed_forward(stack, number, layer.up, layer.down, layer.feed_forward_norm)
        stack.put_last_norm(self.norm)
        stack.check()
        return NativeEncoder(self, stack, self._embed)

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self.dropout(self._embed(pieces))

    def _embed(self, pieces: Tensor) -> Tensor:
        return self.words(pieces) * math.sqrt(self.width) + self.positions[: pieces.shape[1]]

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers:
            states = layer(states, mask[:, None, None, :])
        return self.norm(states)

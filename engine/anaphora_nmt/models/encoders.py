"""Encoders: source pieces → annotations. One is pretrained, two are trained from scratch."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.protocol import Encoder
from anaphora_nmt.nn.bert import BertEmbedding, BertLayer
from anaphora_nmt.nn.dropout import Dropout
from anaphora_nmt.nn.pretrained import PretrainedEncoder
from anaphora_nmt.nn.recurrent import BidirectionalGRU
from anaphora_nmt.nn.transformer import TransformerEncoderLayer, sinusoids
from anaphora_nmt.text.vocabulary import PAD

MAX_POSITIONS = 512


class PretrainedTransformerEncoder(Encoder):
    """The lower layers of a pretrained encoder; the lowest of them frozen.

    A frozen layer's output never changes, so training reads it from a file (`frozen` computes it,
    `upper` goes on from it; `lower` is `frozen` without gradients).
    """

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
        """Copy the pretrained weights; `rows` [V] names the pretrained row of each piece of ours."""
        with torch.no_grad():
            table = torch.from_numpy(pretrained.embedding)
            self.embedding.words.weight.copy_(table[rows])
            tensors = {name: torch.from_numpy(array.copy()) for name, array in pretrained.tensors.items()}
            self.embedding.positions.copy_(tensors["positions"][:MAX_POSITIONS])
            self.embedding.types.copy_(tensors["types"])
            self.embedding.norm.weight.copy_(tensors["norm.weight"])
            self.embedding.norm.bias.copy_(tensors["norm.bias"])
            for name, parameter in self.layers.named_parameters():
                parameter.copy_(tensors[f"layers.{name}"])

    def frozen(self, pieces: Tensor, mask: Tensor) -> Tensor:
        """Ids [B, S] → outputs of the last frozen layer [B, S, D]."""
        states = self.embedding(pieces)
        for layer in self.layers[: self.config.frozen_layers]:
            states = layer(states, mask[:, None, None, :])
        return states

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        with torch.no_grad():
            return self.frozen(pieces, mask)

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers[self.config.frozen_layers :]:
            states = layer(states, mask[:, None, None, :])
        return states


class RecurrentEncoder(Encoder):
    """Word embeddings and a bidirectional GRU (Bahdanau et al., 2015); h_j joins both directions."""

    def __init__(self, config: EncoderConfig, pieces: int) -> None:
        super().__init__()
        if config.width % 2:
            raise ConfigError(
                f"a recurrent encoder needs an even width, not {config.width}: half a direction"
            )
        self.width, self.lower_width = config.width, config.embedding
        self.words = nn.Embedding(pieces, config.embedding, padding_idx=PAD)
        nn.init.normal_(self.words.weight, std=config.embedding**-0.5)
        self.layers = BidirectionalGRU(config.embedding, config.width, config.layers, config.dropout)
        self.dropout = Dropout(config.dropout)

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self.dropout(self.words(pieces))

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        return self.layers(states, mask)


class TransformerEncoder(Encoder):
    """Word embeddings times √D plus sinusoids, pre-norm layers, a last LayerNorm.

    Vaswani et al. (2017) in all but two points: the layers normalise before each sublayer, not after it
    (which trains without a long warm-up), and the feed-forward network has GELU, as the decoder here.
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
        self.dropout = Dropout(config.dropout)

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        embedded = self.words(pieces) * math.sqrt(self.width) + self.positions[: pieces.shape[1]]
        return self.dropout(embedded)

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers:
            states = layer(states, mask[:, None, None, :])
        return self.norm(states)

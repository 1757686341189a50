"""Encoders: source pieces → annotations."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.models.protocol import Encoder
from anaphora_nmt.nn.bert import BertEmbedding, BertLayer
from anaphora_nmt.nn.pretrained import PretrainedEncoder

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

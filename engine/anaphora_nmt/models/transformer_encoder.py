"""The Transformer encoder of the papers' baseline, trained from scratch."""

from __future__ import annotations

import math

from torch import Tensor, nn

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.protocol import Encoder
from anaphora_nmt.nn.transformer import TransformerEncoderLayer, sinusoids
from anaphora_nmt.text.vocabulary import PAD

MAX_SOURCE = 512


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
        self.register_buffer("positions", sinusoids(MAX_SOURCE, config.width), persistent=False)
        self.layers = nn.ModuleList(
            TransformerEncoderLayer(config.width, config.heads, config.feed_forward, config.dropout)
            for _ in range(config.layers)
        )
        self.norm = nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        embedded = self.words(pieces) * math.sqrt(self.width) + self.positions[: pieces.shape[1]]
        return self.dropout(embedded)

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers:
            states = layer(states, mask[:, None, None, :])
        return self.norm(states)

"""The bidirectional recurrent encoder of RNNSearch."""

from __future__ import annotations

from torch import Tensor, nn

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.protocol import Encoder
from anaphora_nmt.nn.recurrent import BidirectionalGRU
from anaphora_nmt.text.vocabulary import PAD


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
        self.dropout = nn.Dropout(config.dropout)

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self.dropout(self.words(pieces))

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        return self.layers(states, mask)

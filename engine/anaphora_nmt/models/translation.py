"""A translation model: encoder and decoder, nothing else. Memories attach from outside."""

from __future__ import annotations

from torch import Tensor, nn

from anaphora_nmt.config import ModelConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder
from anaphora_nmt.models.protocol import Decoder, Encoder
from anaphora_nmt.models.recurrent_encoder import RecurrentEncoder
from anaphora_nmt.models.rnnsearch import RecurrentDecoder
from anaphora_nmt.models.transformer import TransformerDecoder
from anaphora_nmt.nn.state import Encoded, Features, shift_right
from anaphora_nmt.text.pieces import BOS, PAD


class TranslationModel(nn.Module):
    """Encoder and decoder.

    Attributes:
        config: what it was built from.
        trained_names: parameters that the first pass trains. It stays so when a second pass freezes them.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = _encoder(config)
        self.decoder = _decoder(config, self.encoder.width)
        self.trained_names = frozenset(name for name, p in self.named_parameters() if p.requires_grad)

    def encode(self, pieces: Tensor) -> Encoded:
        """Source ids [B, S], padded → annotations."""
        mask = pieces != PAD
        return Encoded(self.encoder(pieces, mask), mask)

    def teach(self, encoded: Encoded, target: Tensor, attention: bool = False) -> Features:
        """Features at every step of given targets [B, T] (ending in </s>, padded)."""
        return self.decoder(shift_right(target, BOS), encoded, attention)


def _encoder(config: ModelConfig) -> Encoder:
    if config.encoder.kind == "pretrained":
        return PretrainedTransformerEncoder(config.encoder, config.source_pieces)
    if config.encoder.kind == "recurrent":
        return RecurrentEncoder(config.encoder, config.source_pieces)
    raise ConfigError(f"no encoder of kind {config.encoder.kind!r}; known: pretrained, recurrent")


def _decoder(config: ModelConfig, source_width: int) -> Decoder:
    if config.decoder.kind == "transformer":
        return TransformerDecoder(config.decoder, config.target_pieces, source_width)
    if config.decoder.kind == "recurrent":
        return RecurrentDecoder(config.decoder, config.target_pieces, source_width)
    raise ConfigError(f"no decoder of kind {config.decoder.kind!r}; known: transformer, recurrent")

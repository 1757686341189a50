"""A translation model: encoder, decoder, and optionally CAMN between them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor, nn

from anaphora_nmt.config import DecoderConfig, ModelConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.document_context import ContextBatch
from anaphora_nmt.models.camn import Camn
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder, RecurrentEncoder, TransformerEncoder
from anaphora_nmt.models.kvmematt import KVMemAttDecoder
from anaphora_nmt.models.memdec import MemDecDecoder
from anaphora_nmt.models.protocol import Decoder, Encoder
from anaphora_nmt.models.rnnsearch import RecurrentDecoder
from anaphora_nmt.models.transformer import TransformerDecoder
from anaphora_nmt.nn.state import Encoded, Features, shift_right
from anaphora_nmt.text.vocabulary import BOS, PAD


class TranslationModel(nn.Module):
    """Encoder, decoder, and optionally CAMN.

    Attributes:
        config: the model's configuration.
        camn: the contextual associated memory network, or None.
        trained_names: names of the parameters that the training of the model changes. They stay in the set
            when the model is frozen to train memories.
    """

    def __init__(
        self, config: ModelConfig, encoder: Encoder | None = None, decoder: Decoder | None = None
    ) -> None:
        """Use the given `encoder` and `decoder` (of an imported model), or build them from `config`."""
        super().__init__()
        self.config = config
        self.encoder = encoder or _encoder(config)
        self.decoder = decoder or _decoder(config, self.encoder.width)
        self.camn = _camn(config, self.encoder)
        self.trained_names = frozenset(name for name, p in self.named_parameters() if p.requires_grad)

    def encode(self, pieces: Tensor, context: ContextBatch | None = None) -> Encoded:
        """Padded source ids [B, S] → annotations.

        Args:
            context: the sentences' context for CAMN; if None, the annotations ignore the context.
        """
        mask = pieces != PAD
        lower = self.encoder.lower(pieces, mask)
        encoded = Encoded(self.encoder.upper(lower, mask), mask)
        if self.camn is None or context is None:
            return encoded
        states = lower if self.camn.config.reads == "embeddings" else encoded.states
        groups = [self._encode_context(self.camn, group) for group in context.groups]
        return self.camn(encoded, [(states, mask), *groups], context.rows)

    def _encode_context(self, camn: Camn, pieces: Tensor) -> tuple[Tensor, Tensor]:
        mask = pieces != PAD
        lower = self.encoder.lower(pieces, mask)
        if camn.config.reads == "embeddings":
            return lower, mask
        with torch.set_grad_enabled(torch.is_grad_enabled() and camn.config.teaches_encoder):
            return self.encoder.upper(lower, mask), mask

    def native(self) -> TranslationModel | None:
        """The same model in the native library; None if the library does not support the decoder.

        If the library does not support the encoder, the torch encoder is used.
        """
        decoder = self.decoder.native()
        encoder = self.encoder.native() or self.encoder
        return None if decoder is None else with_parts(self, encoder=encoder, decoder=decoder)

    def force_decode(self, encoded: Encoded, target: Tensor, attention: bool = False) -> Features:
        """Features at every step of given targets [B, T] (ending in </s>, padded)."""
        return self.decoder(shift_right(target, BOS), encoded, attention)


M = TypeVar("M", bound=nn.Module)


def with_parts(module: M, **parts: nn.Module) -> M:
    """A copy of a module with some parts replaced and all others shared."""
    changed = copy.copy(module)
    changed._modules = {**module._modules, **parts}
    return changed


def _encoder(config: ModelConfig) -> Encoder:
    if config.encoder.kind == "pretrained":
        return PretrainedTransformerEncoder(config.encoder, config.source_pieces)
    if config.encoder.kind == "recurrent":
        return RecurrentEncoder(config.encoder, config.source_pieces)
    if config.encoder.kind == "transformer":
        return TransformerEncoder(config.encoder, config.source_pieces)
    raise ConfigError(
        f"no encoder of kind {config.encoder.kind!r}; known: pretrained, recurrent, transformer"
    )


def _camn(config: ModelConfig, encoder: Encoder) -> Camn | None:
    if config.camn is None or config.camn.size == 0:
        return None
    if config.camn.reads == "embeddings" and encoder.lower_width != encoder.width:
        raise ConfigError("CAMN on embeddings needs an encoder whose embeddings are as wide as its outputs")
    return Camn(config.camn, encoder.width)


def _decoder(config: ModelConfig, source_width: int) -> Decoder:
    kinds: dict[str, Callable[[DecoderConfig, int, int], Decoder]] = {
        "transformer": TransformerDecoder,
        "recurrent": RecurrentDecoder,
        "memdec": MemDecDecoder,
        "kvmematt": KVMemAttDecoder,
    }
    if config.decoder.kind not in kinds:
        raise ConfigError(f"no decoder of kind {config.decoder.kind!r}; known: {', '.join(kinds)}")
    return kinds[config.decoder.kind](config.decoder, config.target_pieces, source_width)

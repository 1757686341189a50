"""What a reader of one kind gives, and the module that is built of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.imported.architecture import Architecture
from anaphora_nmt.imported.decoder import ImportedDecoder
from anaphora_nmt.imported.encoder import ImportedEncoder
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.layers import position_table
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.shortlist import Shortlist
from anaphora_nmt.text.vocabulary import Vocabulary

_KIND = "imported"


@dataclass(frozen=True)
class ReadModel:
    """A model as it was read.

    Attributes:
        tensors: by the names of `ImportedEncoder` and `ImportedDecoder`; tables of positions only where they
            are other ones than the architecture's.
        source, target: vocabularies in our numbering.
        languages: what it translates, as it stands.
        shortlist: that comes with it, if any does.
    """

    architecture: Architecture
    tensors: Mapping[str, Tensor]
    source: Vocabulary
    target: Vocabulary
    languages: Languages
    shortlist: Shortlist | None = None


def build(architecture: Architecture, tensors: Mapping[str, Tensor]) -> TranslationModel:
    """The module of some weights, in evaluation mode; they are shared with it, not copied."""
    with torch.device("meta"):
        encoder, decoder = ImportedEncoder(architecture), ImportedDecoder(architecture)
        model = TranslationModel(_config(architecture), encoder, decoder)
    table = position_table(architecture.width, architecture.half_minus_one, architecture.first_position)
    positions = {f"{side}.positions": table for side in ("encoder", "decoder")}
    model.load_state_dict({**positions, **tensors}, assign=True)
    return model.requires_grad_(False).eval()


def _config(architecture: Architecture) -> ModelConfig:
    width, encoder, decoder = architecture.width, architecture.encoder, architecture.decoder
    return ModelConfig(
        encoder.pieces,
        decoder.pieces,
        EncoderConfig(_KIND, width, encoder.layers, 0, encoder.heads, encoder.feed_forward, width),
        DecoderConfig(_KIND, width, decoder.layers, decoder.heads, decoder.feed_forward, width),
    )

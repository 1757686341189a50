"""The start of a training run: its model, and its data from a prepared folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from anaphora_nmt.config import EncoderConfig, ModelConfig, from_dict
from anaphora_nmt.data.binary_corpus import BinaryCorpus
from anaphora_nmt.errors import CorpusError, ModelFileError
from anaphora_nmt.models.bundle import Bundle, Uninitialised
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.training.alignment import Links
from anaphora_nmt.training.checkpoint import load_checkpoint
from anaphora_nmt.training.loop import TrainingData
from anaphora_nmt.training.preparation import frozen_path
from anaphora_nmt.training.pretrained_weights import load_encoder_weights, opened, start_embeddings

MEAN = "mean"
"""Folder of a run: the mean of its checkpoints, which takes the place of the last one."""


def build_model(
    config: ModelConfig, prepared: Path, pretrained: Path | Bundle | None = None
) -> TranslationModel:
    """A fresh model: random but for what a pretrained encoder or a model folder gives it."""
    origin = opened(pretrained) if isinstance(pretrained, Path) else pretrained
    model = TranslationModel(config)
    if isinstance(model.encoder, PretrainedTransformerEncoder):
        load_encoder_weights(model.encoder, prepared, origin)
    start_embeddings(model, prepared, origin)
    return model


def load_base(prepared: Path, run: Path, pretrained: Path | None = None) -> TranslationModel:
    """The base model of a run, as its last checkpoint has it, or the mean of its checkpoints."""
    try:
        state = json.loads((last_checkpoint(run) / "state.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{run} has no readable checkpoint: {error}") from error
    with Uninitialised():
        model = TranslationModel(from_dict(ModelConfig, state["model"]))
    if isinstance(model.encoder, PretrainedTransformerEncoder):
        load_encoder_weights(model.encoder, prepared, pretrained)
    load_checkpoint(last_checkpoint(run), model, None)
    return model


def last_checkpoint(run: Path) -> Path:
    return run / MEAN if (run / MEAN).exists() else run / "last"


def load_data(prepared: Path, name: str, encoder: EncoderConfig) -> TrainingData:
    """A prepared corpus with its alignments and the encoder's frozen outputs, as far as they are there."""
    corpus, links_path = BinaryCorpus.load(prepared / f"{name}.npz"), prepared / f"{name}.links.npz"
    path, frozen = frozen_path(prepared, name, encoder.frozen_layers), None
    if encoder.kind == "pretrained" and path.exists():
        shape = int(corpus.source.offsets[-1]), encoder.width
        if path.stat().st_size != 2 * shape[0] * shape[1]:
            raise CorpusError(f"{path} does not fit the prepared corpus; run `anaphora-nmt prepare` again")
        frozen = np.memmap(path, np.float16, "r", shape=shape)
    links = Links.load(links_path) if links_path.exists() else None
    return TrainingData(corpus, frozen, links)

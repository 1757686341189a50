"""Loading a training run's model and data."""

from __future__ import annotations

import json
from pathlib import Path

from anaphora_nmt.config import ModelConfig, from_dict
from anaphora_nmt.data.binary_corpus import BinaryCorpus
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.models.bundle import Bundle, Uninitialised
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.training.alignment import Links
from anaphora_nmt.training.checkpoint import load_checkpoint
from anaphora_nmt.training.loop import TrainingData
from anaphora_nmt.training.pretrained_weights import initialise_embeddings, load_encoder_weights, open_origin

MEAN = "mean"
"""Folder in a run with the mean of the run's checkpoints, which is used instead of the last checkpoint."""


def build_model(
    config: ModelConfig, prepared: Path, pretrained: Path | Bundle | None = None
) -> TranslationModel:
    """A new model with random weights, except the encoder and embeddings that `pretrained` initialises."""
    origin = open_origin(pretrained) if isinstance(pretrained, Path) else pretrained
    model = TranslationModel(config)
    if isinstance(model.encoder, PretrainedTransformerEncoder):
        load_encoder_weights(model.encoder, prepared, origin)
    initialise_embeddings(model, prepared, origin)
    return model


def load_base(prepared: Path, run: Path, pretrained: Path | None = None) -> TranslationModel:
    """A run's base model with the mean of its checkpoints; if there is no mean, with the last checkpoint."""
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


def load_data(prepared: Path, name: str) -> TrainingData:
    """A prepared corpus, with its alignments if they exist."""
    path = prepared / f"{name}.links.npz"
    corpus = BinaryCorpus.load(prepared / f"{name}.npz")
    return TrainingData(corpus, Links.load(path) if path.exists() else None)

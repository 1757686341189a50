"""One training run from a prepared folder."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig, TrainingConfig, from_dict
from anaphora_nmt.data.prepare import BinaryCorpus
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import Vocabulary
from anaphora_nmt.text.words import load_source_vocabulary
from anaphora_nmt.training.alignment import Links
from anaphora_nmt.training.checkpoint import load_checkpoint
from anaphora_nmt.training.loop import Trainer, TrainingData
from anaphora_nmt.training.preparation import frozen_layers, open_frozen
from anaphora_nmt.training.pretrained_weights import grow_from, load_encoder_weights, start_embeddings


@dataclass(frozen=True)
class Pace:
    """When a run saves, and when it stops before its end.

    Attributes:
        minutes: stop, with a checkpoint, after this time.
        every: updates between checkpoints.
        keep: whether each checkpoint's weights stay (`Trainer.run`).
    """

    minutes: float = math.inf
    every: int = 250
    keep: bool = False


def train_base(
    prepared: Path,
    folder: Path,
    training: TrainingConfig,
    encoder: EncoderConfig,
    decoder: DecoderConfig,
    pretrained: Path | None = None,
    initial: Path | None = None,
    pace: Pace | None = None,
) -> Trainer:
    """Train the first pass (Tu et al., 2018, eq. 9), or go on with it where `folder` has a checkpoint.

    Args:
        prepared: what `prepare` wrote.
        pretrained: needed for an encoder of kind "pretrained".
        initial: a model folder to begin from, see `grow_from`; its encoder serves as `pretrained`, too.
        pace: by default, a checkpoint every 250 updates, to the end.
    """
    torch.manual_seed(training.seed)
    source = load_source_vocabulary(prepared / "source.model", encoder.kind)
    target = Vocabulary.load(prepared / "target.model")
    config = ModelConfig(len(source), len(target), encoder, decoder)
    model = build_model(config, prepared, pretrained or initial, training.start_embeddings)
    if initial is not None:
        grow_from(model, prepared, initial)
    data = load_data(prepared, "train", encoder)
    trainer = Trainer(model, training, data, folder)
    trainer.resume()
    dev = replace(load_data(prepared, "dev", encoder), links=None)
    pace = pace or Pace()
    trainer.run(pace.minutes, dev, pace.every, keep=pace.keep)
    return trainer


def build_model(
    config: ModelConfig, prepared: Path, pretrained: Path | None = None, embeddings: bool = True
) -> TranslationModel:
    """A fresh model: random but for what a pretrained encoder or a model folder gives it.

    Args:
        embeddings: see `TrainingConfig.start_embeddings`.
    """
    model = TranslationModel(config)
    if isinstance(model.encoder, PretrainedTransformerEncoder):
        load_encoder_weights(model.encoder, prepared, pretrained)
    if embeddings:
        start_embeddings(model, prepared, pretrained)
    return model


def load_base(prepared: Path, run: Path, pretrained: Path | None = None) -> TranslationModel:
    """The base model of a run, as its last checkpoint has it.

    Raises:
        ModelFileError: there is no readable checkpoint.
    """
    try:
        state = json.loads((run / "last" / "state.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{run} has no readable checkpoint: {error}") from error
    model = TranslationModel(from_dict(ModelConfig, state["model"]))
    if isinstance(model.encoder, PretrainedTransformerEncoder):
        load_encoder_weights(model.encoder, prepared, pretrained)
    load_checkpoint(run / "last", model, None)
    return model


def load_data(prepared: Path, name: str, encoder: EncoderConfig) -> TrainingData:
    """A prepared corpus with its alignments and the encoder's frozen outputs, as far as they are there."""
    corpus = BinaryCorpus.load(prepared / f"{name}.npz")
    frozen_path, links_path = prepared / f"{name}.frozen.f16", prepared / f"{name}.links.npz"
    has_frozen = encoder.kind == "pretrained" and 0 < encoder.frozen_layers == frozen_layers(frozen_path)
    frozen = open_frozen(frozen_path, corpus.source, encoder.width) if has_frozen else None
    links = Links.load(links_path) if links_path.exists() else None
    return TrainingData(corpus, frozen, links)

"""Folders of training runs.

run.json             the complete configuration and the run's cost (`RunRecord`)
last/                last checkpoint of a trained base model
at-UPDATE/           weights of a trained base model after an update, for the mean (optional)
mean/                mean of the base model's checkpoints (optional)
memory.safetensors   weights of memories trained on a frozen base model
fitted_memory.json   the memories with fitted constants (optional)
curve.jsonl          losses of a base model during training
memory_curve.jsonl   losses of memories during training
model/               the exported model folder (optional)
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from safetensors.torch import load_file

from anaphora_nmt.config import from_dict, load_config, to_dict
from anaphora_nmt.errors import ConfigError, ModelFileError
from anaphora_nmt.files import write_json
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import Vocabulary, load_source_vocabulary
from anaphora_nmt.training.configuration import PRETRAINED, StageConfig
from anaphora_nmt.training.loading import load_base
from anaphora_nmt.training.memory import MEMORY_WEIGHTS
from anaphora_nmt.training.pretrained_weights import adopt

RECORD, FITTED, MODEL = "run.json", "fitted_memory.json", "model"


@dataclass(frozen=True)
class RunRecord:
    """A run's stage (with the sizes of the vocabularies), and the run's cost.

    Attributes:
        parameters: number of the model's parameters.
        pieces_seen: number of target pieces in all updates.
    """

    stage: StageConfig
    parameters: int = 0
    training_seconds: float = 0.0
    updates: int = 0
    pieces_seen: int = 0
    data_hash: str = ""
    finished: bool = False

    def save(self, folder: Path) -> None:
        write_json(folder / RECORD, to_dict(self))

    @classmethod
    def load(cls, folder: Path) -> RunRecord:
        try:
            return from_dict(cls, json.loads((folder / RECORD).read_text("utf-8")))
        except (OSError, ValueError, ConfigError) as error:
            raise ModelFileError(f"{folder} is not a training run: {error}") from error


@dataclass(frozen=True)
class DataPaths:
    """The output folder of `anaphora-nmt prepare`, and the pretrained encoder or model folder (or None)."""

    prepared: Path
    pretrained: Path | None = None


@dataclass(frozen=True)
class LoadedRun:
    """A loaded run on the CPU, in float32 and evaluation mode."""

    model: MemoryAugmentedModel
    source: Vocabulary
    target: Vocabulary
    topics: TopicModel | None
    stage: StageConfig


def load_run(folder: Path, paths: DataPaths) -> LoadedRun:
    """Load a run; the base model may belong to its initial run. ModelFileError if files are missing."""
    stage = RunRecord.load(folder).stage
    source, target = load_vocabularies(stage, paths.prepared)
    base = load_trained_base(folder, stage, paths)
    topics = load_topics(stage, paths.prepared)
    model = MemoryAugmentedModel(base, fitted_memory(folder, stage), WordVocabulary(target))
    if stage.second_pass is not None:
        weights = folder / MEMORY_WEIGHTS
        if not weights.exists():
            raise ModelFileError(f"{folder} has no trained memories; finish its training")
        model.load_memory_state(load_file(weights))
    return LoadedRun(model.eval(), source, target, topics, stage)


def fitted_memory(folder: Path, stage: StageConfig) -> MemoryConfig:
    """The memories' configuration with fitted constants if the run has them, or else that of the stage."""
    return load_config(MemoryConfig, folder / FITTED) if (folder / FITTED).exists() else stage.memory


def load_trained_base(folder: Path, stage: StageConfig, paths: DataPaths) -> TranslationModel:
    """The base model that a run trained; if it trained none, that of its initial run or model folder."""
    owner = folder
    while stage.training is None:
        if stage.initial == PRETRAINED:
            return adopt(stage.model, paths.prepared, paths.pretrained)
        assert stage.initial is not None
        owner = owner.parent / stage.initial
        stage = RunRecord.load(owner).stage
    return load_base(paths.prepared, owner, paths.pretrained)


def load_vocabularies(stage: StageConfig, prepared: Path) -> tuple[Vocabulary, Vocabulary]:
    source = load_source_vocabulary(prepared / "source.model", stage.model.encoder.kind)
    return source, Vocabulary.load(prepared / "target.model")


def load_topics(stage: StageConfig, prepared: Path) -> TopicModel | None:
    return TopicModel.load(prepared / "topics.npz") if stage.memory.wants_topic else None


def data_hash(prepared: Path) -> str:
    """A hash of a prepared folder's training pairs and vocabularies."""
    digest = hashlib.sha256()
    for name in ("train.npz", "source.model", "target.model"):
        with (prepared / name).open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:16]

"""The second pass (Tu et al., 2018, eq. 10): only the memories' parameters learn, the base is frozen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.models.remembering import RememberingModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.pieces import Pieces


@dataclass(frozen=True)
class SecondPass:
    """How to train the memories.

    Attributes:
        minutes: time budget of the updates; the features before them take their own time.
        sentences: training sentences to compute features of (whole documents).
        dev_sentences: dev sentences to score (whole documents).
        together: one loss on the final mixture; False: each memory learns as if alone.
    """

    minutes: float = 10.0
    sentences: int = 15000
    dev_sentences: int = 1200
    batch: int = 24
    learning_rate: float = 1e-3
    together: bool = True
    seed: int = 1


def train_memories(
    base: TranslationModel,
    target_pieces: Pieces,
    prepared: Path,
    topics: TopicModel | None,
    config: MemoryConfig,
    folder: Path,
    settings: SecondPass = SecondPass(),
) -> RememberingModel:
    """Train; write `memory.safetensors`, `memory.json` and `memory_curve.jsonl` to `folder`."""
    raise NotImplementedError

"""Train the topic model from corpora."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from anaphora_nmt.memory.topics import TopicModel


def train_topics(
    corpora: Sequence[Path], topics: int = 100, words: int = 200, iterations: int = 200
) -> TopicModel:
    """LDA on both sides of the documents in `corpora` and the projection between them."""
    raise NotImplementedError

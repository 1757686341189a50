"""Topics of documents: LDA on each side, source topics projected onto target topics (Kuang et al., 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Topic:
    """A target topic.

    Attributes:
        number: of the topic.
        words: its most probable words with p(w|z), by descending probability.
        label: its leading words, for a reader.
    """

    number: int
    words: tuple[tuple[str, float], ...]
    label: str


class TopicModel:
    """Infers the target topic of a document."""

    @classmethod
    def load(cls, path: Path) -> TopicModel:
        """Read one `.npz` file.

        Raises:
            ModelFileError: missing or damaged.
        """
        raise NotImplementedError

    def save(self, path: Path) -> None:
        """Write one `.npz` file."""
        raise NotImplementedError

    def infer(self, sources: Sequence[str]) -> Topic | None:
        """The target topic of a source document, through the projection; None where no word is known."""
        raise NotImplementedError

    def infer_target(self, targets: Sequence[str]) -> Topic | None:
        """The topic of a target document, for training."""
        raise NotImplementedError

"""The protocol of a memory. To add one, see the docstring of `anaphora_nmt.memory`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from torch import Tensor, nn

from anaphora_nmt.memory.contents import Contents, DocumentInfo, KeptSteps, Reader
from anaphora_nmt.memory.fusion import of_targets
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.native.library import NativeLibrary
from anaphora_nmt.native.search import SearchPart
from anaphora_nmt.nn.state import DecoderState, Features, SentenceState

Config = TypeVar("Config")
C = TypeVar("C", bound=Contents)
S = TypeVar("S", bound=DecoderState)

Groups = Sequence[Sequence[int]]
"""Groups of columns of a reading, each left out together."""


@dataclass(frozen=True)
class Host:
    """The model that a memory attaches to: its vocabulary, and the widths D, C and E of its vectors.

    Attributes:
        scores_states: whether its output layer multiplies states with the embeddings.
    """

    vocabulary: WordVocabulary
    width: int
    context_width: int
    embedding_width: int
    scores_states: bool = True


@dataclass(frozen=True)
class Source:
    """The tools for translating the sentences: target embeddings [V, E]; `library`: None if torch steps."""

    embeddings: Tensor
    library: NativeLibrary | None = None


@dataclass(frozen=True)
class TargetSteps:
    """One target step of B hypotheses ([B, …]), or all steps of B given targets ([B, T, …]).

    Attributes:
        features: the decoder's own, before any memory. previous: y_{t−1}.
        embeddings: the shared target embeddings, [V, E].
    """

    features: Features
    previous: Tensor
    embeddings: Tensor

    def of_sentences(self, count: int) -> TargetSteps:
        """One step of the hypotheses of so many sentences [B, …] as steps of these, [count, B / count, …]."""
        features, previous = self.features.of_sentences(count), self.previous.reshape(count, -1)
        return TargetSteps(features, previous, self.embeddings)


@dataclass(frozen=True)
class Attribution:
    """How a memory stood behind given targets.

    Attributes:
        strengths: of each column of the reading behind each target piece, [B, T, K].
        share: of the memory in the state or in the probability, [B, T]; 0 without an effect.
        offers: of each column, for whichever piece it speaks, [B, T, K].
    """

    strengths: Tensor
    share: Tensor
    offers: Tensor


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a memory, as an explanation lists it.

    Attributes:
        label: its word. columns: of the reading; they are left out together.
        segment: id of the segment that it comes from; section: of the memory's view; both may be empty.
    """

    label: str
    columns: tuple[int, ...]
    segment: str = ""
    section: str = ""
    confirmed: bool = False


def at_steps(values: Tensor, steps: Tensor | None) -> Tensor:
    """One row [1, T, …] → a row for each of `steps` [N], [N, 1, …]; None: as it is."""
    return values if steps is None else values[0].index_select(0, steps)[:, None]


class Reading:
    """A memory's reading of some steps; by default it changes nothing.

    A memory fuses in front of the output layer, after it, or both. A reading of one document goes with
    states or log-probabilities of several rows, and several rows (`without`) with those of one.
    """

    @property
    def deep(self) -> bool:
        """True if `fuse_state` changes anything."""
        return False

    def fuse_state(self, state: Tensor) -> Tensor:
        """In front of the output layer: s_t [..., D], as the memories before have left it → s̃_t."""
        return state

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        """After the output layer: log-probabilities over the vocabulary, [..., V]."""
        return log_probs

    def fuse_target(self, log_probs: Tensor, target: Tensor) -> Tensor:
        """`fuse_log_probs` for given pieces [...]: their log-probabilities, [...]; safe to differentiate."""
        return of_targets(self.fuse_log_probs(log_probs), target)

    def without(self, groups: Groups, steps: Tensor | None = None) -> Self:
        """The same reading of all steps of one document with a group of columns hidden in each row, exactly.

        Args:
            steps: one for each group: rows of that step alone, [groups, 1, …]; None: of all steps.
        """
        raise NotImplementedError

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        """The evidence behind given targets [B, T], with the log-probabilities [B, T, V] before it."""
        raise NotImplementedError


@dataclass(frozen=True)
class StepReading(Reading):
    """A reading of steps of N sentences [N, T, …], for a step of their hypotheses in a row, [N · T, …]."""

    of_sentences: Reading
    count: int

    @property
    def deep(self) -> bool:
        return self.of_sentences.deep

    def fuse_state(self, state: Tensor) -> Tensor:
        return self.of_sentences.fuse_state(self._split(state)).view_as(state)

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        return self.of_sentences.fuse_log_probs(self._split(log_probs)).view_as(log_probs)

    def _split(self, rows: Tensor) -> Tensor:
        return rows.view(self.count, -1, rows.shape[-1])


@dataclass(frozen=True)
class FittingSample:
    """Sentences after a history that a human confirmed, with the base's log-probabilities [B, T, V].

    Attributes:
        held: what `Memory.gather` gave; None if nothing is held.
        target, real: [B, T], padded, and where there is a piece.
    """

    steps: TargetSteps
    held: Any
    target: Tensor
    real: Tensor
    log_probs: Tensor


class Memory(nn.Module, ABC, Generic[Config, C, S]):
    """A document memory that attaches to a decoder's features and distribution; the second pass trains it.

    Attributes:
        name, title: it is registered and configured by the one; a reader calls it the other.
        alias: a short name that commands take, too. saved_as: prefix of its parameters in files.
        heeds_origin: whether it makes a difference to it that a human confirmed a sentence. Where one that
            does is read, a source that was confirmed before has the confirmed target as its draft.
        fits_constants: whether `fit` does something.
        is_steady: whether a draft as if nothing were confirmed is made with what it holds, too.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    alias: ClassVar[str] = ""
    saved_as: ClassVar[str]
    config_type: ClassVar[type]
    heeds_origin: ClassVar[bool] = False
    fits_constants: ClassVar[bool] = False
    is_steady: ClassVar[bool] = False

    def __init__(self, config: Config, host: Host) -> None:
        super().__init__()
        self.config = config

    @classmethod
    @abstractmethod
    def empty(cls, config: Config, document: DocumentInfo) -> C:
        """Its contents before the first segment of a document."""

    @classmethod
    def steps_asked_for(cls, config: Config) -> KeptSteps:
        """The steps of a finished sentence whose vectors it needs."""
        return KeptSteps.NONE

    @classmethod
    def weighs_drafts(cls, config: Config) -> bool:
        """True if it uses the model's certainty about a draft (`Contribution.certainty`)."""
        return False

    @classmethod
    def moves_states(cls, config: Config) -> bool:
        """True if it uses the shift of states by a finished sentence's steps (`Contribution.values`)."""
        return False

    @classmethod
    def wants_topic(cls, config: Config) -> bool:
        """True if it uses a document's topic."""
        return False

    @abstractmethod
    def gather(self, contents: Sequence[C], source: Source) -> S | None:
        """Tensors of the contents, one for each sentence; None if nothing is held: the model is the
        base."""

    def ready(self, held: S, source: Source) -> S:
        """The gathered data, prepared for reading without gradients."""
        return held

    def offers(self, held: S) -> Tensor | None:
        """The pieces that a reading may make likelier, in any shape; None: any may be."""
        return None

    @abstractmethod
    def read(self, steps: TargetSteps, held: S, counted: Tensor | None = None) -> Reading:
        """Read at all steps of given targets; at those `counted` [B, T] only, flattened: [N, …]. All other
        ways to read it are tested against this one."""

    def step(self, steps: TargetSteps, held: S) -> tuple[Reading, S]:
        """Read at one step of every hypothesis, and what is held after it: a sentence's hypotheses side by
        side, as if they were steps of one. A memory of the hypotheses' own words has a way of its own."""
        assert isinstance(held, SentenceState)
        count = len(steps.previous) // held.group
        return StepReading(self.read(steps.of_sentences(count), held), count), held

    def native(self, held: S) -> SearchPart | None:
        """The memory's data for the native library's search; None: it is read step by step."""
        return None

    @abstractmethod
    def entries(self, contents: C, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        """The entries of the columns of a document's reading."""

    def of_word(self, strengths: np.ndarray) -> np.ndarray:
        """How strongly each entry stood behind a word, [K], from its pieces' strengths [pieces, K]."""
        return strengths.mean(0)

    def evidence(self, sample: FittingSample) -> Any:
        """The data of a sample for fitting."""
        return None

    def fit(self, evidence: Sequence[Any]) -> Config:
        """Its configuration with the constants that make the targets of samples likely."""
        return self.config

"""The protocol of a memory. To add one, see the docstring of `anaphora_nmt.memory`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from torch import Tensor, nn

from anaphora_nmt.memory.contents import Contents, DocumentInfo, KeptSteps, Reader
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.native.library import NativeLibrary
from anaphora_nmt.native.search import SearchPart
from anaphora_nmt.nn.state import DecoderState, Features, SentenceState

Config = TypeVar("Config")
C = TypeVar("C", bound=Contents)
S = TypeVar("S", bound=DecoderState)

Groups = Sequence[Sequence[int]]
"""Groups of columns of a reading; the columns of a group are left out together."""


@dataclass(frozen=True)
class Host:
    """The model that a memory attaches to: the vocabulary, and the widths of states, contexts and embeddings.

    Attributes:
        scores_states: whether the output layer multiplies states with the embeddings.
    """

    vocabulary: WordVocabulary
    width: int
    context_width: int
    embedding_width: int
    scores_states: bool = True


@dataclass(frozen=True)
class Source:
    """The model's data for `Memory.gather`: target embeddings [V, E], and the native library or None."""

    embeddings: Tensor
    library: NativeLibrary | None = None


@dataclass(frozen=True)
class TargetSteps:
    """One target step of B hypotheses ([B, …]), or all steps of B given targets ([B, T, …]).

    Attributes:
        features: the decoder's features before any memory changes them.
        previous: y_{t−1}, [B] or [B, T].
        embeddings: the shared target embeddings, [V, E].
    """

    features: Features
    previous: Tensor
    embeddings: Tensor

    def by_sentence(self, count: int) -> TargetSteps:
        """Reshape one step of the hypotheses of `count` sentences [B, …] to [count, B / count, …]."""
        features, previous = self.features.by_sentence(count), self.previous.reshape(count, -1)
        return TargetSteps(features, previous, self.embeddings)


@dataclass(frozen=True)
class Attribution:
    """A memory's support for given targets.

    Attributes:
        strengths: support of each column of the reading for the target piece, [B, T, K].
        share: the memory's share of the state or of the probability, [B, T]; 0 without an effect.
        offers: support of each column for its own piece, [B, T, K].
    """

    strengths: Tensor
    share: Tensor
    offers: Tensor


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a memory, as an explanation lists it.

    Attributes:
        label: the remembered word.
        columns: the entry's columns of the reading, which are left out together.
        segment: id of the segment that wrote the word, or "".
        section: name of the entry's section in the memory's view, or "".
        confirmed: whether a human confirmed `segment`.
    """

    label: str
    columns: tuple[int, ...]
    segment: str = ""
    section: str = ""
    confirmed: bool = False


def at_steps(values: Tensor, steps: Tensor | None) -> Tensor:
    """Select N steps of one row [1, T, …] as N rows of one step, [N, 1, …]; None returns `values`."""
    return values if steps is None else values[0].index_select(0, steps)[:, None]


class Reading:
    """A memory's effect on some steps; by default, it has no effect.

    A memory changes states before the output layer, log-probabilities after it, or both. A reading with one
    row is broadcast over states or log-probabilities with several rows, and vice versa (`without`).
    """

    @property
    def deep(self) -> bool:
        """True if `fuse_state` changes anything."""
        return False

    def fuse_state(self, state: Tensor) -> Tensor:
        """Change the state before the output layer: s_t → s̃_t, [..., D], after earlier memories."""
        return state

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        """Change the log-probabilities over the vocabulary, [..., V]."""
        return log_probs

    def fuse_target(self, log_probs: Tensor, target: Tensor) -> Tensor:
        """The log-probabilities of target pieces [...] after `fuse_log_probs`; differentiable everywhere."""
        return target_log_probs(self.fuse_log_probs(log_probs), target)

    def without(self, groups: Groups, steps: Tensor | None = None) -> Self:
        """Read the steps of one target again, with one group of columns left out in each row.

        Args:
            steps: for each group, the index of the only step to read, [groups]; the reading is then
                [groups, 1, …]. With None, all steps are read, [groups, T, …].
        """
        raise NotImplementedError

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        """The memory's support for targets [B, T], given log-probabilities [B, T, V] before this memory."""
        raise NotImplementedError


@dataclass(frozen=True)
class StepReading(Reading):
    """Adapts a reading [N, T, …] of N sentences (`count`) with T hypotheses each to rows [N · T, …]."""

    reading: Reading
    count: int

    @property
    def deep(self) -> bool:
        return self.reading.deep

    def fuse_state(self, state: Tensor) -> Tensor:
        return self.reading.fuse_state(self._split(state)).view_as(state)

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        return self.reading.fuse_log_probs(self._split(log_probs)).view_as(log_probs)

    def _split(self, rows: Tensor) -> Tensor:
        return rows.view(self.count, -1, rows.shape[-1])


@dataclass(frozen=True)
class FittingSample:
    """Sentences after a confirmed history, for `Memory.evidence`.

    Attributes:
        gathered: the result of `Memory.gather` for the history.
        target, real: padded target pieces, and True where they are not padding, [B, T].
        log_probs: log-probabilities by the model without memories, [B, T, V].
    """

    steps: TargetSteps
    gathered: Any
    target: Tensor
    real: Tensor
    log_probs: Tensor


class Memory(nn.Module, ABC, Generic[Config, C, S]):
    """A document memory that changes a decoder's states or distribution; it is trained after the decoder.

    Attributes:
        name: key in the registry and in configurations.
        title: name for display.
        alias: a short name that commands accept too.
        saved_as: prefix of the parameters in files.
        heeds_origin: whether the memory treats confirmed text and drafts differently. If such a memory is
            read, the confirmed target of an earlier segment with the same source becomes a segment's draft.
        fits_constants: whether `evidence` and `fit` are implemented.
        is_steady: whether the memory is also read for the draft that ignores confirmed text.
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
        """The contents before the first segment of a document."""

    @classmethod
    def required_steps(cls, config: Config) -> KeptSteps:
        """The steps of a finished sentence whose vectors the memory needs."""
        return KeptSteps.NONE

    @classmethod
    def weighs_drafts(cls, config: Config) -> bool:
        """True if the memory uses the model's certainty about a draft (`Contribution.mean_prob`)."""
        return False

    @classmethod
    def moves_states(cls, config: Config) -> bool:
        """True if the memory uses shifts of states (`Contribution.values`)."""
        return False

    @classmethod
    def wants_topic(cls, config: Config) -> bool:
        """True if the memory uses a document's topic."""
        return False

    @abstractmethod
    def gather(self, contents: Sequence[C], source: Source) -> S | None:
        """The contents before each sentence of a batch as tensors; None if all contents are empty."""

    def ready(self, gathered: S, source: Source) -> S:
        """Prepare the gathered tensors for faster reading without gradients."""
        return gathered

    def offers(self, gathered: S) -> Tensor | None:
        """The pieces that a reading can make more likely, a tensor of any shape; None for all pieces."""
        return None

    @abstractmethod
    def read(self, steps: TargetSteps, gathered: S, counted: Tensor | None = None) -> Reading:
        """Read at all steps of given targets; tests compare every other way of reading with this one.

        Args:
            gathered: the tensors of `gather`, or of `ready`.
            counted: mask [B, T] of the N steps to read; the reading is then [N, …]. With None, all steps
                are read, [B, T, …].
        """

    def step(self, steps: TargetSteps, gathered: S) -> tuple[Reading, S]:
        """Read at one step of every hypothesis, and return the tensors for the next step.

        The hypotheses of a sentence are read like steps of one target. If the words of a hypothesis enter
        the memory, the memory overrides this method.
        """
        assert isinstance(gathered, SentenceState)
        count = len(steps.previous) // gathered.group
        return StepReading(self.read(steps.by_sentence(count), gathered), count), gathered

    def native(self, gathered: S) -> SearchPart | None:
        """The memory's data for the native library's search; None if torch reads them at each step."""
        return None

    @abstractmethod
    def entries(self, contents: C, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        """The entries to which the columns of a document's reading belong."""

    def word_strength(self, strengths: np.ndarray) -> np.ndarray:
        """The support of each column for a word, [K], from the support for the word's pieces [pieces, K]."""
        return strengths.mean(0)

    def evidence(self, sample: FittingSample) -> Any:
        """The data of a sample for `fit`."""
        return None

    def fit(self, evidence: Sequence[Any]) -> Config:
        """The configuration with constants fitted to samples."""
        return self.config

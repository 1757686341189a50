"""The interface of models for search, and the differences between float, native and imported models.

They differ in encoder and decoder; around these all are the same `MemoryAugmentedModel`. The output layer may
be computed for some pieces alone: for many pieces it is most of what a step costs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.native.library import NativeLibrary
from anaphora_nmt.native.search import Hypothesis, SearchParts, Wanted
from anaphora_nmt.nn.state import DecoderState, Encoded, Features

ABSENT = -1e4
"""Log-probability of what is not among them. No infinity: differences of two would be no number."""


class StepModel(ABC):
    """All that search knows of a model; a sentence's encoding and memory are inside its states."""

    @property
    @abstractmethod
    def device(self) -> torch.device:
        """The device of its tensors."""

    @abstractmethod
    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """Previous tokens [N] → log-probabilities of the next [N, V], and the next state."""

    @abstractmethod
    def attention(self, state: DecoderState) -> Tensor | None:
        """Source log-weights [N, S] of the step that led to a state, or None."""

    def search(
        self, state: DecoderState, wanted: Wanted, rules: SearchParts
    ) -> list[list[Hypothesis]] | None:
        """The n best of each sentence under `rules`, as steps would find them; None: only steps do."""
        return None


class Outputs(Protocol):
    """The output layer of some pieces. `pieces`: their numbers, which rise, [n]."""

    @property
    def pieces(self) -> Tensor: ...

    def log_probs(self, states: Tensor) -> Tensor:
        """log p over these pieces only: [..., D] → [..., n]."""
        ...


@dataclass(frozen=True)
class TorchOutputs:
    """The same by torch, in float32; weight [n, D] and bias [n]."""

    pieces: Tensor
    weight: Tensor
    bias: Tensor

    @classmethod
    def of(cls, weight: Tensor, bias: Tensor, pieces: Tensor) -> TorchOutputs:
        return cls(pieces, weight[pieces], bias[pieces])

    def log_probs(self, states: Tensor) -> Tensor:
        return functional.linear(states, self.weight, self.bias).float().log_softmax(-1)


def over_all(outputs: Outputs, states: Tensor, pieces: int) -> Tensor:
    """log p over a whole vocabulary of `pieces`, [..., D] → [..., V]; `ABSENT` for missing ones."""
    some = outputs.log_probs(states)
    whole = some.new_full((*some.shape[:-1], pieces), ABSENT)
    return whole.index_copy_(-1, outputs.pieces.long(), some)


class Encoder(nn.Module, ABC):
    """Source pieces → annotations.

    Attributes:
        width: C, of the annotations.
        lower_width: L, of what its trained layers start from.
    """

    width: int
    lower_width: int

    @abstractmethod
    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        """Ids [B, S] → embeddings, or the frozen layers' outputs, [B, S, L]."""

    @abstractmethod
    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        """The result of `lower` [B, S, L] → annotations [B, S, C]."""

    def native(self) -> Encoder | None:
        """The same encoder in the native library, for everything except training, or None."""
        return None

    def forward(self, pieces: Tensor, mask: Tensor) -> Tensor:
        """Ids [B, S], mask [B, S] (true: a word; words come first) → annotations [B, S, C]."""
        return self.upper(self.lower(pieces, mask), mask)


class Decoder(nn.Module, ABC):
    """A decoder without document memory.

    Attributes:
        width: D, of its states. context_width: C. embedding_width: E.
        scores_states: whether the output layer multiplies s_t with the embeddings, and nothing between.
    """

    width: int
    context_width: int
    embedding_width: int
    scores_states = False

    @property
    @abstractmethod
    def embeddings(self) -> Tensor:
        """Target word embeddings [V, E]; caches of words share them."""

    @property
    def library(self) -> NativeLibrary | None:
        """The library that makes its steps; None: torch does."""
        return None

    @property
    def inherits(self) -> Mapping[str, str]:
        """Parameters that start from a baseline's of another name: own name → the baseline's."""
        return {}

    def native(self) -> Decoder | None:
        """The same decoder in the native library, for everything except training, or None."""
        return None

    @abstractmethod
    def start(self, encoded: Encoded) -> DecoderState:
        """The state before the first target word, a hypothesis for each row of `encoded`."""

    @abstractmethod
    def step(self, previous: Tensor, state: DecoderState) -> tuple[Features, DecoderState]:
        """One target step for every hypothesis: previous words [B] → features [B, …] and the next state."""

    def search(
        self, state: DecoderState, wanted: Wanted, outputs: Outputs | None, parts: SearchParts
    ) -> list[list[Hypothesis]] | None:
        """`StepModel.search`; `outputs`: the only pieces that are written; `parts`: rules and memories."""
        return None

    @abstractmethod
    def forward(self, previous: Tensor, encoded: Encoded, attention: bool = False) -> Features:
        """All target steps at once, the previous words given; [B, T] → features [B, T, …].

        `attention`: compute `Features.attention` too (log-weights).
        """

    def outputs(self, pieces: Tensor) -> Outputs | None:
        """The output layer of some pieces [n], whose numbers rise, alone; None: there is only the whole."""
        return None

    @abstractmethod
    def logits(self, features: Features) -> Tensor:
        """The output layer g of the papers, before its softmax: features → [..., V]."""

    def log_probs(self, features: Features) -> Tensor:
        """log p over the vocabulary: features → [..., V]."""
        return self.logits(features).float().log_softmax(-1)

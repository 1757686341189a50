"""Interfaces of encoders, decoders, their output layers, and the models that a beam search uses.

Float, native and imported models differ only in their encoders and decoders.
The output layer can be restricted to some pieces, because it takes most of the time with large vocabularies.
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
from anaphora_nmt.native.search import Hypothesis, SearchParts, SearchRequest
from anaphora_nmt.nn.state import DecoderState, Encoded, Features

ABSENT = -1e4
"""Log-probability of pieces that are not allowed; finite, so that differences are not NaN."""


class StepModel(ABC):
    """A model for search. Its states contain the encoded sentences and their memories."""

    @property
    @abstractmethod
    def device(self) -> torch.device:
        """The device of the model's tensors."""

    @abstractmethod
    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """Previous tokens [N] → log-probabilities [N, V] of the next tokens, and the next state."""

    @abstractmethod
    def attention(self, state: DecoderState) -> Tensor | None:
        """Log-weights [N, S] of the attention to the source in the last step; None before the first step."""

    def search(
        self, state: DecoderState, request: SearchRequest, rules: SearchParts
    ) -> list[list[Hypothesis]] | None:
        """The best hypotheses of each sentence under `rules`, equal to those of a search by single steps.

        None if the model cannot do this search itself; the caller then searches by single steps.
        """
        return None


class Outputs(Protocol):
    """An output layer restricted to some pieces; `pieces` [n] are their ids in ascending order."""

    @property
    def pieces(self) -> Tensor: ...

    def log_probs(self, states: Tensor) -> Tensor:
        """log p over these pieces only: [..., D] → [..., n]."""
        ...


@dataclass(frozen=True)
class TorchOutputs:
    """`Outputs` that torch computes from `weight` [n, D] and `bias` [n]."""

    pieces: Tensor
    weight: Tensor
    bias: Tensor

    @classmethod
    def of(cls, weight: Tensor, bias: Tensor, pieces: Tensor) -> TorchOutputs:
        return cls(pieces, weight[pieces], bias[pieces])

    def log_probs(self, states: Tensor) -> Tensor:
        return functional.linear(states, self.weight, self.bias).float().log_softmax(-1)


def over_vocabulary(outputs: Outputs, states: Tensor, pieces: int) -> Tensor:
    """log p over a vocabulary of V `pieces`, [..., D] → [..., V]; `ABSENT` for pieces not in `outputs`."""
    allowed = outputs.log_probs(states)
    log_probs = allowed.new_full((*allowed.shape[:-1], pieces), ABSENT)
    return log_probs.index_copy_(-1, outputs.pieces.long(), allowed)


class Encoder(nn.Module, ABC):
    """Source pieces → annotations.

    Attributes:
        width: C, the width of the annotations.
        lower_width: L, the width of the outputs of `lower`.
    """

    width: int
    lower_width: int

    @abstractmethod
    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        """Ids [B, S] → [B, S, L]: embeddings or, if there are frozen layers, the outputs of these layers."""

    @abstractmethod
    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        """The result of `lower` [B, S, L] → annotations [B, S, C]."""

    def native(self) -> Encoder | None:
        """The same encoder in the native library, where it cannot be trained; None if unsupported."""
        return None

    def forward(self, pieces: Tensor, mask: Tensor) -> Tensor:
        """Ids [B, S] and mask [B, S] (True for words, then False for padding) → annotations [B, S, C]."""
        return self.upper(self.lower(pieces, mask), mask)


class Decoder(nn.Module, ABC):
    """A decoder without document memory.

    Attributes:
        width, context_width, embedding_width: D, C and E.
        scores_states: True if the output layer multiplies s_t directly with the embeddings.
    """

    width: int
    context_width: int
    embedding_width: int
    scores_states = False

    @property
    @abstractmethod
    def embeddings(self) -> Tensor:
        """Target word embeddings [V, E], which the word caches also use."""

    @property
    def library(self) -> NativeLibrary | None:
        """The native library that computes the steps; if None, torch computes them."""
        return None

    @property
    def inherits(self) -> Mapping[str, str]:
        """Parameters to copy from a baseline that names them differently: name → name in the baseline."""
        return {}

    def native(self) -> Decoder | None:
        """The same decoder in the native library, where it cannot be trained; None if unsupported."""
        return None

    @abstractmethod
    def start(self, encoded: Encoded) -> DecoderState:
        """The state before the first target word, with one hypothesis for each row of `encoded`."""

    @abstractmethod
    def step(self, previous: Tensor, state: DecoderState) -> tuple[Features, DecoderState]:
        """Decode one step of every hypothesis: previous words [B] → features [B, …] and the next state."""

    def search(
        self, state: DecoderState, request: SearchRequest, outputs: Outputs | None, parts: SearchParts
    ) -> list[list[Hypothesis]] | None:
        """Search as `StepModel.search` does.

        Args:
            outputs: output layer of the allowed pieces; if None, all pieces are allowed.
            parts: rules and memories.
        """
        return None

    @abstractmethod
    def forward(self, previous: Tensor, encoded: Encoded, attention: bool = False) -> Features:
        """Decode all target steps at once: previous words [B, T] → features [B, T, …].

        Args:
            attention: compute `Features.attention` (log-weights) too.
        """

    def outputs(self, pieces: Tensor) -> Outputs | None:
        """The output layer of some pieces [n] in ascending order; None if unsupported."""
        return None

    @abstractmethod
    def logits(self, features: Features) -> Tensor:
        """The results of the output layer, before the softmax: features → [..., V]."""

    def log_probs(self, features: Features) -> Tensor:
        """log p over the vocabulary: features → [..., V]."""
        return self.logits(features).float().log_softmax(-1)

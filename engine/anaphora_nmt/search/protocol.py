"""All that search knows of a model."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from anaphora_nmt.nn.state import DecoderState


class StepModel(Protocol):
    """A model with a sentence's encoding and memory already inside its states."""

    @property
    def device(self) -> torch.device:
        """Where its tensors are."""
        ...

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """Previous tokens [N] → log-probabilities of the next [N, V], and the next state."""
        ...

    def attention(self, state: DecoderState) -> Tensor | None:
        """Source log-weights [N, S] of the step that led to a state; None where there are none."""
        ...

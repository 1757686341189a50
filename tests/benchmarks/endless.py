"""A model whose searches all take as many steps."""

from __future__ import annotations

import torch

from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import DecoderState
from anaphora_nmt.text.vocabulary import EOS


class Endless:
    """The model without the end mark."""

    def __init__(self, model: MemoryAugmentedModel) -> None:
        self.model = model
        self.device = model.device

    def step(self, previous: torch.Tensor, state: DecoderState) -> tuple[torch.Tensor, DecoderState]:
        """As `MemoryAugmentedModel.step`: log-probabilities [hypotheses, vocabulary] and the next state."""
        log_probs, state = self.model.step(previous, state)
        log_probs[:, EOS] = float("-inf")
        return log_probs, state

    def attention(self, state: DecoderState) -> torch.Tensor | None:
        """As `MemoryAugmentedModel.attention`."""
        return self.model.attention(state)

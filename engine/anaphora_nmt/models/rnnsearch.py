"""RNNSearch with feedback attention: the recurrent decoder that several papers extend with memories."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.models.protocol import Decoder
from anaphora_nmt.nn.attention import AdditiveAttention
from anaphora_nmt.nn.recurrent import GatedUnit, masked_mean
from anaphora_nmt.nn.state import DecoderState, Encoded, Features

Read = Callable[[Tensor], tuple[Tensor, Tensor]]
"""A query s̃ [B, D] → c_t [B, C] and the attention's log-weights [B, S]."""


@dataclass(frozen=True)
class RecurrentState(DecoderState):
    """s_{t−1} [B, D], the keys U h_j of the attention [B, S, inner], and the annotations."""

    hidden: Tensor
    keys: Tensor
    encoded: Encoded


class FeedbackCell(nn.Module, ABC):
    """One target step, which reads the source with s̃_{t−1} = H(s_{t−1}, e(y_{t−1})), then computes s_t."""

    @abstractmethod
    def project(self, embedding: Tensor) -> Tensor:
        """Previous words' embeddings [..., E] → products with weights [..., P]; P depends on the cell."""

    @abstractmethod
    def forward(
        self, projected: Tensor, state: Tensor, read: Read, query_state: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Args:
            projected: `project` of the previous word, [B, P].
            state: s_{t−1}, [B, D].
            read: reads the source with s̃_{t−1}; returns c_t and the log-weights.
            query_state: replaces s_{t−1} in the query s̃_{t−1}, [B, D]; if None, s_{t−1} is used.
        Returns:
            s_t [B, D], c_t [B, C] and the attention's log-weights [B, S].
        """


class ConditionalCell(FeedbackCell):
    """s̃ = GRU(s_{t−1}, e), s_t = GRU(s̃, c_t): the conditional GRU of the dl4mt tutorial.

    This is the baseline of Kuang et al. (2018), section 3, and of Meng et al. (2018), eqs (6) and (9). With a
    `query_state`, s̃ is computed twice: from `query_state` to read the source, and from s_{t−1} for s_t.
    """

    def __init__(self, width: int, embedding: int, context: int) -> None:
        super().__init__()
        self.intermediate = GatedUnit(embedding, width)
        self.final = GatedUnit(context, width)

    def project(self, embedding: Tensor) -> Tensor:
        return self.intermediate.project(embedding)

    def forward(
        self, projected: Tensor, state: Tensor, read: Read, query_state: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        intermediate = self.intermediate(projected, state)
        query = intermediate if query_state is None else self.intermediate(projected, query_state)
        context, weights = read(query)
        return self.final(self.final.project(context), intermediate), context, weights


class TanhCell(FeedbackCell):
    """s̃ = tanh(W s_{t−1} + W' e), s_t = GRU(s_{t−1}, [e; c_t]): Wang et al. (2016), section 2.1."""

    def __init__(self, width: int, embedding: int, context: int) -> None:
        super().__init__()
        self.width = width
        self.from_state = nn.Linear(width, width, bias=False)
        self.from_word = nn.Linear(embedding, width)
        self.gates_from_word = nn.Linear(embedding, 3 * width, bias=False)
        self.final = GatedUnit(context, width)
        nn.init.xavier_uniform_(self.gates_from_word.weight)

    def project(self, embedding: Tensor) -> Tensor:
        return torch.cat((self.from_word(embedding), self.gates_from_word(embedding)), dim=-1)

    def forward(
        self, projected: Tensor, state: Tensor, read: Read, query_state: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        word, gates = projected.split((self.width, 3 * self.width), dim=-1)
        query_state = state if query_state is None else query_state
        context, weights = read(torch.tanh(self.from_state(query_state) + word))
        return self.final(self.final.project(context) + gates, state), context, weights


CELLS: dict[str, type[ConditionalCell] | type[TanhCell]] = {"gru": ConditionalCell, "tanh": TanhCell}


class RecurrentDecoder(Decoder):
    """RNNSearch* (Tu et al., 2018, eqs 2–4): s_t is the state of the GRU, c_t the result of the attention.

    The first state is tanh(W · mean annotation + b). The output layer g(y_{t−1}, s_t, c_t) is a linear
    layer over the dropout of tanh(W_s s_t + W_c c_t + W_y e(y_{t−1}) + b), as in the dl4mt tutorial.
    """

    def __init__(self, config: DecoderConfig, pieces: int, source_width: int) -> None:
        super().__init__()
        self.width, self.context_width, self.embedding_width = config.width, source_width, config.embedding
        self.words = nn.Embedding(pieces, config.embedding)
        nn.init.normal_(self.words.weight, std=config.embedding**-0.5)
        self.first = nn.Linear(source_width, config.width)
        self.attention = AdditiveAttention(config.width, source_width, config.attention)
        self.cell: FeedbackCell = CELLS[config.feedback](config.width, config.embedding, source_width)
        self.from_state = nn.Linear(config.width, config.embedding)
        self.from_context = nn.Linear(source_width, config.embedding, bias=False)
        self.from_word = nn.Linear(config.embedding, config.embedding, bias=False)
        self.output = nn.Linear(config.embedding, pieces)
        nn.init.zeros_(self.output.bias)
        self.dropout = nn.Dropout(config.dropout)

    @property
    def embeddings(self) -> Tensor:
        return self.words.weight

    def start(self, encoded: Encoded) -> RecurrentState:
        hidden = torch.tanh(self.first(masked_mean(encoded.states, encoded.mask)))
        hidden = hidden.to(self.words.weight.dtype)
        return RecurrentState(hidden, self.attention.project(encoded.states), encoded)

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Features, RecurrentState]:
        assert isinstance(state, RecurrentState)
        embedding = self.words(previous)
        context, weights, next_state = self._advance(self.cell.project(embedding), state)
        return Features(next_state.hidden, context, embedding, weights), next_state

    def forward(self, previous: Tensor, encoded: Encoded, attention: bool = False) -> Features:
        embedding = self.words(previous)
        state = self.start(encoded)
        steps = []
        for projected in self.cell.project(embedding).unbind(1):
            context, weights, state = self._advance(projected, state)
            steps.append((state.hidden, context, weights))
        hidden, context, weights = (torch.stack(parts, dim=1) for parts in zip(*steps, strict=True))
        return Features(hidden, context, embedding, weights if attention else None)

    def logits(self, features: Features) -> Tensor:
        inner = self.from_state(features.state) + self.from_context(features.context)
        return self.output(self.dropout(torch.tanh(inner + self.from_word(features.embedding))))

    def _advance(self, projected: Tensor, state: RecurrentState) -> tuple[Tensor, Tensor, RecurrentState]:
        hidden, context, weights = self.cell(projected, state.hidden, self._reader(state))
        return context, weights, replace(state, hidden=hidden)

    def _reader(self, state: RecurrentState) -> Read:
        encoded = state.encoded

        def read(query: Tensor) -> tuple[Tensor, Tensor]:
            return self.attention(query, state.keys, encoded.states, encoded.mask)

        return read

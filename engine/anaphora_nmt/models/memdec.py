"""MemDec (Wang et al., 2016): RNNSearch with a buffer memory in addition to the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.models.rnnsearch import RecurrentDecoder, RecurrentState
from anaphora_nmt.nn.memory_cells import BufferStart, CellAddressing, CellWriter
from anaphora_nmt.nn.state import Encoded


@dataclass(frozen=True)
class BufferState(RecurrentState):
    """State between two target words, including the memory.

    Attributes:
        memory: M^B_{t−1}, [B, n, D].
        read_weights, write_weights: w^R and w^W of the previous step, [B, n]; equal if they are shared.
    """

    memory: Tensor
    read_weights: Tensor
    write_weights: Tensor


class MemDecDecoder(RecurrentDecoder):
    """Wang et al. (2016), eqs (4)–(15), with the cell of their section 2.1 ("tanh") or of dl4mt ("gru").

    Step t computes the weights w^R_t from s_{t−1}, M_{t−1} and w^R_{t−1} (the paper's indices in eqs 10–12
    disagree) and r_{t−1} = Σ_j w^R_t(j) M_{t−1}(j), eq. (4). r_{t−1} replaces the baseline's s_{t−1} in
    s̃_t = tanh(W^r r_{t−1} + W^y e), eq. (5), and in the GRU, eq. (7). So W^r starts as the baseline's matrix
    for s_{t−1}. Then s_t writes to the memory, eqs (8) and (13). With shared weights, w^R_t is also used for
    writing. Otherwise, w^W_t is computed from s_t, M_{t−1} and w^W_{t−1}. The initial weights are all 1/n.

    `read_at` limits the replacement to eq. (5) ("attention") or eq. (7) ("state"). With "none", the memory is
    neither read nor written. `combine="add"` replaces s_{t−1} by s_{t−1} + W r_{t−1}. W is 0 initially, so
    that fine-tuning starts exactly from the baseline.
    """

    def __init__(self, config: DecoderConfig, pieces: int, source_width: int) -> None:
        super().__init__(config, pieces, source_width)
        buffer = config.buffer
        self.config = buffer
        width = config.width
        self.buffer_start = BufferStart(source_width, width, buffer.cells, buffer.noise, buffer.pooling)
        self.read_address = CellAddressing(width, buffer.addressing)
        self.write_address = None if buffer.shared else CellAddressing(width, buffer.addressing)
        self.writer = CellWriter(width, width, buffer.gate_bias, buffer.squash)
        self.from_memory = nn.Linear(width, width, bias=False) if buffer.combine == "add" else None
        if self.from_memory is not None:
            nn.init.zeros_(self.from_memory.weight)

    @property
    def inherits(self) -> Mapping[str, str]:
        """The memory's W_INI starts as the baseline's matrix for s_0.

        In section 4.2, the paper does not count W_INI among the new parameters.
        """
        return {"buffer_start.project.weight": "first.weight"}

    def start(self, encoded: Encoded) -> BufferState:
        base = super().start(encoded)
        memory = self.buffer_start(encoded.states, encoded.mask)
        weights = memory.new_full(memory.shape[:2], 1 / self.config.cells)
        return BufferState(base.hidden, base.keys, encoded, memory, weights, weights)

    def _advance(self, projected: Tensor, state: RecurrentState) -> tuple[Tensor, Tensor, BufferState]:
        assert isinstance(state, BufferState)
        if self.config.read_at == "none":
            hidden, context, weights = self.cell(projected, state.hidden, self._reader(state))
            return context, weights, replace(state, hidden=hidden)
        read_weights = self.read_address(state.hidden, state.memory, state.read_weights)
        reading = torch.bmm(read_weights[:, None], state.memory).squeeze(1).to(state.hidden.dtype)
        if self.from_memory is not None:
            reading = state.hidden + self.from_memory(reading)
        query_state = {"both": None, "attention": reading, "state": state.hidden}[self.config.read_at]
        carried = state.hidden if self.config.read_at == "attention" else reading
        hidden, context, weights = self.cell(projected, carried, self._reader(state), query_state)
        write_weights = read_weights
        if self.write_address is not None:
            write_weights = self.write_address(hidden, state.memory, state.write_weights)
        memory = self.writer(hidden, state.memory, write_weights)
        next_state = BufferState(hidden, state.keys, state.encoded, memory, read_weights, write_weights)
        return context, weights, next_state

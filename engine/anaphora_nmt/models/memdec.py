"""MemDec: RNNSearch whose state has a buffer memory beside it (Wang et al., 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.rnnsearch import RecurrentDecoder, RecurrentState
from anaphora_nmt.nn.memory_cells import BufferStart, CellAddressing, CellWriter
from anaphora_nmt.nn.state import Encoded

READ_AT = ("both", "attention")


@dataclass(frozen=True)
class BufferState(RecurrentState):
    """State between two target words, with the memory-state.

    Attributes:
        memory: M^B_{t−1}, [B, n, D].
        weights: w of the step before, [B, n].
    """

    memory: Tensor
    weights: Tensor


class MemDecDecoder(RecurrentDecoder):
    """Wang et al. (2016), eqs (4)–(15), on the baseline of section 2.1 (`feedback="tanh"`) or on dl4mt's.

    At step t the weights w_t come from s_{t−1}, M_{t−1} and w_{t−1} (the indices of eqs 10–12 disagree),
    and r_{t−1} = Σ_j w_t(j) M_{t−1}(j), eq. (4). As printed it takes the place that s_{t−1} has in the
    baseline: in s̃_t = tanh(W^r r_{t−1} + W^y e), eq. (5), and as the hidden state of the GRU, eq. (7).
    Here s_{t−1} + W r_{t−1} does; W starts at 0, so that fine-tuning starts from exactly what the baseline
    had learnt. Then s_t writes to the memory, eqs (8) and (13), with the weights that were just read with
    (section 3.2; the paper's list of parameters has only one set). The first "weights before" are 1/n.
    """

    def __init__(self, config: DecoderConfig, pieces: int, source_width: int) -> None:
        super().__init__(config, pieces, source_width)
        buffer = config.buffer
        if buffer.read_at not in READ_AT:
            raise ConfigError(f"no reading at {buffer.read_at!r}; known: {', '.join(READ_AT)}")
        self.config = buffer
        width = config.width
        self.buffer_start = BufferStart(source_width, width, buffer.cells, buffer.noise)
        self.read_address = CellAddressing(width)
        self.writer = CellWriter(width, width, buffer.gate_bias, buffer.squash)
        self.from_memory = nn.Linear(width, width, bias=False)
        nn.init.zeros_(self.from_memory.weight)

    @property
    def inherits(self) -> Mapping[str, str]:
        """The paper's list of fresh parameters (section 4.2) leaves out W_INI, which computes s_0."""
        return {"buffer_start.project.weight": "first.weight"}

    def start(self, encoded: Encoded) -> BufferState:
        base = super().start(encoded)
        memory = self.buffer_start(encoded.states, encoded.mask)
        weights = memory.new_full(memory.shape[:2], 1 / self.config.cells)
        return BufferState(base.hidden, base.keys, encoded, memory, weights)

    def _advance(self, projected: Tensor, state: RecurrentState) -> tuple[Tensor, Tensor, BufferState]:
        assert isinstance(state, BufferState)
        read = self.read_address(state.hidden, state.memory, state.weights)
        reading = torch.bmm(read[:, None], state.memory).squeeze(1).to(state.hidden.dtype)
        reading = state.hidden + self.from_memory(reading)
        asking, carried = (None, reading) if self.config.read_at == "both" else (reading, state.hidden)
        hidden, context, weights = self.cell(projected, carried, self._reader(state), asking)
        memory = self.writer(hidden, state.memory, read)
        return context, weights, BufferState(hidden, state.keys, state.encoded, memory, read)

"""KVMemAtt (Meng et al., 2018): attention whose keys are a memory that each decoding step updates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from torch import Tensor, nn

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.rnnsearch import ConditionalCell, RecurrentDecoder, RecurrentState
from anaphora_nmt.nn.attention import AdditiveAttention
from anaphora_nmt.nn.memory_cells import CellWriter
from anaphora_nmt.nn.recurrent import GatedUnit
from anaphora_nmt.nn.state import Encoded


@dataclass(frozen=True)
class KeyMemoryState(RecurrentState):
    """State between two target words; `encoded.states` are the value-memory V.

    Attributes:
        keys: U K of the first round, [B, S, inner]; [B, 0, inner] if the key-memory is updated, because then
            every round computes its keys anew.
        later_keys: U K of each later round, [B, S, inner]; empty if the key-memory is updated.
        memory: K_(t)^(0), [B, S, C]; None if the key-memory is never updated.
    """

    later_keys: tuple[Tensor, ...]
    memory: Tensor | None


class KeyWriter(nn.Module):
    """Update: K^(r−1) → K^(r), Meng et al. (2018), eqs (14)–(16).

    After each write, U K is computed anew, which takes half of a step's time. U (K ∘ (1 − w F) + w A) cannot
    be derived from U K, because F changes at every step. With `shared` parameters, one product U K serves
    reading and writing. Otherwise, reading and writing have separate matrices U.
    """

    def __init__(self, config: DecoderConfig, source_width: int) -> None:
        super().__init__()
        memory = config.key_memory
        self.writer = CellWriter(config.width, source_width, memory.gate_bias)
        self.address = (
            None if memory.shared else AdditiveAttention(config.width, source_width, config.attention)
        )

    def forward(
        self, state: Tensor, memory: Tensor, mask: Tensor, attention: AdditiveAttention, keys: Tensor
    ) -> Tensor:
        """Args:
            state: s̃_t^r, [B, D].
            memory: K^(r−1), [B, S, C].
            mask: True for words, [B, S].
            attention: the attention that read in this round.
            keys: the attention's keys U K^(r−1), [B, S, inner].
        Returns:
            K^(r), [B, S, C].
        """
        if self.address is not None:
            attention, keys = self.address, self.address.project(memory)
        return self.writer(state, memory, attention.address(state, keys, mask).exp())


class KVMemAttDecoder(RecurrentDecoder):
    """Meng et al. (2018), eqs (6)–(16), on the conditional GRU (`feedback="gru"`).

    q_t is the GRU of s_{t−1} and the previous word, eq. (6). Each round addresses K with q_t, eqs (7) and
    (12), reads V, eqs (8) and (13), computes s̃_t^r from q_t and the reading, eq. (9), and writes K with
    s̃_t^r, eqs (10) and (14)–(16). The last round gives s_t, c_t, a_t and the next step's K. Every round has
    separate parameters. Those for reading in the first round have the same names as in the baseline, a
    `RecurrentDecoder`. Those for later rounds and for addressing K to write start with the baseline's values.

    K starts as the annotations, with their width C, so F and A are [B, C]. With separate parameters for
    eq. (15), each round adds as many parameters as Table 1 lists: 4 d² for the first round and 12 d² for the
    second at d = 512.
    """

    def __init__(self, config: DecoderConfig, pieces: int, source_width: int) -> None:
        super().__init__(config, pieces, source_width)
        self.config = config.key_memory
        if not isinstance(self.cell, ConditionalCell):
            raise ConfigError(f"a key-memory needs the feedback gru, not {config.feedback}")
        if self.config.rounds < 1:
            raise ConfigError(f"a key-memory needs at least 1 round, not {self.config.rounds}")
        later_rounds = range(self.config.rounds - 1)
        self.later_attentions = nn.ModuleList(
            AdditiveAttention(config.width, source_width, config.attention) for _ in later_rounds
        )
        self.later_units = nn.ModuleList(GatedUnit(source_width, config.width) for _ in later_rounds)
        writing_rounds = range(self.config.rounds if self.config.update else 0)
        self.writers = nn.ModuleList(KeyWriter(config, source_width) for _ in writing_rounds)

    @property
    def inherits(self) -> Mapping[str, str]:
        origins = {}
        for name, _ in self.named_parameters():
            part, _, inner_name = name.partition(".")
            end = inner_name.partition(".")[2]
            if part == "later_attentions":
                origins[name] = f"attention.{end}"
            elif part == "later_units":
                origins[name] = f"cell.final.{end}"
            elif part == "writers" and end.startswith("address."):
                origins[name] = f"attention.{end.removeprefix('address.')}"
        return origins

    def start(self, encoded: Encoded) -> KeyMemoryState:
        base = super().start(encoded)
        if self.config.update:
            memory = encoded.states.to(base.hidden.dtype)
            return KeyMemoryState(base.hidden, base.keys[:, :0], encoded, (), memory)
        later_keys = tuple(attention.project(encoded.states) for attention in self._attentions[1:])
        return KeyMemoryState(base.hidden, base.keys, encoded, later_keys, None)

    def _advance(self, projected: Tensor, state: RecurrentState) -> tuple[Tensor, Tensor, KeyMemoryState]:
        assert isinstance(state, KeyMemoryState)
        context, weights, next_state = self._rounds(projected, state)
        return context, weights[-1], next_state

    def _rounds(
        self, projected: Tensor, state: KeyMemoryState
    ) -> tuple[Tensor, list[Tensor], KeyMemoryState]:
        cell = cast(ConditionalCell, self.cell)
        query = cell.intermediate(projected, state.hidden)
        units = [cell.final, *(cast(GatedUnit, unit) for unit in self.later_units)]
        fixed_keys = (state.keys, *state.later_keys)
        values, mask, memory = state.encoded.states, state.encoded.mask, state.memory
        attentions = []
        for number, (attention, unit) in enumerate(zip(self._attentions, units, strict=True)):
            keys = fixed_keys[number] if memory is None else attention.project(memory)
            context, weights = attention(query, keys, values, mask)
            hidden = unit(unit.project(context), query)
            attentions.append(weights)
            if memory is not None:
                memory = self.writers[number](hidden, memory, mask, attention, keys)
        return context, attentions, replace(state, hidden=hidden, memory=memory)

    @property
    def _attentions(self) -> list[AdditiveAttention]:
        return [self.attention, *(cast(AdditiveAttention, part) for part in self.later_attentions)]

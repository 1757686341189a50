"""KVMemAtt: attention whose keys are a memory that is written while a sentence is decoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from torch import Tensor, nn

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.rnnsearch import ConditionalCell, RecurrentDecoder, RecurrentState
from anaphora_nmt.nn.additive_attention import AdditiveAttention
from anaphora_nmt.nn.memory_cells import CellWriter
from anaphora_nmt.nn.recurrent import GatedUnit
from anaphora_nmt.nn.state import Encoded


@dataclass(frozen=True)
class KeyMemoryState(RecurrentState):
    """State between two target words. `encoded.states` are the value-memory V.

    Attributes:
        memory: K_(t)^(0), [B, S, C]; there are no keys to carry: `keys` is [B, 0, inner].
    """

    memory: Tensor


class KeyWriter(nn.Module):
    """Update: K^(r−1) → K^(r), Meng et al. (2018), eqs (14)–(16).

    Reading needs U K anew after each write, half of a step's time: U (K ∘ (1 − w F) + w A) does not follow
    from U K, as F, at every step another, stands between U and K. Reading and writing have a U each.
    """

    def __init__(self, config: DecoderConfig, source_width: int) -> None:
        super().__init__()
        self.writer = CellWriter(config.width, source_width, config.key_memory.gate_bias)
        self.address = AdditiveAttention(config.width, source_width, config.attention)

    def forward(self, state: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Args:
            state: s̃_t^r, [B, D].
            memory: K^(r−1), [B, S, C].
            mask: true where there is a word, [B, S].
        Returns:
            K^(r), [B, S, C].
        """
        keys = self.address.project(memory)
        return self.writer(state, memory, self.address.address(state, keys, mask).exp())


class KVMemAttDecoder(RecurrentDecoder):
    """Meng et al. (2018), eqs (6)–(16), on the conditional GRU (`feedback="gru"`).

    q_t is the GRU of s_{t−1} and the previous word, eq. (6). Each round addresses K with q_t, eqs (7) and
    (12), reads V, eqs (8) and (13), makes s̃_t^r of q_t and the reading, eq. (9), and writes K with s̃_t^r,
    eqs (10) and (14)–(16). The last round's state, context and attention are s_t, c_t and a_t, and its K is
    the next step's. Every round has parameters of its own: those of the first have the baseline's names,
    those of later rounds start from the baseline's too, and so do the parameters that address K for writing.

    K starts as the annotations and has their width C, so F and A are [B, C]; where C is the decoder's width,
    as here, that is the paper's d × d. With its own parameters for eq. (15) a round adds what Table 1 counts:
    4 d² for the first round and 12 d² for the second at d = 512.
    """

    def __init__(self, config: DecoderConfig, pieces: int, source_width: int) -> None:
        super().__init__(config, pieces, source_width)
        self.config = config.key_memory
        if not isinstance(self.cell, ConditionalCell):
            raise ConfigError(f"a key-memory needs the feedback gru, not {config.feedback}")
        if self.config.rounds < 1:
            raise ConfigError(f"a key-memory needs at least 1 round, not {self.config.rounds}")
        later = range(self.config.rounds - 1)
        self.later_attentions = nn.ModuleList(
            AdditiveAttention(config.width, source_width, config.attention) for _ in later
        )
        self.later_units = nn.ModuleList(GatedUnit(source_width, config.width) for _ in later)
        self.writers = nn.ModuleList(KeyWriter(config, source_width) for _ in range(self.config.rounds))

    @property
    def inherits(self) -> Mapping[str, str]:
        origins = {}
        for name, _ in self.named_parameters():
            part, _, rest = name.partition(".")
            end = rest.partition(".")[2]
            if part == "later_attentions":
                origins[name] = f"attention.{end}"
            elif part == "later_units":
                origins[name] = f"cell.final.{end}"
            elif part == "writers" and end.startswith("address."):
                origins[name] = f"attention.{end.removeprefix('address.')}"
        return origins

    def start(self, encoded: Encoded) -> KeyMemoryState:
        base = super().start(encoded)
        memory = encoded.states.to(base.hidden.dtype)
        return KeyMemoryState(base.hidden, base.keys[:, :0], encoded, memory)

    def _advance(self, projected: Tensor, state: RecurrentState) -> tuple[Tensor, Tensor, KeyMemoryState]:
        assert isinstance(state, KeyMemoryState)
        cell = cast(ConditionalCell, self.cell)
        query = cell.intermediate(projected, state.hidden)
        attentions = [self.attention, *(cast(AdditiveAttention, part) for part in self.later_attentions)]
        units = [cell.final, *(cast(GatedUnit, unit) for unit in self.later_units)]
        values, mask, memory = state.encoded.states, state.encoded.mask, state.memory
        for attention, unit, writer in zip(attentions, units, self.writers, strict=True):
            context, weights = attention(query, attention.project(memory), values, mask)
            hidden = unit(unit.project(context), query)
            memory = writer(hidden, memory, mask)
        return context, weights, replace(state, hidden=hidden, memory=memory)

"""CAMN, the contextual associated memory network between encoder and decoder (Jiang et al.)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.config import CamnConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.document_context import NONE
from anaphora_nmt.models.merging import Matching, build_merging
from anaphora_nmt.nn.dot_product import at_least_float32
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.nn.transformer import Attention, TransformerEncoderLayer

Words = tuple[Tensor, Tensor]
"""States of sentences [N, K, D] and their mask [N, K], true where there is a word."""


class Camn(nn.Module):
    """Source annotations and context sentences → annotations that know of the context.

    What the text leaves open, and what is done here:

    - Eqs (5) and (6) share one layer ("a multi-head attention layer"), without addition and normalisation, as
      printed. It reads embeddings or the encoder's outputs (`CamnConfig.reads`).
    - Eq. (9) is one plain product of x' and c'_j, as printed, though the prose speaks of several heads there.
    - H_source is what the encoder gives. H_context comes of the merged embeddings through `layers` pre-norm
      Transformer layers of its own and a LayerNorm, which brings it to the scale of H_source.
    - The gate's direction: eq. (27) gives g to the *source* and 1 − g to the context; section 6.3 calls the
      plain Transformer g = 0. The two contradict each other. Here g is learned as eqs (26) and (27) have it,
      while a fixed `CamnConfig.gate` is the *context's* share 1 − g, as section 6.3 and Figure 3 count it:
      at 0 the result is the plain Transformer's, bit for bit.
    - A sentence without any context sentence keeps the plain Transformer's annotations.

    Attributes:
        config: what it was built from.
    """

    def __init__(self, config: CamnConfig, width: int) -> None:
        super().__init__()
        if width % config.heads or width % 2:
            raise ConfigError(f"CAMN needs an even width that {config.heads} heads divide, not {width}")
        if config.gate is not None and not 0.0 <= config.gate <= 1.0:
            raise ConfigError(f"a fixed context gate lies between 0 and 1, not at {config.gate}")
        self.config = config
        self.attention = Attention(width, config.heads)
        self.merge = build_merging(config, width)
        self.layers = nn.ModuleList(
            TransformerEncoderLayer(width, config.heads, config.feed_forward, config.dropout)
            for _ in range(config.layers)
        )
        self.norm = nn.LayerNorm(width)
        self.gate = nn.Linear(2 * width, width) if config.gate is None else None
        if self.gate is not None:  # W_g starts at zero, so that the gate starts at σ(b_g) everywhere
            nn.init.zeros_(self.gate.weight)
            nn.init.constant_(self.gate.bias, config.gate_bias)

    def forward(self, source: Encoded, sentences: Sequence[Words], rows: Tensor) -> Encoded:
        """Read the context.

        Args:
            source: H_source.
            sentences: x and the c_j of eqs (5) and (6): the batch's own sentences first (padded as `source`),
                then the other context sentences in groups.
            rows: which of all these sentences are each source's context, [B, m]; `NONE` where there is none.
        """
        if self.config.gate == 0.0:
            return source
        matching = self.match(source.mask, sentences, rows)
        hidden = self.merge(matching)
        for layer in self.layers:
            hidden = layer(hidden, source.mask[:, None, None, :])
        states = self.gated(source.states, self.norm(hidden))
        any_context = matching.present.any(1)[:, None, None]
        states = torch.where(any_context, states, source.states)
        return Encoded(states, source.mask)

    def match(self, mask: Tensor, sentences: Sequence[Words], rows: Tensor) -> Matching:
        """Eqs (5) to (9). Each sentence goes through the attention once, however often it is context."""
        attended = [self.attend(states, words) for states, words in sentences]
        longest = max(states.shape[1] for states in attended)
        table = torch.cat([functional.pad(a, (0, 0, 0, longest - a.shape[1])) for a in attended])
        known = torch.cat([functional.pad(words, (0, longest - words.shape[1])) for _, words in sentences])
        present = rows != NONE
        words = table[rows.clamp(min=0)]
        raw = at_least_float32(attended[0][:, None] @ words.transpose(2, 3))  # (9)
        if self.config.scaled:
            raw = raw * words.shape[-1] ** -0.5
        return Matching(raw, words, known[rows.clamp(min=0)] & present[..., None], mask, present)

    def attend(self, states: Tensor, mask: Tensor) -> Tensor:
        """MultiHead(x, x, x), eqs (5) and (6): [N, K, D] → the same."""
        return self.attention(states, self.attention.project(states), mask[:, None, None, :])

    def gated(self, source: Tensor, context: Tensor) -> Tensor:
        """Eqs (26) and (27): H_source and H_context [B, S, D] → H."""
        if self.gate is None:
            share = torch.full_like(source, self.config.gate or 0.0)
            return (1 - share) * source + share * context
        keep = torch.sigmoid(at_least_float32(self.gate(torch.cat((source, context.to(source.dtype)), -1))))
        return keep * source + (1 - keep) * context

"""CAMN, the contextual associated memory network between encoder and decoder (Jiang et al.).

It merges what it read from several context sentences in one of five ways (3.3.3). Shape letters of this file,
beside those of `nn`: m context sentences, K pieces of the longest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.config import CamnConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.document_context import NONE
from anaphora_nmt.nn.dot_product import at_least_float32
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.nn.transformer import Attention, TransformerEncoderLayer

CORES: dict[str, Callable[..., nn.RNNBase]] = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}
DIRECTIONS = {"forward": (False,), "backward": (True,), "both": (False, True)}


@dataclass(frozen=True)
class Matching:
    """Source words matched with the words of their context sentences, eqs (9) to (13).

    Attributes:
        raw: M_j^raw, [B, m, S, K].
        words: c'_j, [B, m, K, D].
        word_mask: true where a context sentence has a word, [B, m, K].
        source_mask: true where the source has a word, [B, S].
        present: true where there is a context sentence, [B, m].
    """

    raw: Tensor
    words: Tensor
    word_mask: Tensor
    source_mask: Tensor
    present: Tensor

    def attention(self) -> Tensor:
        """α, eqs (10) and (11): for each source word a distribution over each sentence's words, [B, m, S, K].

        The paper speaks of columns; its formula normalises over the context's words, and so does this.
        """
        return masked_softmax(self.raw, self.word_mask[:, :, None], -1)

    def embeddings(self) -> Tensor:
        """a_j, eqs (12) and (13), [B, m, S, D]; zero for missing sentences.

        Eq. (12) lists K_j entries; there is one for each of the S source words.
        """
        read = self.attention().to(self.words.dtype) @ self.words
        return read * self.present[:, :, None, None]

    def similarity(self) -> Tensor:
        """β of eq. (16): softmax over the sentences of the mean of M_j^raw, [B, m]."""
        pairs = (self.source_mask[:, None, :, None] & self.word_mask[:, :, None]).to(self.raw.dtype)
        mean = (self.raw * pairs).sum((2, 3)) / pairs.sum((2, 3)).clamp(min=1.0)
        return masked_softmax(mean, self.present, -1)


def masked_softmax(scores: Tensor, mask: Tensor, dim: int) -> Tensor:
    """Softmax over what `mask` allows, at least in float32; zero where it allows nothing."""
    scores = at_least_float32(scores).masked_fill(~mask, torch.finfo(torch.float32).min)
    return scores.softmax(dim) * mask


def average(matching: Matching) -> Tensor:
    """Eq. (15). m counts the sentences that there are."""
    present = matching.present.to(matching.raw.dtype)
    return _weighted(matching, present / present.sum(1, keepdim=True).clamp(min=1))


def weighted_average(matching: Matching) -> Tensor:
    """Eqs (16) and (17)."""
    return _weighted(matching, matching.similarity())


def _weighted(matching: Matching, weights: Tensor) -> Tensor:
    read = matching.embeddings()
    return torch.einsum("bm,bmsd->bsd", weights.to(read.dtype), read)


def flat(matching: Matching) -> Tensor:
    """Eqs (18) to (21): one softmax over the words of all context sentences.

    Eq. (21) sums "contextual information c"; as in eq. (13) that is c', after the attention of eq. (6).
    """
    batch, count, source, length = matching.raw.shape
    raw = matching.raw.transpose(1, 2).reshape(batch, source, count * length)
    gamma = masked_softmax(raw, matching.word_mask.reshape(batch, 1, count * length), -1)
    return gamma.to(matching.words.dtype) @ matching.words.reshape(batch, count * length, -1)


class Concatenation(nn.Module):
    """Eq. (14), along the features, with a projection back to D: the gate of eq. (27) adds width D.

    A sentence that is missing leaves zeros in its place.
    """

    def __init__(self, width: int, size: int) -> None:
        super().__init__()
        self.project = nn.Linear(size * width, width)

    def forward(self, matching: Matching) -> Tensor:
        read = matching.embeddings().permute(0, 2, 1, 3).flatten(2)
        return self.project(read)  # type: ignore[no-any-return]


class ContextualRNN(nn.Module):
    """Eqs (22) to (25): for each source word a recurrence over the context sentences; its last state.

    c_1 is the nearest sentence: "forward" is the printed order j = 1 … m, "backward" ends with the nearest.
    "both" joins two recurrences of D/2 each. Missing sentences are passed over. The padding of eq. (22) is
    not needed, as every a_j has S rows.
    """

    def __init__(self, width: int, core: str, direction: str) -> None:
        super().__init__()
        self.backward_first = DIRECTIONS[direction]
        size = width // len(self.backward_first)
        self.cores = nn.ModuleList(CORES[core](width, size, batch_first=True) for _ in self.backward_first)

    def forward(self, matching: Matching) -> Tensor:
        read = matching.embeddings()
        states = [
            self._run(core, read, matching.present, backward)
            for core, backward in zip(self.cores, self.backward_first, strict=True)
        ]
        return torch.cat(states, -1)

    def _run(self, core: nn.Module, read: Tensor, present: Tensor, backward: bool) -> Tensor:
        batch, count, source, width = read.shape
        place = torch.arange(count, device=read.device).expand(batch, -1)
        wanted = count - 1 - place if backward else place
        order = torch.where(present, wanted, wanted + count).argsort(1)  # those that there are come first
        ordered = read.gather(1, order[:, :, None, None].expand_as(read))
        states = _recur(core, ordered.transpose(1, 2).reshape(batch * source, count, width))
        last = (present.sum(1) - 1).clamp(min=0)[:, None, None, None].expand(-1, source, 1, states.shape[-1])
        return states.view(batch, source, count, -1).gather(2, last)[:, :, 0]


def _recur(core: nn.Module, steps: Tensor) -> Tensor:
    """All states of a recurrent core, [N, m, D]. On GPUs autocast would make them float16: not here."""
    if not steps.is_cuda:
        return core(steps)[0]
    with torch.autocast("cuda", enabled=False):
        return core(steps.float())[0]


def build_merging(config: CamnConfig, width: int) -> Callable[[Matching], Tensor]:
    """The way of merging that the configuration names."""
    if config.merging == "concatenation":
        return Concatenation(width, config.size)
    if config.merging == "rnn":
        return ContextualRNN(width, config.core, config.direction)
    return {"average": average, "weighted": weighted_average, "flat": flat}[config.merging]


Words = tuple[Tensor, Tensor]
"""States of sentences [N, K, D] and their mask [N, K], true where there is a word."""


class Camn(nn.Module):
    """Source annotations and context sentences → annotations that know of the context.

    Choices left open by the text:

    - Eqs (5) and (6) share one layer ("a multi-head attention layer"), without addition and normalisation, as
      printed. It reads embeddings or the encoder's outputs (`CamnConfig.reads`).
    - Eq. (9) is one plain product of x' and c'_j, as printed, though the prose speaks of several heads there.
    - H_source is what the encoder gives. H_context comes of the merged embeddings through `layers` pre-norm
      Separate Transformer layers and a LayerNorm, which brings it to the scale of H_source.
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
            rows: each source's context among these sentences, [B, m]; `NONE` for missing ones.
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

"""CAMN, the contextual associated memory network between encoder and decoder (Jiang et al.).

CAMN merges information from the context sentences in one of five ways (section 3.3.3). In shapes, m
is the number of context sentences, and K is the number of pieces of the longest sentence.
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
from anaphora_nmt.nn.attention import at_least_float32
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.nn.transformer import Attention, TransformerEncoderLayer

CORES: dict[str, Callable[..., nn.RNNBase]] = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}
DIRECTIONS = {"forward": (False,), "backward": (True,), "both": (False, True)}  # True: backward


@dataclass(frozen=True)
class Matching:
    """Source words matched with the words of their context sentences, eqs (9) to (13).

    Attributes:
        raw: M_j^raw, the score of each pair of a source word and a context word, [B, m, S, K].
        words: c'_j, states of the context words, [B, m, K, D].
        word_mask: True for words of a context sentence, False for padding and missing sentences, [B, m, K].
        source_mask: True for words of the source, [B, S].
        present: False for missing context sentences, [B, m].
    """

    raw: Tensor
    words: Tensor
    word_mask: Tensor
    source_mask: Tensor
    present: Tensor

    def attention(self) -> Tensor:
        """α, eqs (10) and (11): for each source word a distribution over each sentence's words, [B, m, S, K].

        The paper's text mentions columns, but its formula and this method normalise over the words of the
        context sentence. The weights are zero for missing sentences.
        """
        return masked_softmax(self.raw, self.word_mask[:, :, None], -1)

    def embeddings(self) -> Tensor:
        """a_j, eqs (12) and (13), [B, m, S, D]; zero for missing sentences.

        Eq. (12) lists K_j entries, but a_j has one entry for each of the S source words.
        """
        embeddings = self.attention().to(self.words.dtype) @ self.words
        return embeddings * self.present[:, :, None, None]

    def similarity(self) -> Tensor:
        """β of eq. (16), [B, m]: softmax over the sentences' means of M_j^raw; zero for missing sentences."""
        pairs = (self.source_mask[:, None, :, None] & self.word_mask[:, :, None]).to(self.raw.dtype)
        mean = (self.raw * pairs).sum((2, 3)) / pairs.sum((2, 3)).clamp(min=1.0)
        return masked_softmax(mean, self.present, -1)


def masked_softmax(scores: Tensor, mask: Tensor, dim: int) -> Tensor:
    """Softmax over the entries that `mask` allows, at least in float32; other entries are zero."""
    scores = at_least_float32(scores).masked_fill(~mask, torch.finfo(torch.float32).min)
    return scores.softmax(dim) * mask


def average(matching: Matching) -> Tensor:
    """Eq. (15), where m is the number of sentences that are not missing."""
    present = matching.present.to(matching.raw.dtype)
    return _weighted(matching, present / present.sum(1, keepdim=True).clamp(min=1))


def weighted_average(matching: Matching) -> Tensor:
    """Eqs (16) and (17)."""
    return _weighted(matching, matching.similarity())


def _weighted(matching: Matching, weights: Tensor) -> Tensor:
    embeddings = matching.embeddings()
    return torch.einsum("bm,bmsd->bsd", weights.to(embeddings.dtype), embeddings)


def flat(matching: Matching) -> Tensor:
    """Eqs (18) to (21): one softmax over the words of all context sentences.

    Eq. (21) sums "contextual information c", but this function sums c' as eq. (13) does. c' is the result of
    the attention of eq. (6).
    """
    batch, count, source, length = matching.raw.shape
    raw = matching.raw.transpose(1, 2).reshape(batch, source, count * length)
    gamma = masked_softmax(raw, matching.word_mask.reshape(batch, 1, count * length), -1)
    return gamma.to(matching.words.dtype) @ matching.words.reshape(batch, count * length, -1)


class Concatenation(nn.Module):
    """Eq. (14): the concatenated a_j, projected to width D, as the gate of eq. (27) requires.

    The a_j of missing sentences are zeros.
    """

    def __init__(self, width: int, size: int) -> None:
        super().__init__()
        self.project = nn.Linear(size * width, width)

    def forward(self, matching: Matching) -> Tensor:
        embeddings = matching.embeddings().permute(0, 2, 1, 3).flatten(2)
        return self.project(embeddings)  # type: ignore[no-any-return]


class ContextualRNN(nn.Module):
    """Eqs (22) to (25): the last state of a recurrence over the context sentences, for each source word.

    c_1 is the nearest sentence. "forward" reads in the printed order j = 1 … m, and "backward" ends with the
    nearest sentence. "both" concatenates two recurrences of width D/2. Missing sentences are skipped. The
    padding of eq. (22) is not needed, as every a_j has S rows.
    """

    def __init__(self, width: int, core: str, direction: str) -> None:
        super().__init__()
        self.directions = DIRECTIONS[direction]
        size = width // len(self.directions)
        self.cores = nn.ModuleList(CORES[core](width, size, batch_first=True) for _ in self.directions)

    def forward(self, matching: Matching) -> Tensor:
        embeddings = matching.embeddings()
        states = [
            self._run(core, embeddings, matching.present, backward)
            for core, backward in zip(self.cores, self.directions, strict=True)
        ]
        return torch.cat(states, -1)

    def _run(self, core: nn.Module, embeddings: Tensor, present: Tensor, backward: bool) -> Tensor:
        batch, count, source, width = embeddings.shape
        index = torch.arange(count, device=embeddings.device).expand(batch, -1)
        rank = count - 1 - index if backward else index
        order = torch.where(present, rank, rank + count).argsort(1)  # missing sentences come last
        ordered = embeddings.gather(1, order[:, :, None, None].expand_as(embeddings))
        states = _recur(core, ordered.transpose(1, 2).reshape(batch * source, count, width))
        last = (present.sum(1) - 1).clamp(min=0)[:, None, None, None].expand(-1, source, 1, states.shape[-1])
        return states.view(batch, source, count, -1).gather(2, last)[:, :, 0]


def _recur(core: nn.Module, steps: Tensor) -> Tensor:
    """All states of a recurrent core, [N, m, D], in float32 on GPUs, where autocast would use float16."""
    if not steps.is_cuda:
        return core(steps)[0]
    with torch.autocast("cuda", enabled=False):
        return core(steps.float())[0]


def build_merging(config: CamnConfig, width: int) -> Callable[[Matching], Tensor]:
    if config.merging == "concatenation":
        return Concatenation(width, config.size)
    if config.merging == "rnn":
        return ContextualRNN(width, config.core, config.direction)
    return {"average": average, "weighted": weighted_average, "flat": flat}[config.merging]


Words = tuple[Tensor, Tensor]
"""States of sentences [N, K, D] and their mask [N, K], True for words."""


class Camn(nn.Module):
    """Merges information from the context sentences into the source annotations.

    Choices that the paper leaves open:

    - Eqs (5) and (6) share one layer ("a multi-head attention layer"), without residual connection and
      normalisation, as printed. The layer reads embeddings or the encoder's outputs (`CamnConfig.reads`).
    - Eq. (9) is a single product of x' and c'_j, as printed, although the text mentions several heads.
    - H_source is the encoder's output. H_context is the merged embeddings after `layers` separate pre-norm
      Transformer layers and a LayerNorm. The LayerNorm brings H_context to the scale of H_source.
    - The paper contradicts itself on the gate: g is the share of the *source* in eq. (27), but g = 0 is the
      plain Transformer in section 6.3. Here a learned g follows eqs (26) and (27), while a fixed
      `CamnConfig.gate` is the share 1 − g of the *context*, as in section 6.3 and Figure 3. With a fixed
      gate of 0 the result equals the plain Transformer's, bit for bit.
    - A sentence without any context sentence keeps the plain Transformer's annotations.
    """

    def __init__(self, config: CamnConfig, width: int) -> None:
        super().__init__()
        if width % config.heads or width % 2:
            raise ConfigError(f"CAMN needs an even width that {config.heads} heads divide, not {width}")
        if config.gate is not None and not 0.0 <= config.gate <= 1.0:
            raise ConfigError(f"a fixed context gate must be between 0 and 1, not {config.gate}")
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
        """Merge the context into the annotations.

        Args:
            source: H_source, [B, S, D].
            sentences: states and masks of x and of all c_j of eqs (5) and (6), in groups. The first group has
                the batch's sentences, padded like `source`. Later groups have further context sentences.
            rows: indices of each source's context sentences in the joined groups, [B, m]; `NONE` if missing.
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
        """Eqs (5) to (9). Sources that share a context sentence also share its result of eqs (5) and (6)."""
        attended = [self.attend(states, words) for states, words in sentences]
        longest = max(states.shape[1] for states in attended)
        table = torch.cat([functional.pad(a, (0, 0, 0, longest - a.shape[1])) for a in attended])
        masks = torch.cat([functional.pad(words, (0, longest - words.shape[1])) for _, words in sentences])
        present = rows != NONE
        words = table[rows.clamp(min=0)]
        raw = at_least_float32(attended[0][:, None] @ words.transpose(2, 3))  # (9)
        if self.config.scaled:
            raw = raw * words.shape[-1] ** -0.5
        return Matching(raw, words, masks[rows.clamp(min=0)] & present[..., None], mask, present)

    def attend(self, states: Tensor, mask: Tensor) -> Tensor:
        """MultiHead(x, x, x), eqs (5) and (6): [N, K, D] → [N, K, D]."""
        return self.attention(states, self.attention.project(states), mask[:, None, None, :])

    def gated(self, source: Tensor, context: Tensor) -> Tensor:
        """Eqs (26) and (27): H_source and H_context [B, S, D] → H."""
        if self.gate is None:
            share = torch.full_like(source, self.config.gate or 0.0)
            return (1 - share) * source + share * context
        gate = torch.sigmoid(at_least_float32(self.gate(torch.cat((source, context.to(source.dtype)), -1))))
        return gate * source + (1 - gate) * context

"""The five ways in which CAMN merges what it read from several context sentences (Jiang et al., 3.3.3).

Shape letters of this file, beside those of `nn`: m context sentences, K pieces of the longest of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from anaphora_nmt.config import CamnConfig
from anaphora_nmt.nn.dot_product import at_least_float32

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
        """a_j, eqs (12) and (13), [B, m, S, D]; zero where there is no sentence.

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

"""How CAMN matches source words with context sentences, and merges what it read (Jiang et al., 3.3.3).

Shape letters of this file, beside those of `nn`: m context sentences, K pieces of the longest of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from anaphora_nmt.nn.dot_product import at_least_float32


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


Merged = tuple[Tensor, Tensor]
"""a [B, S, D], and the weight of each context sentence for each source word [B, S, m]."""


class ContextualRNN(nn.Module):
    """Eqs (22) to (25): for each source word a recurrence over the context sentences; its last state.

    It reads the nearest sentence first: the printed order j = 1 … m. Missing sentences are passed over. The
    padding of eq. (22) is not needed, as every a_j has S rows. The RNN weighs no sentence itself; β of
    eq. (16) is what a reader is shown.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.core = nn.RNN(width, width, batch_first=True)

    def forward(self, matching: Matching) -> Merged:
        """Matching → merged embeddings and what a reader is shown as weights."""
        read = matching.embeddings()
        batch, count, source, width = read.shape
        weights = matching.similarity()[:, None].expand(-1, source, -1)
        place = torch.arange(count, device=read.device).expand(batch, -1)
        order = torch.where(matching.present, place, place + count).argsort(1)  # those that are there first
        ordered = read.gather(1, order[:, :, None, None].expand_as(read))
        states = self._recur(ordered.transpose(1, 2).reshape(batch * source, count, width))
        last = (matching.present.sum(1) - 1).clamp(min=0)[:, None, None, None].expand(-1, source, 1, width)
        return states.view(batch, source, count, width).gather(2, last)[:, :, 0], weights

    def _recur(self, steps: Tensor) -> Tensor:
        """All states, [N, m, D]. On GPUs autocast would make them float16: not here."""
        if not steps.is_cuda:
            return self.core(steps)[0]
        with torch.autocast("cuda", enabled=False):
            return self.core(steps.float())[0]

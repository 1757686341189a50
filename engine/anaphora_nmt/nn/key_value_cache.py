"""The self-attention cache of a search: keys and values of earlier words, which hypotheses share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from anaphora_nmt.nn.devices import is_on_cpu
from anaphora_nmt.nn.state import DecoderState, SentenceState

KeyValue = tuple[Tensor, Tensor]


@dataclass(frozen=True, kw_only=True)
class HypothesisWords(SentenceState):
    """The words that hypotheses of N sentences have written.

    Attributes:
        layers: keys and values of each layer, [N, H, E, D/H], for E entries (words) of each sentence.
    """

    layers: tuple[KeyValue, ...]

    def select(self, entries: Tensor) -> HypothesisWords:
        """Keep the entries with these indices for each sentence, [N, kept]."""
        count, heads, _, size = self.layers[0][0].shape
        index = entries[:, None, :, None].expand(count, heads, -1, size)
        layers = tuple((keys.gather(2, index), values.gather(2, index)) for keys, values in self.layers)
        return replace(self, layers=layers)


@dataclass(frozen=True)
class KeyValueCache(DecoderState):
    """The earlier words of B hypotheses; the hypotheses of a sentence share one cache.

    Hypotheses have most words in common, and search reorders them at each step. So the words stay in place,
    and only a boolean mask over the words is reordered.

    Attributes:
        words: words of all hypotheses. Words of dropped hypotheses remain until `next` removes them.
        read: for each hypothesis, True at its own words among its sentence's words, [B, E].
    """

    words: HypothesisWords
    read: Tensor

    @classmethod
    def empty(cls, layers: Sequence[Tensor]) -> KeyValueCache:
        """The cache before the first word; `layers` are tensors of the layers' shape, [B, H, any, D/H]."""
        no_words = tuple((keys[:, :, :0], keys[:, :, :0]) for keys in layers)
        read = torch.zeros(len(layers[0]), 0, dtype=torch.bool, device=layers[0].device)
        return cls(HypothesisWords(layers=no_words), read)

    @property
    def layers(self) -> tuple[KeyValue, ...]:
        """Keys and values of each layer, [N, H, E, D/H]."""
        return self.words.layers

    def next(self, position: int) -> tuple[KeyValueCache, Tensor]:
        """The cache for a step's new words, and the mask of the words that each hypothesis reads.

        Args:
            position: number of words that each hypothesis has written.
        Returns:
            the cache (on a CPU, without dropped words if it has become too large), and the mask, which
            includes the new words, [N, 1, B / N, E + B / N].
        """
        cache = self._without_dropped(position)
        sentences, rows = len(cache.layers[0][0]), len(cache.read)
        group = rows // sentences
        new = torch.eye(group, dtype=torch.bool, device=cache.read.device).repeat(sentences, 1)
        read = torch.cat((cache.read, new), dim=1)
        return KeyValueCache(cache.words, read), read.view(sentences, 1, group, -1)

    def with_layers(self, layers: Sequence[Sequence[Tensor]]) -> KeyValueCache:
        pairs = tuple((keys, values) for keys, values in layers)
        return replace(self, words=replace(self.words, layers=pairs))

    def _without_dropped(self, position: int) -> KeyValueCache:
        """The cache without the words that no hypothesis reads.

        They are removed only if a sentence has more than 2 · `position` entries plus four for each
        hypothesis. On a GPU all words remain, because counting them would block, and they cost
        almost nothing.
        """
        rows, entries = self.read.shape
        sentences = len(self.layers[0][0])
        if not is_on_cpu(self.read) or entries <= 2 * position + 4 * (rows // sentences):
            return self
        by_sentence = self.read.view(sentences, -1, entries)
        kept = by_sentence.any(1)
        order = kept.int().argsort(dim=1, descending=True, stable=True)[:, : int(kept.sum(1).max())]
        index = order[:, None].expand(-1, by_sentence.shape[1], -1)
        return KeyValueCache(self.words.select(order), by_sentence.gather(2, index).view(rows, -1))


def append_step(cached: KeyValue, new: KeyValue) -> KeyValue:
    """Append one step of B hypotheses, [B, H, 1, D/H] each, to a layer's cache, [N, H, E, D/H] each."""
    sentences = len(cached[0])
    keys, values = (
        torch.cat((old, by_sentence(step, sentences)), dim=2) for old, step in zip(cached, new, strict=True)
    )
    return keys, values


def by_sentence(states: Tensor, sentences: int) -> Tensor:
    """Reshape one step of the hypotheses of N sentences: [B, H, 1, D/H] → [N, H, B / N, D/H].

    The hypotheses then read their sentence's tensors without copies.
    """
    batch, heads, _, size = states.shape
    if batch == sentences:
        return states
    return states.reshape(sentences, batch // sentences, heads, size).transpose(1, 2)

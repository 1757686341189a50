"""A decoder whose steps, and an encoder whose layers, the native library computes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.models.protocol import Decoder, Encoder, Outputs
from anaphora_nmt.native.library import NativeLibrary
from anaphora_nmt.native.search import Hypothesis, SearchParts, Wanted, search
from anaphora_nmt.native.stack import LANES, NativeOutputs, NativeTrace, Stack, StepFeatures
from anaphora_nmt.nn.state import DecoderState, Encoded, Features, SentenceState

_STEPS = 32
"""Number of steps in a new cache."""
_KEPT = 1 << 22
"""Floats of a sentence's steps that are kept (16 MB): all steps of a usual sentence and five hypotheses; a
search that makes more goes on without."""
_TARGETS = 4
"""Targets of a sentence whose features are kept."""


@dataclass(frozen=True, kw_only=True)
class ReadSource(SentenceState):
    """The layers' view of N sentences.

    Attributes:
        layers: see `Stack.read_source`.
        bias: 0 if there is a token, else −inf, [N, tokens rounded up].
        tokens: of the longest sentence.
        trace: of the searches of the only sentence; None: there are several.
        forced: of the only sentence what was found of its last targets, by their pieces.
    """

    layers: Tensor
    bias: Tensor
    tokens: int
    trace: NativeTrace | None = None
    forced: dict[bytes, StepFeatures] = field(default_factory=dict)


class _ReadSources:
    """The view of encoded sentences, as long as these exist."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Encoded], ReadSource]] = {}

    def __deepcopy__(self, memo: Any) -> _ReadSources:
        return _ReadSources()

    def get(self, encoded: Encoded, read: Callable[[Encoded], ReadSource]) -> ReadSource:
        key = id(encoded)
        known = self._known.get(key)
        if known is not None and known[0]() is encoded:
            return known[1]
        found = read(encoded)
        self._known[key] = weakref.ref(encoded, lambda _: self._known.pop(key, None)), found
        return found


class WordCache:
    """Keys and values of all words that the hypotheses of a search have written.

    Steps append to it and never change what is there, so that every state of the search stays as it is: a
    hypothesis is a row of numbers of entries, and to reorder hypotheses is to reorder these.
    """

    def __init__(self, values: Tensor) -> None:
        """Args: `values` keys and values side by side, [layers, capacity, 2 D]."""
        self.values = values
        self.used = 0

    def with_room(self, entries: Tensor, rows: int) -> tuple[WordCache, Tensor]:
        """A cache with room for a step, and what hypotheses read in it and write.

        Args:
            entries: what they read in this one, [B, T].
            rows: B.
        Returns:
            the cache, this one or one twice as long with only what is read; and its entries, [B, T + 1].
        """
        cache = self
        if self.used + rows > self.values.shape[1]:
            read, entries = torch.unique(entries, return_inverse=True)
            layers, _, width = self.values.shape
            cache = WordCache(torch.empty(layers, 2 * len(read) + _STEPS * rows, width))
            cache.used = len(read)
            cache.values[:, : len(read)] = self.values[:, read.long()]
        new = torch.arange(cache.used, cache.used + rows, dtype=torch.int32)
        cache.used += rows
        return cache, torch.cat((entries.int(), new[:, None]), 1)


@dataclass(frozen=True)
class NativeState(DecoderState):
    """The number of decoded ids, the cache and each hypothesis' entries in it, cells, the source."""

    position: int
    entries: Tensor
    cache: WordCache
    cells: Tensor | None
    source: ReadSource


class NativeDecoder(Decoder):
    """Computes another decoder with its weights in 8 bits; see `product` of the library."""

    def __init__(self, decoder: Decoder, stack: Stack, prefix: tuple[int, ...] = ()) -> None:
        """Args:
        decoder: it shares its embeddings.
        prefix: pieces read before BOS.
        """
        super().__init__()
        self.width, self.context_width = decoder.width, decoder.context_width
        self.embedding_width = decoder.embedding_width
        self.scores_states = decoder.scores_states
        self.stack, self.prefix = stack, prefix
        self._embeddings = decoder.embeddings
        self._sources = _ReadSources()

    @property
    def library(self) -> NativeLibrary:
        return self.stack.library

    @property
    def embeddings(self) -> Tensor:
        return self._embeddings

    def start(self, encoded: Encoded) -> NativeState:
        rows, shape = len(encoded.states), self.stack.shape
        cells = torch.zeros(rows, shape.layers, shape.width) if shape.recurrent else None
        cache = WordCache(torch.empty(shape.layers, 0, 2 * shape.width))
        none = torch.empty(rows, 0, dtype=torch.int32)
        state = NativeState(0, none, cache, cells, self._sources.get(encoded, self._read_source))
        for piece in self.prefix:
            _, state = self.step(torch.full((rows,), piece), state)
        return state

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Features, NativeState]:
        assert isinstance(state, NativeState)
        source, cells, rows = state.source, state.cells, len(previous)
        given = source.layers, source.bias, source.tokens, state.position
        if cells is not None:
            cells = cells.clone()
            found = self.stack.step(previous.contiguous(), None, None, *given, cells)
            cache, entries = state.cache, state.entries
        else:
            cache, entries = state.cache.with_room(state.entries, rows)
            found = self.stack.step(previous.contiguous(), entries, cache.values, *given)
        return Features(*found), NativeState(state.position + 1, entries, cache, cells, source)

    def search(
        self, state: DecoderState, wanted: Wanted, outputs: Outputs | None, parts: SearchParts
    ) -> list[list[Hypothesis]] | None:
        assert isinstance(state, NativeState) and (outputs is None or isinstance(outputs, NativeOutputs))
        shape, source = self.stack.shape, state.source
        fits = max(wanted.limits) + len(self.prefix) <= shape.positions and 2 * wanted.size <= shape.pieces
        alone = outputs is None or len(wanted.limits) == 1
        if not fits or not alone or state.position != len(self.prefix):
            return None
        known = []
        for part in parts:
            if part is None:
                return None
            known.append(part)
        wanted = replace(wanted, outputs=outputs, trace=source.trace)
        return search(self.stack, self.prefix, source.layers, source.bias, source.tokens, wanted, known)

    def forward(self, previous: Tensor, encoded: Encoded, attention: bool = False) -> Features:
        prefix = previous.new_tensor(self.prefix).expand(len(previous), -1)
        given, first = torch.cat((prefix, previous), 1), len(self.prefix)
        source = self._sources.get(encoded, self._read_source)
        if source.trace is not None and len(given) == 1:
            found = [self._forced(given[0], source)]
        else:
            rows = zip(given, source.layers.expand(len(given), -1), source.bias, strict=True)
            found = [self.stack.force(row, layers, bias, source.tokens) for row, layers, bias in rows]
        state, context, embedding, shown = (
            parts[0][None, first:] if len(parts) == 1 else torch.stack(parts)[:, first:]
            for parts in zip(*found, strict=True)
        )
        return Features(state, context, embedding, shown if attention else None)

    def _forced(self, given: Tensor, source: ReadSource) -> StepFeatures:
        """All steps of a target of the only sentence, which are kept: a draft is often decoded again."""
        key = given.numpy().tobytes()
        found = source.forced.get(key)
        if found is None:
            found = self.stack.force(given, source.layers[0], source.bias[0], source.tokens)
            if len(source.forced) >= _TARGETS:
                source.forced.clear()
            source.forced[key] = found
        return found

    def outputs(self, pieces: Tensor) -> NativeOutputs:
        return NativeOutputs(self.stack, pieces)

    def logits(self, features: Features) -> Tensor:
        return self.log_probs(features)

    def log_probs(self, features: Features) -> Tensor:
        return self.stack.log_probs(features.state)

    def _read_source(self, encoded: Encoded) -> ReadSource:
        """The layers' view of sentences; a sentence expanded to all rows has one row."""
        states, mask = encoded.states, encoded.mask
        tokens = states.shape[1]
        bias = torch.zeros(mask.shape).masked_fill_(~mask, float("-inf"))
        bias = functional.pad(bias, (0, -tokens % LANES), value=float("-inf"))
        shared = len(states) > 1 and not states.stride(0)
        layers = self.stack.read_source(states[:1] if shared else states)
        trace = NativeTrace(self.stack, tokens, _KEPT) if len(states) == 1 else None
        return ReadSource(layers=layers, bias=bias, tokens=tokens, trace=trace)


Embed = Callable[[Tensor], Tensor]
"""Ids [B, S] → what the first layer reads, [B, S, D]."""


class NativeEncoder(Encoder):
    """Computes another encoder with its weights in 8 bits; see `product` of the library."""

    def __init__(self, encoder: Encoder, stack: Stack, embed: Embed, frozen: int = 0) -> None:
        """Args:
        encoder: of these widths.
        frozen: the layers that belong to `lower`.
        """
        super().__init__()
        self.width, self.lower_width = encoder.width, encoder.lower_width
        self.stack, self._embed, self._frozen = stack, embed, frozen

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self._layers(self._embed(pieces), mask, 0, self._frozen)

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        found = self._layers(states, mask, self._frozen, self.stack.shape.layers)
        return self.stack.last_norm(found) if self.stack.shape.norm_before else found

    def _layers(self, states: Tensor, mask: Tensor, first: int, last: int) -> Tensor:
        return self.stack.encode(states, mask.sum(1).tolist(), first, last) if last > first else states

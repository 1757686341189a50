"""A decoder and an encoder that compute in the native library."""

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
from anaphora_nmt.native.search import Hypothesis, SearchParts, SearchRequest, search
from anaphora_nmt.native.stack import LANES, NativeOutputs, NativeTrace, Stack, StepFeatures
from anaphora_nmt.nn.state import DecoderState, Encoded, Features, SentenceState

_NEW_STEPS = 32
"""Number of steps for which an enlarged cache has room, in addition to twice the entries in use."""
_MAX_TRACE_FLOATS = 1 << 22
"""Maximum size of a sentence's cached steps in floats (16 MB), enough for a usual sentence with five
hypotheses. Further steps are not cached."""
_MAX_TARGETS = 4
"""Maximum number of a sentence's targets whose features are cached."""


@dataclass(frozen=True, kw_only=True)
class ReadSource(SentenceState):
    """The sources of N sentences, prepared for the layers.

    Attributes:
        layers: see `Stack.read_source`.
        bias: 0 for tokens, −inf for padding, [N, tokens rounded up to a multiple of `LANES`].
        tokens: number of tokens of the longest sentence.
        trace: cached steps of the searches of a single sentence; None for several sentences.
        forced: cached features of a single sentence's last targets, by the bytes of the targets' pieces.
    """

    layers: Tensor
    bias: Tensor
    tokens: int
    trace: NativeTrace | None = None
    forced: dict[bytes, StepFeatures] = field(default_factory=dict)


class _ReadSources:
    """A cache of `ReadSource` by `Encoded`; an entry is dropped when its `Encoded` is deleted."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Encoded], ReadSource]] = {}

    def __deepcopy__(self, memo: Any) -> _ReadSources:
        return _ReadSources()

    def get(self, encoded: Encoded, read: Callable[[Encoded], ReadSource]) -> ReadSource:
        key = id(encoded)
        known = self._known.get(key)
        if known is not None and known[0]() is encoded:
            return known[1]
        source = read(encoded)
        self._known[key] = weakref.ref(encoded, lambda _: self._known.pop(key, None)), source
        return source


class KeyValueEntries:
    """Keys and values of all words that the hypotheses of a search have written.

    A row of entry numbers represents a hypothesis. Steps only append entries, so that earlier states stay
    valid. Reordering hypotheses only reorders these rows.
    """

    def __init__(self, values: Tensor) -> None:
        """Use `values` for the concatenated keys and values, [layers, capacity, 2 D]."""
        self.values = values
        self.used = 0

    def reserve(self, entries: Tensor, rows: int) -> tuple[KeyValueEntries, Tensor]:
        """Reserve room for one more step.

        Args:
            entries: numbers of the entries that the hypotheses read, [B, T].
            rows: B.
        Returns:
            this cache (if it is full, a larger copy that has only the entries in use), and the numbers of the
            entries that the step reads and writes, [B, T + 1].
        """
        cache = self
        if self.used + rows > self.values.shape[1]:
            read, entries = torch.unique(entries, return_inverse=True)
            layers, _, width = self.values.shape
            cache = KeyValueEntries(torch.empty(layers, 2 * len(read) + _NEW_STEPS * rows, width))
            cache.used = len(read)
            cache.values[:, : len(read)] = self.values[:, read.long()]
        new = torch.arange(cache.used, cache.used + rows, dtype=torch.int32)
        cache.used += rows
        return cache, torch.cat((entries.int(), new[:, None]), 1)


@dataclass(frozen=True)
class NativeState(DecoderState):
    """State of a search between two steps.

    Attributes:
        position: number of decoded ids, including the prefix.
        entries: each hypothesis' entries in `cache`, [B, T]; [B, 0] for recurrent layers.
        cache: keys and values of the decoded words, which recurrent layers do not use.
        cells: states of recurrent layers, [B, layers, D]; None for attention.
        source: the prepared source.
    """

    position: int
    entries: Tensor
    cache: KeyValueEntries
    cells: Tensor | None
    source: ReadSource


class NativeDecoder(Decoder):
    """Computes like a torch decoder, but with weights in 8 bits; see `NativeLibrary.product`."""

    def __init__(self, decoder: Decoder, stack: Stack, prefix: tuple[int, ...] = ()) -> None:
        """Args:
        decoder: the torch decoder, whose embeddings are shared.
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
        cache = KeyValueEntries(torch.empty(shape.layers, 0, 2 * shape.width))
        entries = torch.empty(rows, 0, dtype=torch.int32)
        state = NativeState(0, entries, cache, cells, self._sources.get(encoded, self._read_source))
        for piece in self.prefix:
            _, state = self.step(torch.full((rows,), piece), state)
        return state

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Features, NativeState]:
        assert isinstance(state, NativeState)
        source, cells, rows = state.source, state.cells, len(previous)
        inputs = source.layers, source.bias, source.tokens, state.position
        if cells is not None:
            cells = cells.clone()
            features = self.stack.step(previous.contiguous(), None, None, *inputs, cells)
            cache, entries = state.cache, state.entries
        else:
            cache, entries = state.cache.reserve(state.entries, rows)
            features = self.stack.step(previous.contiguous(), entries, cache.values, *inputs)
        return Features(*features), NativeState(state.position + 1, entries, cache, cells, source)

    def search(
        self, state: DecoderState, request: SearchRequest, outputs: Outputs | None, parts: SearchParts
    ) -> list[list[Hypothesis]] | None:
        assert isinstance(state, NativeState) and (outputs is None or isinstance(outputs, NativeOutputs))
        shape, source = self.stack.shape, state.source
        fits = max(request.limits) + len(self.prefix) <= shape.positions and 2 * request.size <= shape.pieces
        outputs_fit = outputs is None or len(request.limits) == 1
        if not fits or not outputs_fit or state.position != len(self.prefix):
            return None
        supported = []
        for part in parts:
            if part is None:
                return None
            supported.append(part)
        request = replace(request, outputs=outputs, trace=source.trace)
        return search(self.stack, self.prefix, source.layers, source.bias, source.tokens, request, supported)

    def forward(self, previous: Tensor, encoded: Encoded, attention: bool = False) -> Features:
        prefix = previous.new_tensor(self.prefix).expand(len(previous), -1)
        pieces, first = torch.cat((prefix, previous), 1), len(self.prefix)
        source = self._sources.get(encoded, self._read_source)
        if source.trace is not None and len(pieces) == 1:
            features = [self._forced(pieces[0], source)]
        else:
            rows = zip(pieces, source.layers.expand(len(pieces), -1), source.bias, strict=True)
            features = [self.stack.force(row, layers, bias, source.tokens) for row, layers, bias in rows]
        state, context, embedding, weights = (
            parts[0][None, first:] if len(parts) == 1 else torch.stack(parts)[:, first:]
            for parts in zip(*features, strict=True)
        )
        return Features(state, context, embedding, weights if attention else None)

    def _forced(self, pieces: Tensor, source: ReadSource) -> StepFeatures:
        """Features of one sentence's target; they are cached, because drafts are often decoded again."""
        key = pieces.numpy().tobytes()
        features = source.forced.get(key)
        if features is None:
            features = self.stack.force(pieces, source.layers[0], source.bias[0], source.tokens)
            if len(source.forced) >= _MAX_TARGETS:
                source.forced.clear()
            source.forced[key] = features
        return features

    def outputs(self, pieces: Tensor) -> NativeOutputs:
        return NativeOutputs(self.stack, pieces)

    def logits(self, features: Features) -> Tensor:
        return self.log_probs(features)

    def log_probs(self, features: Features) -> Tensor:
        return self.stack.log_probs(features.state)

    def _read_source(self, encoded: Encoded) -> ReadSource:
        """Prepare sentences for the layers. A single sentence expanded to all rows is prepared only once."""
        states, mask = encoded.states, encoded.mask
        tokens = states.shape[1]
        bias = torch.zeros(mask.shape).masked_fill_(~mask, float("-inf"))
        bias = functional.pad(bias, (0, -tokens % LANES), value=float("-inf"))
        shared = len(states) > 1 and not states.stride(0)
        layers = self.stack.read_source(states[:1] if shared else states)
        trace = NativeTrace(self.stack, tokens, _MAX_TRACE_FLOATS) if len(states) == 1 else None
        return ReadSource(layers=layers, bias=bias, tokens=tokens, trace=trace)


Embed = Callable[[Tensor], Tensor]
"""Ids [B, S] → the first layer's input, [B, S, D]."""


class NativeEncoder(Encoder):
    """Computes like a torch encoder, but with weights in 8 bits; see `NativeLibrary.product`."""

    def __init__(self, encoder: Encoder, stack: Stack, embed: Embed, frozen: int = 0) -> None:
        """Args:
        encoder: the torch encoder, whose widths are used.
        frozen: number of layers that belong to `lower`.
        """
        super().__init__()
        self.width, self.lower_width = encoder.width, encoder.lower_width
        self.stack, self._embed, self._frozen = stack, embed, frozen

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self._layers(self._embed(pieces), mask, 0, self._frozen)

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        states = self._layers(states, mask, self._frozen, self.stack.shape.layers)
        return self.stack.last_norm(states) if self.stack.shape.norm_before else states

    def _layers(self, states: Tensor, mask: Tensor, first: int, last: int) -> Tensor:
        return self.stack.encode(states, mask.sum(1).tolist(), first, last) if last > first else states

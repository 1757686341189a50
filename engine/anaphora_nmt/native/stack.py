"""Layers of an encoder or a decoder in the native library."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from anaphora_nmt.native.library import NativeLibrary, address, call, cancel_check, free_with, native_library

LANES = 16
"""Number of values that kernels compute at once; all widths are multiples of it."""


class Shape(ctypes.Structure):
    """`Shape` of source/stack.h."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("layers", "width", "heads", "feed_forward", "source_width")),
        *((name, ctypes.c_int) for name in ("pieces", "positions", "activation", "norm_before")),
        *((name, ctypes.c_int) for name in ("recurrent", "shows_mean", "aligning")),
        *((name, ctypes.c_float) for name in ("epsilon", "scale")),
    )


class _Step(ctypes.Structure):
    """`Step` of source/stack.h."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("rows", "group", "position")),
        *((name, ctypes.c_void_p) for name in ("previous", "entries", "cache")),
        *((name, ctypes.c_size_t) for name in ("capacity", "first")),
        *((name, ctypes.c_void_p) for name in ("source", "bias")),
        ("tokens", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("cells", "state", "context", "embedding", "shown")),
    )


class _Forced(ctypes.Structure):
    """`Forced` of source/stack.h."""

    _fields_ = (
        ("rows", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("previous", "source", "bias")),
        ("tokens", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("state", "context", "embedding", "shown")),
    )


class Activation(IntEnum):
    """Activations of feed-forward networks; toolkits use the name "gelu" for three different functions."""

    GELU = 0
    """x Φ(x)."""
    RELU = 1
    SWISH = 2
    GELU_TANH = 3
    """0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))."""
    GELU_SIGMOID = 4
    """x σ(1.702 x), as in Marian."""


class Place(IntEnum):
    """Products of a layer, as numbered in source/stack.h."""

    OWN_IN = 0
    OWN_OUT = 1
    SOURCE_QUERY = 2
    SOURCE_KEY_VALUE = 3
    SOURCE_OUT = 4
    UP = 5
    DOWN = 6


class NormPlace(IntEnum):
    """Norms of a layer, as numbered in source/stack.h."""

    OWN = 0
    SOURCE = 1
    FEED_FORWARD = 2


StepFeatures = tuple[Tensor, Tensor, Tensor, Tensor]
"""State, context and embedding, [B, D], and the attention's log-weights, [B, S]."""


def fits(*sizes: int) -> bool:
    """True if these widths are positive multiples of `LANES`, as the library requires."""
    return all(size > 0 and size % LANES == 0 for size in sizes)


class NativeOutputs:
    """A decoder's output layer for some pieces only; `pieces` are their ids in ascending order, int32 [n]."""

    def __init__(self, stack: Stack, pieces: Tensor) -> None:
        """Raises ValueError if the ids are not in ascending order or are not in the vocabulary."""
        self._stack, self.pieces = stack, pieces.int().contiguous()
        functions, handle = stack.library.functions, ctypes.c_void_p()
        arguments = address(self.pieces, torch.int32, len(pieces)), len(pieces)
        call(functions.outputs_new, stack.handle, *arguments, ctypes.byref(handle))
        self.handle = handle
        free_with(self, functions.outputs_free, handle)

    def log_probs(self, states: Tensor) -> Tensor:
        return self._stack.log_probs(states, self)


class NativeTrace:
    """A cache of decoding steps: later searches for the same sentence reuse the steps of earlier ones."""

    def __init__(self, stack: Stack, tokens: int, max_floats: int) -> None:
        """Create an empty cache for a sentence of `tokens` tokens, with at most `max_floats` floats."""
        functions, handle = stack.library.functions, ctypes.c_void_p()
        call(functions.trace_new, stack.handle, tokens, max_floats, ctypes.byref(handle))
        self._stack, self.handle = stack, handle
        free_with(self, functions.trace_free, handle)


class Stack:
    """A stack of layers. A complete stack is immutable, so several threads may use it."""

    def __init__(self, library: NativeLibrary, shape: Shape) -> None:
        """Raises ValueError if the library does not support the shape; see `fits`."""
        self.library, self.shape = library, shape
        self._functions = library.functions
        handle = ctypes.c_void_p()
        call(self._functions.stack_new, ctypes.byref(shape), library.number, ctypes.byref(handle))
        self.handle = handle
        self._kept: tuple[Tensor, ...] = ()
        free_with(self, self._functions.stack_free, handle)

    def __deepcopy__(self, memo: Any) -> Stack:
        return self

    def put(self, layer: int, place: Place, *parts: nn.Linear, two_parts: bool = False) -> None:
        """Set the product `place` of a layer; several `parts` with the same inputs are concatenated.

        Args:
            two_parts: store the weights in two 8-bit parts, which are more exact; see `library.product`.
        """
        weight = torch.cat([part.weight.detach() for part in parts])
        self._put(layer, place, weight, torch.cat([part.bias.detach() for part in parts]), two_parts)

    def put_output(self, weight: Tensor, bias: Tensor) -> None:
        self._put(-1, 0, weight, bias, False)

    def _put(self, layer: int, place: int, weight: Tensor, bias: Tensor, two_parts: bool) -> None:
        weight, bias = (part.detach().float().contiguous() for part in (weight, bias))
        out, inputs = weight.shape
        arguments = address(weight, torch.float32, out, inputs), address(bias, torch.float32, out)
        call(self._functions.stack_product, self.handle, layer, place, *arguments, out, inputs, two_parts)

    def put_norm(self, layer: int, place: NormPlace, norm: nn.LayerNorm) -> None:
        gain, bias = norm.weight.detach().float().contiguous(), norm.bias.detach().float().contiguous()
        width = len(gain)
        arguments = address(gain, torch.float32, width), address(bias, torch.float32, width)
        call(self._functions.stack_norm, self.handle, layer, place, *arguments, width)

    def put_last_norm(self, norm: nn.LayerNorm) -> None:
        self.put_norm(-1, NormPlace.OWN, norm)

    def put_tables(self, embeddings: Tensor, positions: Tensor) -> None:
        """Set a decoder's word embeddings [V, D] and position embeddings [P, D]."""
        self._kept = tuple(part.detach().float().contiguous() for part in (embeddings, positions))
        width = self.shape.width
        (pieces, _), (count, _) = (part.shape for part in self._kept)
        first, second = (address(part, torch.float32, len(part), width) for part in self._kept)
        call(self._functions.stack_tables, self.handle, first, pieces, second, count)

    def check(self) -> None:
        """Raise ValueError if some weights are missing."""
        if not self._functions.stack_complete(self.handle):
            raise ValueError("a stack lacks some of its weights")

    def encode(self, states: Tensor, lengths: Sequence[int], first: int, last: int) -> Tensor:
        """Apply layers `first` to `last` − 1: [B, S, D] → [B, S, D]; `lengths` do not count padding."""
        result = states.detach().float().clone(memory_format=torch.contiguous_format)
        batch, longest, _ = result.shape
        counts = torch.tensor(lengths, dtype=torch.int32)
        arguments = [address(result, torch.float32, batch, longest, self.shape.width)]
        arguments.append(address(counts, torch.int32, batch))
        call(self._functions.encode, self.handle, *arguments, batch, longest, first, last, cancel_check())
        return result

    def last_norm(self, states: Tensor) -> Tensor:
        """Apply the norm that follows the last layer; this changes `states` [..., D] in place."""
        rows = states.view(-1, self.shape.width)
        arguments = address(rows, torch.float32, len(rows), self.shape.width)
        call(self._functions.last_norm, self.handle, arguments, len(rows))
        return states

    def read_source(self, annotations: Tensor) -> Tensor:
        """All layers' keys and values of the sources: annotations [N, S, C] → [N, `source_floats(S)`]."""
        annotations = annotations.detach().float().contiguous()
        sentences, tokens, _ = annotations.shape
        address(annotations, torch.float32, sentences, tokens, self.shape.source_width)
        size = self.source_floats(tokens)
        prepared = torch.empty(sentences, size)
        for sentence, out in zip(annotations, prepared, strict=True):
            arguments = sentence.data_ptr(), tokens, out.data_ptr(), size, cancel_check()
            call(self._functions.read_source, self.handle, *arguments)
        return prepared

    def step(
        self,
        previous: Tensor,
        entries: Tensor | None,
        cache: Tensor | None,
        source: Tensor,
        bias: Tensor,
        tokens: int,
        position: int,
        cells: Tensor | None = None,
    ) -> StepFeatures:
        """Compute one step of B hypotheses, B / N for each of N sentences.

        Args:
            previous: last pieces, [B].
            entries: columns of `cache` for the earlier tokens and the new one, int32 [B, position + 1].
            cache: keys and values of tokens, [layers, capacity, 2 D]; the step writes those of new tokens.
            source: the result of `read_source` for N sentences, each padded to `tokens` tokens.
            bias: 0 for tokens, −inf for padding, [N, tokens rounded up to a multiple of `LANES`].
            cells: states of recurrent layers, which have no cache, [B, layers, D]; changed in place.
        """
        rows, sentences, shape = len(previous), len(source), self.shape
        features = self._new_features(rows, tokens)
        size = self.source_floats(tokens)
        struct = _Step(rows=rows, group=rows // sentences, position=position, tokens=tokens)
        struct.previous = address(previous, torch.long, rows)
        struct.source = address(source, torch.float32, sentences, size)
        struct.bias = address(bias, torch.float32, sentences, -tokens % LANES + tokens)
        if cells is not None:
            struct.cells = address(cells, torch.float32, rows, shape.layers, shape.width)
        if entries is not None and cache is not None:
            struct.entries = address(entries, torch.int32, rows, position + 1)
            struct.capacity, struct.first = cache.shape[1], int(entries[0, -1])
            struct.cache = address(cache, torch.float32, shape.layers, cache.shape[1], 2 * shape.width)
        struct.state, struct.context, struct.embedding, struct.shown = (part.data_ptr() for part in features)
        call(self._functions.step, self.handle, ctypes.byref(struct), cancel_check())
        return features

    def force(self, previous: Tensor, source: Tensor, bias: Tensor, tokens: int) -> StepFeatures:
        """Compute all steps of one target from its shifted pieces `previous` [T]; see `step` for the rest."""
        rows = len(previous)
        features = self._new_features(rows, tokens)
        size = self.source_floats(tokens)
        struct = _Forced(rows=rows, tokens=tokens)
        struct.previous = address(previous, torch.long, rows)
        struct.source = address(source, torch.float32, size)
        struct.bias = address(bias, torch.float32, -tokens % LANES + tokens)
        struct.state, struct.context, struct.embedding, struct.shown = (part.data_ptr() for part in features)
        call(self._functions.force, self.handle, ctypes.byref(struct), cancel_check())
        return features

    def source_floats(self, tokens: int) -> int:
        """Number of floats that `read_source` returns for a sentence of `tokens` tokens."""
        return int(self._functions.source_floats(self.handle, tokens))

    def search(self, struct: ctypes.Structure) -> None:
        call(self._functions.search, self.handle, ctypes.byref(struct), cancel_check())

    def log_probs(self, states: Tensor, outputs: NativeOutputs | None = None) -> Tensor:
        """log p over the vocabulary, or over the pieces of `outputs`, [..., D] → [..., V]."""
        rows = states.detach().float().reshape(-1, self.shape.width).contiguous()
        pieces, chosen = (
            (self.shape.pieces, None) if outputs is None else (len(outputs.pieces), outputs.handle)
        )
        result = torch.empty(len(rows), pieces)
        arguments = address(rows, torch.float32, len(rows), self.shape.width), len(rows), result.data_ptr()
        call(self._functions.log_probs, self.handle, chosen, *arguments, cancel_check())
        return result.view(*states.shape[:-1], pieces)

    def _new_features(self, rows: int, tokens: int) -> StepFeatures:
        width = self.shape.width
        state, context, embedding = torch.empty(3, rows, width)
        return state, context, embedding, torch.empty(rows, tokens)


class Projections(Protocol):
    """The linear layers of an attention."""

    query: nn.Linear
    key: nn.Linear
    value: nn.Linear
    output: nn.Linear


def library_for(device: torch.device, width: int, heads: int, *more_widths: int) -> NativeLibrary | None:
    """The library, or None if it is unavailable, the device is not the CPU, or a width is unsupported."""
    if device.type != "cpu" or width % heads or not fits(width, width // heads, *more_widths):
        return None
    return native_library()


def put_own_attention(
    stack: Stack, number: int, attention: Projections, norm: nn.LayerNorm, two_parts: bool = False
) -> None:
    parts = attention.query, attention.key, attention.value
    stack.put(number, Place.OWN_IN, *parts, two_parts=two_parts)
    stack.put(number, Place.OWN_OUT, attention.output, two_parts=two_parts)
    stack.put_norm(number, NormPlace.OWN, norm)


def put_source_attention(stack: Stack, number: int, attention: Projections, norm: nn.LayerNorm) -> None:
    stack.put(number, Place.SOURCE_QUERY, attention.query)
    stack.put(number, Place.SOURCE_KEY_VALUE, attention.key, attention.value)
    stack.put(number, Place.SOURCE_OUT, attention.output)
    stack.put_norm(number, NormPlace.SOURCE, norm)


def put_feed_forward(
    stack: Stack, number: int, up: nn.Linear, down: nn.Linear, norm: nn.LayerNorm, two_parts: bool = False
) -> None:
    stack.put(number, Place.UP, up, two_parts=two_parts)
    stack.put(number, Place.DOWN, down, two_parts=two_parts)
    stack.put_norm(number, NormPlace.FEED_FORWARD, norm)

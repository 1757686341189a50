"""Memories in the native library, as `memory/word_caches.py` and `memory/confirmed.py` define them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.native.library import NativeLibrary, address, call
from anaphora_nmt.native.stack import LANES

_MAX_WORD = 8
"""Maximum number of pieces of a word, `MOST_WORD` of source/word_caches.h."""


class _HiddenLayers(ctypes.Structure):
    """`HiddenLayers` of source/word_caches.h."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("first", "second")),
        *((name, ctypes.c_void_p) for name in ("step_weights", "step_biases")),
        *((name, ctypes.c_void_p) for name in ("hidden_weights", "hidden_biases", "output_weights")),
        ("output_bias", ctypes.c_float),
    )


class _DocumentWords(ctypes.Structure):
    """`DocumentWords` of source/word_caches.h."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("count", "entered")),
        *((name, ctypes.c_void_p) for name in ("words", "order", "shares")),
    )


class _WordCaches(ctypes.Structure):
    """`WordCaches` of source/word_caches.h."""

    _fields_ = (
        ("scorer", _HiddenLayers),
        ("gate", _HiddenLayers),
        ("word_weights", ctypes.c_void_p),
        *((name, ctypes.c_float) for name in ("embedding_scale", "model_weight")),
        *((name, ctypes.c_int) for name in ("has_model_score", "dynamic_size")),
        *((name, ctypes.c_void_p) for name in ("starts", "continues", "stop_words")),
        ("stop_count", ctypes.c_int),
        ("sentences", ctypes.c_void_p),
    )


@dataclass(frozen=True)
class HiddenLayers:
    """Two hidden layers and an output, float32.

    Attributes:
        step: weights [F, I] and biases [F] with which the first layer reads a decoding step.
        hidden: transposed weights [F, G] and biases [G] of the second layer.
        output, output_bias: weights [G] and bias of the output.
    """

    step: tuple[Tensor, Tensor]
    hidden: tuple[Tensor, Tensor]
    output: Tensor
    output_bias: float = 0.0

    def arguments(self, inputs: int) -> _HiddenLayers:
        """The argument of library calls, which the tensors must outlive; `inputs` is I."""
        first, second = self.hidden[0].shape
        weights = [
            address(part, torch.float32, *shape)
            for part, shape in (
                (self.step[0], (first, inputs)),
                (self.step[1], (first,)),
                (self.hidden[0], (first, second)),
                (self.hidden[1], (second,)),
                (self.output, (second,)),
            )
        ]
        return _HiddenLayers(first, second, *weights, self.output_bias)


@dataclass(frozen=True)
class DocumentWords:
    """The document's words that one sentence reads.

    Attributes:
        words, order, entered: see `memory.candidates.WordSlots`; words int64 [K, _MAX_WORD], order int64 [K].
        shares: the words' terms in the scorer's first layer, float32 [K, F].
    """

    words: Tensor
    order: Tensor
    shares: Tensor
    entered: int

    def arguments(self, first: int) -> _DocumentWords:
        """The argument of library calls; `first` is F, the width of the scorer's first layer."""
        count = len(self.order)
        return _DocumentWords(
            count,
            self.entered,
            address(self.words, torch.int64, count, _MAX_WORD),
            address(self.order, torch.int64, count),
            address(self.shares, torch.float32, count, first),
        )


@dataclass(frozen=True)
class CachedWords:
    """The data of the word caches.

    Attributes:
        scorer: layers of the scorer.
        gate: layers of the gate, or the logit of a constant gate.
        word: weights of the scorer's first layer for a word's mean embedding, [F, D].
        scale: factor of embeddings.
        model_weight: weight of the translation model's score of a word; None if that score is not used.
        dynamic_size: size of the dynamic cache, |c_d|.
        starts, continues: see `memory.words.WordVocabulary`, uint8 [V].
        stop_words: pieces of each stop word, in sorted rows, int64 [N, _MAX_WORD].
        sentences: the document's words that each sentence reads.
    """

    scorer: HiddenLayers
    gate: HiddenLayers | float
    word: Tensor
    scale: float
    model_weight: float | None
    dynamic_size: int
    starts: Tensor
    continues: Tensor
    stop_words: Tensor
    sentences: Sequence[DocumentWords]

    def arguments(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        if len(self.sentences) != count:
            raise ValueError(f"there are words for {len(self.sentences)} sentences, not for {count}")
        gate, first = self.gate, len(self.scorer.hidden[0])
        each = (_DocumentWords * len(self.sentences))(*(words.arguments(first) for words in self.sentences))
        struct = _WordCaches(
            self.scorer.arguments(3 * width),
            _HiddenLayers(output_bias=gate) if isinstance(gate, float) else gate.arguments(3 * width),
        )
        struct.word_weights = address(self.word, torch.float32, first, width)
        struct.embedding_scale, struct.model_weight = self.scale, self.model_weight or 0.0
        struct.has_model_score, struct.dynamic_size = self.model_weight is not None, self.dynamic_size
        struct.starts, struct.continues = (
            address(part, torch.uint8, pieces) for part in (self.starts, self.continues)
        )
        struct.stop_words = address(self.stop_words, torch.int64, len(self.stop_words), _MAX_WORD)
        struct.stop_count = len(self.stop_words)
        struct.sentences = ctypes.addressof(each)
        return {"words": ctypes.addressof(struct)}, (struct, each)


_FLOATS = (
    *("threshold", "temperature", "context_share", "gate_bias", "gate_context", "gate_state"),
    *("deep_strength", "deep_threshold", "deep_temperature"),
)


class SlotArguments(ctypes.Structure):
    """`Slots` of source/kernels.h."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("count", "width", "context", "key_width")),
        *((name, ctypes.c_void_p) for name in ("keys", "steps", "pieces", "before")),
        *((name, ctypes.c_void_p) for name in ("log_weights", "values", "still")),
        *((name, ctypes.c_float) for name in _FLOATS),
        ("deep_steps", ctypes.c_int),
    )


class _Reading(ctypes.Structure):
    """`Reading` of source/kernels.h."""

    _fields_ = (
        ("rows", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("previous", "state", "context")),
        *((name, ctypes.c_void_p) for name in ("shares", "weight", "shift", "scratch")),
    )


@dataclass(frozen=True)
class SlotTensors:
    """The confirmed pieces that one sentence reads, in N slots; see `memory.confirmed_slots.ConfirmedSlots`.

    The keys have the shape [N / `LANES`, rounded up; width of a key; `LANES`].
    """

    keys: Tensor
    steps: Tensor
    pieces: Tensor
    before: Tensor
    log_weights: Tensor | None
    values: Tensor | None
    still: Tensor | None

    def arguments(self, config: object, width: int, context: int, moves: bool) -> SlotArguments:
        """The argument of library calls, which the tensors must outlive.

        Args:
            config: a `ConfirmedConfig`.
            width, context: D and C.
            moves: True to shift states by the values, if there are any.
        """
        count, (groups, key_width, lanes) = len(self.pieces), self.keys.shape
        if groups * lanes < count:
            raise ValueError(f"there are keys of {groups * lanes} slots, not of {count}")
        struct = SlotArguments(count, width, context, key_width)
        for name in _FLOATS:
            setattr(struct, name, getattr(config, name))
        struct.deep_steps = config.deep_steps  # type: ignore[attr-defined]
        struct.keys = address(self.keys, torch.float16, groups, key_width, LANES)
        struct.steps = address(self.steps, torch.float16, count, context + width)
        struct.pieces = address(self.pieces, torch.long, count)
        struct.before = address(self.before, torch.long, count)
        if self.log_weights is not None:
            struct.log_weights = address(self.log_weights, torch.float32, count)
        if moves and self.values is not None:
            struct.values = address(self.values, torch.float16, count, width)
            if self.still is not None:
                struct.still = address(self.still, torch.bool, count)
        return struct


def read(
    library: NativeLibrary,
    slots: SlotTensors,
    config: object,
    previous: Tensor,
    state: Tensor,
    context: Tensor,
    out: tuple[Tensor, Tensor, Tensor | None],
) -> bool:
    """Read the confirmed text for R hypotheses of one sentence.

    Args:
        config: a `ConfirmedConfig`.
        previous: last pieces, [R].
        state, context: s_t [R, D] and c_t [R, C].
        out: tensors for the results: shares [R, N], weight [R], and the shift of the states [R, D] or None.
    Returns:
        True if a similarity exceeds the threshold.
    """
    (rows, width), count = state.shape, len(slots.pieces)
    context_width = context.shape[1]
    shares, weight, shift = out
    struct = slots.arguments(config, width, context_width, shift is not None)
    reading = _Reading(rows)
    if shift is not None and slots.values is not None:
        reading.shift = address(shift, torch.float32, rows, width)
    reading.previous = address(previous, torch.long, rows)
    reading.state = address(state, torch.float32, rows, width)
    reading.context = address(context, torch.float32, rows, context_width)
    reading.shares = address(shares, torch.float32, rows, count)
    reading.weight = address(weight, torch.float32, rows)
    is_near = ctypes.c_int()
    arguments = ctypes.byref(struct), ctypes.byref(reading), ctypes.byref(is_near)
    call(library.functions.read, library.number, *arguments)
    return bool(is_near.value)


def blend(
    library: NativeLibrary,
    log_probs: Tensor,
    weight: Tensor,
    word_pieces: Tensor,
    shares: Tensor,
    slots: tuple[Tensor, Tensor],
    out: Tensor,
) -> None:
    """Blend log-probabilities [R, V] with the results of `read`, as `memory.fusion.blend_word_probs` does.

    Args:
        slots: pieces and their required previous pieces, [N] each.
        out: a tensor for the result, [R, V].
    """
    (rows, pieces), count = log_probs.shape, shares.shape[1]
    arguments = address(log_probs, torch.float32, rows, pieces), rows, pieces
    read = address(weight, torch.float32, rows), address(word_pieces, torch.float32, pieces)
    offered = address(shares, torch.float32, rows, count)
    ids = [address(part, torch.long, count) for part in slots]
    result = address(out, torch.float32, rows, pieces)
    call(library.functions.blend, library.number, *arguments, *read, offered, *ids, count, result)

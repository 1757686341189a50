"""Memories in the native library, as defined in `memory/word_caches.py` and `memory/confirmed_slots.py`."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.native.library import NativeLibrary, address, call
from anaphora_nmt.native.stack import LANES

_MOST_WORD = 8
"""`MOST_WORD` of source/word_caches.h."""


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
        step: weights [F, I] and biases [F] of the step's share of the first layer.
        hidden: of the second layer, weights as they are multiplied from the left [F, G], and biases [G].
        output: weights [G]. output_bias: of the output.
    """

    step: tuple[Tensor, Tensor]
    hidden: tuple[Tensor, Tensor]
    output: Tensor
    output_bias: float = 0.0

    def given(self, inputs: int) -> _HiddenLayers:
        """The library's argument; keep the tensors as long as it is used."""
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
    """Words that one sentence may read: int64 [K, MAX_WORD], their order, shares float [K, F]."""

    words: Tensor
    order: Tensor
    shares: Tensor
    entered: int

    def given(self, first: int) -> _DocumentWords:
        """The library's argument, with a scorer whose first layer has this many places."""
        count = len(self.order)
        return _DocumentWords(
            count,
            self.entered,
            address(self.words, torch.int64, count, _MOST_WORD),
            address(self.order, torch.int64, count),
            address(self.shares, torch.float32, count, first),
        )


@dataclass(frozen=True)
class CachedWords:
    """The caches' data read by steps.

    Attributes:
        scorer: its layers. gate: its layers; a number: the logit of a fixed gate.
        word: of the scorer's first layer, for a word's mean embedding, [F, D].
        scale: of embeddings. model_weight: of the model's own score; None: it has none.
        dynamic_size: |c_d|.
        starts, continues: uint8 [V]. stop_words: rising, int64 [N, MAX_WORD].
        sentences: one each.
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

    def given(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        """As of `SearchPart`."""
        if len(self.sentences) != count:
            raise ValueError(f"there are the words of {len(self.sentences)} sentences, not of {count}")
        gate, first = self.gate, len(self.scorer.hidden[0])
        each = (_DocumentWords * len(self.sentences))(*(words.given(first) for words in self.sentences))
        given = _WordCaches(
            self.scorer.given(3 * width),
            _HiddenLayers(output_bias=gate) if isinstance(gate, float) else gate.given(3 * width),
        )
        given.word_weights = address(self.word, torch.float32, first, width)
        given.embedding_scale, given.model_weight = self.scale, self.model_weight or 0.0
        given.has_model_score, given.dynamic_size = self.model_weight is not None, self.dynamic_size
        given.starts, given.continues = (
            address(part, torch.uint8, pieces) for part in (self.starts, self.continues)
        )
        given.stop_words = address(self.stop_words, torch.int64, len(self.stop_words), _MOST_WORD)
        given.stop_count = len(self.stop_words)
        given.sentences = ctypes.addressof(each)
        return {"words": ctypes.addressof(given)}, (given, each)


_FLOATS = (
    *("threshold", "temperature", "context_share", "gate_bias", "gate_context", "gate_state"),
    *("deep_strength", "deep_threshold", "deep_temperature"),
)


class GivenSlots(ctypes.Structure):
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
    """Confirmed pieces of one sentence, as `ConfirmedSlots`; keys [N / 16 rounded up, W, 16]."""

    keys: Tensor
    steps: Tensor
    pieces: Tensor
    before: Tensor
    log_weights: Tensor | None
    values: Tensor | None
    still: Tensor | None

    def given(self, config: object, width: int, context: int, moves: bool) -> GivenSlots:
        """The library's argument. Keep the tensors as long as it is used.

        Args:
            config: with the attributes of `ConfirmedConfig`.
            width, context: D and C, of the states and contexts that are compared with them.
            moves: whether states are moved by the values, if there are any.
        """
        count, (groups, key_width, lanes) = len(self.pieces), self.keys.shape
        if groups * lanes < count:
            raise ValueError(f"keys of {groups * lanes} slots, not of {count}")
        given = GivenSlots(count, width, context, key_width)
        for name in _FLOATS:
            setattr(given, name, getattr(config, name))
        given.deep_steps = config.deep_steps  # type: ignore[attr-defined]
        given.keys = address(self.keys, torch.float16, groups, key_width, LANES)
        given.steps = address(self.steps, torch.float16, count, context + width)
        given.pieces, given.before = (address(part, torch.long, count) for part in (self.pieces, self.before))
        if self.log_weights is not None:
            given.log_weights = address(self.log_weights, torch.float32, count)
        if moves and self.values is not None:
            given.values = address(self.values, torch.float16, count, width)
            if self.still is not None:
                given.still = address(self.still, torch.bool, count)
        return given


def read(
    library: NativeLibrary,
    slots: SlotTensors,
    config: object,
    previous: Tensor,
    state: Tensor,
    context: Tensor,
    found: tuple[Tensor, Tensor, Tensor | None],
) -> bool:
    """The reading of hypotheses of one sentence.

    Args:
        config: with the attributes of `ConfirmedConfig`.
        previous: [R]. state, context: [R, D] and [R, C].
        found: shares [R, N], weight [R] and, where there are values, the shift of the states [R, D]: written.
    Returns:
        whether anything is alike enough to be followed.
    """
    (rows, width), count = state.shape, len(slots.pieces)
    of_context = context.shape[1]
    shares, weight, shift = found
    given = slots.given(config, width, of_context, shift is not None)
    reading = _Reading(rows)
    if shift is not None and slots.values is not None:
        reading.shift = address(shift, torch.float32, rows, width)
    reading.previous = address(previous, torch.long, rows)
    reading.state = address(state, torch.float32, rows, width)
    reading.context = address(context, torch.float32, rows, of_context)
    reading.shares = address(shares, torch.float32, rows, count)
    reading.weight = address(weight, torch.float32, rows)
    is_near = ctypes.c_int()
    where = ctypes.byref(given), ctypes.byref(reading), ctypes.byref(is_near)
    call(library.functions.read, library.number, *where)
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
    """log-probabilities [R, V] after a reading: see `blend_word_probs`.

    Args:
        slots: pieces and those before them, [N] each.
    """
    (rows, pieces), count = log_probs.shape, shares.shape[1]
    where = address(log_probs, torch.float32, rows, pieces), rows, pieces
    read = address(weight, torch.float32, rows), address(word_pieces, torch.float32, pieces)
    offered = address(shares, torch.float32, rows, count)
    ids = [address(part, torch.long, count) for part in slots]
    found = address(out, torch.float32, rows, pieces)
    call(library.functions.blend, library.number, *where, *read, offered, *ids, count, found)

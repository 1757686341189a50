"""The dynamic and topic caches in the native library: `memory/word_caches.py` says what is read."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.native.calls import address

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
        """What the library is given; the tensors have to be kept as long as it is used."""
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
        """What the library is given, with a scorer whose first layer has so many places."""
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
    """What the steps read in the caches.

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

    def given(self, pieces: int, width: int, count: int) -> tuple[_WordCaches, object]:
        """What the library is given, and what else has to be kept as long as it is used.

        Raises:
            ValueError: something is of another shape than the library would read it by.
        """
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
        return given, each

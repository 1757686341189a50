"""Beam search in the native library, as defined in `search/beam.py`."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.native.library import address
from anaphora_nmt.native.stack import LANES, NativeOutputs, NativeTrace, Stack
from anaphora_nmt.native.words import SlotArguments, SlotTensors


class _Texts(ctypes.Structure):
    """`Texts` of source/out_of_vocabulary.h."""

    _fields_ = (("bytes", ctypes.c_void_p), ("starts", ctypes.c_void_p), ("count", ctypes.c_int))


class _Spelled(ctypes.Structure):
    """`SpelledPieces` of source/out_of_vocabulary.h."""

    _fields_ = (("texts", _Texts), ("ends", _Texts), ("heads", ctypes.c_void_p), ("spaced", ctypes.c_void_p))


class _Search(ctypes.Structure):
    """`Search` of source/search.h."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("sentences", "size", "best", "longest")),
        ("length_penalty", ctypes.c_double),
        ("limits", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in ("bos", "eos", "pad", "unk")),
        ("prefix", ctypes.c_void_p),
        ("prefix_count", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("source", "bias")),
        ("tokens", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("outputs", "trace")),
        *((name, ctypes.c_void_p) for name in ("marks", "begin_words", "required")),
        *((name, ctypes.c_int) for name in ("mark_count", "longest_cycle")),
        *((name, ctypes.c_double) for name in ("unmet_penalty", "repeat_penalty")),
        *((name, ctypes.c_void_p) for name in ("spelled", "lists")),
        *((name, ctypes.c_int) for name in ("list_count", "candidates")),
        ("unknown_penalty", ctypes.c_double),
        *((name, ctypes.c_void_p) for name in ("slots", "word_pieces", "words")),
        ("sees", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("pieces", "lengths", "log_probs", "scores", "seen")),
    )


@dataclass(frozen=True)
class Texts:
    """UTF-8 texts in one string (`joined`), and the offset of each text and of the end (`starts`, int32)."""

    joined: bytes
    starts: np.ndarray

    def arguments(self) -> _Texts:
        """The argument of library calls; this object must outlive it."""
        pointer = ctypes.cast(ctypes.c_char_p(self.joined), ctypes.c_void_p)
        return _Texts(pointer, self.starts.ctypes.data, len(self.starts) - 1)


@dataclass(frozen=True)
class SpelledTexts:
    """The spelling of a vocabulary's pieces, see `search.out_of_vocabulary.SpelledPieces`.

    Attributes:
        heads: for each piece, the number of bytes of the letters at its beginning, int32 [V].
        spaced: 1 for pieces that begin with a space, uint8 [V].
    """

    texts: Texts
    ends: Texts
    heads: Tensor
    spaced: Tensor


class SearchPart(Protocol):
    """Constraints of a search, or a memory's data for it."""

    def arguments(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        """Values for fields of `_Search`, and the object that owns their memory.

        Keep this part and the object while the values are used.

        Args:
            pieces, width: V and D.
            count: number of sentences.
        Raises:
            ValueError: a tensor has the wrong shape.
        """
        ...


SearchParts = Iterable[SearchPart | None]
"""The parts of a search; None for a part that the library does not support."""


@dataclass(frozen=True)
class Rules:
    """Constraints of hypotheses, see `search.constraints.Constraints`; P is the number of placeholder kinds.

    Attributes:
        marks: index of each piece's placeholder kind, −1 for other pieces, int32 [V].
        begin_words: 1 for pieces that begin a word, uint8 [V].
        required: number of placeholders of each kind that a sentence requires, int32 [N, P].
    """

    marks: Tensor
    begin_words: Tensor
    required: Tensor
    longest_cycle: int
    unmet_penalty: float
    repeat_penalty: float

    def arguments(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        kinds = self.required.shape[1]
        return {
            "marks": address(self.marks, torch.int32, pieces),
            "begin_words": address(self.begin_words, torch.uint8, pieces),
            "required": address(self.required, torch.int32, count, kinds),
            "mark_count": kinds,
            "longest_cycle": self.longest_cycle,
            "unmet_penalty": self.unmet_penalty,
            "repeat_penalty": self.repeat_penalty,
        }, None


@dataclass(frozen=True)
class WordPenalty:
    """A penalty on unknown words, see `search.out_of_vocabulary.OutOfVocabularyPenalty`.

    Attributes:
        lists: for each sentence, lists of known words; each sentence has the same number of lists.
        candidates: number of pieces to check at each step, the most probable ones.
        penalty: penalty of a word that no list contains, in nats.
    """

    spelled: SpelledTexts
    lists: Sequence[Sequence[Texts]]
    candidates: int
    penalty: float

    def arguments(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        spelled = _Spelled(self.spelled.texts.arguments(), self.spelled.ends.arguments())
        spelled.heads = address(self.spelled.heads, torch.int32, pieces)
        spelled.spaced = address(self.spelled.spaced, torch.uint8, pieces)
        each = [texts.arguments() for lists in self.lists for texts in lists]
        lists = (_Texts * len(each))(*each)
        return {
            "spelled": ctypes.addressof(spelled),
            "lists": ctypes.addressof(lists),
            "list_count": len(each) // count,
            "candidates": self.candidates,
            "unknown_penalty": self.penalty,
        }, (spelled, lists)


@dataclass(frozen=True)
class ConfirmedTextData:
    """Confirmed slots of each sentence, a `ConfirmedConfig`, and a mask of word pieces, float32 [V]."""

    slots: Sequence[SlotTensors]
    config: object
    word_pieces: Tensor

    def arguments(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        moves = self.config.deep_strength != 0  # type: ignore[attr-defined]
        each = [slots.arguments(self.config, width, width, moves) for slots in self.slots]
        slots = (SlotArguments * len(each))(*each)
        words = address(self.word_pieces, torch.float32, pieces)
        return {"slots": ctypes.addressof(slots), "word_pieces": words}, slots


@dataclass(frozen=True)
class SearchRequest:
    """The settings of a search.

    Attributes:
        size: beam size.
        best: number of hypotheses returned for each sentence.
        limits: maximum number of pieces of each sentence's translation.
        special_ids: ids of BOS, EOS, PAD and UNK.
        with_attention: True if hypotheses report their attention (`Hypothesis.seen`).
        outputs: output layer of the allowed pieces of a single sentence; if None, all pieces are allowed.
        trace: cached steps of a single sentence, for searches of this sentence only; None for no cache.
    """

    size: int
    best: int
    limits: Sequence[int]
    length_penalty: float
    special_ids: tuple[int, int, int, int]
    with_attention: bool
    outputs: NativeOutputs | None = None
    trace: NativeTrace | None = None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A translation that a search found. Its pieces end with the end mark unless they reached the limit.

    Attributes:
        score: length-normalised log-probability, plus weighted coverage if that is used.
        seen: logarithm of the largest attention on each source piece at any step, [S]; None unless requested.
    """

    pieces: tuple[int, ...]
    log_probability: float
    score: float
    seen: Tensor | None = field(default=None, compare=False, repr=False)


def search(
    stack: Stack,
    prefix: tuple[int, ...],
    source: Tensor,
    bias: Tensor,
    tokens: int,
    request: SearchRequest,
    parts: Sequence[SearchPart],
) -> list[list[Hypothesis]]:
    """Search, and return the best hypotheses of each of N sentences, best first.

    Args:
        prefix: pieces that are read before BOS.
        source, bias, tokens: see `Stack.step`.
    Raises:
        Cancelled: see `cancelled_by`.
    """
    call = _SearchCall(stack, len(source), request)
    call.put("prefix", torch.tensor(prefix, dtype=torch.long), torch.long, len(prefix))
    call.put("source", source, torch.float32, len(source), stack.source_floats(tokens))
    call.put("bias", bias, torch.float32, len(source), -tokens % LANES + tokens)
    call.struct.prefix_count, call.struct.tokens = len(prefix), tokens
    for part in parts:
        call.put_part(part)
    return call.run()


class _SearchCall:
    """The arguments of a search, which this object keeps alive until the search ends."""

    def __init__(self, stack: Stack, count: int, request: SearchRequest) -> None:
        self._stack, self._count, self._request = stack, count, request
        self._max_length = max(request.limits)
        self._kept: list[object] = []
        self.struct = _Search(sentences=count, size=request.size, best=request.best, longest=self._max_length)
        self.struct.length_penalty, self.struct.sees = request.length_penalty, request.with_attention
        self.struct.bos, self.struct.eos, self.struct.pad, self.struct.unk = request.special_ids
        if request.outputs is not None:
            self.struct.outputs = request.outputs.handle
        if request.trace is not None:
            self.struct.trace = request.trace.handle
        self.put("limits", torch.tensor(request.limits, dtype=torch.int32), torch.int32, count)

    def put(self, name: str, values: Tensor, kind: torch.dtype, *shape: int) -> Tensor:
        setattr(self.struct, name, address(values, kind, *shape))
        self._kept.append(values)
        return values

    def put_part(self, part: SearchPart) -> None:
        shape = self._stack.shape
        fields, kept = part.arguments(shape.pieces, shape.width, self._count)
        for name, value in fields.items():
            setattr(self.struct, name, value)
        self._kept += [part, kept]

    def run(self) -> list[list[Hypothesis]]:
        shape, tokens = (self._count, self._request.best), self.struct.tokens
        pieces = torch.empty(*shape, self._max_length, dtype=torch.int32)
        ids = self.put("pieces", pieces, torch.int32, *shape, self._max_length)
        lengths = self.put("lengths", torch.empty(shape, dtype=torch.int32), torch.int32, *shape)
        log_probs, scores = (
            self.put(name, torch.empty(shape, dtype=torch.float64), torch.float64, *shape)
            for name in ("log_probs", "scores")
        )
        seen = None
        if self._request.with_attention:
            seen = self.put("seen", torch.empty(*shape, tokens), torch.float32, *shape, tokens)
        self._stack.search(self.struct)
        return [
            [
                Hypothesis(
                    tuple(ids[row, rank, :length].tolist()),
                    float(log_probs[row, rank]),
                    float(scores[row, rank]),
                    None if seen is None else seen[row, rank],
                )
                for rank, length in enumerate(lengths[row].tolist())
                if length
            ]
            for row in range(self._count)
        ]

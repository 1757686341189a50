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
from anaphora_nmt.native.words import GivenSlots, SlotTensors


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
    """Texts as `joined` of `text/word_list.py` makes them: UTF-8, and int32 starts of each and the end."""

    joined: bytes
    starts: np.ndarray

    def given(self) -> _Texts:
        """The library's argument; keep it as long as it is used."""
        where = ctypes.cast(ctypes.c_char_p(self.joined), ctypes.c_void_p)
        return _Texts(where, self.starts.ctypes.data, len(self.starts) - 1)


@dataclass(frozen=True)
class SpelledTexts:
    """How the pieces of a vocabulary are spelled.

    Attributes:
        texts, ends: of each piece, see `SpelledPieces`.
        heads: bytes of the letters that each begins with, int32 [V]. spaced: uint8 [V].
    """

    texts: Texts
    ends: Texts
    heads: Tensor
    spaced: Tensor


class SearchPart(Protocol):
    """Constraints of a search, or a memory's data for it."""

    def given(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        """Fields of the search, and what is kept as long as they are used besides this.

        Args:
            pieces, width: V and D. count: of sentences.
        Raises:
            ValueError: something is of another shape than the library would read it by.
        """
        ...


SearchParts = Iterable[SearchPart | None]
"""None: one that only steps know."""


@dataclass(frozen=True)
class Rules:
    """Constraints of hypotheses, see `Constraints`; marks int32 [V], required int32 [N, P]."""

    marks: Tensor
    begin_words: Tensor
    required: Tensor
    longest_cycle: int
    unmet_penalty: float
    repeat_penalty: float

    def given(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
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
    """The words that hypotheses may write without a penalty, see `OutOfVocabularyPenalty`.

    Attributes:
        lists: the word lists of each sentence, the same number for all.
        candidates: how many of the most probable pieces of a hypothesis are looked at.
    """

    spelled: SpelledTexts
    lists: Sequence[Sequence[Texts]]
    candidates: int
    penalty: float

    def given(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        spelled = _Spelled(self.spelled.texts.given(), self.spelled.ends.given())
        spelled.heads = address(self.spelled.heads, torch.int32, pieces)
        spelled.spaced = address(self.spelled.spaced, torch.uint8, pieces)
        each = [texts.given() for lists in self.lists for texts in lists]
        lists = (_Texts * len(each))(*each)
        return {
            "spelled": ctypes.addressof(spelled),
            "lists": ctypes.addressof(lists),
            "list_count": len(each) // count,
            "candidates": self.candidates,
            "unknown_penalty": self.penalty,
        }, (spelled, lists)


@dataclass(frozen=True)
class Remembered:
    """The data read by steps: slots of each sentence, a `ConfirmedConfig`, pieces that spell words [V]."""

    slots: Sequence[SlotTensors]
    config: object
    word_pieces: Tensor

    def given(self, pieces: int, width: int, count: int) -> tuple[Mapping[str, object], object]:
        moves = self.config.deep_strength != 0  # type: ignore[attr-defined]
        some = [slots.given(self.config, width, width, moves) for slots in self.slots]
        slots = (GivenSlots * len(some))(*some)
        words = address(self.word_pieces, torch.float32, pieces)
        return {"slots": ctypes.addressof(slots), "word_pieces": words}, slots


@dataclass(frozen=True)
class Wanted:
    """The goal of the search.

    Attributes:
        size: of the beam. best: hypotheses of each sentence that are given back.
        limits: most pieces of each sentence.
        marks: numbers of the pieces that begin, end, fill and stand for what is unknown.
        sees: True if hypotheses report which parts of the source they have seen.
        outputs: of the pieces that may be written, of one sentence; None: all may.
        trace: of one sentence, whose searches are never for another one; None: none is kept.
    """

    size: int
    best: int
    limits: Sequence[int]
    length_penalty: float
    marks: tuple[int, int, int, int]
    sees: bool
    outputs: NativeOutputs | None = None
    trace: NativeTrace | None = None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finished translation, the end mark included where search reached it.

    Attributes:
        score: what hypotheses are ranked by: normalised by length, with the coverage where that counts.
        seen: logarithm of the largest weight that each source piece had at any step, [S]; None unless asked
            for.
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
    wanted: Wanted,
    parts: Sequence[SearchPart],
) -> list[list[Hypothesis]]:
    """The best hypotheses of N sentences, best first.

    Args:
        prefix: pieces that are read before the one that begins.
        source, bias, tokens: see `Stack.step`.
    Raises:
        Cancelled: no longer wanted.
    """
    given = _Given(stack, len(source), wanted)
    given.put("prefix", torch.tensor(prefix, dtype=torch.long), torch.long, len(prefix))
    given.put("source", source, torch.float32, len(source), stack.source_floats(tokens))
    given.put("bias", bias, torch.float32, len(source), -tokens % LANES + tokens)
    given.call.prefix_count, given.call.tokens = len(prefix), tokens
    for part in parts:
        given.put_part(part)
    return given.searched()


class _Given:
    """The arguments of a search, kept until it has ended. `call`: for the library."""

    def __init__(self, stack: Stack, count: int, wanted: Wanted) -> None:
        self._stack, self._count, self._wanted = stack, count, wanted
        self._longest = max(wanted.limits)
        self._kept: list[object] = []
        self.call = _Search(sentences=count, size=wanted.size, best=wanted.best, longest=self._longest)
        self.call.length_penalty, self.call.sees = wanted.length_penalty, wanted.sees
        self.call.bos, self.call.eos, self.call.pad, self.call.unk = wanted.marks
        if wanted.outputs is not None:
            self.call.outputs = wanted.outputs.handle
        if wanted.trace is not None:
            self.call.trace = wanted.trace.handle
        self.put("limits", torch.tensor(wanted.limits, dtype=torch.int32), torch.int32, count)

    def put(self, name: str, values: Tensor, kind: torch.dtype, *shape: int) -> Tensor:
        setattr(self.call, name, address(values, kind, *shape))
        self._kept.append(values)
        return values

    def put_part(self, part: SearchPart) -> None:
        shape = self._stack.shape
        fields, kept = part.given(shape.pieces, shape.width, self._count)
        for name, value in fields.items():
            setattr(self.call, name, value)
        self._kept += [part, kept]

    def searched(self) -> list[list[Hypothesis]]:
        """Search, and read the results. Cancelled: no longer wanted."""
        shape, tokens = (self._count, self._wanted.best), self.call.tokens
        pieces = torch.empty(*shape, self._longest, dtype=torch.int32)
        found = self.put("pieces", pieces, torch.int32, *shape, self._longest)
        lengths = self.put("lengths", torch.empty(shape, dtype=torch.int32), torch.int32, *shape)
        log_probs, scores = (
            self.put(name, torch.empty(shape, dtype=torch.float64), torch.float64, *shape)
            for name in ("log_probs", "scores")
        )
        seen = None
        if self._wanted.sees:
            seen = self.put("seen", torch.empty(*shape, tokens), torch.float32, *shape, tokens)
        self._stack.search(self.call)
        return [
            [
                Hypothesis(
                    tuple(found[row, rank, :length].tolist()),
                    float(log_probs[row, rank]),
                    float(scores[row, rank]),
                    None if seen is None else seen[row, rank],
                )
                for rank, length in enumerate(lengths[row].tolist())
                if length
            ]
            for row in range(self._count)
        ]

"""Beam search in the native library: `search/native_beam.py` says what is searched for."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.native.calls import address
from anaphora_nmt.native.slots import GivenSlots, SlotTensors
from anaphora_nmt.native.stack import LANES, Stack


class _Texts(ctypes.Structure):
    """`Texts` of source/known_words.h."""

    _fields_ = (("bytes", ctypes.c_void_p), ("starts", ctypes.c_void_p), ("count", ctypes.c_int))


class _Spelled(ctypes.Structure):
    """`Spelled` of source/known_words.h."""

    _fields_ = (
        ("texts", _Texts),
        ("ends", _Texts),
        ("heads", ctypes.c_void_p),
        ("spaced", ctypes.c_void_p),
    )


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
        ("words", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("marks", "begin_words", "required")),
        *((name, ctypes.c_int) for name in ("mark_count", "longest_cycle")),
        *((name, ctypes.c_double) for name in ("unmet_penalty", "repeat_penalty")),
        *((name, ctypes.c_void_p) for name in ("spelled", "lists")),
        *((name, ctypes.c_int) for name in ("list_count", "candidates")),
        ("unknown_penalty", ctypes.c_double),
        *((name, ctypes.c_void_p) for name in ("slots", "spells")),
        ("sees", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("pieces", "lengths", "log_probs", "scores", "seen")),
    )


@dataclass(frozen=True)
class Texts:
    """Texts as `joined` of `text/word_list.py` makes them.

    Attributes:
        joined: in UTF-8. starts: of each text, and the end of the last one, int32.
    """

    joined: bytes
    starts: np.ndarray

    def given(self) -> _Texts:
        """What the library is given; this has to be kept as long as it is used."""
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


@dataclass(frozen=True)
class Rules:
    """What hypotheses are held to, see `Constraints`.

    Attributes:
        marks: the placeholder that each piece stands for, or −1, int32 [V]. begin_words: uint8 [V].
        required: how often each placeholder has to appear, of each sentence, int32 [N, P].
    """

    marks: Tensor
    begin_words: Tensor
    required: Tensor
    longest_cycle: int
    unmet_penalty: float
    repeat_penalty: float


@dataclass(frozen=True)
class Words:
    """The words that hypotheses may write without paying, see `KnownWords`.

    Attributes:
        lists: of each sentence, as many of each.
        candidates: so many pieces of a hypothesis are looked at.
    """

    spelled: SpelledTexts
    lists: Sequence[Sequence[Texts]]
    candidates: int
    penalty: float


@dataclass(frozen=True)
class Remembered:
    """What the steps read.

    Attributes:
        slots: of each sentence. config: a `ConfirmedConfig`.
        spells: of the vocabulary's pieces, whether they spell a word, float [V].
    """

    slots: Sequence[SlotTensors]
    config: object
    spells: Tensor


@dataclass(frozen=True)
class Wanted:
    """What is searched for.

    Attributes:
        size: of the beam. best: hypotheses of each sentence that are given back.
        limits: most pieces of each sentence.
        marks: numbers of the pieces that begin, end, fill and stand for what is unknown.
        sees: whether hypotheses say what they have seen of the source.
    """

    size: int
    best: int
    limits: Sequence[int]
    length_penalty: float
    marks: tuple[int, int, int, int]
    sees: bool


@dataclass(frozen=True)
class Found:
    """A hypothesis.

    Attributes:
        seen: the largest log-weight of each word of the source, [S]; None where it was not asked for.
    """

    pieces: tuple[int, ...]
    log_prob: float
    score: float
    seen: Tensor | None


def search(
    stack: Stack,
    prefix: tuple[int, ...],
    source: Tensor,
    bias: Tensor,
    words: int,
    wanted: Wanted,
    rules: Rules | None,
    known: Words | None,
    remembered: Remembered | None,
) -> list[list[Found]]:
    """The best hypotheses of N sentences, best first.

    Args:
        prefix: pieces that are read before the one that begins.
        source, bias, words: see `Stack.step`.
    Raises:
        Cancelled: nobody wants them any more.
    """
    count, pieces, longest = len(source), stack.shape.pieces, max(wanted.limits)
    given, kept = (
        _Search(sentences=count, size=wanted.size, best=wanted.best, longest=longest),
        list[object](),
    )

    def put(name: str, values: Tensor, kind: torch.dtype, *shape: int) -> Tensor:
        setattr(given, name, address(values, kind, *shape))
        kept.append(values)
        return values

    given.length_penalty, given.sees, given.words = wanted.length_penalty, wanted.sees, words
    given.bos, given.eos, given.pad, given.unk = wanted.marks
    put("limits", torch.tensor(wanted.limits, dtype=torch.int32), torch.int32, count)
    put("prefix", torch.tensor(prefix, dtype=torch.long), torch.long, len(prefix))
    given.prefix_count = len(prefix)
    put("source", source, torch.float32, count, stack.source_floats(words))
    put("bias", bias, torch.float32, count, -words % LANES + words)
    if rules is not None:
        put("marks", rules.marks, torch.int32, pieces)
        put("begin_words", rules.begin_words, torch.uint8, pieces)
        put("required", rules.required, torch.int32, count, rules.required.shape[1])
        given.mark_count, given.longest_cycle = rules.required.shape[1], rules.longest_cycle
        given.unmet_penalty, given.repeat_penalty = rules.unmet_penalty, rules.repeat_penalty
    if known is not None:
        spelled = _Spelled(known.spelled.texts.given(), known.spelled.ends.given())
        spelled.heads = address(known.spelled.heads, torch.int32, pieces)
        spelled.spaced = address(known.spelled.spaced, torch.uint8, pieces)
        each = [texts.given() for lists in known.lists for texts in lists]
        lists = (_Texts * len(each))(*each)
        given.spelled, given.lists = ctypes.addressof(spelled), ctypes.addressof(lists)
        given.list_count, given.candidates = len(each) // count, known.candidates
        given.unknown_penalty = known.penalty
        kept += [known, spelled, lists]
    if remembered is not None:
        width = stack.shape.width
        moves = remembered.config.deep_strength != 0  # type: ignore[attr-defined]
        some = [slots.given(remembered.config, width, width, moves) for slots in remembered.slots]
        slots = (GivenSlots * len(some))(*some)
        given.slots = ctypes.addressof(slots)
        put("spells", remembered.spells, torch.float32, pieces)
        kept += [remembered, slots]
    shape = count, wanted.best
    found = put("pieces", torch.empty(*shape, longest, dtype=torch.int32), torch.int32, *shape, longest)
    lengths = put("lengths", torch.empty(shape, dtype=torch.int32), torch.int32, *shape)
    log_probs, scores = (
        put(name, torch.empty(shape, dtype=torch.float64), torch.float64, *shape)
        for name in ("log_probs", "scores")
    )
    seen = None
    if wanted.sees:
        seen = put("seen", torch.empty(*shape, words), torch.float32, *shape, words)
    stack.search(given)
    return [
        [
            Found(
                tuple(found[row, rank, :length].tolist()),
                float(log_probs[row, rank]),
                float(scores[row, rank]),
                None if seen is None else seen[row, rank],
            )
            for rank, length in enumerate(lengths[row].tolist())
            if length
        ]
        for row in range(count)
    ]

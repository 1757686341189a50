"""What is kept of confirmed text: the last pieces of words, each with the step at which it was written."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.memory.contents import Contents, Contribution, Origin
from anaphora_nmt.memory.words import MAX_WORD
from anaphora_nmt.nn.state import DecoderState, SentenceState

BEFORE = MAX_WORD - 1
"""Pieces before a confirmed one that are kept with it."""
NOTHING = -1
"""In place of a piece before the first of a confirmed sentence."""
NOT_YET = -2
"""In place of a piece before the first of the sentence that is translated; equal to none that is kept."""
HIDDEN = -1e4
"""A score: exp of it is 0, and no infinity, as a row may have nothing at all."""
_VERY_SURPRISING = 3.0
"""Nats."""


@dataclass(frozen=True, slots=True)
class ConfirmedPieces(Contents):
    """The last `size` confirmed pieces of words, oldest first.

    Attributes:
        steps: (c_t, s_t), each of norm 1, side by side, float16 [N, C + D].
        pieces: ids, int64 [N].
        before: the pieces before each in its sentence, the nearest first, int32 [N, BEFORE].
        surprise: of the word that each belongs to: −log p without memory when it was written, nats,
            float16 [N].
        places: of each piece, its word and the index in it.
        segments: the segment that each comes from.
        weights: what the odds of following it are multiplied with, float32 [N].
        pinned: whether it stays when others have to go, bool [N].
    """

    size: int = 0
    steps: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    pieces: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    before: np.ndarray = field(default_factory=lambda: np.zeros((0, BEFORE), np.int32))
    surprise: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float16))
    places: tuple[tuple[tuple[int, ...], int], ...] = ()
    segments: tuple[int, ...] = ()
    weights: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))
    pinned: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))

    def __len__(self) -> int:
        return len(self.pieces)

    def words(self) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
        """(word, segment, its pieces' columns) of each confirmed word that is still there, oldest first."""
        groups: list[list[int]] = []
        for column, (word, index) in enumerate(self.places):
            # what came before a piece may have gone, and another word's pieces may stand there
            goes_on = groups and self.places[groups[-1][-1]] == (word, index - 1)
            if index == 0 or not goes_on:
                groups.append([])
            groups[-1].append(column)
        return [(self.places[group[0]][0], self.segments[group[0]], tuple(group)) for group in groups]

    def without(self, columns: Set[int]) -> ConfirmedPieces:
        """As if some of its pieces had never been confirmed."""
        return self._only([column for column in range(len(self)) if column not in columns])

    def after(self, given: Contribution, segment: int, clock: int) -> ConfirmedPieces:
        """With the words of a sentence that a human confirmed."""
        if given.origin is not Origin.CONFIRMED or not self.size:
            return self
        given = given.of_words()
        places = given.indicators
        if not places:
            return self
        directions = _directed(given.contexts), _directed(given.states)
        steps = np.concatenate(directions, axis=1).astype(np.float16)
        pieces = given.pieces[given.positions].astype(np.int64)
        padded = np.concatenate((np.full(BEFORE, NOTHING, np.int32), given.pieces.astype(np.int32)))
        before = np.stack([padded[given.positions + BEFORE - 1 - back] for back in range(BEFORE)], axis=1)
        surprise = _of_words(-given.log_probs.astype(np.float32), places).astype(np.float16)
        count = len(places)
        joined = ConfirmedPieces(
            self.size,
            np.concatenate((self.steps, steps)) if len(self) else steps,
            np.append(self.pieces, pieces),
            np.concatenate((self.before, before)),
            np.append(self.surprise, surprise),
            (*self.places, *places),
            (*self.segments, *([segment] * count)),
            np.append(self.weights, np.array(given.weights or (1.0,) * count, np.float32)),
            np.append(self.pinned, np.array(given.pinned or (False,) * count, bool)),
        )
        return joined._only(joined._staying()) if len(joined) > self.size else joined

    def _staying(self) -> list[int]:
        """Columns that stay where there are too many: pinned ones, and the last of the others."""
        pinned = np.flatnonzero(self.pinned)[-self.size :]
        others = np.flatnonzero(~self.pinned)
        room = self.size - len(pinned)
        return sorted((*pinned.tolist(), *others[len(others) - room :].tolist())) if room else pinned.tolist()

    def _only(self, columns: list[int]) -> ConfirmedPieces:
        return ConfirmedPieces(
            self.size,
            self.steps[columns],
            self.pieces[columns],
            self.before[columns],
            self.surprise[columns],
            tuple(self.places[column] for column in columns),
            tuple(self.segments[column] for column in columns),
            self.weights[columns],
            self.pinned[columns],
        )


def _directed(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)


def _of_words(surprise: np.ndarray, places: Sequence[tuple[tuple[int, ...], int]]) -> np.ndarray:
    """The sum over each piece's word, from that of each piece."""
    number = np.cumsum([index == 0 for _, index in places]) - 1
    return np.bincount(number, surprise)[number]


@dataclass(frozen=True, kw_only=True)
class ConfirmedSlots(SentenceState):
    """Confirmed pieces of a batch of sentences.

    Attributes:
        contexts, states: c and s of norm 1, [B, N, C] and [B, N, D].
        pieces: [B, N]. index: in their words, [B, N]. before: see `ConfirmedPieces`, [B, BEFORE, N].
        surprise: of their words, from 0 to 1 (a p of 0.05 or less), [B, N].
        linked: whether the column before holds the piece before it in the same word, [B, N].
        mask: where there is a piece, [B, N].
        log_weights: of a user's rules, [B, N]; None: nobody gave any a weight.
    """

    contexts: Tensor
    states: Tensor
    pieces: Tensor
    index: Tensor
    before: Tensor
    surprise: Tensor
    linked: Tensor
    mask: Tensor
    log_weights: Tensor | None = None


@dataclass(frozen=True)
class HeldConfirmed(DecoderState):
    """Confirmed pieces, and what the last pieces of each hypothesis say of them.

    Attributes:
        latest: the last pieces, the newest first, [B, BEFORE − 1].
        begun: the score that each confirmed piece's word had where it began, if the last piece stands for
            this one, [B, N]; HIDDEN where the word began too long ago, or not yet.
    """

    slots: ConfirmedSlots
    latest: Tensor
    begun: Tensor


def gather_confirmed(
    contents: Sequence[ConfirmedPieces], context_width: int, device: torch.device
) -> HeldConfirmed | None:
    """Tensors of several documents' confirmed pieces; None where there are none at all."""
    shape = len(contents), max((len(content) for content in contents), default=0)
    if not shape[1]:
        return None
    width = next(content.steps.shape[1] for content in contents if len(content))
    steps, surprise = np.zeros((*shape, width), np.float32), np.zeros(shape, np.float32)
    pieces, index = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    before = np.full((*shape, BEFORE), NOTHING, np.int64)
    mask = np.zeros(shape, bool)
    log_weights = np.zeros(shape, np.float32)
    for row, content in enumerate(contents):
        if used := len(content):
            steps[row, :used], pieces[row, :used] = content.steps, content.pieces
            before[row, :used], surprise[row, :used] = content.before, content.surprise
            index[row, :used] = [index for _, index in content.places]
            mask[row, :used], log_weights[row, :used] = True, np.log(content.weights)

    linked = (index[:, 1:] == index[:, :-1] + 1) & (before[:, 1:, 0] == pieces[:, :-1])

    def tensor(array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(device)

    slots = ConfirmedSlots(
        contexts=tensor(steps[..., :context_width]),
        states=tensor(steps[..., context_width:]),
        pieces=tensor(pieces),
        index=tensor(index),
        before=tensor(np.ascontiguousarray(before.transpose(0, 2, 1))),
        surprise=tensor(surprise).clamp_max(_VERY_SURPRISING) / _VERY_SURPRISING,
        linked=tensor(np.pad(linked, ((0, 0), (1, 0)))),
        mask=tensor(mask),
        log_weights=tensor(log_weights) if log_weights.any() else None,
    )
    latest = torch.full((shape[0], BEFORE - 1), NOT_YET, device=device)
    return HeldConfirmed(slots, latest, torch.full(shape, HIDDEN, device=device))


def latest_pieces(previous: Tensor) -> Tensor:
    """y_{t−1}, y_{t−2}, … at all steps, [B, T, BEFORE], from y_{t−1} [B, T]."""
    padded = torch.nn.functional.pad(previous, (BEFORE - 1, 0), value=NOT_YET)
    return padded.unfold(1, BEFORE, 1).flip(-1)

"""What is kept of the words that stand in a document: their pieces, and the steps of writing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from anaphora_nmt.memory.contents import Contents, Contribution, Origin, Reader
from anaphora_nmt.types import MemoryEntry, MemorySection

SLOTS = "slots"
"""Name of the section of its view."""
ANY = -1
"""In place of the piece before one that begins a word."""


@dataclass(frozen=True, slots=True)
class WrittenPieces:
    """N pieces of words of one sentence.

    Attributes:
        steps: (c_t, s_t), each of norm 1, side by side, float16 [N, C + D].
        values: what each moves a state by that reads it, float16 [N, D], or [N, 0].
        places: of each piece, its word and the index in it.
        segment, clock: the segment's number, and finished segments before it.
        weights: what the odds of following each are multiplied with, float32 [N]; None: 1.
        pinned, superseded: whether each stays when others have to go, and whether the same word was written
            later in much the same way, bool [N]; None: none.
        drafted: whether it is a draft, which no human has confirmed.
        pieces, before: ids, and of each the one before it in its word, or `ANY`, int64 [N].
    """

    steps: np.ndarray
    values: np.ndarray
    places: tuple[tuple[tuple[int, ...], int], ...]
    segment: int
    clock: int = 0
    weights: np.ndarray | None = None
    pinned: np.ndarray | None = None
    drafted: bool = False
    superseded: np.ndarray | None = None
    pieces: np.ndarray = field(init=False, compare=False, repr=False)
    before: np.ndarray = field(init=False, compare=False, repr=False)
    _words: Mapping[tuple[int, ...], tuple[int, ...]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        begun: dict[tuple[int, ...], tuple[int, ...]] = {}
        for column, (word, index) in enumerate(self.places):
            if index == 0:
                begun[word] = (*begun.get(word, ()), column)
        object.__setattr__(self, "_words", begun)
        ids = [word[index] for word, index in self.places]
        before = [word[index - 1] if index else ANY for word, index in self.places]
        object.__setattr__(self, "pieces", np.array(ids, np.int64))
        object.__setattr__(self, "before", np.array(before, np.int64))

    def __len__(self) -> int:
        return len(self.places)

    def values_of(self, width: int) -> np.ndarray:
        """The values, or zeros of a width where there are none, float16 [N, width]."""
        return self.values if self.values.shape[1] else np.zeros((len(self), width), np.float16)

    def without(self, gone: Set[int]) -> WrittenPieces:
        left = [number for number in range(len(self)) if number not in gone]
        return replace(
            self,
            steps=self.steps[left],
            values=self.values[left],
            places=tuple(self.places[number] for number in left),
            weights=None if self.weights is None else self.weights[left],
            pinned=None if self.pinned is None else self.pinned[left],
            superseded=None if self.superseded is None else self.superseded[left],
        )

    def superseded_by(self, later: WrittenPieces, same_use: float) -> WrittenPieces:
        """The same, with its words marked that `later` has, too, with a mean cosine of c_t and s_t of
        `same_use`."""
        again = self._words.keys() & later._words.keys()
        if not again:
            return self
        marked = np.zeros(len(self), bool) if self.superseded is None else self.superseded.copy()
        for word in again:
            mine, other = list(self._words[word]), list(later._words[word])
            likeness = self.steps[mine].astype(np.float32) @ later.steps[other].astype(np.float32).T / 2
            for column in np.array(mine)[likeness.max(1) >= same_use].tolist():
                end = column + 1
                while end < len(self) and self.places[end][1] > self.places[end - 1][1]:
                    end += 1
                marked[column:end] = True
        return replace(self, superseded=marked) if marked.any() else self


@dataclass(frozen=True, slots=True)
class ConfirmedPieces(Contents):
    """`size` pieces of words of sentences, oldest first. Of more, drafted ones go first, then superseded
    ones.

    So of each word and use of it the latest stays, until even these are too many; then the oldest go. One
    more sentence costs no copy of the others.
    """

    size: int = 0
    sentences: tuple[WrittenPieces, ...] = ()
    draft_weight: float = 0.0
    draft_certainty: float = 0.0
    draft_sureness: float = 0.0
    same_use: float = 2.0
    _count: int = field(default=-1, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_count", sum(map(len, self.sentences)))

    def __len__(self) -> int:
        return self._count

    @property
    def steps(self) -> np.ndarray:
        return np.concatenate([each.steps for each in self.sentences]) if len(self) else np.zeros((0, 0))

    @property
    def values(self) -> np.ndarray:
        """Values of all pieces, float16 [N, D] or [N, 0]; 0 where `moving` is not."""
        width = max((each.values.shape[1] for each in self.sentences), default=0)
        none = np.zeros((0, width), np.float16)
        parts = [none, *(each.values_of(width) for each in self.sentences)]
        return np.concatenate(parts)

    @property
    def moving(self) -> np.ndarray:
        """Whether each moves a state that reads it, bool [N]."""
        return self._joined([np.full(len(each), each.values.shape[1] > 0) for each in self.sentences], bool)

    @property
    def pieces(self) -> np.ndarray:
        return self._joined([each.pieces for each in self.sentences], np.int64)

    @property
    def before(self) -> np.ndarray:
        return self._joined([each.before for each in self.sentences], np.int64)

    @property
    def evenly(self) -> bool:
        """Whether all are followed alike: no user weighs any, and none is a draft."""
        return all(each.weights is None for each in self.sentences)

    @property
    def places(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        return tuple(place for each in self.sentences for place in each.places)

    @property
    def segments(self) -> tuple[int, ...]:
        return tuple(each.segment for each in self.sentences for _ in each.places)

    @property
    def weights(self) -> np.ndarray:
        return self._each(lambda one: one.weights, 1.0, np.float32)

    @property
    def pinned(self) -> np.ndarray:
        return self._each(lambda one: one.pinned, False, bool)

    @property
    def drafted(self) -> np.ndarray:
        return np.repeat([each.drafted for each in self.sentences], [len(each) for each in self.sentences])

    def words(self) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
        """(word, segment, its pieces' columns) of each word that is still there, oldest first."""
        groups: list[list[int]] = []
        places, segments = self.places, self.segments
        for column, (word, index) in enumerate(places):
            # what came before a piece may have gone, and another word's pieces may stand there
            goes_on = groups and places[groups[-1][-1]] == (word, index - 1)
            if index == 0 or not goes_on:
                groups.append([])
            groups[-1].append(column)
        return [(places[group[0]][0], segments[group[0]], tuple(group)) for group in groups]

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        """Its words with the segments that wrote them last, most recently written first."""
        latest: dict[tuple[int, ...], WrittenPieces] = {}
        for each in reversed(self.sentences):
            for word, index in each.places:
                if index == 0:
                    latest.setdefault(word, each)
        entries = tuple(
            MemoryEntry(
                reader.text(word),
                reader.segments[each.segment],
                last_use=reader.clock - 1 - each.clock,
                confirmed=not each.drafted,
            )
            for word, each in latest.items()
        )
        return (MemorySection(SLOTS, "Memory", entries, of_segments=True),)

    def without(self, columns: Set[int]) -> ConfirmedPieces:
        """As if some of its pieces had never been there."""
        left, first = [], 0
        for each in self.sentences:
            gone = {column - first for column in columns if first <= column < first + len(each)}
            left.append(each.without(gone) if gone else each)
            first += len(each)
        return self._of(left)

    def after(self, given: Contribution, segment: int, clock: int) -> ConfirmedPieces:
        drafted = given.origin is Origin.DRAFT
        if drafted and (not self.draft_weight or given.certainty < self.draft_certainty):
            return self
        given = given.of_words()
        if drafted and given.sureness:
            given = given.at([n for n, sure in enumerate(given.sureness) if sure >= self.draft_sureness])
        weights = given.weights
        if drafted:
            weights = tuple(self.draft_weight * each for each in weights or (1.0,) * len(given.indicators))
        written = given.contexts, given.states, given.indicators, segment
        values = None if drafted else given.values
        return self.write(*written, weights, given.pinned, drafted, values, clock)

    def write(
        self,
        contexts: np.ndarray,
        states: np.ndarray,
        places: Sequence[tuple[tuple[int, ...], int]],
        segment: int,
        weights: Sequence[float] = (),
        pinned: Sequence[bool] = (),
        drafted: bool = False,
        values: np.ndarray | None = None,
        clock: int = 0,
    ) -> ConfirmedPieces:
        """With one more sentence, see `WrittenPieces`; c_t and s_t of each piece are [N, C] and [N, D]."""
        if not self.size or not places:
            return self
        written = WrittenPieces(
            np.concatenate((_directed(contexts), _directed(states)), axis=1).astype(np.float16),
            np.zeros((len(places), 0), np.float16) if values is None else values.astype(np.float16),
            tuple(places),
            segment,
            clock,
            np.array(weights, np.float32) if weights else None,
            np.array(pinned, bool) if pinned else None,
            drafted,
        )
        earlier = list(self.sentences)
        if not drafted and self.same_use <= 1:
            earlier = [
                each if each.drafted else each.superseded_by(written, self.same_use) for each in earlier
            ]
        return self._of(self._fitting([*earlier, written]))

    def _fitting(self, sentences: list[WrittenPieces]) -> list[WrittenPieces]:
        """Without those that are too many, in the order of `_GOING`; of each kind the oldest first."""
        excess = sum(map(len, sentences)) - self.size
        for has_any, goes in _GOING:
            for number, each in enumerate(sentences):
                if excess <= 0:
                    return sentences
                if not has_any(each):
                    continue
                gone = np.flatnonzero(goes(each))[:excess].tolist()
                if gone:
                    sentences[number] = each.without(frozenset(gone))
                    excess -= len(gone)
        return sentences

    def _of(self, sentences: Sequence[WrittenPieces]) -> ConfirmedPieces:
        return replace(self, sentences=tuple(each for each in sentences if len(each)))

    def _each(
        self, given: Callable[[WrittenPieces], np.ndarray | None], otherwise: float, kind: type
    ) -> np.ndarray:
        parts = [(given(each), len(each)) for each in self.sentences]
        return self._joined(
            [np.full(n, otherwise, kind) if part is None else part for part, n in parts], kind
        )

    @staticmethod
    def _joined(parts: Sequence[np.ndarray], kind: type) -> np.ndarray:
        return np.concatenate(parts) if parts else np.zeros(0, kind)


def _free(each: WrittenPieces) -> np.ndarray:
    return np.ones(len(each), bool) if each.pinned is None else ~each.pinned


def _again(each: WrittenPieces) -> np.ndarray:
    return np.zeros(len(each), bool) if each.superseded is None else each.superseded


_GOING: tuple[tuple[Callable[[WrittenPieces], bool], Callable[[WrittenPieces], np.ndarray]], ...] = (
    (lambda each: each.drafted, _free),
    (lambda each: each.superseded is not None, lambda each: _free(each) & _again(each)),
    (lambda each: True, _free),
    (lambda each: True, lambda each: np.ones(len(each), bool)),
)
"""Whether a sentence may have pieces of a kind, and which they are; of the kinds that go where there are too
many: drafted, superseded, others, and pinned ones last. A full memory asks all of its sentences each time.
"""


def _directed(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)

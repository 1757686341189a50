"""What is kept of the words that stand in a document: their pieces, and the steps of writing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from anaphora_nmt.memory.contents import Contents, Contribution, Origin


@dataclass(frozen=True, slots=True)
class WrittenPieces:
    """Pieces of words of one sentence.

    Attributes:
        steps: (c_t, s_t), each of norm 1, side by side, float16 [N, C + D].
        places: of each piece, its word and the index in it.
        segment: the segment's number.
        weights: what the odds of following each are multiplied with, float32 [N]; None: 1.
        pinned: whether each stays when others have to go, bool [N]; None: none does.
        drafted: whether it is a draft, which no human has confirmed.
    """

    steps: np.ndarray
    places: tuple[tuple[tuple[int, ...], int], ...]
    segment: int
    weights: np.ndarray | None = None
    pinned: np.ndarray | None = None
    drafted: bool = False

    def __len__(self) -> int:
        return len(self.places)

    def without(self, gone: Set[int]) -> WrittenPieces:
        """As if some of them had never been there."""
        left = [number for number in range(len(self)) if number not in gone]
        return replace(
            self,
            steps=self.steps[left],
            places=tuple(self.places[number] for number in left),
            weights=None if self.weights is None else self.weights[left],
            pinned=None if self.pinned is None else self.pinned[left],
        )


@dataclass(frozen=True, slots=True)
class ConfirmedPieces(Contents):
    """The last `size` pieces of words; drafted ones go before confirmed ones.

    One more sentence costs no copy of the others, and many memories of one document share them.

    Attributes:
        sentences: that they come from, oldest first.
        draft_weight, draft_certainty: see `ConfirmedConfig`.
    """

    size: int = 0
    sentences: tuple[WrittenPieces, ...] = ()
    draft_weight: float = 0.0
    draft_certainty: float = 0.0
    _count: int = field(default=-1, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_count", sum(map(len, self.sentences)))

    def __len__(self) -> int:
        return self._count

    @property
    def steps(self) -> np.ndarray:
        """Of all pieces, float16 [N, C + D]."""
        return np.concatenate([each.steps for each in self.sentences]) if len(self) else np.zeros((0, 0))

    @property
    def pieces(self) -> np.ndarray:
        """Ids, int64 [N]."""
        return np.array([word[index] for word, index in self.places], np.int64)

    @property
    def places(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Of each piece, its word and the index in it."""
        return tuple(place for each in self.sentences for place in each.places)

    @property
    def segments(self) -> tuple[int, ...]:
        """The segment that each piece comes from."""
        return tuple(each.segment for each in self.sentences for _ in each.places)

    @property
    def weights(self) -> np.ndarray:
        """What the odds of following each are multiplied with, float32 [N]."""
        return self._each(lambda one: one.weights, 1.0, np.float32)

    @property
    def pinned(self) -> np.ndarray:
        """Whether each stays when others have to go, bool [N]."""
        return self._each(lambda one: one.pinned, False, bool)

    @property
    def drafted(self) -> np.ndarray:
        """Whether each comes from a draft, bool [N]."""
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

    def without(self, columns: Set[int]) -> ConfirmedPieces:
        """As if some of its pieces had never been there."""
        left, first = [], 0
        for each in self.sentences:
            gone = {column - first for column in columns if first <= column < first + len(each)}
            left.append(each.without(gone) if gone else each)
            first += len(each)
        return self._of(left)

    def after(self, given: Contribution, segment: int, clock: int) -> ConfirmedPieces:
        """With the words of a sentence that a human confirmed, or, if drafts count, of a draft."""
        drafted = given.origin is Origin.DRAFT
        if drafted and (not self.draft_weight or given.certainty < self.draft_certainty):
            return self
        given = given.of_words()
        weights = given.weights
        if drafted:
            weights = tuple(self.draft_weight * each for each in weights or (1.0,) * len(given.indicators))
        written = given.contexts, given.states, given.indicators, segment
        return self.write(*written, weights, given.pinned, drafted)

    def write(
        self,
        contexts: np.ndarray,
        states: np.ndarray,
        places: Sequence[tuple[tuple[int, ...], int]],
        segment: int,
        weights: Sequence[float] = (),
        pinned: Sequence[bool] = (),
        drafted: bool = False,
    ) -> ConfirmedPieces:
        """With one more sentence, segment number `segment`.

        Args:
            contexts, states: c_t and s_t of each piece, [N, C] and [N, D].
            places: of each piece, its word and the index in it.
            weights, pinned: of each piece; empty: 1, and not.
            drafted: whether it is a draft.
        """
        if not self.size or not places:
            return self
        written = WrittenPieces(
            np.concatenate((_directed(contexts), _directed(states)), axis=1).astype(np.float16),
            tuple(places),
            segment,
            np.array(weights, np.float32) if weights else None,
            np.array(pinned, bool) if pinned else None,
            drafted,
        )
        return self._of(self._fitting([*self.sentences, written]))

    def _fitting(self, sentences: list[WrittenPieces]) -> list[WrittenPieces]:
        """Without those that are too many: drafted ones go first, pinned ones last; of each the oldest."""
        excess = sum(map(len, sentences)) - self.size
        for drafted, pinned in ((True, False), (False, False), (None, True)):
            for number, each in enumerate(sentences):
                if excess <= 0:
                    return sentences
                if drafted is not None and each.drafted is not drafted:
                    continue
                kept = each.pinned if each.pinned is not None else np.zeros(len(each), bool)
                gone = np.flatnonzero(kept == pinned)[:excess].tolist()
                sentences[number] = each.without(frozenset(gone))
                excess -= len(gone)
        return sentences

    def _of(self, sentences: Sequence[WrittenPieces]) -> ConfirmedPieces:
        return replace(self, sentences=tuple(each for each in sentences if len(each)))

    def _each(
        self, given: Callable[[WrittenPieces], np.ndarray | None], otherwise: float, kind: type
    ) -> np.ndarray:
        parts = [(given(each), len(each)) for each in self.sentences]
        if not parts:
            return np.zeros(0, kind)
        return np.concatenate([np.full(n, otherwise, kind) if part is None else part for part, n in parts])


def _directed(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)

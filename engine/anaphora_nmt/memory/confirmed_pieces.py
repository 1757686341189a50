"""The stored words of a document's targets: their pieces, and the decoder's steps that wrote the pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from anaphora_nmt.memory.contents import Contents, Contribution, Origin, Reader
from anaphora_nmt.types import MemoryEntry, MemorySection

SLOTS = "slots"
"""Name of the view's section."""
WORD_START = -1
"""The value of `before` for a piece that begins a word."""
Place = tuple[tuple[int, ...], int]
"""A word, and the index of one of its pieces."""


@dataclass(frozen=True, slots=True)
class WrittenPieces:
    """N word pieces of one sentence.

    Attributes:
        steps: c_t and s_t, each of norm 1, concatenated, float16 [N, C + D].
        values: shift of a state by each piece (`moved_states.moved_values`), float16 [N, D], or [N, 0].
        places: the word of each piece, and the piece's index in the word.
        segment: the segment's number.
        weights: factors that multiply the odds of following each piece, float32 [N].
        pinned, superseded: whether each piece stays when other pieces are dropped, and whether its word was
            written again later at a similar step, bool [N].
        drafted: whether the sentence is an unconfirmed draft.
        pieces, before: id of each piece, and of the piece before it in the word or `WORD_START`, int64 [N].
    """

    steps: np.ndarray
    values: np.ndarray
    places: tuple[Place, ...]
    segment: int
    weights: np.ndarray
    pinned: np.ndarray
    superseded: np.ndarray
    drafted: bool = False
    pieces: np.ndarray = field(init=False, compare=False, repr=False)
    before: np.ndarray = field(init=False, compare=False, repr=False)
    _first_columns: Mapping[tuple[int, ...], list[int]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        columns: dict[tuple[int, ...], list[int]] = {}
        for column, (word, index) in enumerate(self.places):
            if index == 0:
                columns.setdefault(word, []).append(column)
        object.__setattr__(self, "_first_columns", columns)
        ids = [word[index] for word, index in self.places]
        before = [word[index - 1] if index else WORD_START for word, index in self.places]
        object.__setattr__(self, "pieces", np.array(ids, np.int64))
        object.__setattr__(self, "before", np.array(before, np.int64))

    def __len__(self) -> int:
        return len(self.places)

    def without(self, columns: Set[int]) -> WrittenPieces:
        left = [number for number in range(len(self)) if number not in columns]
        rows = {name: getattr(self, name)[left] for name in _ROWS}
        return replace(self, places=tuple(self.places[number] for number in left), **rows)

    def superseded_by(self, later: WrittenPieces, same_use: float) -> WrittenPieces:
        """A copy in which words that a later sentence repeats at a similar step are marked as superseded.

        Steps are similar if the mean cosine of c_t and s_t at a word's first piece is at least `same_use`.
        """
        marked = self.superseded.copy()
        for word in self._first_columns.keys() & later._first_columns.keys():
            columns, repeats = self._first_columns[word], later._first_columns[word]
            likeness = self.steps[columns].astype(np.float32) @ later.steps[repeats].astype(np.float32).T / 2
            for column in np.array(columns)[likeness.max(1) >= same_use].tolist():
                end = column + 1
                while end < len(self) and self.places[end][1] > self.places[end - 1][1]:
                    end += 1
                marked[column:end] = True
        return replace(self, superseded=marked) if (marked != self.superseded).any() else self


@dataclass(frozen=True, slots=True)
class ConfirmedPieces(Contents):
    """At most `size` word pieces in all, grouped by sentence, oldest first.

    Drafted pieces are dropped first, then superseded pieces, then other pieces, and pinned pieces last. In
    each of these groups, the oldest pieces are dropped first. So the latest copy of a word stays longest. For
    the attributes other than `sentences`, see `ConfirmedConfig`.
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
        return self._joined([each.steps for each in self.sentences], np.zeros((0, 0)))

    @property
    def values(self) -> np.ndarray:
        """Values of all pieces, float16 [N, D] or [N, 0]; 0 where `has_value` is False."""
        width = max((each.values.shape[1] for each in self.sentences), default=0)
        parts = (
            each.values if each.values.shape[1] == width else np.zeros((len(each), width), np.float16)
            for each in self.sentences
        )
        return self._joined([*parts], np.zeros((0, width), np.float16))

    @property
    def has_value(self) -> np.ndarray:
        """True for pieces that shift a state, bool [N]."""
        return self._per_piece(lambda each: each.values.shape[1] > 0, bool)

    @property
    def pieces(self) -> np.ndarray:
        return self._joined([each.pieces for each in self.sentences], np.zeros(0, np.int64))

    @property
    def before(self) -> np.ndarray:
        return self._joined([each.before for each in self.sentences], np.zeros(0, np.int64))

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for each in self.sentences for place in each.places)

    @property
    def weights(self) -> np.ndarray:
        return self._joined([each.weights for each in self.sentences], np.zeros(0, np.float32))

    @property
    def drafted(self) -> np.ndarray:
        return self._per_piece(lambda each: each.drafted, bool)

    def words(self) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
        """The words, oldest first, as (word, segment's number, columns of the word's remaining pieces)."""
        groups: list[list[int]] = []
        places, segments = self.places, self._per_piece(lambda each: each.segment, int).tolist()
        for column, (word, index) in enumerate(places):
            # the word's previous piece may have been dropped, so that a piece of another word precedes
            continues = groups and places[groups[-1][-1]] == (word, index - 1)
            if index == 0 or not continues:
                groups.append([])
            groups[-1].append(column)
        return [(places[group[0]][0], segments[group[0]], tuple(group)) for group in groups]

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        """The words with a stored first piece, latest first, each with the last segment that wrote it."""
        latest: dict[tuple[int, ...], WrittenPieces] = {}
        for each in reversed(self.sentences):
            for word, index in each.places:
                if index == 0:
                    latest.setdefault(word, each)
        entries = tuple(
            MemoryEntry(reader.text(word), reader.segments[each.segment], confirmed=not each.drafted)
            for word, each in latest.items()
        )
        return (MemorySection(SLOTS, "Memory", entries, of_segments=True),)

    def without(self, columns: Set[int]) -> ConfirmedPieces:
        """The contents without the pieces in some columns."""
        left, first = [], 0
        for each in self.sentences:
            left.append(each.without({column - first for column in columns}))
            first += len(each)
        return replace(self, sentences=tuple(each for each in left if len(each)))

    def after(self, contribution: Contribution, segment: int) -> ConfirmedPieces:
        drafted = contribution.origin is Origin.DRAFT
        if drafted and (not self.draft_weight or contribution.mean_prob < self.draft_certainty):
            return self
        contribution = contribution.words_only()
        if drafted and contribution.word_probs:
            word_probs = enumerate(contribution.word_probs)
            contribution = contribution.at([step for step, prob in word_probs if prob >= self.draft_sureness])
        weights = contribution.weights or (1.0,) * len(contribution.indicators)
        if drafted:
            weights = tuple(self.draft_weight * each for each in weights)
        arguments = contribution.contexts, contribution.states, contribution.indicators, segment
        values = None if drafted else contribution.values
        return self.write(*arguments, weights, contribution.pinned, drafted, values)

    def write(
        self,
        contexts: np.ndarray,
        states: np.ndarray,
        places: Sequence[Place],
        segment: int,
        weights: Sequence[float] = (),
        pinned: Sequence[bool] = (),
        drafted: bool = False,
        values: np.ndarray | None = None,
    ) -> ConfirmedPieces:
        """Add a sentence of N pieces. For the other arguments, see `WrittenPieces`.

        Args:
            contexts, states: c_t [N, C] and s_t [N, D] of each piece, of any norm.
            weights, pinned: empty for weights of 1 and for unpinned pieces.
        """
        count = len(places)
        if not self.size or not count:
            return self
        written = WrittenPieces(
            np.concatenate((_normalized(contexts), _normalized(states)), axis=1).astype(np.float16),
            np.zeros((count, 0), np.float16) if values is None else values.astype(np.float16),
            tuple(places),
            segment,
            np.array(weights or (1,) * count, np.float32),
            np.array(pinned or (False,) * count, bool),
            np.zeros(count, bool),
            drafted,
        )
        earlier = list(self.sentences)
        if not drafted and self.same_use <= 1:
            earlier = [
                each if each.drafted else each.superseded_by(written, self.same_use) for each in earlier
            ]
        left = self._drop_excess([*earlier, written])
        return replace(self, sentences=tuple(each for each in left if len(each)))

    def _drop_excess(self, sentences: list[WrittenPieces]) -> list[WrittenPieces]:
        """Drop pieces beyond `size` in `_DROP_ORDER`, oldest first."""
        excess = sum(map(len, sentences)) - self.size
        for is_dropped in _DROP_ORDER:
            for number, each in enumerate(sentences):
                if excess <= 0:
                    return sentences
                columns = np.flatnonzero(is_dropped(each))[:excess].tolist()
                if columns:
                    sentences[number] = each.without(frozenset(columns))
                    excess -= len(columns)
        return sentences

    def _per_piece(self, value: Callable[[WrittenPieces], int], kind: type) -> np.ndarray:
        """A value of each sentence, repeated for each of the sentence's pieces, [N]."""
        return np.repeat(np.array([*map(value, self.sentences)], kind), [*map(len, self.sentences)])

    @staticmethod
    def _joined(parts: Sequence[np.ndarray], empty: np.ndarray) -> np.ndarray:
        return np.concatenate(parts) if parts else empty


_ROWS = ("steps", "values", "weights", "pinned", "superseded")
"""The attributes of `WrittenPieces` that have a row for each piece."""
_DROP_ORDER: tuple[Callable[[WrittenPieces], np.ndarray], ...] = (
    lambda each: ~each.pinned & each.drafted,
    lambda each: ~each.pinned & each.superseded,
    lambda each: ~each.pinned,
    lambda each: np.ones(len(each), bool),
)
"""Functions that select the pieces to drop: first drafted, then superseded, other, and pinned pieces."""


def _normalized(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)

"""Why a target text reads as it does: one forced decoding, told word by word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.document import ReaderView
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.remembering import ForcedDecoding, MemoryUse
from anaphora_nmt.nn.state import ContextReading
from anaphora_nmt.pipeline.drafting import Drafter, word_attention
from anaphora_nmt.pipeline.lines import PreparedLine, Word, raw_span
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import CachedWordUse, ConfirmedUse, ContextUse, SlotUse, SourceWord, TokenTrace

SHOWN = 8
"""Slots and cached words listed for an output word, and probed for influence."""
_FAINT = 0.005


@dataclass(frozen=True)
class Before:
    """The memory before a segment: for the model, for the reader, and what of it is read."""

    snapshot: MemorySnapshot
    view: ReaderView
    use: MemoryUse


@torch.inference_mode()
def explain_words(
    drafter: Drafter,
    vocabulary: WordVocabulary,
    source: PreparedLine,
    target: PreparedLine,
    memory: Before,
    influence: bool,
    cancel: Callable[[], bool] | None,
) -> tuple[TokenTrace, ...]:
    """A trace for every target word.

    Args:
        influence: probe what each listed slot and word changes (one more batched forced decoding).
    """
    if not target.words:
        return ()
    encoded = drafter.encode_whole([source])
    ids = torch.tensor([[*target.ids, EOS]], device=drafter.model.device)
    snapshot, view = memory.snapshot, memory.view
    forced = drafter.model.force_decode(encoded, ids, [snapshot], memory.use, attention=True)
    if cancel is not None and cancel():
        raise Cancelled("the explanation was cancelled")
    reading = _Reading(forced, source, target, view)
    if encoded.context is not None:
        reading.read_context(encoded.context)
        if influence:
            reading.context_influence = context_influence(drafter, source, ids, memory, forced)
    columns = snapshot.cached_words
    if influence and (view.slots or columns or view.confirmed):
        groups, words = reading.strongest_slots(), reading.strongest_words(len(columns))
        members = [view.slot_members[group] for group in groups]
        followed = reading.strongest_confirmed()
        confirmed = [view.confirmed[number][2] for number in followed]
        slot_gain, word_gain, confirmed_gain = drafter.model.leave_one_out(
            encoded, ids, snapshot, members, words, confirmed, memory.use
        )
        reading.confirmed_influence = dict(zip(followed, confirmed_gain.float().cpu().numpy(), strict=True))
        reading.slot_influence = dict(zip(groups, slot_gain.float().cpu().numpy(), strict=True))
        reading.word_influence = dict(zip(words, word_gain.float().cpu().numpy(), strict=True))
    names = [(vocabulary.text(word), cache) for word, cache in columns]
    names += [(vocabulary.text(word), "dynamic") for word in (forced.sentence_words or ((),))[0]]
    return tuple(reading.trace(number, names) for number in range(len(target.words)))


class _Reading:
    """One forced decoding in numbers, by target word.

    Attributes:
        slot_influence, word_influence, confirmed_influence, context_influence: change of each piece's
            log-probability, by slot group, column, confirmed word or context sentence.
    """

    def __init__(
        self, forced: ForcedDecoding, source: PreparedLine, target: PreparedLine, view: ReaderView
    ) -> None:
        assert forced.attention is not None
        self.source, self.target, self.view = source, target, view
        self.pieces_attention = _array(forced.attention)
        self.attention = word_attention(self.pieces_attention, source, target)
        self.log_probs = _array(forced.target_log_probs)
        self.cache_gate = None if forced.cache_gate is None else _array(forced.cache_gate)
        self.word_gate = None if forced.word_gate is None else _array(forced.word_gate)
        matching = None if forced.matching is None else _array(forced.matching)
        self.matching = _grouped(matching, view.slot_members)
        self.cached = None if forced.cached_words is None else _array(forced.cached_words)
        if self.cached is not None and forced.supports is not None:
            self.supports = _array(forced.supports) > 0
        self.slot_influence: dict[int, np.ndarray] = {}
        self.word_influence: dict[int, np.ndarray] = {}
        self.context_influence: dict[int, np.ndarray] = {}
        following = None if forced.following is None else _array(forced.following)
        self.following = _grouped(following, [columns for _, _, columns in view.confirmed])
        self.following_gate = None if forced.following_gate is None else _array(forced.following_gate)
        self.confirmed_influence: dict[int, np.ndarray] = {}
        self.context: np.ndarray | None = None
        self.context_gate: np.ndarray | None = None

    def read_context(self, context: ContextReading) -> None:
        """Bring weights and gate of CAMN from source pieces [S, …] to target pieces [T, …] by attention."""
        self.context = self.pieces_attention @ _array(context.weights)
        self.context_gate = self.pieces_attention @ _array(context.share)

    def strongest_slots(self) -> list[int]:
        """Slot groups that some word lists."""
        listed = {slot for word in self.target.words for slot in self._slots(word)}
        return sorted(listed)

    def strongest_words(self, count: int) -> list[int]:
        """Columns of cached words (the first `count`) that some word lists."""
        listed = {column for word in self.target.words for column in self._cached(word)}
        return sorted(column for column in listed if column < count)

    def strongest_confirmed(self) -> list[int]:
        """Confirmed words that some word lists."""
        return sorted({place for word in self.target.words for place in self._confirmed(word)})

    def trace(self, number: int, names: Sequence[tuple[str, str]]) -> TokenTrace:
        """The trace of one target word."""
        word = self.target.words[number]
        first, last = word.pieces
        start, end = raw_span(self.target.line.tags, word.start, word.end)
        slots = tuple(
            SlotUse(
                slot, float(self.matching[first:last, slot].mean()), _sum(self.slot_influence, slot, word)
            )
            for slot in self._slots(word)
        )
        cached = tuple(
            CachedWordUse(*names[column], self._share(word, column), _sum(self.word_influence, column, word))
            for column in self._cached(word)
            if column < len(names)
        )
        return TokenTrace(
            word=word.text,
            start=start,
            end=end,
            log_probability=float(self.log_probs[first:last].sum()),
            attention=tuple(float(weight) for weight in self.attention[number]),
            slots=slots,
            cache_gate=_mean(self.cache_gate, word),
            cached_words=cached,
            word_gate=_mean(self.word_gate, word),
            confirmed=tuple(
                ConfirmedUse(
                    *self.view.confirmed[place][:2],
                    float(self.following[first:last, place].mean()),
                    _sum(self.confirmed_influence, place, word),
                )
                for place in self._confirmed(word)
            ),
            confirmed_gate=_mean(self.following_gate, word),
            context=self._context(word),
            context_gate=_mean(self.context_gate, word),
        )

    def _context(self, word: Word) -> tuple[ContextUse, ...]:
        """The context sentences behind this word, strongest first."""
        if self.context is None:
            return ()
        weights = self.context[word.pieces[0] : word.pieces[1]].mean(0)
        return tuple(
            ContextUse(line.segment, float(weights[number]), _sum(self.context_influence, number, word))
            for number in np.argsort(-weights).tolist()
            if (line := self.source.context[number]) is not None
        )

    def _slots(self, word: Word) -> list[int]:
        return _strongest(self.matching, word)

    def _confirmed(self, word: Word) -> list[int]:
        return _strongest(self.following, word)

    def _cached(self, word: Word) -> list[int]:
        """Cached words whose candidate was a piece of this word, strongest first."""
        if self.cached is None:
            return []
        first = word.pieces[0]
        strength = np.where(self.supports[first], self.cached[first], 0.0)
        return [int(column) for column in np.argsort(-strength)[:SHOWN] if strength[column] > _FAINT]

    def _share(self, word: Word, column: int) -> float:
        assert self.cached is not None
        return float(self.cached[word.pieces[0], column])


def context_influence(
    drafter: Drafter, source: PreparedLine, target: torch.Tensor, memory: Before, forced: ForcedDecoding
) -> dict[int, np.ndarray]:
    """By place of the context sentence: log p of each piece of `target` [1, T] minus that without it, [T]."""
    places = [place for place, line in enumerate(source.context) if line is not None]
    without = [
        replace(source, context=(*source.context[:place], None, *source.context[place + 1 :]))
        for place in places
    ]
    count = len(places)
    left = drafter.model.force_decode(
        drafter.encode_whole(without), target.expand(count, -1), [memory.snapshot] * count, memory.use
    ).target_log_probs
    changes = (forced.target_log_probs - left).float().cpu().numpy()
    return dict(zip(places, changes, strict=True))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor[0].float().cpu().numpy()


def _grouped(matching: np.ndarray | None, members: Sequence[Sequence[int]]) -> np.ndarray:
    """[T, K] over pieces' slots → [T, words' slots]."""
    if matching is None or not members:
        return np.zeros((0, 0))
    return np.stack([matching[:, list(group)].sum(1) for group in members], axis=1)


def _strongest(strengths: np.ndarray, word: Word) -> list[int]:
    """The columns of [T, K] that are strongest for a word, faint ones left out."""
    if not strengths.size:
        return []
    strength = strengths[word.pieces[0] : word.pieces[1]].mean(0)
    return [int(column) for column in np.argsort(-strength)[:SHOWN] if strength[column] > _FAINT]


def _mean(values: np.ndarray | None, word: Word) -> float:
    return 0.0 if values is None else float(values[word.pieces[0] : word.pieces[1]].mean())


def _sum(changes: dict[int, np.ndarray], key: int, word: Word) -> float | None:
    return float(changes[key][word.pieces[0] : word.pieces[1]].sum()) if key in changes else None


def source_words(source: PreparedLine) -> tuple[SourceWord, ...]:
    """The source's words with their offsets in the raw text."""
    return tuple(
        SourceWord(word.text, *raw_span(source.line.tags, word.start, word.end)) for word in source.words
    )

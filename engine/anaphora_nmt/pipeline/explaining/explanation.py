"""Reasons for the words of a target text: remembered words, attention, and stretches of the source.

If memories changed a word, its explanation is a set of remembered words. If this set is left out, the model
writes the same word as without any memory. One word may not be enough, because others can substitute for it.
The search for the set is greedy; at each step the memory's reading without the set is computed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.errors import Cancel, Cancelled
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.models.memory_augmented import ForcedDecoding, MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.explaining.influences import (
    ForcedText,
    MemoryContext,
    MemoryInfluences,
    MemoryWord,
    group_by_word,
)
from anaphora_nmt.pipeline.explaining.other_words import OtherWord, other_words
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, raw_span
from anaphora_nmt.pipeline.searching.drafting import Drafter, word_attention
from anaphora_nmt.text.protect import restore
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import SourceWord, TokenTrace

WordKey = tuple[str, str, str]
"""The memory, label and section of a remembered word."""

_MAX_SET = 16
"""Maximum number of words in a set; a larger set would not help a reader."""
_MAX_RIVAL, _MAX_ANY = 12, 4
"""Maximum numbers of candidates that support the unwanted piece (`rival`), and that support any piece."""


class MemoryAttribution:
    """Finds sets of decisive remembered words for the words of one sentence."""

    def __init__(self, model: MemoryAugmentedModel, memory: MemoryContext) -> None:
        self._model, self._memory = model, memory

    @torch.inference_mode()
    def find(self, plain: OtherWord) -> tuple[WordKey, ...]:
        """A minimal set of remembered words without which the model writes `plain`; () if none was found."""
        end = plain.start + len(plain.pieces) + 1  # later pieces have no effect on the word
        target = torch.tensor([plain.text[:end]], device=self._model.device)
        features, snapshots = plain.features.until(end), [self._memory.snapshot]
        decoding = self._model.forced(features, target, snapshots, self._memory.memories)
        if not decoding.readings:
            return ()
        wanted = torch.zeros(len(plain.pieces) + 1, len(self._model.vocabulary), dtype=torch.bool)
        wanted[torch.arange(len(plain.pieces)), torch.tensor(plain.pieces, dtype=torch.int64)] = True
        if plain.pieces:  # any piece that does not continue the word may follow
            is_unspaced = self._model.vocabulary.unspaced[plain.pieces[-1]]
            wanted[-1] = True if is_unspaced else ~self._model.vocabulary.continues
        else:
            wanted[-1, EOS] = True
        words, wanted = self._words(decoding), wanted.to(self._model.device)
        search = _WordSearch(self._model, decoding, plain.start, wanted, words)
        return tuple(search.words[number].key for number in _drop_unnecessary(search, search.choose()))

    def _words(self, decoding: ForcedDecoding) -> list[_Word]:
        contents, reader = self._memory.snapshot.contents, self._memory.reader
        entries = {
            name: self._model.memories[name].entries(contents[name], fused.reading, reader)
            for name, fused in decoding.readings.items()
        }
        return [_Word(name, each) for name, listed in entries.items() for each in group_by_word(listed)]


@dataclass(frozen=True)
class _Word:
    memory: str
    remembered: MemoryWord

    @property
    def key(self) -> WordKey:
        return (self.memory, *self.remembered.name)


class _WordSearch:
    """The search for remembered words without which the model writes a certain word.

    Attributes:
        words: all remembered words.
    """

    def __init__(
        self,
        model: MemoryAugmentedModel,
        decoding: ForcedDecoding,
        start: int,
        wanted: Tensor,
        words: Sequence[_Word],
    ) -> None:
        self._model, self._decoding, self._start, self._wanted = model, decoding, start, wanted
        self.words = words

    def choose(self) -> list[int]:
        """Choose remembered words until the model without them writes the word; empty if it never does."""
        chosen: list[int] = []
        while (deviation := self.first_deviation(chosen)) is not None:
            step, rival = deviation
            candidates = [number for number in self._candidates(step, rival) if number not in chosen]
            if not candidates or len(chosen) == _MAX_SET:
                return []
            rows = self._log_probs([[*chosen, number] for number in candidates], [step] * len(candidates))
            chosen.append(candidates[int(self._margins(rows, [step] * len(candidates)).argmax())])
        return chosen

    def first_deviation(self, left_out: Sequence[int]) -> tuple[int, int] | None:
        """The first (step, piece) at which the model without `left_out` deviates from the word, or None."""
        steps = list(range(len(self._wanted)))
        best = self._log_probs([left_out] * len(steps), steps).argmax(-1)
        for step, piece in zip(steps, best.tolist(), strict=True):
            if not self._wanted[step, piece]:
                return step, piece
        return None

    def _candidates(self, step: int, rival: int) -> list[int]:
        """The words with most support for a piece at a step, then those with most support for any piece."""
        place = self._start + step
        target = self._decoding.target.clone()
        target[0, place] = rival
        for_rival, for_any = {}, {}
        for name, fused in self._decoding.readings.items():
            support = fused.reading.attribution(fused.log_probs, target)
            for_rival[name] = support.strengths[0, place].tolist()
            for_any[name] = support.offers[0, place].tolist()

        def strongest(strengths: dict[str, list[float]], count: int) -> Iterable[int]:
            by_number = [
                sum(strengths[word.memory][column] for column in word.remembered.columns)
                for word in self.words
            ]
            order = sorted(range(len(by_number)), key=lambda number: -by_number[number])
            return (number for number in order[:count] if by_number[number] > 0)

        return list(dict.fromkeys((*strongest(for_rival, _MAX_RIVAL), *strongest(for_any, _MAX_ANY))))

    def _margins(self, log_probs: Tensor, steps: list[int]) -> Tensor:
        """Log-probability of the best wanted piece minus that of the best other piece, [N]."""
        wanted = self._wanted[steps]
        best_wanted = log_probs.masked_fill(~wanted, float("-inf")).amax(-1)
        return best_wanted - log_probs.masked_fill(wanted, float("-inf")).amax(-1)

    def _log_probs(self, left_out: Sequence[Sequence[int]], steps: Sequence[int]) -> Tensor:
        """log p over the vocabulary at each of N steps without the step's words in `left_out`, [N, V]."""
        groups: dict[str, list[list[int]]] = {name: [] for name in self._decoding.readings}
        for numbers in left_out:
            words = [self.words[number] for number in numbers]
            for name, each in groups.items():
                each.append([column for w in words if w.memory == name for column in w.remembered.columns])
        places = torch.tensor([self._start + step for step in steps], device=self._model.device)
        return self._model.log_probs_without(self._decoding, groups, places)


def _drop_unnecessary(search: _WordSearch, chosen: list[int]) -> list[int]:
    """Drop chosen words one by one until every remaining word is necessary."""
    for number in chosen:
        rest = [other for other in chosen if other != number]
        if rest and search.first_deviation(rest) is None:
            return _drop_unnecessary(search, rest)
    return chosen


def words_in(sets: Mapping[int, Sequence[WordKey]], memory: str) -> dict[int, tuple[tuple[str, str], ...]]:
    """(label, section) of the decisive words from one memory, by output word."""
    return {
        number: tuple((label, section) for name, label, section in keys if name == memory)
        for number, keys in sets.items()
    }


@torch.inference_mode()
def explain_words(
    drafter: Drafter,
    source: PreparedLine,
    target: PreparedLine,
    memory: MemoryContext,
    influence: bool,
    cancel: Cancel | None,
) -> tuple[TokenTrace, ...]:
    """A trace of every target word. Raises Cancelled if `cancel()` is true after the decoding.

    Args:
        influence: measure the effect of all memories together and of single remembered words.
    """
    if not target.words:
        return ()
    encoded, model = drafter.encode_whole([source]), drafter.model
    ids = torch.tensor([[*target.ids, EOS]], device=model.device)
    forced = model.force_decode(encoded, ids, [memory.snapshot], memory.memories, attention=True)
    if cancel is not None and cancel():
        raise Cancelled("the explanation was cancelled")
    sources = _SourceAttention(forced, source, target, len(drafter.source.before))
    plain, fused = model.fused_log_probs(forced)
    best = (each[0].argmax(-1).tolist() for each in (plain, fused))
    decoded = ForcedText(model, forced, target.words, *best)
    instead = other_words(model, encoded, decoded) if influence else {}
    sets = MemoryAttribution(model, memory)
    decisive = {number: keys for number, word in instead.items() if (keys := sets.find(word))}
    readings = [MemoryInfluences(decoded, name, memory.snapshot, memory.reader) for name in forced.readings]
    uses = [reading.uses(influence, words_in(decisive, reading.name)) for reading in readings]
    traces = [
        replace(
            sources.trace(number),
            uses=tuple(use for each in uses for use in each[number]),
            shares={reading.name: reading.share(word) for reading in readings},
        )
        for number, word in enumerate(target.words)
    ]
    if not influence:
        return tuple(traces)
    changes = _array(forced.target_log_probs - target_log_probs(plain, ids))
    influences = (float(changes[slice(*word.pieces)].sum()) for word in target.words)
    others = (_spelling(drafter, target, instead.get(number)) for number in range(len(traces)))
    return tuple(
        replace(trace, memory_influence=influence, without_memory=other)
        for trace, influence, other in zip(traces, influences, others, strict=True)
    )


def _spelling(drafter: Drafter, target: PreparedLine, word: OtherWord | None) -> str | None:
    if word is None:
        return None
    return restore(drafter.target.decode(word.pieces), target.line.strings).strip()


class _SourceAttention:
    """The attention of a forced decoding to the source, by target word."""

    def __init__(
        self, forced: ForcedDecoding, source: PreparedLine, target: PreparedLine, marks: int
    ) -> None:
        """Args: `marks`: number of language marks before the source's pieces."""
        assert forced.attention is not None
        self.target = target
        self.attention = word_attention(_array(forced.attention)[:, marks:], source, target)
        self.log_probs = _array(forced.target_log_probs)

    def trace(self, number: int) -> TokenTrace:
        word = self.target.words[number]
        place = raw_span(self.target.line.tags, word.start, word.end)
        log_probability = float(self.log_probs[slice(*word.pieces)].sum())
        return TokenTrace(word.text, *place, log_probability, tuple(map(float, self.attention[number])))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor[0].float().cpu().numpy()


def source_words(source: PreparedLine) -> tuple[SourceWord, ...]:
    return tuple(
        SourceWord(word.text, *raw_span(source.line.tags, word.start, word.end)) for word in source.words
    )


_PIECES_AT_ONCE = 256
"""Maximum number of target pieces to decode together; one core needs some hundredths of a second."""


@torch.inference_mode()
def stretch_influences(
    drafter: Drafter,
    source: PreparedLine,
    target: PreparedLine,
    stretches: Sequence[Iterable[int]],
    cancel: Cancel | None = None,
) -> tuple[tuple[float, ...], ...]:
    """For each stretch of the source, log p of each target word minus its log p without the stretch.

    Args:
        stretches: numbers of the source words of each stretch.
    """
    if not stretches or not target.words:
        return tuple(() for _ in stretches)
    log_probs = _log_probs_without(drafter, source, [*target.ids, EOS], stretches, cancel)
    lost = log_probs[0] - log_probs[1:]
    return tuple(tuple(float(row[slice(*word.pieces)].sum()) for word in target.words) for row in lost)


def _log_probs_without(
    drafter: Drafter,
    source: PreparedLine,
    pieces: list[int],
    left_out: Sequence[Iterable[int]],
    cancel: Cancel | None = None,
) -> Tensor:
    encoded = drafter.encode_whole([source])
    mask, marks = encoded.mask.repeat(len(left_out) + 1, 1), len(drafter.source.before)
    for row, words in enumerate(left_out, 1):
        for word in words:
            begin, end = source.words[word].pieces
            mask[row, begin + marks : end + marks] = False
    size = max(1, _PIECES_AT_ONCE // len(pieces))
    parts = []
    for rows in mask.split(size):
        if cancel is not None and cancel():
            raise Cancelled("leaving out parts of the source was cancelled")
        parts.append(_log_probs(drafter, Encoded(encoded.states.expand(len(rows), -1, -1), rows), pieces))
    return torch.cat(parts)


def _log_probs(drafter: Drafter, encoded: Encoded, pieces: list[int]) -> Tensor:
    model = drafter.model
    ids = torch.tensor([pieces], device=model.device).expand(len(encoded.mask), -1)
    log_probs = model.log_probs_after(model.decode(encoded, ids), ())
    return target_log_probs(log_probs, ids).double()

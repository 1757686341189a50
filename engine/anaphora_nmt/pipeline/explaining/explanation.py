"""Reasons for the words of a target text, from one forced decoding.

A changed word stands for those remembered words without which the word without memory comes back. Remembered
words hide one another, so sets are looked for: greedily, by what each leaves of the way to the word without
memory, and every step of the search reads the memory without the set, exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.errors import Cancel, Cancelled
from anaphora_nmt.memory.fusion import of_targets
from anaphora_nmt.models.memory_augmented import ForcedDecoding, MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.explaining.influences import (
    ForcedText,
    MemoryContext,
    MemoryInfluences,
    MemoryWord,
    by_word,
)
from anaphora_nmt.pipeline.explaining.other_words import OtherWord, words_instead
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, raw_span
from anaphora_nmt.pipeline.searching.drafting import Drafter, word_attention
from anaphora_nmt.text.protect import restore
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import SourceWord, TokenTrace

Named = tuple[str, str, str]
"""A remembered word: its memory, its label and its section."""

_MOST = 16
"""Larger sets are not looked for; they would say nothing to a reader."""
_TRIED_FOR, _TRIED_BESIDES = 12, 4
"""Remembered words tried at a time: that offer most to the word in the way, and that offer most at all."""


class MemoryAttribution:
    """Looks for the sets of one target's words; one sentence."""

    def __init__(self, model: MemoryAugmentedModel, memory: MemoryContext) -> None:
        self._model, self._memory = model, memory

    @torch.inference_mode()
    def find(self, plain: OtherWord) -> tuple[Named, ...]:
        """The remembered words without which, together, the model chooses the word without memory, complete.

        None of them can be spared. Empty where no such set was found.
        """
        end = plain.start + len(plain.pieces) + 1  # what comes after the word changes nothing in it
        target = torch.tensor([plain.text[:end]], device=self._model.device)
        features, snapshots = plain.features.until(end), [self._memory.snapshot]
        decoding = self._model.forced(features, target, snapshots, self._memory.use)
        if not decoding.readings:
            return ()
        wanted = torch.zeros(len(plain.pieces) + 1, len(self._model.vocabulary), dtype=torch.bool)
        wanted[torch.arange(len(plain.pieces)), torch.tensor(plain.pieces, dtype=torch.int64)] = True
        if plain.pieces:  # any piece will do after the word that does not go on with it
            ends_anyhow = self._model.vocabulary.unspaced[plain.pieces[-1]]
            wanted[-1] = True if ends_anyhow else ~self._model.vocabulary.continues
        else:
            wanted[-1, EOS] = True
        way = _Way(self._model, decoding, plain.start, wanted.to(self._model.device), self._words(decoding))
        return tuple(way.words[number].named for number in _without_spare(way, way.chosen()))

    def _words(self, decoding: ForcedDecoding) -> list[_Word]:
        contents, reader = self._memory.snapshot.contents, self._memory.reader
        entries = {
            name: self._model.memories[name].entries(contents[name], fused.reading, reader)
            for name, fused in decoding.readings.items()
        }
        return [_Word(name, each) for name, some in entries.items() for each in by_word(some)]


@dataclass(frozen=True)
class _Word:
    memory: str
    remembered: MemoryWord

    @property
    def named(self) -> Named:
        return (self.memory, *self.remembered.name)


class _Way:
    """A word, decoded in its place, and what stands in its way when some of the memory is left out."""

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

    def chosen(self) -> list[int]:
        """Remembered words that clear the way, found one by one; none if the way stays barred."""
        chosen: list[int] = []
        while (barred := self.barred(chosen)) is not None:
            step, rival = barred
            candidates = [number for number in self._candidates(step, rival) if number not in chosen]
            if not candidates or len(chosen) == _MOST:
                return []
            left = self._log_probs([[*chosen, number] for number in candidates], [step] * len(candidates))
            chosen.append(candidates[int(self._margins(left, [step] * len(candidates)).argmax())])
        return chosen

    def barred(self, left_out: Sequence[int]) -> tuple[int, int] | None:
        """Without some words: the first step at which the model goes elsewhere, and the piece it takes."""
        steps = list(range(len(self._wanted)))
        best = self._log_probs([left_out] * len(steps), steps).argmax(-1)
        for step, piece in zip(steps, best.tolist(), strict=True):
            if not self._wanted[step, piece]:
                return step, piece
        return None

    def _candidates(self, step: int, rival: int) -> list[int]:
        """Words that offer most to a piece at a step, then those that offer most to any."""
        place = self._start + step
        target = self._decoding.target.clone()
        target[0, place] = rival
        for_rival, at_all = {}, {}
        for name, fused in self._decoding.readings.items():
            found = fused.reading.attribution(fused.log_probs, target)
            for_rival[name] = found.strengths[0, place].tolist()
            at_all[name] = found.offers[0, place].tolist()

        def strongest(strengths: dict[str, list[float]], count: int) -> Iterable[int]:
            of_words = [
                sum(strengths[word.memory][column] for column in word.remembered.columns)
                for word in self.words
            ]
            order = sorted(range(len(of_words)), key=lambda number: -of_words[number])
            return (number for number in order[:count] if of_words[number] > 0)

        return list(dict.fromkeys((*strongest(for_rival, _TRIED_FOR), *strongest(at_all, _TRIED_BESIDES))))

    def _margins(self, log_probs: Tensor, steps: list[int]) -> Tensor:
        wanted = self._wanted[steps]
        ahead = log_probs.masked_fill(~wanted, float("-inf")).amax(-1)
        return ahead - log_probs.masked_fill(wanted, float("-inf")).amax(-1)

    def _log_probs(self, left_out: Sequence[Sequence[int]], steps: Sequence[int]) -> Tensor:
        """log p at steps, without some words at each, [N, V]."""
        groups: dict[str, list[list[int]]] = {name: [] for name in self._decoding.readings}
        for numbers in left_out:
            words = [self.words[number] for number in numbers]
            for name, each in groups.items():
                each.append([column for w in words if w.memory == name for column in w.remembered.columns])
        places = torch.tensor([self._start + step for step in steps], device=self._model.device)
        return self._model.log_probs_without(self._decoding, groups, places)


def _without_spare(way: _Way, chosen: list[int]) -> list[int]:
    """The chosen words without those that the way is clear without."""
    for number in chosen:
        rest = [other for other in chosen if other != number]
        if rest and way.barred(rest) is None:
            return _without_spare(way, rest)
    return chosen


def of_memory(decisive: Mapping[int, Sequence[Named]], memory: str) -> dict[int, tuple[tuple[str, str], ...]]:
    """Each output word's decisive words from one memory: their labels and sections."""
    return {
        number: tuple((label, section) for name, label, section in named if name == memory)
        for number, named in decisive.items()
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
    """A trace for every target word; `influence`: also what the memories did, all together and word by
    word."""
    if not target.words:
        return ()
    encoded, model = drafter.encode_whole([source]), drafter.model
    ids = torch.tensor([[*target.ids, EOS]], device=model.device)
    forced = model.force_decode(encoded, ids, [memory.snapshot], memory.use, attention=True)
    if cancel is not None and cancel():
        raise Cancelled("the explanation was cancelled")
    sources = _SourceReading(forced, source, target, len(drafter.source.before))
    plain, fused = model.fused_log_probs(forced)
    best = (each[0].argmax(-1).tolist() for each in (plain, fused))
    decoded = ForcedText(model, forced, target.words, *best)
    instead = words_instead(model, encoded, decoded) if influence else {}
    sets = MemoryAttribution(model, memory)
    decisive = {number: named for number, word in instead.items() if (named := sets.find(word))}
    readings = [MemoryInfluences(decoded, name, memory.snapshot, memory.reader) for name in forced.readings]
    uses = [reading.uses(influence, of_memory(decisive, reading.name)) for reading in readings]
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
    changes = _array(forced.target_log_probs - of_targets(plain, ids))
    influences = (float(changes[slice(*word.pieces)].sum()) for word in target.words)
    others = (_text(drafter, target, instead.get(number)) for number in range(len(traces)))
    return tuple(
        replace(trace, memory_influence=influence, without_memory=other)
        for trace, influence, other in zip(traces, influences, others, strict=True)
    )


def _text(drafter: Drafter, target: PreparedLine, word: OtherWord | None) -> str | None:
    if word is None:
        return None
    return restore(drafter.target.decode(word.pieces), target.line.strings).strip()


class _SourceReading:
    """The attention of a forced decoding to the source, by target word."""

    def __init__(
        self, forced: ForcedDecoding, source: PreparedLine, target: PreparedLine, marks: int
    ) -> None:
        """Args: `marks`: how many marks of languages stand before the source's pieces."""
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
"""Target pieces that are decoded together: some hundredths of a second of one core."""


@torch.inference_mode()
def stretch_influences(
    drafter: Drafter,
    source: PreparedLine,
    target: PreparedLine,
    stretches: Sequence[Iterable[int]],
    cancel: Cancel | None = None,
) -> tuple[tuple[float, ...], ...]:
    """log p of each target word minus that without some source words, for each stretch (numbers of these), in
    nats."""
    if not stretches or not target.words:
        return tuple(() for _ in stretches)
    log_probs = _log_probs(drafter, source, [*target.ids, EOS], stretches, cancel)
    lost = log_probs[0] - log_probs[1:]
    return tuple(tuple(float(row[slice(*word.pieces)].sum()) for word in target.words) for row in lost)


def _log_probs(
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
    found = []
    for rows in mask.split(size):
        if cancel is not None and cancel():
            raise Cancelled("leaving out parts of the source was cancelled")
        found.append(_of_masks(drafter, Encoded(encoded.states.expand(len(rows), -1, -1), rows), pieces))
    return torch.cat(found)


def _of_masks(drafter: Drafter, encoded: Encoded, pieces: list[int]) -> Tensor:
    model = drafter.model
    ids = torch.tensor([pieces], device=model.device).expand(len(encoded.mask), -1)
    log_probs = model.log_probs_after(model.decode(encoded, ids), ())
    return of_targets(log_probs, ids).double()

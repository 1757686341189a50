"""Effects of each memory on the words of a given target, measured by leaving entries out.

All entries of a word are left out together, because a remaining entry would substitute for them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.memory.contents import MemorySnapshot, Reader
from anaphora_nmt.memory.protocol import Entry
from anaphora_nmt.models.memory_augmented import ForcedDecoding, MemoryAugmentedModel
from anaphora_nmt.pipeline.preparing.lines import Word
from anaphora_nmt.types import MIN_INFLUENCE, MemoryUse


@dataclass(frozen=True)
class MemoryContext:
    """The memory before a segment, and the names of the memories that the model reads."""

    snapshot: MemorySnapshot
    reader: Reader
    memories: Set[str]


@dataclass(frozen=True)
class ForcedText:
    """A forced decoding with memories, and the target's words.

    Attributes:
        plain, fused: the most probable piece at each step without memories, and with the memories to read.
    """

    model: MemoryAugmentedModel
    decoding: ForcedDecoding
    words: tuple[Word, ...]
    plain: list[int]
    fused: list[int]

    def changed_words(self) -> dict[int, Word]:
        """The words that the model writes with the memories but not without them, by number."""
        target = self.decoding.target[0].tolist()
        return {
            number: word
            for number, word in enumerate(self.words)
            if (steps := slice(*word.pieces)) and target[steps] == self.fused[steps] != self.plain[steps]
        }


MAX_LISTED = 8
"""Maximum number of listed remembered words, and of listed entries of such a word."""
_MIN_EFFECT = 0.005
"""Minimum support of a listed word for a piece, and minimum influence of a listed word."""
_MIN_SUPPORT_SHARE = 0.02
_LOG_HALF = math.log(0.501)  # a little more than a half, because of rounding
_MIN_CONFIRMED_SHARE = 0.5


@dataclass(frozen=True)
class MemoryWord:
    label: str
    section: str
    entries: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def name(self) -> tuple[str, str]:
        return self.label, self.section


@dataclass(frozen=True)
class _Probe:
    """Columns to leave out: those of a remembered word, or of one entry if `entry` is not −1."""

    word: int
    remembered: int
    columns: tuple[int, ...]
    entry: int = -1


class MemoryInfluences:
    """The effects of one memory's words on the words of a target."""

    def __init__(self, forced: ForcedText, name: str, snapshot: MemorySnapshot, reader: Reader) -> None:
        self._forced, self._model, self.name = forced, forced.model, name
        self._memory = forced.model.memories[name]
        decoding = forced.decoding
        reading = decoding.readings[name].reading
        self._entries = self._memory.entries(snapshot.contents[name], reading, reader)
        self.remembered = group_by_word(self._entries)
        support = decoding.attribution(name)
        strengths, offers = support.strengths[0], support.offers[0]
        self._shares = support.share[0].float().cpu().numpy()
        columns = [each.columns for each in self.remembered]
        self._strengths = _summed(strengths, columns)
        self._offers = _summed(offers, columns)
        self._entry_offers = _summed(offers, [entry.columns for entry in self._entries])
        self._log_probs = decoding.target_log_probs[0].double().cpu().numpy()

    def share(self, word: Word) -> float:
        return float(self._shares[slice(*word.pieces)].mean())

    def uses(
        self, influence: bool, decisive: Mapping[int, Sequence[tuple[str, str]]] = MappingProxyType({})
    ) -> list[tuple[MemoryUse, ...]]:
        """The remembered words that support each output word: decisive ones first, then the strongest.

        Args:
            influence: measure influences; words without influence are then listed only if they are decisive.
            decisive: names of the decisive remembered words (`MemoryAttribution`), by output word.
        """
        listed = [self._listed(word, influence) for word in self._forced.words]
        if not influence:
            return [tuple(self._use(number, place) for place in each) for number, each in enumerate(listed)]
        known = {each.name: number for number, each in enumerate(self.remembered)}
        sets = {word: [known[name] for name in names if name in known] for word, names in decisive.items()}
        probes = [
            _Probe(number, place, self.remembered[place].columns)
            for number, each in enumerate(listed)
            for place in dict.fromkeys((*sets.get(number, ()), *each))
        ]
        changes = self._changes(probes)
        sums = [float(change.sum()) for change in changes]
        strong = [probe for probe, change in zip(probes, sums, strict=True) if abs(change) >= MIN_INFLUENCE]
        occurrences, decisive_probes = self._occurrences(strong), self._find_decisive(probes, changes, sets)
        results: list[list[tuple[MemoryUse, int]]] = [[] for _ in self._forced.words]
        for probe, change in zip(probes, sums, strict=True):
            members = sets.get(probe.word, ())
            rank = members.index(probe.remembered) if probe.remembered in members else len(members)
            is_decisive = rank < len(members) or probe in decisive_probes
            if abs(change) >= _MIN_EFFECT or is_decisive:
                key = probe.word, probe.remembered
                use = self._use(*key, change, occurrences.get(key, ()))
                results[probe.word].append((replace(use, decisive=is_decisive), rank))
        return [
            tuple(use for use, _ in sorted(each, key=lambda pair: (pair[1], _by_influence(pair[0]))))
            for each in results
        ]

    def _listed(self, word: Word, with_rivals: bool) -> list[int]:
        pieces = slice(*word.pieces)
        support, least = self._strengths[pieces], np.full((1, 1), _MIN_EFFECT)
        if with_rivals:
            least = np.minimum(_MIN_EFFECT, _MIN_SUPPORT_SHARE * np.exp(self._log_probs[pieces, None]))
        listed = _strongest(self._memory.word_strength(support), (support > least).any(0))
        if with_rivals:
            other = (self._offers[pieces] - support).max(0)
            listed += [number for number in _strongest(other, other > _MIN_EFFECT) if number not in listed]
        return listed

    def _changes(self, probes: Sequence[_Probe]) -> list[np.ndarray]:
        """The effect of each probed group on the log-probability of each piece of its word, in nats."""
        if not probes:
            return []
        spans = [self._forced.words[probe.word].pieces for probe in probes]
        groups = [probe.columns for probe, span in zip(probes, spans, strict=True) for _ in range(*span)]
        steps = torch.tensor([step for span in spans for step in range(*span)], device=self._model.device)
        changes = self._model.leave_out_at(self._forced.decoding, self.name, groups, steps)
        ends = np.cumsum([end - start for start, end in spans])[:-1]
        return np.split(changes.double().cpu().numpy(), ends)

    def _find_decisive(
        self, probes: Sequence[_Probe], changes: Sequence[np.ndarray], sets: Mapping[int, Sequence[int]]
    ) -> set[_Probe]:
        """The probes without which the model writes another word; words with a decisive set are ignored."""
        target, plain = self._forced.decoding.target[0].tolist(), self._forced.plain
        doubtful: list[tuple[_Probe, int]] = []
        for probe, change in zip(probes, changes, strict=True):
            pieces = range(*self._forced.words[probe.word].pieces)
            if probe.word in sets or any(self._forced.fused[step] != target[step] for step in pieces):
                continue
            if change.sum() < MIN_INFLUENCE and all(plain[step] == target[step] for step in pieces):
                continue
            left = self._log_probs[pieces] - change
            # a piece with a probability above a half remains the most probable piece
            doubtful += [(probe, step) for step, each in zip(pieces, left, strict=True) if each < _LOG_HALF]
        if not doubtful:
            return set()
        steps = torch.tensor([step for _, step in doubtful], device=self._model.device)
        groups = [probe.columns for probe, _ in doubtful]
        left_out = self._model.log_probs_without(self._forced.decoding, {self.name: groups}, steps)
        best = left_out.argmax(-1).tolist()
        return {probe for (probe, step), piece in zip(doubtful, best, strict=True) if piece != target[step]}

    def _occurrences(self, probes: Iterable[_Probe]) -> dict[tuple[int, int], tuple[MemoryUse, ...]]:
        """For each probed word with several entries, the effects of these entries, strongest first."""
        single = [
            replace(probe, columns=self._entries[number].columns, entry=number)
            for probe in probes
            if len(self.remembered[probe.remembered].entries) > 1
            for number in self._strongest_entries(probe.word, probe.remembered)[:MAX_LISTED]
        ]
        occurrences: dict[tuple[int, int], list[MemoryUse]] = {}
        for probe, change in zip(single, self._changes(single), strict=True):
            strength = float(self._entry_supports(probe.word)[probe.entry])
            use = self._entry_use(self._entries[probe.entry], strength, float(change.sum()))
            occurrences.setdefault((probe.word, probe.remembered), []).append(use)
        return {key: tuple(sorted(uses, key=_by_influence)) for key, uses in occurrences.items()}

    def _use(
        self, word: int, remembered: int, change: float | None = None, occurrences: tuple[MemoryUse, ...] = ()
    ) -> MemoryUse:
        place = slice(*self._forced.words[word].pieces), slice(remembered, remembered + 1)
        first = self._entries[self._strongest_entries(word, remembered)[0]]
        strength = float(self._memory.word_strength(self._strengths[place])[0])
        if strength <= _MIN_EFFECT:
            strength = float(self._memory.word_strength(self._offers[place])[0])
        use = replace(self._entry_use(first, strength, change), occurrences=occurrences)
        origin = origin_of(occurrences) if occurrences else use
        return replace(use, segment=origin.segment, confirmed=origin.confirmed)

    def _entry_use(self, entry: Entry, strength: float, change: float | None) -> MemoryUse:
        return MemoryUse(
            self.name, entry.label, entry.segment, strength, change, entry.section, entry.confirmed
        )

    def _strongest_entries(self, word: int, remembered: int) -> list[int]:
        members = list(self.remembered[remembered].entries)
        order = np.argsort(-self._entry_supports(word)[members], kind="stable")
        return [members[place] for place in order]

    def _entry_supports(self, word: int) -> np.ndarray:
        return self._memory.word_strength(self._entry_offers[slice(*self._forced.words[word].pieces)])


def origin_of(occurrences: Sequence[MemoryUse]) -> MemoryUse:
    """The strongest occurrence, or the strongest confirmed one if it has at least half as much influence."""
    minimum = _MIN_CONFIRMED_SHARE * abs(occurrences[0].influence or 0.0)
    known = (each for each in occurrences if each.confirmed and abs(each.influence or 0.0) >= minimum)
    return next(known, occurrences[0])


def group_by_word(entries: Sequence[Entry]) -> tuple[MemoryWord, ...]:
    groups: dict[tuple[str, str], list[int]] = {}
    for number, entry in enumerate(entries):
        groups.setdefault((entry.label, entry.section), []).append(number)
    return tuple(
        MemoryWord(*name, tuple(members), tuple(column for n in members for column in entries[n].columns))
        for name, members in groups.items()
    )


def _summed(strengths: Tensor, groups: Sequence[Sequence[int]]) -> np.ndarray:
    owners = [number for number, columns in enumerate(groups) for _ in columns]
    columns = [column for each in groups for column in each]
    place = torch.tensor([owners, columns], dtype=torch.int64, device=strengths.device).view(2, -1)
    summed = strengths.new_zeros(len(strengths), len(groups))
    return summed.index_add_(1, place[0], strengths[:, place[1]]).float().cpu().numpy()


def _strongest(strengths: np.ndarray, mask: Any) -> list[int]:
    return [int(number) for number in np.argsort(-strengths)[:MAX_LISTED] if mask[number]]


def _by_influence(use: MemoryUse) -> float:
    return -abs(use.influence or 0.0)

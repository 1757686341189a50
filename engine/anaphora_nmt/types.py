"""Data between the engine and its users: frozen, plain, picklable, torch-free."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from anaphora_nmt.corrections import Correction as Correction
from anaphora_nmt.corrections import corrections_from_plain as corrections_from_plain
from anaphora_nmt.corrections import corrections_to_plain as corrections_to_plain
from anaphora_nmt.steering import BroughtIn as BroughtIn
from anaphora_nmt.steering import Matches as Matches
from anaphora_nmt.steering import MemoryPack as MemoryPack
from anaphora_nmt.steering import MemoryRule as MemoryRule
from anaphora_nmt.steering import WhatIf as WhatIf
from anaphora_nmt.steering import match_number as match_number
from anaphora_nmt.steering import rules_from_plain as rules_from_plain
from anaphora_nmt.steering import rules_to_plain as rules_to_plain
from anaphora_text.han import HANGUL, UNSPACED_LETTERS

_LETTER = rf"[^\W\d_{UNSPACED_LETTERS}{HANGUL}]"
"""A letter of a script that writes words apart: not of those without spaces, nor of Korean."""
NOTICEABLE = 0.05
"""Nats from which on an influence counts: a twentieth of a word's probability."""


@dataclass(frozen=True, slots=True)
class SourceSegment:
    """One source segment of a document.

    Attributes:
        id: unique in its document.
        text: inline tags appear as `{1}`, `{/1}` or `{1/}` (see `text.tags`).
        most: maximum number of characters of a draft, without tags; 0: any number. The best
            candidate within is taken; without one, the best.
    """

    id: str
    text: str
    most: int = 0


@dataclass(frozen=True, slots=True)
class SourceTerm:
    """A term in a source segment, and what a draft is to call it.

    Attributes:
        start, end: its characters in `SourceSegment.text`.
        forms: the texts that render it, inflected ones too; none: it only must not be called something.
        forbidden: the texts that must not stand in the draft, inflected forms included.
        clashes: what no draft puts together with the forms: a word and how one of them begins ("a archive").
        guessed: True for a term that no person chose: the model's certainty about it counts for the draft.
    """

    start: int
    end: int
    forms: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()
    guessed: bool = field(default=False, compare=False)

    def kept_in(self, target: str) -> bool:
        """True if a text has a wanted form, in whole words, in any case."""
        right = not self.forms or bool(self.form_in(target))
        return right and not any(_find_word(target, form) for form in self.forbidden)

    def form_in(self, target: str) -> str:
        """The form used in a text, as spelled there; "" without one."""
        return next((found for form in self.forms if (found := _find_word(target, form))), "")


def _find_word(text: str, word: str) -> str:
    """A word or phrase as it stands in a text, no part of a longer word; "" if it does not."""
    found = re.search(rf"(?<!{_LETTER})(?i:{re.escape(word)})(?!{_LETTER})", text)
    return found.group() if found is not None else ""


@dataclass(frozen=True, slots=True)
class Completion:
    """How a translation that is being typed goes on: what follows the typed letters; empty: nothing is
    proposed.

    Attributes:
        ended: whether the sentence is at its end then.
    """

    text: str = ""
    ended: bool = False


class Repeats(Enum):
    """The confirmed segments with the same source that a draft repeats word for word.

    The values are kept in settings: never rename one.
    SAME_BEFORE leaves out those whose segment before has another source than the one before the draft's.
    """

    ALL = "all"
    SAME_BEFORE = "same-before"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to decode.

    Attributes:
        beam_size: hypotheses kept a step; 1 is greedy.
        length_penalty: exponent α of Wu et al. (2016); 0 switches it off.
        n_best: suggestions returned, at most `beam_size`.
        max_length_ratio: target pieces allowed for each source piece (plus a constant).
        coverage: weight β of the log-coverage of the source when finished hypotheses are ranked.
        repetition: penalty of words repeated in a row on a beam's log-probability.
        memories: by registered name, whether a memory is read, if the model has it; those that are not named
            are read if the model is made to. None: no memory is read.
        repeats: whether a source that was confirmed before has the confirmed target as its draft.
        shortlist: whether a model with a shortlist writes only what that, its memories and terms offer.
    """

    beam_size: int = 5
    length_penalty: float = 0.8
    n_best: int = 1
    max_length_ratio: float = 2.5
    coverage: float = 0.04
    repetition: float = 2.0
    memories: Mapping[str, bool] | None = field(default_factory=dict)
    repeats: Repeats = Repeats.ALL
    shortlist: bool = True


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """The state of a document's memory; `revision` grows by one with each change."""

    document: str
    revision: int


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The effect of a word of a memory on one output word.

    Attributes:
        memory, label: the memory's registered name, and the remembered word.
        segment: id of the segment that it comes from, of several the one that acted most, or a confirmed one
            that acted nearly as much as a draft; empty if it comes from none.
        strength: between 0 and 1, as the memory measures it; for a word that spoke for another output word,
            what it offered there.
        influence: the word's log-probability minus the one without any entry of the remembered word; None
            if it was not requested.
        section: name of the view's section that holds the entry; empty: none does.
        confirmed: whether a human confirmed that segment.
        decisive: True if the model chooses the output word because of it: without it (for a word that
            memories changed, without all that are decisive) the model would have continued differently.
        occurrences: where it is remembered more than once, what each entry did by itself, the strongest
            first.
        translates: source words that the remembered word stands for in its segment; empty: not known.
        sentence: the target text of its segment; empty if `translates` was not looked for.
        rivals: other words of that text that attend to these source words nearly as much.
        expected: log-probability of the remembered word in its own segment without memories.
        is_clear: whether nearly all of its attention lies on `translates`, and hardly any other word's does.
    """

    memory: str
    label: str
    segment: str = ""
    strength: float = 0.0
    influence: float | None = None
    section: str = ""
    confirmed: bool = False
    decisive: bool = False
    occurrences: tuple[MemoryUse, ...] = ()
    translates: str = ""
    sentence: str = ""
    rivals: tuple[str, ...] = ()
    expected: float = 0.0
    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class TokenTrace:
    """The evidence behind one output word.

    Attributes:
        word, start, end: as it stands in `Explanation.text`, and where.
        log_probability: sum over its pieces.
        attention: weights over `Explanation.source_words`; they sum to one.
        uses: the memories' words that supported it or, if influences were requested, another
            word; memory by memory, first what turned it from the word without memory, then by strength.
        shares: by memory that is read and holds something, how much of the word comes from it: of the memory
            in the state, or in the probability, between 0 and 1.
        memory_influence: its log-probability minus the one without any memory; None: not requested.
        without_memory: of a word that the model goes on with because of the memories, the one that it would
            have gone on with without them; empty: it would have ended; None: of any other word, or not asked
            for.
    """

    word: str
    start: int
    end: int
    log_probability: float
    attention: tuple[float, ...]
    uses: tuple[MemoryUse, ...] = ()
    shares: Mapping[str, float] = field(default_factory=dict, hash=False)
    memory_influence: float | None = None
    without_memory: str | None = None

    @property
    def confidence(self) -> float:
        """Its probability as the memories leave it: lower where they speak for another word."""
        return math.exp(min(0.0, self.log_probability))

    def share_of(self, memory: str) -> float:
        """The share of one memory; 0 if it is not read or holds nothing."""
        return self.shares.get(memory, 0.0)


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """A memory's content, entry by entry, for a reader.

    Attributes:
        label, segment: its word, and id of the segment that it comes from; empty if it comes from none.
    """

    label: str
    segment: str = ""
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class MemorySection:
    """A list of what a memory holds, in the order in which a reader wants it.

    Attributes:
        name, title: of the section, unique in its memory; and for a reader.
        summary: its description in a few words; may be empty.
        of_segments: whether entries come from segments that they name.
        memory: its registered name.
        takes_topic_rules: whether words are added to it and taken from it by rules for the topic.
    """

    name: str
    title: str
    entries: tuple[MemoryEntry, ...] = ()
    summary: str = ""
    of_segments: bool = False
    memory: str = ""
    takes_topic_rules: bool = False


@dataclass(frozen=True, slots=True)
class SourceWord:
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WordQuality:
    """How far a word of a draft is to be trusted.

    Attributes:
        right: the probability that a reference has it.
        doubtful: whether that is too low to pass over it.
        invented: whether it stands neither in the source nor in the text that the model was trained on.
    """

    word: str
    start: int
    end: int
    right: float
    doubtful: bool = False
    invented: bool = False


@dataclass(frozen=True, slots=True)
class DraftQuality:
    """How good a draft is likely to be, see `quality`.

    Attributes:
        expected: the chrF2 that it is likely to have with a reference, between 0 and 1. Of a model that no
            estimate was fitted for: the mean probability of its pieces.
        doubtful: True if that is low enough for a warning.
        words: of the draft, in order; empty if nothing was fitted.
        unusable: whether writing again is likely to be quicker than fixing the draft.
    """

    expected: float
    doubtful: bool = False
    words: tuple[WordQuality, ...] = ()
    unusable: bool = False


NOT_CARRIED_OVER = "Not carried over: {0}"
"""The warning of a draft that lacks numbers, addresses or code words of its source."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A draft, tags included.

    Attributes:
        score: what ranked it: the length-normalised log-probability, and the coverage of the source.
        memory: the memory it was made with.
        warnings: what a reader should check ("number lost: 42", …), plain sentences.
        quality: how good it is likely to be; None if nothing was translated.
        withheld: the draft that the memory would have led to, where that is not likely enough to be better.
        corrections: those that the draft follows.
    """

    segment: str
    text: str
    score: float
    memory: MemoryVersion
    warnings: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    quality: DraftQuality | None = None
    withheld: str = ""
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The document memory as it stands before one segment, memory by memory."""

    segment: str
    memory: MemoryVersion
    sections: tuple[MemorySection, ...] = ()

    def section(self, memory: str, name: str) -> MemorySection:
        """A section by name; an empty one by default."""
        for section in self.sections:
            if (section.memory, section.name) == (memory, name):
                return section
        return MemorySection(name, "", memory=memory)


@dataclass(frozen=True, slots=True)
class StretchInfluence:
    """The effect of a source stretch on each word of a target: log p minus that without it, in nats."""

    start: int
    end: int
    words: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a segment's target text reads as it does, from one forced decoding of that text.

    Attributes:
        repeats: id of the last segment before with the same source whose confirmed target is this text; or
            "".
        stretches, draft_without_memory: if requested. A word of such a
            draft was not brought by the memory, despite its trace.
        corrections: those that the text follows.
    """

    segment: str
    text: str
    source_words: tuple[SourceWord, ...]
    tokens: tuple[TokenTrace, ...]
    view: MemoryView
    repeats: str = ""
    stretches: tuple[StretchInfluence, ...] = ()
    draft_without_memory: str | None = None
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class FittedMemory:
    """The result of fitting a model's memory on confirmed text.

    Attributes:
        without, before, after: nats a piece of references that were not fitted on, without memory and with
            its constants before and after; those after are kept if they are better.
        pairs: how many pairs were fitted on.
    """

    without: float
    before: float
    after: float
    pairs: int

    @property
    def is_better(self) -> bool:
        return self.after < self.before


@dataclass(frozen=True, slots=True)
class ModelToInstall:
    """A model of another toolkit, a folder or an archive, that is to be copied into a folder that is made for
    it.

    Attributes:
        name: its name; "": as the file.
        source, target: the pair, by the model's names; "": the model's own.
    """

    path: Path
    folder: Path
    name: str = ""
    source: str = ""
    target: str = ""


TORCH = "PyTorch"
"""Computes if the native library does not."""


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """The loaded model and its device.

    Attributes:
        device: "cpu" or "cuda:0 (NVIDIA H100)". threads: compute threads on the CPU.
        precision: "float32"; "bfloat16"; or "int8": the native library multiplies in it.
        memories: titles of the memories that the model reads.
        unlike_below: a document whose first drafts are expected to be worse than this, in the mean, is unlike
            what the model was trained on; None: nothing was fitted.
        kernels: what computes: `TORCH`, or the instructions that the native library runs, as "AVX512-VNNI".
    """

    model: str
    device: str
    threads: int
    precision: str
    source_language: str = "zh"
    target_language: str = "en"
    memories: tuple[str, ...] = field(default_factory=tuple)
    unlike_below: float | None = None
    kernels: str = TORCH

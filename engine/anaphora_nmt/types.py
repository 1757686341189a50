"""Data types of the engine's interface: frozen, plain, picklable, torch-free."""

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
"""A letter of a script with spaces between words, except Korean."""
MIN_INFLUENCE = 0.05
"""Minimum influence that counts, in nats; it corresponds to about a twentieth of a word's probability."""


@dataclass(frozen=True, slots=True)
class SourceSegment:
    """One source segment of a document.

    Attributes:
        id: unique in its document.
        text: inline tags appear as `{1}`, `{/1}` or `{1/}` (see `text.tags`).
        most: maximum number of characters of a draft, without tags; 0 for no limit. A longer candidate
            becomes the draft if all candidates within the limit have more defects.
    """

    id: str
    text: str
    most: int = 0


@dataclass(frozen=True, slots=True)
class SourceTerm:
    """A term in a source segment, with its required and forbidden translations.

    Attributes:
        start, end: character positions in `SourceSegment.text`.
        forms: accepted translations, with inflected forms; empty if no translation is required.
        forbidden: texts that must not be in the draft, with inflected forms.
        clashes: forbidden texts that consist of a word and the beginning of a form, such as "a archive".
        guessed: True if no person chose the term. Then corrections take precedence over the term, and a draft
            with the term may count as unusable.
    """

    start: int
    end: int
    forms: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()
    guessed: bool = field(default=False, compare=False)

    def kept_in(self, target: str) -> bool:
        """True if a target has a form (if the term has any) and no forbidden text, both as whole words."""
        has_form = not self.forms or bool(self.form_in(target))
        return has_form and not any(_find_word(target, form) for form in self.forbidden)

    def form_in(self, target: str) -> str:
        """The first accepted form that occurs in a text, as spelled there; "" if none does."""
        return next((spelling for form in self.forms if (spelling := _find_word(target, form))), "")


def _find_word(text: str, word: str) -> str:
    match = re.search(rf"(?<!{_LETTER})(?i:{re.escape(word)})(?!{_LETTER})", text)
    return match.group() if match is not None else ""


@dataclass(frozen=True, slots=True)
class Completion:
    """A proposed continuation of a half-typed translation.

    Attributes:
        text: the text after the typed letters, or "" without a proposal.
        ended: whether the continuation completes the sentence.
    """

    text: str = ""
    ended: bool = False


class Repeats(Enum):
    """The confirmed segments whose target may become the draft of a segment with the same source.

    SAME_BEFORE: only if the segments before these two segments also have equal sources.
    """

    ALL = "all"
    SAME_BEFORE = "same-before"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to decode.

    Attributes:
        beam_size: number of hypotheses at each step; with 1, the search is greedy.
        length_penalty: exponent α of Wu et al. (2016); 0 switches it off.
        n_best: number of drafts wanted, at most `beam_size`.
        max_length_ratio: maximum number of target pieces for each source piece (plus a constant).
        coverage: weight β of the log-coverage of the source in the ranking; greedy search ignores it.
        repetition: penalty in nats for words repeated in a row; greedy search ignores it.
        memories: maps a memory's registered name to True if it is to be read. The model's configuration
            decides about memories that are not listed. With None, no memory is read.
        repeats: the confirmed segments whose target becomes the draft of a segment with the same source.
        shortlist: whether a model with a shortlist writes only pieces of the list, of memories and of terms.
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
    """The effect of a remembered word on one output word.

    Attributes:
        memory, label: the memory's registered name, and the remembered word.
        segment: id of the segment that wrote the word, or "". If several segments wrote it, the one with the
            strongest effect; but a confirmed one with at least half of this effect takes precedence.
        strength: the memory's measure of support, between 0 and 1. If the remembered word supports only a
            word other than the output word, `strength` is the support for that other word.
        influence: the output word's log-probability minus its log-probability without all entries of the
            remembered word, in nats; None if not requested.
        section: name of the view's section with the entry, or "".
        confirmed: whether a human confirmed `segment`.
        decisive: True if the model would have written another word without the remembered word. If memories
            changed the output word, this is true of all its decisive words together, but not of fewer.
        occurrences: if the word has several entries, the effect of each alone, strongest first.
        translates: source words that the remembered word translates in `segment`; empty if unknown.
        sentence: the target text of `segment`; empty if `translates` was not requested.
        rivals: other words of `sentence` that attend to the words of `translates` nearly as much.
        expected: log-probability of the remembered word in `sentence` without memories.
        is_clear: whether the remembered word attends nearly only to the words of `translates`, and no other
            content word attends to them.
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
    """The evidence for one output word, from a forced decoding with the memories.

    Attributes:
        word, start, end: the word's spelling and character positions in `Explanation.text`.
        log_probability: sum over the word's pieces, in nats.
        attention: weights over `Explanation.source_words`; their sum is 1.
        uses: remembered words that supported this word or, if influences were requested, another word. Each
            memory's decisive words come first; the rest is sorted by influence or, without it, by strength.
        shares: by name, the share of each nonempty memory in the state or probability, from 0 to 1.
        memory_influence: log-probability minus that without any memory, in nats; None if not requested.
        without_memory: the word that the model would have chosen without the memories, or "" if the sentence
            would have ended; None if the memories changed nothing, or if not requested.
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
        """The word's probability with memories; lower if they support another word."""
        return math.exp(min(0.0, self.log_probability))

    def share_of(self, memory: str) -> float:
        """The share of one memory; 0 if the memory is not read or is empty."""
        return self.shares.get(memory, 0.0)


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """An entry of a memory, for display.

    Attributes:
        label, segment: the word, and the id of the segment that wrote it, or "".
        confirmed: whether a human confirmed `segment`.
    """

    label: str
    segment: str = ""
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class MemorySection:
    """A list of a memory's entries, in display order.

    Attributes:
        name, title: a name that is unique in the memory, and a title for display.
        summary: a short description, or "".
        of_segments: whether entries name the segments that wrote them.
        memory: the memory's registered name.
        takes_topic_rules: whether rules for the topic apply to the section's words.
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
    """A word of a source; `start` and `end` are character positions in the text with tags."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WordQuality:
    """The estimated quality of a word in a draft.

    Attributes:
        start, end: character positions in the draft with tags.
        right: the probability that a reference contains the word.
        doubtful: whether `right` is low enough for a warning.
        invented: whether the word occurs neither in the source nor in the model's training text.
    """

    word: str
    start: int
    end: int
    right: float
    doubtful: bool = False
    invented: bool = False


@dataclass(frozen=True, slots=True)
class DraftQuality:
    """The estimated quality of a draft, see `quality`.

    Attributes:
        expected: expected chrF2 against a reference, between 0 and 1; without a fitted estimate, the
            geometric mean of the pieces' probabilities.
        doubtful: True if `expected` is low enough for a warning.
        words: the draft's words in order; empty without a fitted estimate.
        unusable: whether writing a new translation is probably quicker than editing the draft.
    """

    expected: float
    doubtful: bool = False
    words: tuple[WordQuality, ...] = ()
    unusable: bool = False


NOT_CARRIED_OVER = "Missing: {0}"
"""The warning for a draft that lacks numbers, addresses or code words of its source."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A draft, tags included.

    Attributes:
        score: length-normalised log-probability plus the weighted coverage of the source; 0 for copied text.
        memory: the version of the memory that the draft was made with.
        warnings: possible errors as plain sentences (`NOT_CARRIED_OVER`).
        alternatives: at most `SearchOptions.n_best` − 1 other drafts: first `withheld`, then drafts with
            other renderings from corrections, then the search's next best drafts.
        quality: the estimated quality; None if nothing was translated.
        withheld: a draft with the memory, rejected because it is probably not better than `text`; or "".
        corrections: the corrections that the draft follows.
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
    """The document memory that a segment reads, as sections of all memories."""

    segment: str
    memory: MemoryVersion
    sections: tuple[MemorySection, ...] = ()

    def section(self, memory: str, name: str) -> MemorySection:
        """A section by name; a new empty section if the view lacks it."""
        for section in self.sections:
            if (section.memory, section.name) == (memory, name):
                return section
        return MemorySection(name, "", memory=memory)


@dataclass(frozen=True, slots=True)
class StretchInfluence:
    """The effect of a source stretch on each target word: log p minus log p without the stretch, in nats."""

    start: int
    end: int
    words: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The evidence for each word of a segment's target text, from one forced decoding.

    Attributes:
        repeats: id of the last earlier segment with the same source and this text as confirmed target, or "".
        stretches: effects of source stretches; empty if not requested.
        draft_without_memory: a draft without the memory; None if not requested. The memory did not cause the
            words that are also in this draft, even if a trace shows a decisive use.
        corrections: the corrections that the text follows.
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
        without, before, after: loss of held-out references, in nats per piece, without the memory, with its
            old constants, and with its new constants. The model keeps the new constants if `is_better`.
        pairs: number of sentence pairs in the fit.
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
    """A model of another toolkit to install.

    Attributes:
        path: a folder or an archive.
        folder: the new folder for the installed model.
        name: the model's name, or "" for the name of `path`.
        source, target: the languages, as the model names them; "" for the model's only language.
    """

    path: Path
    folder: Path
    name: str = ""
    source: str = ""
    target: str = ""


TORCH = "PyTorch"
"""`EngineInfo.kernels` without the native library."""


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """The loaded model and its device.

    Attributes:
        device: "cpu", or for example "cuda:0 (NVIDIA H100)".
        threads: number of threads on the CPU, including those that prepare the next segments.
        precision: "float32", or "int8" with the native library.
        memories: titles of the memories that the model reads.
        unlike_below: a document differs from the training text if the mean expected quality of its first
            drafts is below this value; None without a fitted estimate.
        kernels: `TORCH`, or the native library's instruction set, such as "AVX512-VNNI".
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

"""The draft of one segment, judged; one that the memory has changed is taken only where it is worth it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from anaphora_nmt.memory.contents import Contribution, MemorySnapshot, Origin
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.pipeline.ahead import Ahead
from anaphora_nmt.pipeline.aligned_words import SourceWords, TargetWords, read_words
from anaphora_nmt.pipeline.document import OpenDocument
from anaphora_nmt.pipeline.document_corrections import CorrectedPhrase
from anaphora_nmt.pipeline.drafting import Draft, Drafter
from anaphora_nmt.pipeline.held_corrections import (
    followed_corrections,
    held_corrections,
    other_corrections,
)
from anaphora_nmt.pipeline.judging import Finished, judge, plain_quality, quality_of
from anaphora_nmt.pipeline.lines import PreparedLine, prepare_target
from anaphora_nmt.quality.evidence import Evidence
from anaphora_nmt.types import NOT_CARRIED_OVER, DraftQuality, SearchOptions, SourceTerm, Suggestion
from anaphora_text.repeated_phrases import repeated_phrases
from anaphora_text.tags import MARK

Cancel = Callable[[], bool]
WORTH = 0.06
"""By how much likelier, in nats a piece, a draft that the memory has changed must be than the one without.

Chosen on dev by the share of changed drafts that lose chrF: tests/benchmarks/measure_withheld.py. The
expected quality without the memory does not tell: to the model alone its own draft is always the better one.
"""
_MOVED, _STRAYED = 0.05, 0.2
"""A draft of which the memories move no piece by so many nats, or whose pieces are together so nearly the
likeliest ones without them, too, is not looked for without them.

It would hardly be another one: of 365 drafts after a confirmation of every third document of the dev sets
(12 segments of each), 291 were moved so far; 163 of these were others without memory. All 68 that are
withheld have strayed by 0.27 nats or more, of the 128 that are the same three quarters by none.
"""


@dataclass(frozen=True)
class _Found:
    """A draft that was searched for.

    Attributes:
        held: what corrections call places of its source; none where it follows them by itself.
        before: the draft that was not held to them.
    """

    draft: Draft
    held: tuple[SourceTerm, ...] = ()
    before: Draft | None = None


@dataclass(frozen=True)
class _Search:
    """Searches for drafts of a segment that follow its terms and the document's corrections.

    Attributes:
        phrases: of the source that corrections speak of.
    """

    drafter: Drafter
    source: PreparedLine
    terms: tuple[SourceTerm, ...]
    cancel: Cancel | None
    phrases: Sequence[CorrectedPhrase]

    def find(self, memory: MemorySnapshot, options: SearchOptions) -> _Found:
        """The draft with a memory; made again where it renders a phrase as somebody has rejected."""
        draft = self._draft(memory, options, ())
        if not self.phrases:
            return _Found(draft)
        held = held_corrections(self.source, self.phrases, draft.text, self.terms, self._read)
        return _Found(self._draft(memory, options, held), held, draft) if held else _Found(draft)

    def other_renderings(
        self, memory: MemorySnapshot, options: SearchOptions, found: _Found
    ) -> tuple[str, ...]:
        """Drafts with other renderings that somebody has chosen for the same phrases."""
        held = other_corrections(self.source, self.phrases, found.draft.text, self.terms)
        return tuple(self._draft(memory, options, (each,)).text for each in held)

    def follows_less(self, one: str, other: str) -> bool:
        """Whether a draft does not follow a correction that another one follows."""
        followed = followed_corrections(self.phrases, other)
        return any(each not in followed_corrections(self.phrases, one) for each in followed)

    def _draft(self, memory: MemorySnapshot, options: SearchOptions, held: Sequence[SourceTerm]) -> Draft:
        terms = [(*self.terms, *held)]
        return self.drafter.draft([self.source], [memory], options, self.cancel, terms)[0]

    def _read(self, draft: str) -> TargetWords:
        return read_words(self.drafter, self.source, SourceWords.of(self.source.line.plain), draft)


@dataclass(frozen=True)
class Judged:
    """A draft, and what its forced decoding with the memory shows.

    Attributes:
        contribution: what it writes to the memory.
        evidence: of its quality; None where nothing was fitted that would judge it.
    """

    found: _Found
    contribution: Contribution
    quality: DraftQuality
    evidence: Evidence | None

    @property
    def text(self) -> str:
        return self.found.draft.text


class DraftMaker:
    """Makes drafts of an opened document's segments, and lets the memory count what they write."""

    def __init__(self, bundle: Bundle, drafter: Drafter, ahead: Ahead | None = None) -> None:
        """Args: `ahead`: works on the segments behind; None: nobody does."""
        self._ahead = ahead
        self._bundle = bundle
        self._drafter = drafter

    def suggest(
        self,
        opened: OpenDocument,
        segment: str,
        options: SearchOptions,
        cancel: Cancel | None,
        terms: Sequence[SourceTerm],
    ) -> Suggestion:
        """Draft a segment with the memory of the segments before it; see `Translator.translate`."""
        index = opened.index(segment)
        opened.call_names(index, terms)
        source, options = opened.source(index), opened.reading(options)
        version = opened.memory.version
        if not source.ids:
            return Suggestion(segment, source.raw, 0.0, version)
        if self._ahead is not None:
            self._ahead.begin(opened, index, options, cancel)
        memory = opened.memory.settle(index, self._bundle.memory.steady(options.memories))
        search = _Search(self._drafter, source, tuple(terms), cancel, opened.corrected(index, source))
        made, withheld = self._made(opened, index, search, memory, options)
        draft = made.found.draft
        opened.note_draft(index, draft.text, made.found.held, made.contribution)
        others = search.other_renderings(memory, options, made.found) if options.n_best > 1 else ()
        others = tuple(dict.fromkeys(filter(None, (withheld, *others, *draft.alternatives))))
        others = tuple(each for each in others if each != draft.text)[: options.n_best - 1]
        warnings, quality = _warnings(source, draft.text), made.quality
        if quality.unusable and opened.is_confirmed(index, draft.text):
            quality = replace(quality, unusable=False)  # whatever is expected of it, somebody answers for it
        followed = followed_corrections(search.phrases, draft.text)
        return Suggestion(
            segment, draft.text, draft.score, version, warnings, others, quality, withheld, followed
        )

    def forget(self) -> None:
        """Keep nothing of sources that were drafted, or that are worked on ahead."""
        if self._ahead is not None:
            self._ahead.end()
        self._drafter.forget()

    def contribution(self, source: PreparedLine, target: str, origin: Origin) -> Contribution:
        """What a target text of a prepared source writes to the memory.

        One by one: in a batch, sums are rounded otherwise, and a memory is to be the same however it came
        to be (a batch of 16 would save a fourteenth of the time).
        """
        prepared = prepare_target(target, source.line.strings, self._bundle.target)
        return self._drafter.contributions([source], [prepared], origin)[0]

    def _made(
        self,
        opened: OpenDocument,
        index: int,
        search: _Search,
        memory: MemorySnapshot,
        options: SearchOptions,
    ) -> tuple[Judged, str]:
        """The draft that is taken, and the one that is withheld; "" for none."""

        def judged(found: _Found) -> Judged:
            return self._judged(search, found, memory, options)

        repeated = self._repeated(opened, index, options, search.terms)
        if repeated is not None:
            return judged(_Found(repeated)), ""
        steady = self._bundle.memory.steady(options.memories)
        without = replace(options, memories={name: name in steady for name in memory.contents})
        held = tuple(memory.contents[name] for name in sorted(steady))

        def plain() -> _Found:
            key = (search.source, repr(without), search.terms, held, tuple(search.phrases))
            return opened.plain.get(index, key, lambda: search.find(memory, without))

        if self._bundle.memory.chosen(options.memories) == steady:
            return judged(plain()), ""
        made = judged(search.find(memory, options))
        if (
            made.evidence is None  # what withholding does to models that nothing judges was not measured
            or not opened.memory.is_confirmed_before(index)
            or made.evidence.moved < _MOVED
            or made.evidence.strayed < _STRAYED
        ):
            return made, ""
        other = plain()
        if other.draft.text == made.text or search.follows_less(other.draft.text, made.text):
            return made, ""
        unmoved = judged(other)
        assert unmoved.evidence is not None
        stutters = says_more_twice(made.text, unmoved.text)
        if is_worth_it(made.evidence, unmoved.evidence) and not stutters:
            return made, ""
        return unmoved, made.text

    def _repeated(
        self, opened: OpenDocument, index: int, options: SearchOptions, terms: Sequence[SourceTerm]
    ) -> Draft | None:
        """What was confirmed for the same source before."""
        if not self._bundle.memory.follows_confirmed(options.memories):
            return None
        target = opened.repeated(index, terms, options.repeats)
        return None if target is None else Draft(target, 0.0)

    def _judged(
        self, search: _Search, found: _Found, memory: MemorySnapshot, options: SearchOptions
    ) -> Judged:
        """What a draft writes to the memory, and its quality, from the same forced decoding.

        A draft that is held to corrections is usable if it was without them.
        """
        fitted, source, draft = self._bundle.quality, search.source, found.draft
        if fitted is None:
            written = self.contribution(source, draft.text, Origin.DRAFT)
            return Judged(found, written, plain_quality(draft), None)
        target = prepare_target(draft.text, source.line.strings, self._bundle.target)
        use = self._bundle.memory.chosen(options.memories)
        finished = Finished(source, target, memory, draft.others)
        ((contribution, evidence),) = judge(self._drafter, [finished], use)
        quality = quality_of(fitted, target, evidence, (*search.terms, *found.held))
        if quality.unusable and found.before is not None:
            before = self._judged(search, _Found(found.before), memory, options)
            quality = replace(quality, unusable=before.quality.unusable)
        return Judged(found, contribution, quality, evidence)


def is_worth_it(changed: Evidence, plain: Evidence) -> bool:
    """Whether a draft that the memory has changed is to take the place of the one without memory.

    Args:
        changed, plain: of both, decoded with the memory.
    """
    return float(changed.log_probs.mean() - plain.log_probs.mean()) >= WORTH


def says_more_twice(changed: str, plain: str) -> bool:
    """Whether a draft says a phrase twice in a row that another one does not."""
    once, said = (
        {text[second:end].casefold() for _, second, end in repeated_phrases(text)}
        for text in (plain, changed)
    )
    return not said <= once


def _warnings(source: PreparedLine, target: str) -> tuple[str, ...]:
    plain = MARK.sub("", target)  # pairs of tags may stand inside a string, as in CO{1}2{/1}
    lost = [string for string in source.line.strings if string not in target and string not in plain]
    return (NOT_CARRIED_OVER.format(", ".join(lost)),) if lost else ()

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
    follows_more,
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

Chosen on dev by the share of changed drafts that lose chrF. The
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
class Judged:
    """A draft, and what its forced decoding with the memory shows.

    Attributes:
        contribution: what it writes to the memory.
        evidence: of its quality; None where nothing was fitted that would judge it.
        options: that it was searched for with.
        held: what corrections call places of its source.
    """

    draft: Draft
    contribution: Contribution
    quality: DraftQuality
    evidence: Evidence | None
    options: SearchOptions
    held: tuple[SourceTerm, ...] = ()


@dataclass(frozen=True)
class _Asked:
    """What a draft is made of.

    Attributes:
        memory: before the segment.
        phrases: of the source that corrections speak of.
    """

    source: PreparedLine
    memory: MemorySnapshot
    options: SearchOptions
    cancel: Cancel | None
    terms: tuple[SourceTerm, ...]
    phrases: Sequence[CorrectedPhrase]


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
        phrases = opened.corrected(index, source)
        asked = _Asked(source, memory, options, cancel, tuple(terms), phrases)
        made, withheld = self._made(opened, index, asked)
        others: tuple[str, ...] = ()
        if phrases:
            made, others = self._corrected(asked, made)
        draft = made.draft
        opened.note_draft(index, draft.text, made.held, made.contribution)
        others = tuple(dict.fromkeys((*filter(None, (withheld,)), *others, *draft.alternatives)))
        others = tuple(each for each in others if each != draft.text)[: options.n_best - 1]
        warnings, quality = _warnings(source, draft.text), made.quality
        if quality.unusable and opened.is_confirmed(index, draft.text):
            quality = replace(quality, unusable=False)  # whatever is expected of it, somebody answers for it
        followed = followed_corrections(phrases, draft.text)
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

    def _made(self, opened: OpenDocument, index: int, asked: _Asked) -> tuple[Judged, str]:
        """The draft that is taken, before corrections, and the one that is withheld; "" for none."""
        memory, options = asked.memory, asked.options

        def judged(draft: Draft, options: SearchOptions) -> Judged:
            return self._judged(asked, draft, options)

        repeated = self._repeated(opened, index, options, asked.terms)
        if repeated is not None:
            return judged(repeated, options), ""
        steady = self._bundle.memory.steady(options.memories)
        without = replace(options, memories={name: name in steady for name in memory.contents})
        held = tuple(memory.contents[name] for name in sorted(steady))

        def plain() -> Draft:
            key = (asked.source, repr(without), asked.terms, held)
            return opened.plain.get(index, key, lambda: self._search(asked, without))

        if self._bundle.memory.chosen(options.memories) == steady:
            return judged(plain(), without), ""
        made = judged(self._search(asked, options), options)
        if (
            made.evidence is None  # what withholding does to models that nothing judges was not measured
            or not opened.memory.is_confirmed_before(index)
            or made.evidence.moved < _MOVED
            or made.evidence.strayed < _STRAYED
        ):
            return made, ""
        other = plain()
        if other.text == made.draft.text or follows_more(asked.phrases, made.draft.text, other.text):
            return made, ""
        # Both are decoded with the memory.
        unmoved = replace(judged(other, options), options=without)
        assert unmoved.evidence is not None
        stutters = says_more_twice(made.draft.text, other.text)
        if is_worth_it(made.evidence, unmoved.evidence) and not stutters:
            return made, ""
        return unmoved, made.draft.text

    def _corrected(self, asked: _Asked, made: Judged) -> tuple[Judged, tuple[str, ...]]:
        """A draft that follows the corrections, and drafts with other renderings that somebody has chosen.

        It is usable if it was without them.
        """

        def read(draft: str) -> TargetWords:
            words = SourceWords.of(asked.source.line.plain)
            return read_words(self._drafter, asked.source, words, draft)

        held = held_corrections(asked.source, asked.phrases, made.draft.text, asked.terms, read)
        if held:
            draft = self._search(asked, made.options, held)
            found = replace(self._judged(asked, draft, asked.options, held), options=made.options)
            unusable = found.quality.unusable and made.quality.unusable
            made = replace(found, quality=replace(found.quality, unusable=unusable))
        if asked.options.n_best == 1:
            return made, ()
        others = other_corrections(asked.source, asked.phrases, made.draft.text, asked.terms)
        return made, tuple(self._search(asked, made.options, (each,)).text for each in others)

    def _search(self, asked: _Asked, options: SearchOptions, held: Sequence[SourceTerm] = ()) -> Draft:
        """Search for a draft; `held`: what corrections call places of the source, besides the terms."""
        terms = [(*asked.terms, *held)]
        return self._drafter.draft([asked.source], [asked.memory], options, asked.cancel, terms)[0]

    def _repeated(
        self, opened: OpenDocument, index: int, options: SearchOptions, terms: Sequence[SourceTerm]
    ) -> Draft | None:
        """What was confirmed for the same source before."""
        if not self._bundle.memory.follows_confirmed(options.memories):
            return None
        target = opened.repeated(index, terms, options.repeats)
        return None if target is None else Draft(target, 0.0)

    def _judged(
        self, asked: _Asked, draft: Draft, options: SearchOptions, held: tuple[SourceTerm, ...] = ()
    ) -> Judged:
        """What a draft writes to the memory, and its quality, from the same forced decoding."""
        fitted, source = self._bundle.quality, asked.source
        if fitted is None:
            written = self.contribution(source, draft.text, Origin.DRAFT)
            return Judged(draft, written, plain_quality(draft), None, options, held)
        target = prepare_target(draft.text, source.line.strings, self._bundle.target)
        use = self._bundle.memory.chosen(options.memories)
        finished = Finished(source, target, asked.memory, draft.others)
        ((contribution, evidence),) = judge(self._drafter, [finished], use)
        quality = quality_of(fitted, target, evidence, (*asked.terms, *held))
        return Judged(draft, contribution, quality, evidence, options, held)


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

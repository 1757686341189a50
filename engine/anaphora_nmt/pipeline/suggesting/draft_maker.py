"""The draft of one segment, judged; one that a confirmation changes is taken only where it is worth it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from anaphora_nmt.errors import Cancel, Cancelled
from anaphora_nmt.memory.contents import Contribution, MemorySnapshot, Origin
from anaphora_nmt.memory.registry import registered
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.pipeline.correcting.aligned_words import SourceWords, TargetWords, read_words
from anaphora_nmt.pipeline.correcting.held_corrections import (
    corrected_texts,
    drops_corrected,
    followed_corrections,
    followed_terms,
    held_corrections,
    other_texts,
    rejected_phrases,
)
from anaphora_nmt.pipeline.judging.explained import Confirmed, is_explained
from anaphora_nmt.pipeline.judging.quality import Finished, judge, plain_quality, quality_of
from anaphora_nmt.pipeline.opened.document import OpenDocument
from anaphora_nmt.pipeline.opened.document_corrections import CorrectedPhrase
from anaphora_nmt.pipeline.opened.drafts import Draft
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, prepare_source, prepare_target
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.pipeline.suggesting.ahead import Ahead
from anaphora_nmt.quality.evidence import Evidence
from anaphora_nmt.steering import BroughtIn
from anaphora_nmt.text.latin_words import keeps_latin_words
from anaphora_nmt.text.proper_names import DocumentNames
from anaphora_nmt.text.word_list import NO_WORDS
from anaphora_nmt.types import NOT_CARRIED_OVER, DraftQuality, SearchOptions, SourceTerm, Suggestion
from anaphora_text.inflections import may_be
from anaphora_text.repeated_phrases import repeated_phrases
from anaphora_text.tags import MARK

WORTH = 0.06
"""By how much likelier, in nats a piece, a draft that what was confirmed has changed must be.

Chosen on dev by the share of changed drafts that lose chrF. The
expected quality without the memory does not tell: to the model alone its own draft is always the better one.
"""
ALIKE = 75.0
"""Percent of characters that a source shares with a confirmed one, or a match, that may lead its draft."""
FITS = 3.0
"""Nats by which a chosen rendering may be less likely in a sentence than in the one where it was chosen.

Chosen on 170 drafts of the dev sets and of a contract that follow a correction, read by eye.
"""
_MOVED = 0.05
"""Confirmed text does not count in a draft if it moves no piece by this many nats."""


@dataclass(frozen=True)
class Judged:
    """A draft, and what its forced decoding with the memory shows.

    Attributes:
        contribution: what it writes to the memory.
        evidence: of its quality; None if nothing was fitted that would judge it.
        memory, options: that it was searched for with.
    """

    draft: Draft
    contribution: Contribution
    quality: DraftQuality
    evidence: Evidence | None
    memory: MemorySnapshot
    options: SearchOptions


@dataclass(frozen=True)
class _Asked:
    """The inputs of a draft.

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
        """Args: `ahead`: works on the next segments; None: off."""
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
        memory = opened.memory.before(index)
        # Without any memory nothing is remembered of corrections, either.
        phrases = opened.corrected(index, source) if options.memories is not None else []
        asked = _Asked(source, memory, options, cancel, tuple(terms), phrases)
        made, withheld = self._made(opened, index, asked)
        plain = opened.plain.text(index) or made.draft.text
        others: tuple[str, ...] = ()
        if phrases and not opened.is_confirmed(index, made.draft.text):
            made, others = self._corrected(asked, made)
        draft, withheld = made.draft, "" if withheld == made.draft.text else withheld
        held = followed_terms(source, phrases, draft.text, asked.terms)
        opened.note_draft(index, draft.text, held, made.contribution)
        others = tuple(dict.fromkeys((*filter(None, (withheld,)), *others, *draft.alternatives)))
        others = tuple(each for each in others if each != draft.text)[: options.n_best - 1]
        warnings, quality = _warnings(source, draft.text), made.quality
        if quality.unusable and opened.is_confirmed(index, draft.text):
            quality = replace(quality, unusable=False)  # a person has accepted it, even with a low estimate
        followed = followed_corrections(phrases, draft.text, plain)
        return Suggestion(
            segment, draft.text, draft.score, version, warnings, others, quality, withheld, followed
        )

    def forget(self) -> None:
        """Keep nothing of sources that were drafted, or that are worked on ahead."""
        if self._ahead is not None:
            self._ahead.end()
        self._drafter.forget()

    def contribution(self, source: PreparedLine, target: str, origin: Origin) -> Contribution:
        """The contribution of a target text of a prepared source to the memory.

        One by one: in a batch, sums are rounded otherwise, and a memory is to be the same however it came
        to be (a batch of 16 would save a fourteenth of the time).
        """
        prepared = prepare_target(target, source.line.strings, self._bundle.target)
        return self._drafter.contributions([source], [prepared], origin)[0]

    def _made(self, opened: OpenDocument, index: int, asked: _Asked) -> tuple[Judged, str]:
        """The draft that is taken, before corrections, and the one that is withheld; "" for none."""
        options = asked.options
        judged = partial(self._judged, asked)
        repeated = self._repeated(opened, index, options, asked.terms)
        if repeated is not None:
            return judged(repeated, options), ""
        chosen, made_from, held = self._unconfirmed(opened, index, asked)

        def plain(make: Callable[[], Draft]) -> Draft:
            # Words confirmed meanwhile do not change it.
            source = replace(asked.source, rewritten=frozenset(), written=NO_WORDS)
            return opened.plain.get(index, (source, asked.terms, made_from), make)

        def search_plain() -> Draft:
            return self._search(replace(asked, memory=held()), chosen)

        if self._bundle.memory.chosen(options.memories) == self._bundle.memory.steady(options.memories):
            return judged(plain(search_plain), chosen), ""
        made = judged(self._search(asked, options), options)
        if made.evidence is None:  # what withholding does to models that nothing judges was not measured
            return made, ""
        if not opened.memory.is_confirmed_before(index):
            plain(lambda: made.draft)
            return made, ""
        other = plain(search_plain)
        is_moved = made.evidence.moved >= _MOVED
        if other.text == made.draft.text or (not is_moved and self._reads_others(options)):
            return made, ""
        # Both are decoded with the memory.
        unmoved = replace(judged(other, options), options=chosen, memory=held())
        if not is_moved:
            return unmoved, ""  # of two drafts that are as likely, the one that was there
        assert unmoved.evidence is not None
        if (
            float(made.evidence.log_probs.mean() - unmoved.evidence.log_probs.mean()) >= WORTH
            and not says_more_twice(made.draft.text, other.text)
            and not drops_corrected(asked.phrases, other.text, made.draft.text)
            and keeps_latin_words(asked.source.line.plain, other.text, made.draft.text)
            and (
                opened.memory.rules  # the user decides
                or opened.resembles_confirmed(index, ALIKE)
                or is_explained(made.evidence, unmoved.evidence, self._confirmed(opened, index))
            )
        ):
            return made, ""
        return unmoved, made.draft.text

    def _reads_others(self, options: SearchOptions) -> bool:
        """True if memories are read that are not steady and do not distinguish confirmed text from drafts."""
        memories = self._bundle.memory
        read = memories.chosen(options.memories) - memories.steady(options.memories)
        return not all(registered(name).heeds_origin for name in read)

    def _confirmed(self, opened: OpenDocument, index: int) -> Iterator[Confirmed]:
        """The confirmed pairs before a segment, decoded once."""

        def decode(source: str, target: str) -> Evidence:
            if (source, target) not in opened.decoded:
                line = prepare_source(source, self._bundle.source, opened.names.find)
                pair = Finished(line, prepare_target(target, line.line.strings, self._bundle.target))
                opened.decoded[source, target] = judge(self._drafter, [pair], frozenset())[0][1]
            return opened.decoded[source, target]

        for source, target in opened.confirmed_before(index):
            yield target, partial(decode, source, target)

    def _unconfirmed(
        self, opened: OpenDocument, index: int, asked: _Asked
    ) -> tuple[SearchOptions, object, Callable[[], MemorySnapshot]]:
        """How a segment is drafted as if nothing were confirmed: from drafts and from steady memories.

        Returns:
            options, what they and the memory are made from (not drafts and recent words: they alone change no
            draft that stands), and what makes the memory.
        """
        memory, options = asked.memory, asked.options
        steady = self._bundle.memory.steady(options.memories)
        read = self._bundle.memory.chosen(options.memories) - steady
        heeding = {name for name in read if registered(name).heeds_origin}
        chosen = replace(options, memories={name: name in steady | heeding for name in memory.contents})
        drafts = opened.memory.drafts_before(index) if heeding else ()

        def make() -> MemorySnapshot:
            of_drafts = opened.memory.of_drafts(drafts, heeding)
            return replace(memory, contents={**memory.contents, **of_drafts})

        return chosen, (repr(chosen), opened.memory.rules), make

    def _corrected(self, asked: _Asked, made: Judged) -> tuple[Judged, tuple[str, ...]]:
        """A draft that follows the corrections, and drafts with other chosen renderings.

        It is usable if it was without them.
        """

        @cache
        def read(draft: str) -> TargetWords:
            words = SourceWords.of(asked.source.line.plain)
            return read_words(self._drafter, asked.source, words, draft)

        given = asked.source, asked.phrases
        rejected = rejected_phrases(*given, made.draft.text, asked.terms, read)
        if len(known := dict.fromkeys(each.corrections for each in rejected)) > 1:
            alike = ([each for each in rejected if each.corrections == one] for one in known)
            rejected = [each for some in alike if self._following(asked, made, some, read) for each in some]
        made = self._following(asked, made, rejected, read) or made
        if held := held_corrections(*given, made.draft.text, asked.terms, read):
            draft = self._search(replace(asked, memory=made.memory), made.options, held)
            made = self._taken(made, self._judged(asked, draft, asked.options, held))
        others = () if asked.options.n_best == 1 else other_texts(*given, made.draft.text, asked.terms, read)
        return made, tuple(others)

    def _following(
        self,
        asked: _Asked,
        made: Judged,
        rejected: Sequence[CorrectedPhrase],
        read: Callable[[str], TargetWords],
    ) -> Judged | None:
        """The likeliest draft with chosen renderings; None if none fits into the sentence.

        A rendering that is right in one sentence may be wrong in another one: "count" for "compute". There
        the model finds it much less likely than where it was chosen.
        """
        texts = corrected_texts(asked.source, rejected, made.draft.text, read)
        texts = [text for text in texts if not says_more_twice(text, made.draft.text)]
        if not texts:
            return None
        found = [self._judged(asked, replace(made.draft, text=text), asked.options) for text in texts]
        best = max(found, key=lambda each: _log_probability(each.evidence))
        change = _log_probability(best.evidence) - _log_probability(made.evidence)
        return None if change < sum(map(_least_fit, rejected)) else self._taken(made, best)

    @staticmethod
    def _taken(before: Judged, found: Judged) -> Judged:
        """A draft in place of another one, made as that was."""
        unusable = found.quality.unusable and before.quality.unusable
        quality = replace(found.quality, unusable=unusable)
        return replace(found, memory=before.memory, options=before.options, quality=quality)

    def _search(self, asked: _Asked, options: SearchOptions, held: Sequence[SourceTerm] = ()) -> Draft:
        """Search for a draft; `held`: what corrections call places of the source, besides the terms."""
        terms = [(*asked.terms, *held)]
        return self._drafter.draft([asked.source], [asked.memory], options, asked.cancel, terms)[0]

    def _repeated(
        self, opened: OpenDocument, index: int, options: SearchOptions, terms: Sequence[SourceTerm]
    ) -> Draft | None:
        """The confirmed text for the same source before."""
        if not self._bundle.memory.follows_confirmed(options.memories):
            return None
        target = opened.repeated(index, terms, options.repeats)
        return None if target is None else Draft(target, 0.0)

    def _judged(
        self, asked: _Asked, draft: Draft, options: SearchOptions, held: tuple[SourceTerm, ...] = ()
    ) -> Judged:
        """A draft's contribution to the memory, and its quality, from the same forced decoding."""
        fitted, source = self._bundle.quality, asked.source
        if fitted is None:
            written = self.contribution(source, draft.text, Origin.DRAFT)
            return Judged(draft, written, plain_quality(draft), None, asked.memory, options)
        target = prepare_target(draft.text, source.line.strings, self._bundle.target)
        use = self._bundle.memory.chosen(options.memories)
        finished = Finished(source, target, asked.memory, draft.others)
        ((contribution, evidence),) = judge(self._drafter, [finished], use)
        quality = quality_of(fitted, target, evidence, (*asked.terms, *held))
        return Judged(draft, contribution, quality, evidence, asked.memory, options)


def _least_fit(phrase: CorrectedPhrase) -> float:
    """By how many nats following the corrections of a phrase may change a draft, at least.

    Half as many where an adjective takes a noun's place: "circular" for "loop" may only fit before a noun.
    """
    known = [each.fit for each in phrase.corrections if each.fit is not None]
    doubt = any(may_be(each.chosen, "J") > may_be(each.rejected, "J") for each in phrase.corrections)
    return min((*known, 0.0)) - FITS / (1 + doubt) if len(known) == len(phrase.corrections) else -math.inf


def _log_probability(evidence: Evidence | None) -> float:
    return float(evidence.log_probs.sum()) if evidence is not None else 0.0


def says_more_twice(changed: str, plain: str) -> bool:
    """True if a draft repeats a phrase that another one does not repeat."""
    once, said = (
        {text[second:end].casefold() for _, second, end in repeated_phrases(text)}
        for text in (plain, changed)
    )
    return not said <= once


def _warnings(source: PreparedLine, target: str) -> tuple[str, ...]:
    said = target.casefold()
    plain = MARK.sub("", said)  # pairs of tags may stand inside a string, as in CO{1}2{/1}
    strings = ((string, string.casefold()) for string in source.line.strings)
    lost = [string for string, small in strings if small not in said and small not in plain]
    return (NOT_CARRIED_OVER.format(", ".join(lost)),) if lost else ()


def contributions_of(
    packs: Sequence[BroughtIn], bundle: Bundle, maker: DraftMaker, cancel: Cancel | None
) -> list[tuple[str, Contribution]]:
    """The pairs of packs, by name; Cancelled between two pairs."""
    named = [pair for pack in packs for pair in _named_sources(pack, bundle)]
    found: list[tuple[str, Contribution]] = []
    for name, names, (source, target) in named:
        if cancel is not None and cancel():
            raise Cancelled("bringing in a memory was cancelled")
        prepared = prepare_source(source, bundle.source, names.find)
        found.append((name, maker.contribution(prepared, target, Origin.CONFIRMED)))
    return found


def _named_sources(pack: BroughtIn, bundle: Bundle) -> list[tuple[str, DocumentNames, tuple[str, str]]]:
    """A pack's pairs with what they are called, and the proper names of the document that they make."""
    names = DocumentNames(bundle.names, [source for source, _ in pack.pairs])
    for called, (source, target) in zip(pack.names(), pack.pairs, strict=True):
        names.confirm(called, source, target)
    return [(called, names, pair) for called, pair in zip(pack.names(), pack.pairs, strict=True)]

"""Drafts with and without confirmed text, the choice between them, corrections, and packs' contributions."""

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
from anaphora_nmt.pipeline.correcting.corrected_drafts import (
    corrected_texts,
    drops_corrected,
    followed_corrections,
    followed_terms,
    other_texts,
    rejected_phrases,
    required_terms,
)
from anaphora_nmt.pipeline.judging.explained import ConfirmedTarget, is_explained
from anaphora_nmt.pipeline.judging.quality import DraftPair, basic_quality, judge, quality_of
from anaphora_nmt.pipeline.opened.document import OpenDocument
from anaphora_nmt.pipeline.opened.document_corrections import CorrectedPhrase
from anaphora_nmt.pipeline.opened.drafts import Draft
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, prepare_source, prepare_target
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.pipeline.suggesting.preparer import Preparer
from anaphora_nmt.quality.evidence import Evidence
from anaphora_nmt.steering import BroughtIn
from anaphora_nmt.text.latin_words import keeps_latin_words
from anaphora_nmt.text.proper_names import DocumentNames
from anaphora_nmt.text.word_list import NO_WORDS
from anaphora_nmt.types import NOT_CARRIED_OVER, DraftQuality, SearchOptions, SourceTerm, Suggestion
from anaphora_text.inflections import may_be
from anaphora_text.repeated_phrases import repeated_phrases
from anaphora_text.tags import MARK

MIN_GAIN = 0.06
"""Minimum gain in log-probability, in nats per piece, of a draft that confirmed text has changed.

Chosen on development sets by the share of changed drafts that lose chrF. The expected quality without the
memory cannot decide, because the model alone always prefers the draft that it made alone.
"""
MIN_SIMILARITY = 75.0
"""Minimum similarity in percent to a confirmed source at which `is_explained` is not required."""
MAX_LOSS = 3.0
"""A rendering may cost a draft this much more log-probability (in nats) than the text where it was chosen.

Chosen on 170 drafts of development sets and of a contract that follow a correction.
"""
_MIN_CHANGE = 0.05
"""Minimum change in nats of a piece's log-probability that counts as an effect of confirmed text."""


@dataclass(frozen=True)
class Outcome:
    """A draft and the results of its forced decoding with the memory.

    Attributes:
        contribution: the draft's contribution to the memory.
        evidence: evidence for the quality; None without a fitted estimator.
        memory, options: memory and options of the search.
    """

    draft: Draft
    contribution: Contribution
    quality: DraftQuality
    evidence: Evidence | None
    memory: MemorySnapshot
    options: SearchOptions


@dataclass(frozen=True)
class _Request:
    """The inputs of a draft.

    Attributes:
        memory: the memory before the segment.
        phrases: phrases of the source with corrections.
    """

    source: PreparedLine
    memory: MemorySnapshot
    options: SearchOptions
    cancel: Cancel | None
    terms: tuple[SourceTerm, ...]
    phrases: Sequence[CorrectedPhrase]


class DraftMaker:
    """Makes drafts of an open document's segments, and enters the drafts into the document's memory."""

    def __init__(self, bundle: Bundle, drafter: Drafter, preparer: Preparer | None = None) -> None:
        """Args: `preparer`: prepares the next segments; None to prepare nothing."""
        self._preparer = preparer
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
        opened.set_renderings(index, terms)
        source, options = opened.source(index), opened.effective_options(options)
        version = opened.memory.version
        if not source.ids:
            return Suggestion(segment, source.raw, 0.0, version)
        if self._preparer is not None:
            self._preparer.begin(opened, index, options, cancel)
        memory = opened.memory.before(index)
        # Without memories, corrections are not followed either.
        phrases = opened.corrected_phrases(index, source) if options.memories is not None else []
        request = _Request(source, memory, options, cancel, tuple(terms), phrases)
        outcome, withheld = self._choose_draft(opened, index, request)
        plain = opened.plain.text(index) or outcome.draft.text
        others: tuple[str, ...] = ()
        if phrases and not opened.is_confirmed(index, outcome.draft.text):
            outcome, others = self._follow_corrections(request, outcome)
        draft, withheld = outcome.draft, "" if withheld == outcome.draft.text else withheld
        required = followed_terms(source, phrases, draft.text, request.terms)
        opened.note_draft(index, draft.text, required, outcome.contribution)
        others = tuple(dict.fromkeys((*filter(None, (withheld,)), *others, *draft.alternatives)))
        others = tuple(each for each in others if each != draft.text)[: options.n_best - 1]
        warnings, quality = _warnings(source, draft.text), outcome.quality
        if quality.unusable and opened.is_confirmed(index, draft.text):
            quality = replace(quality, unusable=False)  # a person has accepted this text
        followed = followed_corrections(phrases, draft.text, plain)
        return Suggestion(
            segment, draft.text, draft.score, version, warnings, others, quality, withheld, followed
        )

    def clear_caches(self) -> None:
        """Clear the caches and cancel preparations."""
        if self._preparer is not None:
            self._preparer.end()
        self._drafter.clear_caches()

    def contribution(self, source: PreparedLine, target: str, origin: Origin) -> Contribution:
        """The contribution of a target text of a prepared source to the memory.

        Contributions are computed singly, because sums in a batch are rounded differently, and equal texts
        must give equal memories (a batch of 16 would save a fourteenth of the time).
        """
        prepared = prepare_target(target, source.line.strings, self._bundle.target)
        return self._drafter.contributions([source], [prepared], origin)[0]

    def _choose_draft(self, opened: OpenDocument, index: int, request: _Request) -> tuple[Outcome, str]:
        """The chosen draft before corrections, and the text for `Suggestion.withheld`."""
        options = request.options
        judge_draft = partial(self._judge, request)
        repeated = self._repeated(opened, index, options, request.terms)
        if repeated is not None:
            return judge_draft(repeated, options), ""
        chosen, inputs, make_memory = self._plain_setup(opened, index, request)

        def plain(make: Callable[[], Draft]) -> Draft:
            # Newly confirmed words do not change the plain draft.
            source = replace(request.source, optional_words=frozenset(), confirmed_words=NO_WORDS)
            return opened.plain.get(index, (source, request.terms, inputs), make)

        def search_plain() -> Draft:
            return self._search(replace(request, memory=make_memory()), chosen)

        if self._bundle.memory.chosen(options.memories) == self._bundle.memory.steady(options.memories):
            return judge_draft(plain(search_plain), chosen), ""
        outcome = judge_draft(self._search(request, options), options)
        if outcome.evidence is None:  # without an estimator, no draft is withheld, as this was never measured
            return outcome, ""
        if not opened.memory.is_confirmed_before(index):
            plain(lambda: outcome.draft)
            return outcome, ""
        plain_draft = plain(search_plain)
        is_moved = outcome.evidence.moved >= _MIN_CHANGE
        if plain_draft.text == outcome.draft.text or (not is_moved and self._reads_other_memories(options)):
            return outcome, ""
        # Both drafts are decoded with the memory.
        judged_plain = replace(judge_draft(plain_draft, options), options=chosen, memory=make_memory())
        if not is_moved:
            return judged_plain, ""  # confirmed text has no effect
        assert judged_plain.evidence is not None
        if (
            float(outcome.evidence.log_probs.mean() - judged_plain.evidence.log_probs.mean()) >= MIN_GAIN
            and not repeats_more(outcome.draft.text, plain_draft.text)
            and not drops_corrected(request.phrases, plain_draft.text, outcome.draft.text)
            and keeps_latin_words(request.source.line.plain, plain_draft.text, outcome.draft.text)
            and (
                opened.memory.rules  # the user decides
                or opened.resembles_confirmed(index, MIN_SIMILARITY)
                or is_explained(outcome.evidence, judged_plain.evidence, self._targets_before(opened, index))
            )
        ):
            return outcome, ""
        return judged_plain, outcome.draft.text

    def _reads_other_memories(self, options: SearchOptions) -> bool:
        """True if some memory that is read is not steady and treats confirmed text like drafts."""
        memories = self._bundle.memory
        read = memories.chosen(options.memories) - memories.steady(options.memories)
        return not all(registered(name).heeds_origin for name in read)

    def _targets_before(self, opened: OpenDocument, index: int) -> Iterator[ConfirmedTarget]:
        """The targets of `OpenDocument.confirmed_before`; each pair is decoded at most once."""

        def decode(source: str, target: str) -> Evidence:
            if (source, target) not in opened.decoded:
                line = prepare_source(source, self._bundle.source, opened.names.find)
                pair = DraftPair(line, prepare_target(target, line.line.strings, self._bundle.target))
                opened.decoded[source, target] = judge(self._drafter, [pair], frozenset())[0][1]
            return opened.decoded[source, target]

        for source, target in opened.confirmed_before(index):
            yield target, partial(decode, source, target)

    def _plain_setup(
        self, opened: OpenDocument, index: int, request: _Request
    ) -> tuple[SearchOptions, object, Callable[[], MemorySnapshot]]:
        """The inputs of a draft that ignores confirmed text and reads only drafts and steady memories.

        Returns:
            options; a key of the inputs whose change requires a new draft (drafts and recent words are not
            in the key); and a function that makes the memory.
        """
        memory, options = request.memory, request.options
        steady = self._bundle.memory.steady(options.memories)
        read = self._bundle.memory.chosen(options.memories) - steady
        followed = {name for name in read if registered(name).heeds_origin}
        chosen = replace(options, memories={name: name in steady | followed for name in memory.contents})
        drafts = opened.memory.drafts_before(index) if followed else ()

        def make() -> MemorySnapshot:
            of_drafts = opened.memory.contents_of_drafts(drafts, followed)
            return replace(memory, contents={**memory.contents, **of_drafts})

        return chosen, (repr(chosen), opened.memory.rules), make

    def _follow_corrections(self, request: _Request, outcome: Outcome) -> tuple[Outcome, tuple[str, ...]]:
        """Make a draft follow the corrections; if `n_best` > 1, also returns texts with other renderings.

        A usable draft remains usable.
        """

        @cache
        def read(draft: str) -> TargetWords:
            words = SourceWords.of(request.source.line.plain)
            return read_words(self._drafter, request.source, words, draft)

        sentence = request.source, request.phrases
        rejected = rejected_phrases(*sentence, outcome.draft.text, request.terms, read)
        if len(known := dict.fromkeys(each.corrections for each in rejected)) > 1:
            alike = ([each for each in rejected if each.corrections == corrections] for corrections in known)
            fitting = (group for group in alike if self._follow(request, outcome, group, read))
            rejected = [each for group in fitting for each in group]
        outcome = self._follow(request, outcome, rejected, read) or outcome
        if required := required_terms(*sentence, outcome.draft.text, request.terms, read):
            draft = self._search(replace(request, memory=outcome.memory), outcome.options, required)
            outcome = self._replace_draft(outcome, self._judge(request, draft, request.options, required))
        if request.options.n_best <= 1:
            return outcome, ()
        return outcome, tuple(other_texts(*sentence, outcome.draft.text, request.terms, read))

    def _follow(
        self,
        request: _Request,
        outcome: Outcome,
        rejected: Sequence[CorrectedPhrase],
        read: Callable[[str], TargetWords],
    ) -> Outcome | None:
        """The most likely draft with chosen renderings; None if no such draft fits the sentence.

        A rendering that is right in one sentence may be wrong in another: "count" for "compute". Then the
        rendering is much less likely than in the sentence where it was chosen.
        """
        texts = corrected_texts(request.source, rejected, outcome.draft.text, read)
        texts = [text for text in texts if not repeats_more(text, outcome.draft.text)]
        if not texts:
            return None
        drafts = [self._judge(request, replace(outcome.draft, text=text), request.options) for text in texts]
        best = max(drafts, key=lambda each: _log_probability(each.evidence))
        change = _log_probability(best.evidence) - _log_probability(outcome.evidence)
        return None if change < sum(map(_lowest_change, rejected)) else self._replace_draft(outcome, best)

    @staticmethod
    def _replace_draft(before: Outcome, new: Outcome) -> Outcome:
        """The new draft with the memory and options of the former draft; unusable only if both drafts are."""
        unusable = new.quality.unusable and before.quality.unusable
        quality = replace(new.quality, unusable=unusable)
        return replace(new, memory=before.memory, options=before.options, quality=quality)

    def _search(self, request: _Request, options: SearchOptions, extra: Sequence[SourceTerm] = ()) -> Draft:
        """Search for a draft with the terms of the request and `extra` terms."""
        terms = [(*request.terms, *extra)]
        return self._drafter.draft([request.source], [request.memory], options, request.cancel, terms)[0]

    def _repeated(
        self, opened: OpenDocument, index: int, options: SearchOptions, terms: Sequence[SourceTerm]
    ) -> Draft | None:
        """The confirmed text of an earlier segment with the same source; None without a usable text."""
        if not self._bundle.memory.follows_confirmed(options.memories):
            return None
        target = opened.repeated_text(index, terms, options.repeats)
        return None if target is None else Draft(target, 0.0)

    def _judge(
        self, request: _Request, draft: Draft, options: SearchOptions, required: tuple[SourceTerm, ...] = ()
    ) -> Outcome:
        """A draft's contribution to the memory, and its quality, from the same forced decoding."""
        fitted, source = self._bundle.quality, request.source
        if fitted is None:
            contribution = self.contribution(source, draft.text, Origin.DRAFT)
            return Outcome(draft, contribution, basic_quality(draft), None, request.memory, options)
        target = prepare_target(draft.text, source.line.strings, self._bundle.target)
        memories = self._bundle.memory.chosen(options.memories)
        pair = DraftPair(source, target, request.memory, draft.others)
        ((contribution, evidence),) = judge(self._drafter, [pair], memories)
        quality = quality_of(fitted, target, evidence, (*request.terms, *required))
        return Outcome(draft, contribution, quality, evidence, request.memory, options)


def _lowest_change(phrase: CorrectedPhrase) -> float:
    """Minimum change in nats of a draft's log-probability by a phrase's corrections; −∞ if a fit is unknown.

    The margin is halved if an adjective replaces a noun: "circular" for "loop" may only fit before a noun.
    """
    known = [each.fit for each in phrase.corrections if each.fit is not None]
    doubt = any(may_be(each.chosen, "J") > may_be(each.rejected, "J") for each in phrase.corrections)
    return min((*known, 0.0)) - MAX_LOSS / (1 + doubt) if len(known) == len(phrase.corrections) else -math.inf


def _log_probability(evidence: Evidence | None) -> float:
    return float(evidence.log_probs.sum()) if evidence is not None else 0.0


def repeats_more(changed: str, plain: str) -> bool:
    """True if a changed draft repeats a phrase that the plain draft does not repeat."""
    old, new = (
        {text[second:end].casefold() for _, second, end in repeated_phrases(text)}
        for text in (plain, changed)
    )
    return not new <= old


def _warnings(source: PreparedLine, target: str) -> tuple[str, ...]:
    tagged = target.casefold()
    plain = MARK.sub("", tagged)  # a protected string may contain paired tags, as in CO{1}2{/1}
    strings = ((string, string.casefold()) for string in source.line.strings)
    lost = [string for string, folded in strings if folded not in tagged and folded not in plain]
    return (NOT_CARRIED_OVER.format(", ".join(lost)),) if lost else ()


def contributions_of(
    packs: Sequence[BroughtIn], bundle: Bundle, maker: DraftMaker, cancel: Cancel | None
) -> list[tuple[str, Contribution]]:
    """(id, contribution) of the packs' pairs. Raises Cancelled if `cancel()` is true before a pair."""
    pairs = [pair for pack in packs for pair in _named_pairs(pack, bundle)]
    contributions: list[tuple[str, Contribution]] = []
    for name, names, (source, target) in pairs:
        if cancel is not None and cancel():
            raise Cancelled("bringing in a memory was cancelled")
        prepared = prepare_source(source, bundle.source, names.find)
        contributions.append((name, maker.contribution(prepared, target, Origin.CONFIRMED)))
    return contributions


def _named_pairs(pack: BroughtIn, bundle: Bundle) -> list[tuple[str, DocumentNames, tuple[str, str]]]:
    """(id, proper names of the whole pack, pair) of each pair of a pack."""
    proper_names = DocumentNames(bundle.names, [source for source, _ in pack.pairs])
    for name, (source, target) in zip(pack.names(), pack.pairs, strict=True):
        proper_names.confirm(name, source, target)
    return [(name, proper_names, pair) for name, pair in zip(pack.names(), pack.pairs, strict=True)]

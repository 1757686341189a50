"""The corrections that a draft does not follow yet, and changes that make it follow them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from anaphora_nmt.corrections import Correction
from anaphora_nmt.pipeline.correcting.aligned_words import SourceWords, TargetWords
from anaphora_nmt.pipeline.correcting.replaced_words import Replacement, replaced, replacements
from anaphora_nmt.pipeline.opened.document_corrections import CorrectedPhrase
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, raw_span
from anaphora_nmt.types import SourceTerm
from anaphora_text.function_words import clashes
from anaphora_text.inflections import certain_forms
from anaphora_text.word_forms import may_replace, shares_a_word

_AGREEING = 2
"""Minimum number of agreeing corrections before a rendering that was not rejected is replaced."""

Read = Callable[[str], TargetWords]
"""Splits a draft into aligned words."""


def rejected_phrases(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> list[CorrectedPhrase]:
    """Phrases with a rejected rendering in a draft, except those that overlap terms.

    Args:
        phrases: phrases of the source with corrections.
        terms: terms of the term base.
        read: called only if the words of the draft are needed.
    """
    words = SourceWords.of(source.line.plain)
    return [
        each
        for each in _free(source, phrases, terms)
        if any(one.rejected_in(draft) for one in each.corrections)
        and _is_rejected(each, _rendering(read(draft), words.within(each.start, each.end)))
    ]


def corrected_texts(
    source: PreparedLine, rejected: Sequence[CorrectedPhrase], draft: str, read: Read
) -> list[str]:
    """Versions of a draft in which fitting forms of chosen renderings replace the rejected ones.

    Args:
        rejected: see `rejected_phrases`.
    Returns:
        the versions; empty if no form fits.
    """
    found: list[Replacement] = []
    words = SourceWords.of(source.line.plain)
    unique = dict.fromkeys((words.within(each.start, each.end), each.corrections) for each in rejected)
    for sources, corrections in unique:
        beside = {n for n in (sources.start - 1, sources.stop) if words.is_content(n)}
        found += replacements(draft, read(draft), sources, corrections, beside) or ()
    apart = [one for n, one in enumerate(found) if not any(_overlap(one, other) for other in found[:n])]
    return replaced(draft, sorted(apart, key=lambda one: one.start)) if apart else []


def required_terms(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> tuple[SourceTerm, ...]:
    """Terms for phrases that have agreeing corrections, but no chosen or rejected rendering in the draft."""
    terms_to_use = []
    for each in _free(source, phrases, terms):
        agreeing = _agreeing(each.corrections)
        if not agreeing or any(one.chosen_in(draft) or one.rejected_in(draft) for one in each.corrections):
            continue
        sources = SourceWords.of(source.line.plain).within(each.start, each.end)
        rendering = _rendering(read(draft), sources)
        fits = [one for one in agreeing if rendering and may_replace(one.chosen.split()[-1], rendering[-1])]
        if fits:
            terms_to_use.append(_term(source, each, fits))
    return tuple(terms_to_use)


def other_texts(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> list[str]:
    """Versions of a draft with other chosen renderings of the same phrases."""
    texts = []
    for each in _free(source, phrases, terms):
        present = [one for one in each.corrections if one.chosen_in(draft)]
        others = {one.chosen.casefold(): one for one in each.corrections if not one.chosen_in(draft)}
        for one in others.values() if present else ():
            swapped = tuple(replace(one, rejected=known.chosen) for known in present)
            rejected = rejected_phrases(source, [replace(each, corrections=swapped)], draft, terms, read)
            texts += corrected_texts(source, rejected, draft, read)[:1]
    return texts


def _free(
    source: PreparedLine, phrases: Sequence[CorrectedPhrase], terms: Sequence[SourceTerm]
) -> Iterator[CorrectedPhrase]:
    """The phrases that overlap no term; guessed terms are ignored."""
    for each in phrases:
        start, end = raw_span(source.line.tags, each.start, each.end)
        if not any(term.start < end and start < term.end and not term.guessed for term in terms):
            yield each


def _overlap(one: Replacement, other: Replacement) -> bool:
    return one.start < other.end and other.start < one.end


def followed_terms(
    source: PreparedLine, phrases: Sequence[CorrectedPhrase], target: str, terms: Sequence[SourceTerm]
) -> tuple[SourceTerm, ...]:
    """The corrections that a target follows, as terms for its completion."""
    free = _free(source, phrases, terms)
    chosen = ((each, [one for one in each.corrections if one.chosen_in(target)]) for each in free)
    return tuple(_term(source, each, some) for each, some in chosen if some)


def _term(source: PreparedLine, phrase: CorrectedPhrase, chosen: Sequence[Correction]) -> SourceTerm:
    span = raw_span(source.line.tags, phrase.start, phrase.end)
    forms = tuple(dict.fromkeys(form for one in chosen for form in certain_forms(one.chosen)))
    return SourceTerm(*span, forms, (), clashes(forms))


def followed_corrections(
    phrases: Sequence[CorrectedPhrase], target: str, plain: str
) -> tuple[Correction, ...]:
    """The corrections that `target` follows and the draft `plain` (made without confirmed text) does not."""
    known = dict.fromkeys(one for each in phrases for one in each.corrections)
    return tuple(one for one in known if one.chosen_in(target) and _is_new(one, target, plain))


def _is_new(one: Correction, target: str, plain: str) -> bool:
    return not one.chosen_in(plain) or (one.rejected_in(plain) and not one.rejected_in(target))


def drops_corrected(phrases: Sequence[CorrectedPhrase], plain: str, changed: str) -> bool:
    """True if a phrase has a rejected rendering in `plain`, but neither it nor a chosen one in `changed`."""
    return any(
        any(one.rejected_in(plain) and not one.rejected_in(changed) for one in each.corrections)
        and not any(one.chosen_in(changed) for one in each.corrections)
        for each in phrases
    )


def _is_rejected(phrase: CorrectedPhrase, rendering: Sequence[str]) -> bool:
    """True if the words for a phrase share a content word with a rejected rendering, or are unknown."""
    text = " ".join(rendering)
    return not text or any(shares_a_word(each.rejected, text) for each in phrase.corrections)


def _agreeing(corrections: Sequence[Correction]) -> list[Correction]:
    """The corrections to renderings that were chosen in at least `_AGREEING` segments."""
    segments = defaultdict(set)
    for each in corrections:
        segments[each.chosen.casefold()].add(each.segment)
    return [each for each in corrections if len(segments[each.chosen.casefold()]) >= _AGREEING]


def _rendering(words: TargetWords, sources: range) -> list[str]:
    """The content words that translate some source words."""
    return [words.words[word] for word in words.content(words.whole) if words.renders[word] in sources]

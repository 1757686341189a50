"""The corrections that a draft does not follow yet, and the draft that follows them."""

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
from anaphora_text.determiners import clashes
from anaphora_text.inflections import written_forms
from anaphora_text.word_forms import may_replace, shares_a_word

_AGREEING = 2
"""Number of agreeing corrections that count against a rendering that was not rejected."""

Read = Callable[[str], TargetWords]
"""Reads a draft by words."""


def rejected_phrases(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> list[CorrectedPhrase]:
    """Phrases with a rejected rendering in a draft, except those in the places of terms.

    Args:
        phrases: of the source that corrections speak of.
        terms: of the term base.
        read: called where the words of the draft have to be known.
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
    """A draft with chosen renderings in place of rejected ones, in the forms that fit.

    Args:
        rejected: see `rejected_phrases`.
    Returns:
        none if no form fits.
    """
    found: list[Replacement] = []
    words = SourceWords.of(source.line.plain)
    asked = dict.fromkeys((words.within(each.start, each.end), each.corrections) for each in rejected)
    for sources, corrections in asked:
        beside = {n for n in (sources.start - 1, sources.stop) if words.is_content(n)}
        found += replacements(draft, read(draft), sources, corrections, beside) or ()
    apart = [one for n, one in enumerate(found) if not any(_meet(one, other) for other in found[:n])]
    return replaced(draft, sorted(apart, key=lambda one: one.start)) if apart else []


def held_corrections(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> tuple[SourceTerm, ...]:
    """Wanted renderings of phrases that a draft renders differently, though not in a rejected way."""
    held = []
    for each in _free(source, phrases, terms):
        agreeing = _agreeing(each.corrections)
        if not agreeing or any(one.chosen_in(draft) or one.rejected_in(draft) for one in each.corrections):
            continue
        sources = SourceWords.of(source.line.plain).within(each.start, each.end)
        rendering = _rendering(read(draft), sources)
        fits = [one for one in agreeing if rendering and may_replace(one.chosen.split()[-1], rendering[-1])]
        if fits:
            held.append(_term(source, each, fits))
    return tuple(held)


def other_texts(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> list[str]:
    """A draft with the chosen renderings in place of others."""
    texts = []
    for each in _free(source, phrases, terms):
        standing = [one for one in each.corrections if one.chosen_in(draft)]
        others = {one.chosen.casefold(): one for one in each.corrections if not one.chosen_in(draft)}
        for one in others.values() if standing else ():
            swapped = tuple(replace(one, rejected=known.chosen) for known in standing)
            rejected = rejected_phrases(source, [replace(each, corrections=swapped)], draft, terms, read)
            texts += corrected_texts(source, rejected, draft, read)[:1]
    return texts


def _free(
    source: PreparedLine, phrases: Sequence[CorrectedPhrase], terms: Sequence[SourceTerm]
) -> Iterator[CorrectedPhrase]:
    """The phrases that no term stands in; a guessed one gives way."""
    for each in phrases:
        start, end = raw_span(source.line.tags, each.start, each.end)
        if not any(term.start < end and start < term.end and not term.guessed for term in terms):
            yield each


def _meet(one: Replacement, other: Replacement) -> bool:
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
    forms = tuple(dict.fromkeys(form for one in chosen for form in written_forms(one.chosen)))
    return SourceTerm(*span, forms, (), clashes(forms))


def followed_corrections(
    phrases: Sequence[CorrectedPhrase], target: str, plain: str
) -> tuple[Correction, ...]:
    """The corrections that a target follows, and that a draft without confirmed text does not."""
    known = dict.fromkeys(one for each in phrases for one in each.corrections)
    return tuple(one for one in known if one.chosen_in(target) and _is_new(one, target, plain))


def _is_new(one: Correction, target: str, plain: str) -> bool:
    return not one.chosen_in(plain) or (one.rejected_in(plain) and not one.rejected_in(target))


def drops_corrected(phrases: Sequence[CorrectedPhrase], plain: str, changed: str) -> bool:
    """True if a changed draft lacks both renderings of a phrase with a rejected one in the plain draft."""
    return any(
        any(one.rejected_in(plain) and not one.rejected_in(changed) for one in each.corrections)
        and not any(one.chosen_in(changed) for one in each.corrections)
        for each in phrases
    )


def _is_rejected(phrase: CorrectedPhrase, rendering: Sequence[str]) -> bool:
    """True if the rendering of a phrase is rejected: not if other words render it."""
    said = " ".join(rendering)
    return not said or any(shares_a_word(each.rejected, said) for each in phrase.corrections)


def _agreeing(corrections: Sequence[Correction]) -> list[Correction]:
    """The corrections that several segments agree on."""
    segments = defaultdict(set)
    for each in corrections:
        segments[each.chosen.casefold()].add(each.segment)
    return [each for each in corrections if len(segments[each.chosen.casefold()]) >= _AGREEING]


def _rendering(words: TargetWords, sources: range) -> list[str]:
    """The words of content that stand for some source words."""
    return [words.words[word] for word in words.content(words.whole) if words.renders[word] in sources]

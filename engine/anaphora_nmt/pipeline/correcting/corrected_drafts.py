"""The corrections that a draft does not follow yet, and versions of the draft that follow them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from anaphora_nmt.corrections import Correction
from anaphora_nmt.pipeline.correcting.aligned_words import SourceWords, TargetWords
from anaphora_nmt.pipeline.correcting.replaced_words import Replacement, apply_replacements, replacements
from anaphora_nmt.pipeline.opened.document_corrections import CorrectedPhrase
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, raw_span
from anaphora_nmt.types import SourceTerm
from anaphora_text.function_words import clashes
from anaphora_text.inflections import certain_forms
from anaphora_text.word_forms import may_replace, shares_a_word

_MIN_AGREEING = 2
"""A rendering that was not rejected is replaced only if at least this number of corrections agree."""

Read = Callable[[str], TargetWords]
"""Splits a draft into aligned words."""


def rejected_phrases(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> list[CorrectedPhrase]:
    """Phrases with a rejected rendering in a draft, except phrases that overlap terms of the user.

    Args:
        phrases: phrases of the source with corrections.
        terms: terms of the source; guessed terms are ignored.
        read: called only if the words of the draft are needed.
    """
    words = SourceWords.of(source.line.plain)
    return [
        phrase
        for phrase in _outside_terms(source, phrases, terms)
        if any(each.rejected_in(draft) for each in phrase.corrections)
        and _is_rejected(phrase, _rendering(read(draft), words.within(phrase.start, phrase.end)))
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
    fitting: list[Replacement] = []
    words = SourceWords.of(source.line.plain)
    unique = dict.fromkeys((words.within(each.start, each.end), each.corrections) for each in rejected)
    for sources, corrections in unique:
        neighbours = {n for n in (sources.start - 1, sources.stop) if words.is_content(n)}
        fitting += replacements(draft, read(draft), sources, corrections, neighbours) or ()
    separate = [each for n, each in enumerate(fitting) if not any(_overlap(each, old) for old in fitting[:n])]
    return apply_replacements(draft, sorted(separate, key=lambda each: each.start)) if separate else []


def required_terms(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> tuple[SourceTerm, ...]:
    """Terms for the phrases whose corrections agree and whose rendering in the draft no correction contains.

    A term contains the corrected renderings that fit in the place of the draft's rendering.
    """
    terms_to_use = []
    for phrase in _outside_terms(source, phrases, terms):
        known, agreeing = phrase.corrections, _agreeing(phrase.corrections)
        if not agreeing or any(each.chosen_in(draft) or each.rejected_in(draft) for each in known):
            continue
        sources = SourceWords.of(source.line.plain).within(phrase.start, phrase.end)
        last = _rendering(read(draft), sources)[-1:]
        fits = [each for each in agreeing if last and may_replace(each.chosen.split()[-1], last[0])]
        if fits:
            terms_to_use.append(_term(source, phrase, fits))
    return tuple(terms_to_use)


def other_texts(
    source: PreparedLine,
    phrases: Sequence[CorrectedPhrase],
    draft: str,
    terms: Sequence[SourceTerm],
    read: Read,
) -> list[str]:
    """Versions of a draft in which one chosen rendering of a phrase replaces another."""
    texts = []
    for phrase in _outside_terms(source, phrases, terms):
        present = [each for each in phrase.corrections if each.chosen_in(draft)]
        absent = {each.chosen.casefold(): each for each in phrase.corrections if not each.chosen_in(draft)}
        for other in absent.values() if present else ():
            swapped = tuple(replace(other, rejected=known.chosen) for known in present)
            rejected = rejected_phrases(source, [replace(phrase, corrections=swapped)], draft, terms, read)
            texts += corrected_texts(source, rejected, draft, read)[:1]
    return texts


def _outside_terms(
    source: PreparedLine, phrases: Sequence[CorrectedPhrase], terms: Sequence[SourceTerm]
) -> Iterator[CorrectedPhrase]:
    """The phrases that overlap no term; guessed terms are ignored."""
    for each in phrases:
        start, end = raw_span(source.line.tags, each.start, each.end)
        if not any(term.start < end and start < term.end and not term.guessed for term in terms):
            yield each


def _overlap(first: Replacement, second: Replacement) -> bool:
    return first.start < second.end and second.start < first.end


def followed_terms(
    source: PreparedLine, phrases: Sequence[CorrectedPhrase], target: str, terms: Sequence[SourceTerm]
) -> tuple[SourceTerm, ...]:
    """The corrections that a target follows, as terms for completing the target."""
    outside = _outside_terms(source, phrases, terms)
    chosen = ((phrase, [each for each in phrase.corrections if each.chosen_in(target)]) for phrase in outside)
    return tuple(_term(source, phrase, used) for phrase, used in chosen if used)


def _term(source: PreparedLine, phrase: CorrectedPhrase, chosen: Sequence[Correction]) -> SourceTerm:
    span = raw_span(source.line.tags, phrase.start, phrase.end)
    forms = tuple(dict.fromkeys(form for each in chosen for form in certain_forms(each.chosen)))
    return SourceTerm(*span, forms, (), clashes(forms))


def followed_corrections(
    phrases: Sequence[CorrectedPhrase], target: str, plain: str
) -> tuple[Correction, ...]:
    """The corrections that `target` follows but `plain`, a draft that uses no confirmed text, does not."""
    known = dict.fromkeys(each for phrase in phrases for each in phrase.corrections)
    return tuple(each for each in known if each.chosen_in(target) and _is_new(each, target, plain))


def _is_new(known: Correction, target: str, plain: str) -> bool:
    return not known.chosen_in(plain) or (known.rejected_in(plain) and not known.rejected_in(target))


def drops_corrected(phrases: Sequence[CorrectedPhrase], plain: str, changed: str) -> bool:
    """True if `changed` lacks a rejected rendering that `plain` has, and has no chosen rendering either."""
    return any(
        any(each.rejected_in(plain) and not each.rejected_in(changed) for each in phrase.corrections)
        and not any(each.chosen_in(changed) for each in phrase.corrections)
        for phrase in phrases
    )


def _is_rejected(phrase: CorrectedPhrase, rendering: Sequence[str]) -> bool:
    """True if the words for a phrase share a content word with a rejected rendering, or are unknown."""
    text = " ".join(rendering)
    return not text or any(shares_a_word(each.rejected, text) for each in phrase.corrections)


def _agreeing(corrections: Sequence[Correction]) -> list[Correction]:
    """The corrections to renderings that were chosen in at least `_MIN_AGREEING` segments."""
    segments = defaultdict(set)
    for each in corrections:
        segments[each.chosen.casefold()].add(each.segment)
    return [each for each in corrections if len(segments[each.chosen.casefold()]) >= _MIN_AGREEING]


def _rendering(words: TargetWords, sources: range) -> list[str]:
    """The content words that translate some source words."""
    return [words.words[word] for word in words.content(words.whole) if words.renders[word] in sources]

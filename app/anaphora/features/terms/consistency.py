"""Recurring terms of a document, their renderings, and the rendering chosen for each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from anaphora.core.consistency import Occurrence, Origin, Rendering, Term, TermReport, normal_form
from anaphora.core.languages import Language, language_of
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.core.term_entries import TermEntry
from anaphora.core.text import URL
from anaphora.features.terms.names_in_texts import names_in
from anaphora.features.terms.phrases import PhraseFinder
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.renderings import FoundRendering, reconcile, renderings_of
from anaphora.features.terms.usage import occurrences
from anaphora.features.terms.word_book import WordBook
from anaphora.features.terms.words import terms_by_words
from anaphora_nmt.types import Explanation

MAX_TERMS = 300
_LEAST = 3
"""Minimum number of occurrences of a term; they must be in at least two segments."""
_ADDRESS = re.compile(rf"{URL.pattern}|(?<!\S)[^\s@]+@\S+\.\w+")
_LONGEST = 100
"""Maximum number of characters of a term: longer ones are codes or unbroken lines."""
_CHINESE = language_of("zh")


def recurring_terms(
    segments: Iterable[Segment], book: WordBook, language: Language = _CHINESE
) -> tuple[Term, ...]:
    """At most `MAX_TERMS` recurring terms of source texts, most frequent first. Not for the window's thread.

    `book` recognises Chinese nouns and names; other languages do not use it.
    """
    sources = {segment.id: MARK.sub(" ", _ADDRESS.sub(" ", segment.source)) for segment in segments}
    found = _in_chinese(sources, book) if language.code in ("", "zh") else terms_by_words(sources, language)
    terms = [
        term
        for term in found
        if len(term.text) <= _LONGEST and term.count >= _LEAST and len(term.segments) > 1
    ]
    terms.sort(key=lambda term: -term.count)
    return _with_occurrences_in_phrases(terms[:MAX_TERMS], sources)


def _in_chinese(sources: Mapping[str, str], book: WordBook) -> list[Term]:
    ids, texts = list(sources), list(sources.values())
    finder = PhraseFinder(names_in(texts, book), book.may_be_noun, keeps_common=True)
    phrases = sorted(finder.find(texts).values(), key=lambda phrase: (phrase.holders, phrase.text))
    return [
        Term(phrase.text, tuple(ids[number] for number in phrase.holders), phrase.count) for phrase in phrases
    ]


def _with_occurrences_in_phrases(terms: Sequence[Term], sources: Mapping[str, str]) -> tuple[Term, ...]:
    """Add occurrences within phrases that jieba's dictionary has as one word: 合同 in 解除合同."""
    held = {term.text: Counter(term.segments) for term in terms}
    for segment_id, source in sources.items():
        left = [
            TermEntry(text) for text, holders in held.items() if text in source and segment_id not in holders
        ]
        if left:
            for found in Recogniser(left).find(source):
                held[found.entries[0].source][segment_id] += 1
    order = {segment_id: row for row, segment_id in enumerate(sources)}
    return tuple(
        Term(
            term.text,
            tuple(sorted(held[term.text], key=order.__getitem__)),
            term.count + held[term.text].total() - len(term.segments),
        )
        for term in terms
    )


def find_renderings(
    terms: Iterable[Term],
    segments: Iterable[Segment],
    explanations: Mapping[str, Explanation],
    allowed: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[TermReport, ...]:
    """Renderings of each term, read off the word alignments; terms with several renderings first.

    Args:
        explanations: by segment id; ignored once the segment's target has changed.
        allowed: by source term, its translations in the term bases; they complete partial alignments.
    """
    by_id = {segment.id: segment for segment in segments}
    reports = []
    for term in terms:
        holders = [by_id[identifier] for identifier in term.segments if identifier in by_id]
        found = _aligned(term, holders, explanations)
        translations = allowed.get(term.text, ())
        found = [_fit_to_term_base(each, by_id[each.segment].target, translations) for each in found]
        reports.append(group_renderings(term, found))
    return sort_reports(reports)


def _fit_to_term_base(found: Occurrence, target: str, allowed: Iterable[str]) -> Occurrence:
    """Widen or narrow an occurrence to an allowed translation that contains it or lies within it."""
    own = f" {normal_form(found.text)} "
    for text in allowed:
        for start, end in occurrences(text, target):
            form = f" {normal_form(target[start:end])} "
            if own in form or form in own:
                return replace(found, text=target[start:end])
    return found


def with_choices(
    reports: Iterable[TermReport], allowed: Mapping[str, Sequence[str]], segments: Iterable[Segment]
) -> tuple[TermReport, ...]:
    """Reports with each term's chosen rendering and its origin; terms with several renderings first.

    Args:
        allowed: by source term, its translations in the term bases, the preferred ones first.
    """
    confirmed = {segment.id for segment in segments if segment.status is Status.CONFIRMED}
    return sort_reports(_with_choice(report, allowed.get(report.term, ()), confirmed) for report in reports)


def _with_choice(report: TermReport, allowed: Sequence[str], confirmed: set[str]) -> TermReport:
    forms = {normal_form(text) for text in allowed}
    accepted = bool(forms) and all(normal_form(each.text) in forms for each in report.renderings)
    if allowed:
        return replace(report, chosen=allowed[0], origin=Origin.TERM_BASE, accepted=accepted)
    if not report.renderings:
        return report
    # `max` takes the first of equally often confirmed renderings, which is the most frequent one.
    best = max(report.renderings, key=lambda each: len(confirmed & {*each.segments}))
    origin = Origin.CONFIRMED if confirmed & {*best.segments} else Origin.DRAFT
    return replace(report, chosen=best.text, origin=origin)


def _aligned(
    term: Term, holders: Sequence[Segment], explanations: Mapping[str, Explanation]
) -> list[Occurrence]:
    aligned: list[tuple[str, FoundRendering]] = []
    for segment in holders:
        explanation = explanations.get(segment.id)
        if explanation is not None and segment.target and explanation.text == segment.target:
            found = renderings_of(term.text, segment.source, explanation)
            aligned += [(segment.id, each) for each in found]
    return reconcile(aligned)


def group_renderings(term: Term, occurrences: Iterable[Occurrence]) -> TermReport:
    """Group the occurrences of a term by the normal form of their words.

    A longer form that occurs in only one segment counts as the more frequent form that it contains, because
    word alignments are often a word too wide.
    """
    groups: dict[str, list[Occurrence]] = {}
    for occurrence in occurrences:
        form = normal_form(occurrence.text)
        if form:
            groups.setdefault(form, []).append(occurrence)
    _absorb_strays(groups)
    order = {segment: row for row, segment in enumerate(term.segments)}
    renderings = [_rendering(members, order) for members in groups.values()]
    renderings.sort(key=lambda rendering: (-len(rendering.segments), order.get(rendering.segments[0], 0)))
    return TermReport(term.text, tuple(renderings), term.count, term.segments)


def sort_reports(reports: Iterable[TermReport]) -> tuple[TermReport, ...]:
    return tuple(sorted(reports, key=lambda report: (report.consistent, -report.count, report.term)))


def _segments(members: Iterable[Occurrence]) -> set[str]:
    return {occurrence.segment for occurrence in members}


def _absorb_strays(groups: dict[str, list[Occurrence]]) -> None:
    strays = [form for form, members in groups.items() if len(_segments(members)) == 1]
    for stray in strays:
        hosts = [
            form
            for form, members in groups.items()
            if form != stray and f" {form} " in f" {stray} " and len(_segments(members)) > 1
        ]
        if hosts:
            host = max(hosts, key=lambda form: len(_segments(groups[form])))
            shown = groups[host][0].text
            groups[host] += [Occurrence(occurrence.segment, shown) for occurrence in groups.pop(stray)]


def _rendering(members: list[Occurrence], order: dict[str, int]) -> Rendering:
    forms = [form for form, _ in Counter(occurrence.text for occurrence in members).most_common()]
    segments = sorted(_segments(members), key=lambda segment: order.get(segment, len(order)))
    return Rendering(forms[0], tuple(segments), tuple(forms))

"""Recurring terms of a document, how they were rendered, and settling on one rendering."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from anaphora.core.consistency import (
    Occurrence,
    Origin,
    Rendering,
    Term,
    TermReport,
    group_renderings,
    normal_form,
    sort_reports,
)
from anaphora.core.segment import Segment, Status
from anaphora.document.previews import Preview
from anaphora.term_base.usage import occurrences
from anaphora.terms.link_statistics import LinkStatistics
from anaphora.terms.recurring import recurring_terms
from anaphora.terms.renderings import Reading, in_project, readings_of, settled
from anaphora_nmt.types import Explanation
from anaphora_text.inflections import regular_plural, regular_singular

__all__ = ["find_renderings", "propose_rendering", "recurring_terms"]

_SETTLED = (Status.CONFIRMED, Status.LOCKED)
_ARTICLE = re.compile(r"\b([Aa])n?(\s+)$")


def find_renderings(
    terms: Iterable[Term],
    segments: Iterable[Segment],
    explanations: Mapping[str, Explanation],
    statistics: LinkStatistics | None = None,
    allowed: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[TermReport, ...]:
    """Renderings of each term, read off the word alignments; terms with several renderings first.

    A target without an alignment counts for a rendering that is known from elsewhere and stands in it.

    Args:
        explanations: by segment id; one whose text is no longer the segment's target is ignored.
        statistics: of the project, where alignments are not to stand alone.
        allowed: by source term, what the term bases call it: of a phrase an alignment may find half.
    """
    by_id = {segment.id: segment for segment in segments}
    reports = []
    for term in terms:
        holders = [by_id[identifier] for identifier in term.segments if identifier in by_id]
        found = _aligned(term, holders, explanations, statistics)
        found += _found_again(holders, found)
        called = allowed.get(term.text, ())
        found = [_as_called(each, by_id[each.segment].target, called) for each in found]
        reports.append(group_renderings(term, found))
    return sort_reports(reports)


def _as_called(found: Occurrence, target: str, allowed: Iterable[str]) -> Occurrence:
    """An occurrence as wide as what the term base calls the term, where that stands around or within it."""
    own = f" {normal_form(found.text)} "
    for text in allowed:
        for start, end in occurrences(text, target):
            form = f" {normal_form(target[start:end])} "
            if own in form or form in own:
                return replace(found, text=target[start:end])
    return found


def judged(
    reports: Iterable[TermReport], allowed: Mapping[str, Sequence[str]], segments: Iterable[Segment]
) -> tuple[TermReport, ...]:
    """Reports with what each term is called, and by whom; terms with several renderings first.

    Args:
        allowed: by source term, what the term bases call it, the preferred ones first.
        segments: those that the reports speak of.
    """
    confirmed = {segment.id for segment in segments if segment.status is Status.CONFIRMED}
    return sort_reports(_judged(report, allowed.get(report.term, ()), confirmed) for report in reports)


def _judged(report: TermReport, allowed: Sequence[str], confirmed: set[str]) -> TermReport:
    forms = {normal_form(text) for text in allowed}
    accepted = bool(forms) and all(normal_form(each.text) in forms for each in report.renderings)
    if allowed:
        return replace(report, chosen=allowed[0], origin=Origin.TERM_BASE, accepted=accepted)
    if not report.renderings:
        return report
    # Where several are confirmed equally often, the most frequent one, which stands first.
    best = max(report.renderings, key=lambda each: len(confirmed & {*each.segments}))
    origin = Origin.CONFIRMED if confirmed & {*best.segments} else Origin.DRAFT
    return replace(report, chosen=best.text, origin=origin)


def propose_rendering(
    report: TermReport, rendering: Rendering, segments: Iterable[Segment]
) -> tuple[Preview, ...]:
    """The changes that replace a term's other renderings by `rendering`, in unconfirmed segments."""
    rivals = [other for other in report.renderings if other.text != rendering.text]
    previews = []
    for segment in segments:
        if segment.status in _SETTLED or not segment.target:
            continue
        forms = {form for other in rivals if segment.id in other.segments for form in other.forms}
        after = _replace_forms(segment.target, forms, rendering)
        if after != segment.target:
            previews.append(Preview(segment.id, segment.target, after, tags=segment.tags))
    return tuple(previews)


def _aligned(
    term: Term,
    holders: Sequence[Segment],
    explanations: Mapping[str, Explanation],
    statistics: LinkStatistics | None,
) -> list[Occurrence]:
    readings: list[tuple[str, Reading]] = []
    for segment in holders:
        explanation = explanations.get(segment.id)
        if explanation is not None and segment.target and explanation.text == segment.target:
            found = readings_of(term.text, segment.source, explanation)
            readings += [(segment.id, each) for each in found]
    return settled(readings if statistics is None else in_project(term.text, readings, statistics))


def _found_again(holders: Sequence[Segment], known: Sequence[Occurrence]) -> list[Occurrence]:
    """Occurrences by plain search, for segments that the alignments say nothing about."""
    covered = {occurrence.segment for occurrence in known}
    forms = sorted(
        {form for occurrence in known for form in _variants(occurrence.text)}, key=len, reverse=True
    )
    found = []
    for segment in holders:
        if segment.id not in covered and segment.target and forms:
            match = _whole_words(forms).search(segment.target)
            if match:
                found.append(Occurrence(segment.id, match.group()))
    return found


def _variants(form: str) -> tuple[str, str, str]:
    """A form, its singular and its plural."""
    head, space, last = form.rpartition(" ")
    single = regular_singular(last)
    return form, head + space + single, head + space + regular_plural(single)


def _whole_words(forms: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def _replace_forms(target: str, forms: set[str], rendering: Rendering) -> str:
    """Put a rendering in place of other forms, in the number and case that they have."""
    if not forms:
        return target
    variants = {variant for form in forms for variant in _variants(form)}
    chosen = _variants(rendering.text)
    out: list[str] = []
    done = 0
    for match in _whole_words(variants).finditer(target):
        before = target[done : match.start()]
        last = match.group().rpartition(" ")[2]
        new = chosen[1] if regular_singular(last) == last else chosen[2]
        new = _in_case(new, match.group())
        out += [_fit_article(before, new), new]
        done = match.end()
    return "".join(out) + target[done:]


def _in_case(new: str, old: str) -> str:
    """A capital where the old words had one."""
    if old[:1].isupper() and not old.isupper():
        return new[:1].upper() + new[1:]
    lower_rest = new[1:] == new[1:].lower()
    return new[:1].lower() + new[1:] if old == old.lower() and lower_rest else new


def _fit_article(before: str, new: str) -> str:
    """ "a" or "an" in front of the new words."""
    match = _ARTICLE.search(before)
    if match is None:
        return before
    article = match[1] + ("n" if new[:1].lower() in "aeiou" else "")
    return before[: match.start()] + article + match[2]

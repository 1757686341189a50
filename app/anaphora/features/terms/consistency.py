"""Recurring terms of a document, their renderings, and the rendering chosen for each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from anaphora.core.consistency import Occurrence, Origin, Rendering, Term, TermReport, normal_form
from anaphora.core.languages import Language, language_of
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.core.term_entries import TermEntry
from anaphora.core.text import URL
from anaphora.features.terms.first_sight import names_in
from anaphora.features.terms.phrases import PhraseFinder
from anaphora.features.terms.recognition import Recogniser, japanese_words, word_edges
from anaphora.features.terms.renderings import FoundRendering, reconcile, renderings_of
from anaphora.features.terms.usage import occurrences
from anaphora.features.terms.word_book import WordBook
from anaphora_nmt.types import Explanation
from anaphora_text.function_words import FUNCTION_WORDS

_MAX_WORDS = 3
_MIN_LETTERS = 3
_MIN_SHARE = 0.6
"""At least this share of the occurrences of a term's rarest word must be within the term."""
_MAX_INNER_SHARE = 0.8
"""A term is left out if at least this share of its occurrences is within a longer term."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
# The codes by which the package stopwordsiso knows these languages.
_STOP_WORD_CODES = {"nb": "no", "nob": "no", "nn": "no", "zsm": "ms", "ind": "id"}
_KOREAN_PARTICLES = re.compile(
    r"(?<=[가-힣]{2})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a text; `may_be_term` is True if the word alone can be a term."""

    text: str
    start: int
    may_be_term: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def terms_by_words(sources: Mapping[str, str], language: Language) -> list[Term]:
    """Single words, and recurring phrases of up to three words; `sources` has the texts by segment id."""
    counts: Counter[str] = Counter()
    parts: dict[str, tuple[str, ...]] = {}
    forms: dict[str, Counter[str]] = {}
    holders: dict[str, dict[str, None]] = {}
    for segment, source in sources.items():
        for words in _runs(source, language):
            form = " ".join(source[words[0].start : words[-1].end].split())
            key = form.casefold()
            counts[key] += 1
            parts[key] = tuple(word.text.casefold() for word in words)
            forms.setdefault(key, Counter())[form] += 1
            holders.setdefault(key, {})[segment] = None
    kept = counts.copy()
    for key in sorted(kept, key=lambda each: -len(parts[each])):
        if len(parts[key]) > 1 and not _accept_term(parts[key], kept[key], counts, kept):
            del kept[key]
    return [
        # The most frequent form; of equally frequent ones, the one in lower case.
        Term(max(forms[key], key=lambda form: (forms[key][form], form.islower())), tuple(holders[key]), count)
        for key, count in kept.items()
        if count > 0
    ]


def _accept_term(parts: tuple[str, ...], together: int, counts: Counter[str], kept: Counter[str]) -> bool:
    """True if the words form a term. Shorter terms that mostly occur in it then get the count 0 in `kept`."""
    if together < 2 or len({*parts}) < len(parts):
        return False
    if together < _MIN_SHARE * min(counts[part] or together for part in parts):
        return False
    for size in range(1, len(parts)):
        for start in range(len(parts) - size + 1):
            for inner in (blank.join(parts[start : start + size]) for blank in ("", " ")):
                if inner in kept and together >= _MAX_INNER_SHARE * kept[inner]:
                    kept[inner] = 0
    return True


def _runs(source: str, language: Language) -> Iterator[list[_Word]]:
    run: list[_Word] = []
    for word in _words_of(source, language):
        gap = source[run[-1].end : word.start] if run else ""
        if gap.strip() or (gap and not language.is_spaced):
            run = []
        run = [*run[1 - _MAX_WORDS :], word]
        for start in range(len(run)):
            if start < len(run) - 1 or word.may_be_term:
                yield run[start:]


def _words_of(source: str, language: Language) -> Iterator[_Word]:
    stops = _stop_words(language.code)
    if language.code == "ja":
        for start, text, is_noun in japanese_words(source):
            if is_noun:
                yield _Word(text, start, len(text) > 1)
    elif not stops:
        return
    elif not language.is_spaced:
        for start, end in sorted(word_edges(source).items()):
            text = source[start:end]
            if text not in stops and any(map(str.isalpha, text)):
                yield _Word(text, start, len(text) >= _MIN_LETTERS)
    else:
        before = ""
        for match in _WORD.finditer(source):
            text = _KOREAN_PARTICLES.sub("", match.group()) if language.code == "ko" else match.group()
            is_single = len(text) == 1 and text.isupper() and before[:1].isupper()  # Party A
            if is_single or (text.casefold() not in stops and not text.isdigit()):
                may_be_short = language.code == "ko" or (text.isupper() and text.isascii())
                may_be_term = len(text) >= _MIN_LETTERS - may_be_short and any(map(str.isalpha, text))
                yield _Word(text, match.start(), may_be_term)
            before = text


@lru_cache(maxsize=64)
def _stop_words(code: str) -> frozenset[str]:
    import stopwordsiso

    if code == "en":
        return FUNCTION_WORDS  # stopwordsiso has "goods" and many other nouns

    stop_word_code = _STOP_WORD_CODES.get(code, code)
    found = stopwordsiso.stopwords(stop_word_code) if stopwordsiso.has_lang(stop_word_code) else ()
    return frozenset(word.casefold() for word in found)


MAX_TERMS = 300
_MIN_COUNT = 3
_ADDRESS = re.compile(rf"{URL.pattern}|(?<!\S)[^\s@]+@\S+\.\w+")
_MAX_LENGTH = 100
"""Maximum number of characters of a term: longer ones are codes or unbroken lines."""
_CHINESE = language_of("zh")


def recurring_terms(
    segments: Iterable[Segment], book: WordBook, language: Language = _CHINESE
) -> tuple[Term, ...]:
    """At most `MAX_TERMS` recurring terms of source texts, most frequent first. Slow: use another thread.

    `book` recognises Chinese nouns and names; it has no effect for other languages.
    """
    sources = {segment.id: MARK.sub(" ", _ADDRESS.sub(" ", segment.source)) for segment in segments}
    found = _zh_terms(sources, book) if language.code in ("", "zh") else terms_by_words(sources, language)
    terms = [
        term
        for term in found
        if len(term.text) <= _MAX_LENGTH and term.count >= _MIN_COUNT and len(term.segments) > 1
    ]
    terms.sort(key=lambda term: -term.count)
    return _with_occurrences_in_phrases(terms[:MAX_TERMS], sources)


def _zh_terms(sources: Mapping[str, str], book: WordBook) -> list[Term]:
    ids, texts = list(sources), list(sources.values())
    finder = PhraseFinder(names_in(texts, book), book.may_be_noun, keeps_common=True)
    phrases = sorted(finder.find(texts).values(), key=lambda phrase: (phrase.holders, phrase.text))
    return [
        Term(phrase.text, tuple(ids[number] for number in phrase.holders), phrase.count) for phrase in phrases
    ]


def _with_occurrences_in_phrases(terms: Sequence[Term], sources: Mapping[str, str]) -> tuple[Term, ...]:
    """Add segments in which a term is only part of a word of jieba's dictionary: 合同 in 解除合同."""
    hits = {term.text: Counter(term.segments) for term in terms}
    for segment_id, source in sources.items():
        missing = [
            TermEntry(text) for text, holders in hits.items() if text in source and segment_id not in holders
        ]
        if missing:
            for found in Recogniser(missing).find(source):
                hits[found.entries[0].source][segment_id] += 1
    order = {segment_id: row for row, segment_id in enumerate(sources)}
    return tuple(
        Term(
            term.text,
            tuple(sorted(hits[term.text], key=order.__getitem__)),
            term.count + hits[term.text].total() - len(term.segments),
        )
        for term in terms
    )


def find_renderings(
    terms: Iterable[Term],
    segments: Iterable[Segment],
    explanations: Mapping[str, Explanation],
    allowed: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[TermReport, ...]:
    """Renderings of each term according to word alignments; terms with several renderings first.

    Args:
        explanations: by segment id; an explanation of another text than the current target is ignored.
        allowed: the term bases' translations by source term, used to correct the ends of alignments.
    """
    by_id = {segment.id: segment for segment in segments}
    reports = []
    for term in terms:
        holders = [by_id[identifier] for identifier in term.segments if identifier in by_id]
        found = _find_occurrences(term, holders, explanations)
        translations = allowed.get(term.text, ())
        found = [_fit_to_term_base(each, by_id[each.segment].target, translations) for each in found]
        found = [_without_code(each, term.text) for each in found]
        reports.append(group_renderings(term, found))
    return sort_reports(reports)


def _fit_to_term_base(occurrence: Occurrence, target: str, allowed: Iterable[str]) -> Occurrence:
    """Widen or narrow an occurrence to an allowed translation in `target` that contains it or is in it."""
    aligned_form = f" {normal_form(occurrence.text)} "
    for text in allowed:
        for start, end in occurrences(text, target):
            form = f" {normal_form(target[start:end])} "
            if aligned_form in form or form in aligned_form:
                return replace(occurrence, text=target[start:end])
    return occurrence


def _without_code(found: Occurrence, term: str) -> Occurrence:
    """Reduce a rendering that is code or a file name to the term that it contains: options.cdn to options."""
    copied = () if " " in found.text else occurrences(term, found.text)
    return next((replace(found, text=found.text[start:end]) for start, end in copied), found)


def with_choices(
    reports: Iterable[TermReport], allowed: Mapping[str, Sequence[str]], segments: Iterable[Segment]
) -> tuple[TermReport, ...]:
    """Reports with the chosen rendering of each term; terms with several renderings first.

    `allowed` contains the term bases' translations by source term, the preferred ones first.
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
    # Of renderings that are confirmed equally often, `max` returns the first, which is the most frequent one.
    best = max(report.renderings, key=lambda each: len(confirmed & {*each.segments}))
    origin = Origin.CONFIRMED if confirmed & {*best.segments} else Origin.DRAFT
    return replace(report, chosen=best.text, origin=origin)


def _find_occurrences(
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
    """Group a term's occurrences by the normal form of their words; occurrences without words are dropped.

    A form that occurs in only one segment is replaced by a shorter form that it contains and that occurs in
    several segments, because word alignments are often one word too wide.
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
    return tuple(sorted(reports, key=lambda report: (report.is_consistent, -report.count, report.term)))


def _segment_ids(members: Iterable[Occurrence]) -> set[str]:
    return {occurrence.segment for occurrence in members}


def _absorb_strays(groups: dict[str, list[Occurrence]]) -> None:
    strays = [form for form, members in groups.items() if len(_segment_ids(members)) == 1]
    for stray in strays:
        hosts = [
            form
            for form, members in groups.items()
            if form != stray and f" {form} " in f" {stray} " and len(_segment_ids(members)) > 1
        ]
        if hosts:
            host = max(hosts, key=lambda form: len(_segment_ids(groups[form])))
            shown = groups[host][0].text
            groups[host] += [Occurrence(occurrence.segment, shown) for occurrence in groups.pop(stray)]


def _rendering(members: list[Occurrence], order: dict[str, int]) -> Rendering:
    forms = [form for form, _ in Counter(occurrence.text for occurrence in members).most_common()]
    segments = sorted(_segment_ids(members), key=lambda segment: order.get(segment, len(order)))
    return Rendering(forms[0], tuple(segments), tuple(forms))

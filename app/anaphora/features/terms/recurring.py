"""Find the terms that recur in a document, by its language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from anaphora.core.consistency import Term
from anaphora.core.languages import Language, language_of
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.term_entries import TermEntry
from anaphora.core.text import URL
from anaphora.features.terms.names_in_texts import names_in
from anaphora.features.terms.phrases import PhraseFinder
from anaphora.features.terms.recognition import Recogniser
from anaphora.features.terms.word_book import WordBook
from anaphora.features.terms.words import terms_by_words

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

"""Recurring names and terms of a document, and possible renderings, which are proposed before drafting.

The search works only from Chinese into English, because the data about names cover no other language pair.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate, chain, pairwise

from anaphora.core.consistency import normal_form
from anaphora.core.long_work import Step, cancellable, check_cancelled, no_step
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.text import URL
from anaphora.features.terms.phrases import MIN_COUNT, PROPER, Phrase, PhraseFinder, PhraseKind
from anaphora.features.terms.word_book import DIVISIONS, WordBook
from anaphora_text.chinese_words import cut, frequency, tagged, word_class
from anaphora_text.function_words import CHINESE_FUNCTION_WORDS
from anaphora_text.han import HAN, is_han
from anaphora_text.names.person_names import DOUBLE, SINGLE, find_persons, surname_of
from anaphora_text.punctuation import (
    AROUND_WORDS,
    CLOSING,
    COLONS,
    OPENING,
    QUOTE_PAIRS,
    ROUND_BRACKET_PAIRS,
    one_of,
)

_BRACKETS = re.escape("".join(ROUND_BRACKET_PAIRS))
_OPENED, _CLOSED = (one_of("".join(marks)) for marks in zip(*QUOTE_PAIRS, strict=True))
_COMPANY = re.compile(rf"[{HAN}{_BRACKETS}]{{2,24}}?(?:有限(?:责任)?公司|集团公司|股份公司)")
_QUOTED = re.compile(rf"{_OPENED}([{HAN}A-Za-z][{HAN}A-Za-z0-9 ·-]{{0,13}}[{HAN}A-Za-z0-9]){_CLOSED}")
_DEFINED = re.compile(
    rf"简称{one_of(COLONS)}?{one_of(OPENING)}?(?:该|本)?([{HAN}A-Za-z]{{2,10}}?){one_of(CLOSING)}"
)
_OFFICE = (
    "委员会|建设局|人民法院|法院|人民政府|管理局|税务局|公安局|检察院|管理中心|服务中心|大学|研究院|协会"
)
_AUTHORITY = re.compile(rf"(?=((?:[{HAN}]{{2,4}}[省市区县州]|[{HAN}]{{2,3}})[{HAN}]{{0,10}}?(?:{_OFFICE})))")
_MAX_SHORT_FORM = 8
_MIN_COMMON_FREQUENCY = 200
"""Words with a lower frequency in jieba's dictionary are rare."""
_MAX_GIVEN_NAME_FREQUENCY = {**dict.fromkeys(SINGLE, _MIN_COMMON_FREQUENCY), **dict.fromkeys(DOUBLE, 2_000)}
"""By surname: a following word may be a given name if its frequency in jieba's dictionary is below this."""
_MIN_HAN = 2
_NOT_IN_GIVEN_NAMES = frozenset("方物款项期件率费人证书表单量度额地区市")
"""Last characters of words that only look like a surname and a given name: 余款."""


def names_in(texts: Sequence[str], book: WordBook) -> dict[str, PhraseKind]:
    """Recurring names and quoted terms in Chinese texts, with their kinds; slow, so use another thread."""
    corpus = "\n".join(texts)
    words = [cut(text, False) for text in texts]
    found = {text: _kind_of_quoted(text) for text in dict.fromkeys(_quoted(texts))}
    found |= dict.fromkeys(_places([*chain.from_iterable(words)], book), PhraseKind.PLACE)
    found |= dict.fromkeys(_persons(texts, words, corpus, book), PhraseKind.PERSON)
    companies = {name for text in texts for name in _companies(text, book)}
    found |= dict.fromkeys(companies, PhraseKind.ORGANISATION)
    found |= dict.fromkeys(_short_forms(companies, corpus, book), PhraseKind.ORGANISATION)
    found |= dict.fromkeys(_authorities(texts, words, book, corpus), PhraseKind.ORGANISATION)
    return {name: kind for name, kind in found.items() if _is_han(name) and corpus.count(name) >= MIN_COUNT}


def _is_han(name: str) -> bool:
    """True if a name begins with a Chinese character and has another one. Drafts copy all other names."""
    return sum(map(is_han, name)) >= _MIN_HAN and is_han(name[0])


def _places(words: Sequence[str], book: WordBook) -> Iterator[str]:
    counts = Counter(words)
    for word, count in counts.items():
        if len(word) > 1 and count >= MIN_COUNT and word_class(word) == "ns":
            is_division = word[-1] in DIVISIONS and len(word) > _MIN_HAN
            if is_division or book.may_be_place(word):
                yield word
    pairs = Counter(
        first + second
        for first, second in pairwise(words)
        if second in DIVISIONS and len(first) > 1 and (book.name(first) or word_class(first) in PROPER)
    )
    yield from (pair for pair, count in pairs.items() if count >= MIN_COUNT)


def _kind_of_quoted(text: str) -> PhraseKind:
    """TERM without proper nouns and, except at the end of several words, single characters; else PRODUCT."""
    *front, last = cut(text, False)
    is_known = all(len(word) > 1 and word_class(word) not in PROPER for word in front)
    is_ordinary = is_known and (len(last) > 1 or bool(front)) and word_class(last) not in PROPER
    return PhraseKind.TERM if is_ordinary else PhraseKind.PRODUCT


def _persons(
    texts: Sequence[str], words_of: Sequence[Sequence[str]], corpus: str, book: WordBook
) -> Iterator[str]:
    hits: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for text, words in zip(texts, words_of, strict=True):
        check_cancelled()
        pairs.update(
            surname + given
            for surname, given in pairwise(words)
            if len(given) == 2 and frequency(given) < _MAX_GIVEN_NAME_FREQUENCY.get(surname, 0)
        )
        if not _MAX_GIVEN_NAME_FREQUENCY.keys().isdisjoint(words):
            hits.update({text[name.start : name.end] for name in find_persons(text)}.union(_tagged(text)))
    hits |= Counter({name: n for name, n in pairs.items() if n >= MIN_COUNT and n == corpus.count(name[-2:])})
    for name, count in hits.items():
        is_word = frequency(name) > 0 or name[-1] in _NOT_IN_GIVEN_NAMES
        is_word = is_word or any(map(str.islower, book.of_term(name)))
        if not is_word and 2 * count >= corpus.count(name):
            yield name
            given = name[len(surname_of(name) or "") :]
            if len(given) == _MIN_HAN and corpus.count(given) >= corpus.count(name) + MIN_COUNT:
                yield given


def _tagged(text: str) -> Iterator[str]:
    """Persons that jieba recognises: a full name, or a surname followed by a guessed given name."""
    before = ""
    for word, kind in tagged(text):
        if kind.startswith("nr") and before and len(word) <= 2:
            yield before + word
        elif kind.startswith("nr") and surname_of(word):
            yield word
        before = word if word in _MAX_GIVEN_NAME_FREQUENCY else ""


def _companies(text: str, book: WordBook) -> Iterator[str]:
    for match in _COMPANY.finditer(text):
        words = cut(match.group(), False)
        start = 0
        for number, word in enumerate(words[:-1]):
            if word in CHINESE_FUNCTION_WORDS or (word_class(word) == "v" and not book.name(word)):
                start = number + 1
            elif number and word_class(word) == "ns" and word_class(words[number - 1]) not in PROPER:
                start = max(start, number)
        name = "".join(words[start:])
        if start < len(words) - 1 and len(name) > len("有限公司") + 2:
            yield name


def _short_forms(companies: Iterable[str], corpus: str, book: WordBook) -> Iterator[str]:
    """Short names of companies: the longest start of a name (without its place) that also occurs alone."""
    for name in companies:
        words = cut(name, False)
        if book.name(words[0]) or word_class(words[0]) == "ns":
            words = words[2 if words[1] in DIVISIONS else 1 :]
        core = "".join(words)
        full = corpus.count(core)
        for end in range(min(_MAX_SHORT_FORM, len(core) - 4), 1, -1):
            if corpus.count(core[:end]) > full:
                if not book.name(core[:end]) and _is_rare_or_proper(core[:end]):
                    yield core[:end]
                break


def _is_rare_or_proper(text: str) -> bool:
    return frequency(text) < _MIN_COMMON_FREQUENCY or word_class(text) in PROPER


def _authorities(
    texts: Iterable[str], words_of: Iterable[Sequence[str]], book: WordBook, corpus: str
) -> Iterator[str]:
    seen: set[str] = set()
    for text, words in zip(texts, words_of, strict=True):
        edges = frozenset(accumulate(map(len, words), initial=0))
        for match in _AUTHORITY.finditer(text):
            name = match.group(1)
            if name in seen or match.start() not in edges:
                continue
            seen.add(name)
            head = cut(name, False)[0]
            has_place = book.name(head) or word_class(head) in PROPER or name[:4].find("区") > 0
            if has_place and corpus.count(name) >= MIN_COUNT:
                yield name


def _quoted(texts: Iterable[str]) -> Iterator[str]:
    """Text without function words that is in quotation marks or introduced as a short form (简称)."""
    for text in texts:
        for match in (*_QUOTED.finditer(text), *_DEFINED.finditer(text)):
            words = cut(match.group(1), False)
            is_name = len(words) > 1 or frequency(words[0]) < _MIN_COMMON_FREQUENCY
            if is_name and CHINESE_FUNCTION_WORDS.isdisjoint(words):
                yield match.group(1)


MAX_CANDIDATES = 60
"""Maximum number of candidates for a document, which a user can read in about a minute."""
MAX_SEGMENTS = 5_000
"""Maximum number of segments searched; most names of a longer document occur near its beginning."""
_MIN_EXPECTED = 0.5
"""A draft that is not in the dictionary is offered if its expected chrF2, in [0, 1], is at least this."""


class FoundIn(StrEnum):
    """Origin of the first rendering of a candidate."""

    NAME = "name"
    AGREED = "dictionary and model"
    DICTIONARY = "dictionary"
    MODEL = "model"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class WordDraft:
    """The model's translation of a term without context, with its expected chrF2, in [0, 1]."""

    text: str
    expected: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A recurring name or term.

    Attributes:
        segment, example: id and source of the first segment that contains the name or term.
        renderings: possible renderings, the likeliest first; may be empty.
        source: origin of the first rendering.
    """

    text: str
    kind: PhraseKind
    count: int
    segment: str
    example: str
    renderings: tuple[str, ...]
    source: FoundIn

    @property
    def is_sure(self) -> bool:
        if self.source is FoundIn.DICTIONARY:
            return len(self.renderings) == 1
        return self.source in (FoundIn.NAME, FoundIn.AGREED)


def propose(
    segments: Sequence[Segment], book: WordBook, known: Collection[str] = (), step: Step = no_step
) -> tuple[Candidate, ...]:
    """At most `MAX_CANDIDATES` recurring names and terms that are not `known`, the most important first.

    Searches only the first `MAX_SEGMENTS` segments; 1000 take a second. `step` may raise to cancel.
    """
    segments = segments[:MAX_SEGMENTS]
    texts = [URL.sub(" ", MARK.sub(" ", segment.source)) for segment in segments]
    with cancellable(step):
        step(0.0)
        names = names_in(texts, book)
        found = PhraseFinder(names, book.is_noun).find(texts)
    phrases = {**found, **_with_all_occurrences(names, texts, found)}
    kept = [phrase for phrase in phrases.values() if phrase.text not in known]
    kinds = {phrase.text: names.get(phrase.text) or _kind_of(phrase, names) for phrase in kept}
    kept.sort(key=lambda phrase: (-_worth(phrase, kinds[phrase.text]), phrase.holders[0], phrase.text))
    return tuple(
        _candidate(each, kinds[each.text], segments[each.holders[0]], book) for each in kept[:MAX_CANDIDATES]
    )


def _with_all_occurrences(
    names: Mapping[str, PhraseKind], texts: Sequence[str], found: Mapping[str, Phrase]
) -> dict[str, Phrase]:
    """Names with all their occurrences, also within longer names: 吴江区 in 吴江区人民法院."""
    counted: dict[str, Phrase] = {}
    for name in names:
        holders = tuple(number for number, text in enumerate(texts) if name in text)
        words = found[name].words if name in found else (name,)
        counted[name] = Phrase(name, words, sum(text.count(name) for text in texts), holders)
    return counted


def _kind_of(phrase: Phrase, names: Mapping[str, PhraseKind]) -> PhraseKind:
    first = names.get(phrase.words[0])
    return first if first in (PhraseKind.ORGANISATION, PhraseKind.PRODUCT) else phrase.kind


def _worth(phrase: Phrase, kind: PhraseKind) -> float:
    """How much the user's decision on a phrase helps; more for names, which drafts often get wrong."""
    return math.log(phrase.count) + (1.5 if kind is not PhraseKind.TERM else 0.3 * (len(phrase.words) > 1))


def _candidate(phrase: Phrase, kind: PhraseKind, segment: Segment, book: WordBook) -> Candidate:
    source = FoundIn.NAME
    if kind is PhraseKind.TERM:
        renderings = book.of_term(phrase.text)
        source = FoundIn.DICTIONARY if renderings else FoundIn.NONE
    elif kind is PhraseKind.PERSON:
        renderings = book.of_person(phrase.text)
    elif kind is PhraseKind.PLACE:
        renderings = book.of_place(phrase.text)
    else:
        renderings = book.of_organisation(phrase.text, phrase.words)
    return Candidate(phrase.text, kind, phrase.count, segment.id, segment.source, tuple(renderings), source)


def with_drafts(candidates: Iterable[Candidate], drafts: Mapping[str, WordDraft]) -> tuple[Candidate, ...]:
    """Candidates with the model's usable drafts of terms added; `drafts` contains drafts by term."""
    return tuple(
        _with_draft(candidate, drafts[candidate.text]) if candidate.text in drafts else candidate
        for candidate in candidates
    )


def _with_draft(candidate: Candidate, draft: WordDraft) -> Candidate:
    text = draft.text.strip(AROUND_WORDS)
    if candidate.kind is not PhraseKind.TERM or not text:
        return candidate
    if text[1:] == text[1:].lower():
        text = text[0].lower() + text[1:]
    form = normal_form(text)
    alike = [each for each in candidate.renderings if normal_form(each) == form]
    if alike:
        rest = (each for each in candidate.renderings if each != alike[0])
        return replace(candidate, renderings=(alike[0], *rest), source=FoundIn.AGREED)
    if draft.expected < _MIN_EXPECTED:
        return candidate
    source = candidate.source if candidate.renderings else FoundIn.MODEL
    return replace(candidate, renderings=(*candidate.renderings, text), source=source)

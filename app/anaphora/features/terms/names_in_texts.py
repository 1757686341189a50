"""Names in the texts of a Chinese document: persons, places, companies, authorities, quoted names.

Less strict than the names that the engine renders (`anaphora_text.names`): a translator checks each one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise

from anaphora.core.long_work import check_cancelled
from anaphora.features.terms.phrases import MIN_COUNT, PROPER, PhraseKind
from anaphora.features.terms.word_book import DIVISIONS, WordBook
from anaphora_text.chinese_words import cut, frequency, tagged, word_class
from anaphora_text.function_words import CHINESE_FUNCTION_WORDS
from anaphora_text.han import HAN, is_han
from anaphora_text.names.person_names import DOUBLE, SINGLE, find_persons, surname_of
from anaphora_text.punctuation import CLOSING, COLONS, OPENING, QUOTE_PAIRS, ROUND_BRACKET_PAIRS, one_of

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
_SHORT_FORM = 8
"""Maximum number of characters in a company's short form."""
_COMMON = 200
"""Words with fewer occurrences in jieba's dictionary are rare."""
_GIVEN = {**dict.fromkeys(SINGLE, _COMMON), **dict.fromkeys(DOUBLE, 2_000)}
"""By surname: words with fewer occurrences in jieba's dictionary may be given names after it."""
_NOT_IN_GIVEN_NAMES = frozenset("方物款项期件率费人证书表单量度额地区市")
"""Last characters of words that only look like a surname and a given name: 余款."""


def names_in(texts: Sequence[str], book: WordBook) -> dict[str, PhraseKind]:
    """Recurring names and their kinds. Not for the window's thread."""
    whole = "\n".join(texts)
    words = [cut(text, False) for text in texts]
    found = {text: _kind_of_quoted(text) for text in dict.fromkeys(_quoted(texts))}
    found |= dict.fromkeys(_places([*chain.from_iterable(words)], book), PhraseKind.PLACE)
    found |= dict.fromkeys(_persons(texts, words, whole), PhraseKind.PERSON)
    companies = {name for text in texts for name in _companies(text, book)}
    found |= dict.fromkeys(companies, PhraseKind.ORGANISATION)
    found |= dict.fromkeys(_short_forms(companies, whole, book), PhraseKind.ORGANISATION)
    found |= dict.fromkeys(_authorities(texts, words, book, whole), PhraseKind.ORGANISATION)
    return {name: kind for name, kind in found.items() if _has_han(name) and whole.count(name) >= MIN_COUNT}


def _has_han(name: str) -> bool:
    """True if a name is written in Chinese; drafts keep names in other scripts anyway."""
    return sum(map(is_han, name)) >= MIN_COUNT and is_han(name[0])


def _places(words: Sequence[str], book: WordBook) -> Iterator[str]:
    """Well-known places, and names followed by a division: 吴江·区."""
    counts = Counter(words)
    for word, count in counts.items():
        if len(word) > 1 and count >= MIN_COUNT and word_class(word) == "ns":
            is_division = word[-1] in DIVISIONS and len(word) > MIN_COUNT
            if is_division or book.may_be_place(word):
                yield word
    pairs = Counter(
        one + two
        for one, two in pairwise(words)
        if two in DIVISIONS and len(one) > 1 and (book.name(one) or word_class(one) in PROPER)
    )
    yield from (pair for pair, count in pairs.items() if count >= MIN_COUNT)


def _kind_of_quoted(text: str) -> PhraseKind:
    """Product if quoted text has a word that is not an ordinary one, else term."""
    *front, last = cut(text, False)
    is_known = all(len(word) > 1 and word_class(word) not in PROPER for word in front)
    is_ordinary = is_known and (len(last) > 1 or bool(front)) and word_class(last) not in PROPER
    return PhraseKind.TERM if is_ordinary else PhraseKind.PRODUCT


def _persons(texts: Sequence[str], words_of: Sequence[Sequence[str]], whole: str) -> Iterator[str]:
    hits: Counter[str] = Counter()
    beside: Counter[str] = Counter()
    for text, words in zip(texts, words_of, strict=True):
        check_cancelled()
        beside.update(
            one + two for one, two in pairwise(words) if len(two) == 2 and frequency(two) < _GIVEN.get(one, 0)
        )
        if not _GIVEN.keys().isdisjoint(words):
            hits.update({text[name.start : name.end] for name in find_persons(text)}.union(_tagged(text)))
    hits |= Counter({name: n for name, n in beside.items() if n >= MIN_COUNT and n == whole.count(name[-2:])})
    for name, count in hits.items():
        is_word = frequency(name) > 0 or name[-1] in _NOT_IN_GIVEN_NAMES
        if not is_word and 2 * count >= whole.count(name):
            yield name


def _tagged(text: str) -> Iterator[str]:
    """Persons found by jieba: a surname before a given name that it guessed."""
    before = ""
    for word, kind in tagged(text):
        if kind.startswith("nr") and before and len(word) <= 2:
            yield before + word
        elif kind.startswith("nr") and surname_of(word):
            yield word
        before = word if word in _GIVEN else ""


def _companies(text: str, book: WordBook) -> Iterator[str]:
    """Full names of companies, without preceding function words and verbs."""
    for match in _COMPANY.finditer(text):
        words = cut(match.group(), False)
        start = 0
        for place, word in enumerate(words[:-1]):
            if word in CHINESE_FUNCTION_WORDS or (word_class(word) == "v" and not book.name(word)):
                start = place + 1
            elif place and word_class(word) == "ns" and word_class(words[place - 1]) not in PROPER:
                start = max(start, place)
        name = "".join(words[start:])
        if start < len(words) - 1 and len(name) > len("有限公司") + 2:
            yield name


def _short_forms(companies: Iterable[str], whole: str, book: WordBook) -> Iterator[str]:
    """Short names of companies in the text: the longest beginning that also appears alone."""
    for name in companies:
        words = cut(name, False)
        if book.name(words[0]) or word_class(words[0]) == "ns":
            words = words[2 if words[1] in DIVISIONS else 1 :]
        own = "".join(words)
        full = whole.count(own)
        for end in range(min(_SHORT_FORM, len(own) - 4), 1, -1):
            if whole.count(own[:end]) > full:
                if not book.name(own[:end]) and _is_rare_or_proper(own[:end]):
                    yield own[:end]
                break


def _is_rare_or_proper(text: str) -> bool:
    return frequency(text) < _COMMON or word_class(text) in PROPER


def _authorities(
    texts: Iterable[str], words_of: Iterable[Sequence[str]], book: WordBook, whole: str
) -> Iterator[str]:
    """Local offices, courts and commissions: 吴江区住房和城乡建设局."""
    seen: set[str] = set()
    for text, words in zip(texts, words_of, strict=True):
        edges = frozenset(accumulate(map(len, words), initial=0))
        for match in _AUTHORITY.finditer(text):
            name = match.group(1)
            if name in seen or match.start() not in edges:
                continue
            seen.add(name)
            head = cut(name, False)[0]
            is_placed = book.name(head) or word_class(head) in PROPER or name[:4].find("区") > 0
            if is_placed and whole.count(name) >= MIN_COUNT:
                yield name


def _quoted(texts: Iterable[str]) -> Iterator[str]:
    """Text in quotation marks or angle brackets, or introduced as a short form."""
    for text in texts:
        for match in (*_QUOTED.finditer(text), *_DEFINED.finditer(text)):
            words = cut(match.group(1), False)
            is_own = len(words) > 1 or frequency(words[0]) < _COMMON
            if is_own and CHINESE_FUNCTION_WORDS.isdisjoint(words):
                yield match.group(1)

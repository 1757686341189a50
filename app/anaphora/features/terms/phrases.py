"""Recurring phrases in Chinese texts, such as 缺陷责任期, of which a dictionary has only the parts.

A phrase is a word, or several adjacent words without a function word. A phrase is left out if it mostly
occurs within the same longer phrase (责任期), or if its parts mostly occur separately (甲方账户).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

from anaphora.core.long_work import check_cancelled
from anaphora.features.terms.recognition import chinese_words
from anaphora.features.terms.word_book import DIVISIONS
from anaphora_text.chinese_words import frequency, general_share, word_class
from anaphora_text.function_words import CHINESE_FUNCTION_WORDS, CHINESE_STOP_WORDS, STOP_WORDS, read_table
from anaphora_text.han import HAN, is_han

MIN_COUNT = 2
_MAX_WORDS = 7
_MAX_CHARACTERS = 20
_MAX_INNER_SHARE = 0.75
"""A phrase is left out if at least this share of its occurrences is within one longer phrase."""
_MIN_SHARE = 0.3
"""If a phrase is cut in two, at least this share of the rarer part's occurrences must be in the phrase."""
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.+#/_-]+[A-Za-z0-9]+)*[+#]*")
_PIECE = re.compile(rf"({_LATIN.pattern})|([{HAN}·]+)|(\s+)|([^{HAN}·\s]+?)")
_NOUN_CLASSES = "n nr nrt nrfg ns nt nz ng vn an j l i b zg eng s name"
_NOUNS = frozenset(_NOUN_CLASSES.split())
PROPER = frozenset(("nr", "nrt", "ns", "nt", "nz"))
_VERB_CLASSES = frozenset(("v", "vn"))
_ORGANISATION_WORDS = "公司 集团 委员会 中心 局 银行 大学 法院 医院 学校 协会 学院 研究院"
_ORGANISATIONS = tuple(_ORGANISATION_WORDS.split())
_OTHER_CLASSES = frozenset(("v", "a", "ad", "vd", "vg", "d", "t"))
"""Classes, besides nouns, of words in terms; jieba tags 进度 as an adverb and 逾期 as a time."""
_HEAD_CHARACTERS = (
    "人方商者员费款金税价额率期日书单表图证函险权法局部处厅院所区市县镇乡村街路巷道省州国店厂站库机器车船房楼"
    "室物品件料剂药病症性度量值数点线面网版型类号码卡板管阀泵箱柜工会队组团社党制式学论库键框栏页层端"
)
HEADS = frozenset(_HEAD_CHARACTERS)
"""Characters that end a noun: 承包·人, 缺陷责任·期."""
_GENERAL = frozenset(read_table("general_zh.txt").split()).union(CHINESE_STOP_WORDS, CHINESE_FUNCTION_WORDS)
_GENERIC_NOUNS = "部分 方式 方法 结果 过程 内容 关系 程度 步骤 原则 名称 范围 比例 时间 费用 报告 要求 条件"
_ONLY_IN_COMPOUNDS = frozenset(_GENERIC_NOUNS.split())
"""Nouns that are not terms by themselves but may end one: 响应时间."""
_COPULA = "是"
_INNER_WORDS = frozenset(("一切", "内", "外"))
"""Words that may occur inside a term, but neither begin nor end it: 财产一切险."""
_SPLIT = re.compile(f"(?<=[{HAN}])(期)(?=[满内届])|(?<=[时日天月年])(内)(?=[向将])")
_DETERMINERS = frozenset("本该此各某每")
_MAX_RARE, _MAX_UNCOMMON, _MAX_NON_NOUN = 350, 1500, 100
"""Frequencies in jieba's dictionary. A single noun is a term up to the frequency `_MAX_RARE`, a single
word of another class up to `_MAX_NON_NOUN`. A more frequent noun must occur three times in the
document, and four times above `_MAX_UNCOMMON`."""
_MIN_RATIO = 300
"""A noun that is not rare must be this many times more frequent in the document than in general."""
_BEFORE_VERBS = frozenset(read_table("before_verbs_zh.txt").split())
"""Words after which a verb with its object may follow, such as 应."""
_MAX_VERB_SHARE = 0.3
"""A phrase with at least this share of its occurrences after `_BEFORE_VERBS` is a verb with its object."""
_EXCLUDED_CLASSES = tuple("pcurmqdyeof")
"""Terms do not contain single characters whose class in jieba begins with one of these letters."""

Words = tuple[str, ...]


class PhraseKind(StrEnum):
    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    PRODUCT = "product"
    TERM = "term"


@dataclass(frozen=True, slots=True)
class WordRun:
    """Adjacent words in text number `text_number`, and the word `before` them ("" at the text's start)."""

    text_number: int
    before: str
    words: Words


@dataclass(frozen=True, slots=True)
class Phrase:
    """A recurring phrase; `holders` are the numbers of the texts that contain it, in order."""

    text: str
    words: Words
    count: int
    holders: tuple[int, ...]

    @property
    def kind(self) -> PhraseKind:
        last = self.words[-1]
        if len(self.words) > 2 and last.endswith(_ORGANISATIONS):
            return PhraseKind.ORGANISATION
        return PhraseKind.PLACE if last in DIVISIONS and _is_unknown(self.words) else PhraseKind.TERM


class PhraseFinder:
    """Finds recurring phrases in the texts of a document; too slow for the window's thread.

    Args:
        names: phrases that count as one word, even if the dictionary splits them.
        is_noun: returns True for a noun, even if jieba tags it as a verb, adverb or adjective (缺陷, 进度).
        keeps_common: also find common nouns (数据) and words in Latin letters.
    """

    def __init__(
        self, names: Iterable[str], is_noun: Callable[[str], bool], keeps_common: bool = False
    ) -> None:
        self._names = frozenset(names)
        self._keeps_common = keeps_common
        longest_first = sorted(self._names, key=lambda name: (-len(name), name))
        self._name_pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        self._class = cache(lambda word: _class(word, is_noun))

    def find(self, texts: Sequence[str]) -> dict[str, Phrase]:
        """Recurring phrases by their text, single words included."""
        runs = list(self._runs_of(texts))
        counts = _phrase_counts(runs)
        verbal = self._count_as_verbs(runs, counts)
        kept = {
            words: count for words, count in counts.items() if self._may_be_term(words, verbal[words] / count)
        }
        inner = _within_longer(kept)
        total = sum(len(run.words) for run in runs)
        kept = {
            words: count
            for words, count in kept.items()
            if inner.get(words, 0) < _MAX_INNER_SHARE * count
            and _holds_together(words, count, counts)
            and (len(words) > 1 or self._is_term_alone(words[0], count, total))
        }
        return {phrase.text: phrase for phrase in _phrases(kept, runs)}

    def _count_as_verbs(self, runs: Sequence[WordRun], counts: Mapping[Words, int]) -> Counter[Words]:
        verbal: Counter[Words] = Counter()
        for run in runs:
            if run.before in _BEFORE_VERBS and word_class(run.words[0]) in _VERB_CLASSES:
                for end in range(1, min(_MAX_WORDS, len(run.words)) + 1):
                    if (words := run.words[:end]) in counts:
                        verbal[words] += 1
        return verbal

    def _runs_of(self, texts: Sequence[str]) -> Iterator[WordRun]:
        for number, text in enumerate(texts):
            check_cancelled()
            words: list[str] = []
            before = ""
            for word in self._words(text):
                if word.isspace():
                    continue
                if word in self._names or self._may_be_part(word) or (words and word in _INNER_WORDS):
                    words.append(word)
                    continue
                if words:
                    yield WordRun(number, before, tuple(words))
                    words = []
                before = word
            if words:
                yield WordRun(number, before, tuple(words))

    def _words(self, text: str) -> Iterator[str]:
        end = 0
        for match in self._name_pattern.finditer(text) if self._name_pattern is not None else ():
            yield from _cut_without_names(text[end : match.start()])
            yield match.group()
            end = match.end()
        yield from _cut_without_names(text[end:])

    def _may_be_part(self, word: str) -> bool:
        if word in _GENERAL or word in _INNER_WORDS or word.startswith(_COPULA):
            return False
        if not is_han(word[0]):
            return _LATIN.fullmatch(word) is not None and word.lower() not in STOP_WORDS
        tag = self._class(word)
        if len(word) == 1:
            return word in HEADS or tag[:1] not in _EXCLUDED_CLASSES
        return not tag or tag in _NOUNS or tag in _OTHER_CLASSES

    def _may_be_term(self, words: Words, verb_share: float) -> bool:
        """True if words may be a term; `verb_share` of their occurrences are a verb with its object."""
        first, last = words[0], words[-1]
        if len(words) > 1 and verb_share >= _MAX_VERB_SHARE:
            return False
        text = join_words(words)
        if not 1 < len(text) <= _MAX_CHARACTERS or first in _INNER_WORDS or last in _INNER_WORDS:
            return False
        if text.isascii():
            return self._keeps_common
        if last in _ONLY_IN_COMPOUNDS and (len(words) == 1 or not is_han(words[-2][0])):
            return False
        is_unknown = _is_unknown(words)
        if len(words) > 1 and len(first) == 1 and is_han(first) and len(words[1]) > 1 and not is_unknown:
            return False
        if len(last) > 1 or not is_han(last):
            return True
        return last in HEADS or is_unknown or self._class(words[-2]) in PROPER

    def _is_term_alone(self, word: str, count: int, total: int) -> bool:
        """True if a word is a term by itself: rare in general, or frequent among the text's `total` words."""
        if word in self._names:
            return True
        known, tag = frequency(word), self._class(word)
        if known and tag not in _NOUNS:
            return known <= _MAX_NON_NOUN and tag in _OTHER_CLASSES
        if known <= _MAX_RARE or self._keeps_common:
            return True
        stands_out = count >= _MIN_RATIO * general_share(word) * total
        return stands_out and count > MIN_COUNT + (known > _MAX_UNCOMMON)


def _class(word: str, is_noun: Callable[[str], bool]) -> str:
    tag = word_class(word)
    return "n" if tag in ("v", "d", "a") and word not in _GENERAL and len(word) > 1 and is_noun(word) else tag


def _cut_without_names(text: str) -> Iterator[str]:
    for match in _PIECE.finditer(text):
        latin, han, space, _ = match.groups()
        if not han:
            yield latin or space or "|"  # "|" separates runs of words
            continue
        for word in chinese_words(_SPLIT.sub(r"\1\2 ", han), guess=False):
            if len(word) > 2 and word[0] in _DETERMINERS and word_class(word[1:]):
                yield word[0]
                yield word[1:]
            else:
                yield word


def _phrase_counts(runs: Sequence[WordRun]) -> Counter[Words]:
    """Counts of recurring phrases; n words can recur only if the first n - 1 and the last n - 1 recur."""
    counts: Counter[Words] = Counter()
    frequent: set[Words] = {()}
    for size in range(1, _MAX_WORDS + 1):
        check_cancelled()
        counts_of_size: Counter[Words] = Counter()
        for run in runs:
            for start in range(len(run.words) - size + 1):
                words = run.words[start : start + size]
                if words[:-1] in frequent and words[1:] in frequent:
                    counts_of_size[words] += 1
        frequent = {words for words, count in counts_of_size.items() if count >= MIN_COUNT}
        counts.update({words: counts_of_size[words] for words in frequent})
        if not frequent:
            break
    return counts


def _holds_together(words: Words, count: int, counts: Mapping[Words, int]) -> bool:
    return all(
        count >= _MIN_SHARE * min(counts.get(words[:size], count), counts.get(words[size:], count))
        for size in range(1, len(words))
    )


def _phrases(kept: Mapping[Words, int], runs: Iterable[WordRun]) -> list[Phrase]:
    holders: dict[Words, dict[int, None]] = {}
    for run in runs:
        for start in range(len(run.words)):
            for end in range(start + 1, min(start + _MAX_WORDS, len(run.words)) + 1):
                if (words := run.words[start:end]) in kept:
                    holders.setdefault(words, {})[run.text_number] = None
    return [
        Phrase(join_words(words), words, count, tuple(holders[words]))
        for words, count in kept.items()
        if len(holders[words]) > 1 or count > MIN_COUNT
    ]


def _is_unknown(words: Sequence[str]) -> bool:
    """True if two single characters are adjacent: they are probably a name that the dictionary lacks."""
    return any(len(first) == len(second) == 1 for first, second in pairwise(words))


def _within_longer(counts: Mapping[Words, int]) -> dict[Words, int]:
    """By phrase, the count of the most frequent longer phrase that contains it."""
    inner: dict[Words, int] = {}
    for words, count in counts.items():
        for size in range(1, len(words)):
            for start in range(len(words) - size + 1):
                part = words[start : start + size]
                inner[part] = max(inner.get(part, 0), count)
    return inner


def join_words(words: Sequence[str]) -> str:
    text = words[0]
    for first, second in pairwise(words):
        text += second if is_han(first[-1]) and is_han(second[0]) else f" {second}"
    return text

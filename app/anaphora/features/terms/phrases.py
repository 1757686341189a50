"""Stretches of Chinese texts that recur as wholes: 缺陷责任期, of which a dictionary has the parts.

A stretch is a word, or words side by side of which none is a function word. It counts where it can be
taken out: one that nearly always stands in the same longer stretch is a part of that one (责任期), and one
whose parts mostly appear separately is not a term (甲方账户).
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
from anaphora.features.terms.word_book import DIVISIONS
from anaphora.features.terms.word_edges import chinese_words
from anaphora_text.chinese_words import frequency, general_share, word_class
from anaphora_text.function_words import CHINESE_FUNCTION_WORDS
from anaphora_text.han import HAN, is_han
from anaphora_text.stop_words import CHINESE_STOP_WORDS, STOP_WORDS, read_table

LEAST = 2
_LONGEST = 7
_MOST_CHARACTERS = 20
_WHOLE = 0.75
"""A stretch is a part of a longer one that has this share of its occurrences."""
_TOGETHER = 0.3
"""Least share of its rarer half's occurrences that a stretch has."""
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.+#/_-]+[A-Za-z0-9]+)*[+#]*")
_PIECE = re.compile(rf"({_LATIN.pattern})|([{HAN}·]+)|(\s+)|([^{HAN}·\s]+?)")
_NOUN_CLASSES = "n nr nrt nrfg ns nt nz ng vn an j l i b zg eng s name"
_NOUNS = frozenset(_NOUN_CLASSES.split())
PROPER = frozenset(("nr", "nrt", "ns", "nt", "nz"))
_ACTS = frozenset(("v", "vn"))
_SAID_OF_OFFICES = "公司 集团 委员会 中心 局 银行 大学 法院 医院 学校 协会 学院 研究院"
_ORGANISATIONS = tuple(_SAID_OF_OFFICES.split())
_VERBS = frozenset(("v", "a", "ad", "vd", "vg", "d", "t"))
"""Classes of words that may be a part of a term; adverbs too, as jieba has 进度 for one, and times (逾期)."""
_SAID_OF_ONE_CHARACTER = (
    "人方商者员费款金税价额率期日书单表图证函险权法局部处厅院所区市县镇乡村街路巷道省州国店厂站库机器车船房楼"
    "室物品件料剂药病症性度量值数点线面网版型类号码卡板管阀泵箱柜工会队组团社党制式学论库键框栏页层端"
)
HEADS = frozenset(_SAID_OF_ONE_CHARACTER)
"""Characters that end a noun: 承包·人, 缺陷责任·期."""
_GENERAL = frozenset(read_table("general_zh.txt").split()).union(CHINESE_STOP_WORDS, CHINESE_FUNCTION_WORDS)
_SAID_OF_WHAT = "部分 方式 方法 结果 过程 内容 关系 程度 步骤 原则 名称 范围 比例 时间 费用 报告 要求 条件"
_ONLY_IN_COMPOUNDS = frozenset(_SAID_OF_WHAT.split())
"""Nouns that are no terms by themselves, but end some: 响应时间."""
_COPULA = "是"
_BETWEEN = frozenset(("一切", "内", "外"))
"""Words within terms that neither begin nor end one: 财产一切险."""
_SPLIT = re.compile(f"(?<=[{HAN}])(期)(?=[满内届])|(?<=[时日天月年])(内)(?=[向将])")
_DETERMINERS = frozenset("本该此各某每")
_RARE, _COMMON, _VERB = 350, 1500, 100
"""Occurrences in jieba's dictionary up to which a noun is a term if it recurs at all, if it does so three
times, and a word of another class is one."""
_STANDS_OUT = 300
"""Times that a common noun is more frequent here than in general, to be a term."""
_BEFORE_VERBS = frozenset(read_table("before_verbs_zh.txt").split())
"""Words after which a verb stands with its object."""
_SENTENCE = 0.3
"""Share of its occurrences after such words from which on a stretch is a part of sentences."""
_OF_NO_NAME = tuple("pcurmqdyeof")
"""Classes of characters that are in no name."""

Words = tuple[str, ...]


class PhraseKind(StrEnum):
    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    PRODUCT = "product"
    TERM = "term"


@dataclass(frozen=True, slots=True)
class WordRun:
    """Words side by side in a text, and the word before them; "" at the beginning of a text."""

    text: int
    before: str
    words: Words


@dataclass(frozen=True, slots=True)
class Phrase:
    """A stretch that recurs.

    Attributes:
        count: how often it occurs.
        holders: numbers of the texts that hold it, in order.
    """

    text: str
    words: Words
    count: int
    holders: tuple[int, ...]

    @property
    def kind(self) -> PhraseKind:
        """The kind of a stretch, by its words: an office, a place, or else a term."""
        last = self.words[-1]
        if len(self.words) > 2 and last.endswith(_ORGANISATIONS):
            return PhraseKind.ORGANISATION
        return PhraseKind.PLACE if last in DIVISIONS and _is_unknown(self.words) else PhraseKind.TERM


class PhraseFinder:
    """Finds what recurs in the texts of a document. Not for the window's thread.

    Args:
        names: stretches that count as one word here, even if the dictionary cuts them.
        is_noun: whether a word that is a verb or an adverb to jieba is a noun (缺陷, 进度).
        keeps_common: whether nouns of every text (数据) are found, too, and words in Latin letters.
    """

    def __init__(
        self, names: Iterable[str], is_noun: Callable[[str], bool], keeps_common: bool = False
    ) -> None:
        self._names = frozenset(names)
        self._keeps_common = keeps_common
        longest_first = sorted(self._names, key=lambda name: (-len(name), name))
        self._known = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        self._class = cache(lambda word: _class(word, is_noun))

    def find(self, texts: Sequence[str]) -> dict[str, Phrase]:
        """The stretches that recur, by themselves; single words among them."""
        runs = list(self._runs_of(texts))
        counts = _counted(runs)
        said = self._said_as_verbs(runs, counts)
        kept = {
            words: count for words, count in counts.items() if self._may_be_term(words, said[words] / count)
        }
        inner = _within_longer(kept)
        every = sum(len(run.words) for run in runs)
        kept = {
            words: count
            for words, count in kept.items()
            if inner.get(words, 0) < _WHOLE * count
            and _holds_together(words, count, counts)
            and (len(words) > 1 or self._is_term_alone(words[0], count, every))
        }
        return {phrase.text: phrase for phrase in _phrases(kept, runs)}

    def _said_as_verbs(self, runs: Sequence[WordRun], counts: Mapping[Words, int]) -> Counter[Words]:
        """How often stretches are used like a verb with its object, as after 应 and 不得."""
        said: Counter[Words] = Counter()
        for run in runs:
            if run.before in _BEFORE_VERBS and word_class(run.words[0]) in _ACTS:
                for end in range(1, min(_LONGEST, len(run.words)) + 1):
                    if (words := run.words[:end]) in counts:
                        said[words] += 1
        return said

    def _runs_of(self, texts: Sequence[str]) -> Iterator[WordRun]:
        """Words side by side; what cannot be in a term ends a run."""
        for number, text in enumerate(texts):
            check_cancelled()
            words: list[str] = []
            before = ""
            for word in self._words(text):
                if word.isspace():
                    continue
                if word in self._names or self._may_be_part(word) or (words and word in _BETWEEN):
                    words.append(word)
                    continue
                if words:
                    yield WordRun(number, before, tuple(words))
                    words = []
                before = word
            if words:
                yield WordRun(number, before, tuple(words))

    def _words(self, text: str) -> Iterator[str]:
        place = 0
        for match in self._known.finditer(text) if self._known is not None else ():
            yield from _unnamed_words(text[place : match.start()])
            yield match.group()
            place = match.end()
        yield from _unnamed_words(text[place:])

    def _may_be_part(self, word: str) -> bool:
        if word in _GENERAL or word in _BETWEEN or word.startswith(_COPULA):
            return False
        if not is_han(word[0]):
            return _LATIN.fullmatch(word) is not None and word.lower() not in STOP_WORDS
        tag = self._class(word)
        if len(word) == 1:
            return word in HEADS or tag[:1] not in _OF_NO_NAME
        return not tag or tag in _NOUNS or tag in _VERBS

    def _may_be_term(self, words: Words, said_as_verb: float) -> bool:
        """`said_as_verb` is the share of its occurrences that stand where a verb with its object does."""
        first, last = words[0], words[-1]
        if len(words) > 1 and said_as_verb >= _SENTENCE:
            return False
        text = joined(words)
        if not 1 < len(text) <= _MOST_CHARACTERS or first in _BETWEEN or last in _BETWEEN:
            return False
        if text.isascii():
            return self._keeps_common
        if last in _ONLY_IN_COMPOUNDS and (len(words) == 1 or not is_han(words[-2][0])):
            return False
        unknown = _is_unknown(words)
        if len(words) > 1 and len(first) == 1 and is_han(first) and len(words[1]) > 1 and not unknown:
            return False
        if len(last) > 1 or not is_han(last):
            return True
        return last in HEADS or unknown or self._class(words[-2]) in PROPER

    def _is_term_alone(self, word: str, count: int, every: int) -> bool:
        """True if one word is a term: no verb, and seldom used elsewhere, or much more often here."""
        if word in self._names:
            return True
        known, tag = frequency(word), self._class(word)
        if known and tag not in _NOUNS:
            return known <= _VERB and tag in _VERBS
        if known <= _RARE or self._keeps_common:
            return True
        stands_out = count >= _STANDS_OUT * general_share(word) * every
        return stands_out and count > LEAST + (known > _COMMON)


def _class(word: str, is_noun: Callable[[str], bool]) -> str:
    """The word's class; jieba has verbs and adverbs that are nouns for everybody else."""
    tag = word_class(word)
    return "n" if tag in ("v", "d", "a") and word not in _GENERAL and len(word) > 1 and is_noun(word) else tag


def _unnamed_words(text: str) -> Iterator[str]:
    for match in _PIECE.finditer(text):
        latin, han, blank, _ = match.groups()
        if not han:
            yield latin or blank or "|"
            continue
        for word in chinese_words(_SPLIT.sub(r"\1\2 ", han), guess=False):
            if len(word) > 2 and word[0] in _DETERMINERS and word_class(word[1:]):
                yield word[0]
                yield word[1:]
            else:
                yield word


def _counted(runs: Sequence[WordRun]) -> Counter[Words]:
    """How often stretches occur: those of n words only where the first n - 1 and the last recur."""
    counts: Counter[Words] = Counter()
    frequent: set[Words] = {()}
    for size in range(1, _LONGEST + 1):
        check_cancelled()
        found: Counter[Words] = Counter()
        for run in runs:
            for start in range(len(run.words) - size + 1):
                words = run.words[start : start + size]
                if words[:-1] in frequent and words[1:] in frequent:
                    found[words] += 1
        frequent = {words for words, count in found.items() if count >= LEAST}
        counts.update({words: found[words] for words in frequent})
        if not frequent:
            break
    return counts


def _holds_together(words: Words, count: int, counts: Mapping[Words, int]) -> bool:
    """True if the halves of a stretch, for every cut, are together often enough."""
    return all(
        count >= _TOGETHER * min(counts.get(words[:place], count), counts.get(words[place:], count))
        for place in range(1, len(words))
    )


def _phrases(kept: Mapping[Words, int], runs: Iterable[WordRun]) -> list[Phrase]:
    """Stretches with the texts that contain them, at least two each."""
    holders: dict[Words, dict[int, None]] = {}
    for run in runs:
        for start in range(len(run.words)):
            for end in range(start + 1, min(start + _LONGEST, len(run.words)) + 1):
                if (words := run.words[start:end]) in kept:
                    holders.setdefault(words, {})[run.text] = None
    return [
        Phrase(joined(words), words, count, tuple(holders[words]))
        for words, count in kept.items()
        if len(holders[words]) > 1 or count > LEAST
    ]


def _is_unknown(words: Sequence[str]) -> bool:
    """True if neighbouring characters form no words of the dictionary: a name."""
    return any(len(one) == len(two) == 1 for one, two in pairwise(words))


def _within_longer(counts: Mapping[Words, int]) -> dict[Words, int]:
    """By stretch, how many of its occurrences the most frequent longer one has."""
    inner: dict[Words, int] = {}
    for words, count in counts.items():
        for size in range(1, len(words)):
            for start in range(len(words) - size + 1):
                part = words[start : start + size]
                inner[part] = max(inner.get(part, 0), count)
    return inner


def joined(words: Sequence[str]) -> str:
    """Words as they stand in a text: with a blank beside Latin ones."""
    text = words[0]
    for one, two in pairwise(words):
        text += two if is_han(one[-1]) and is_han(two[0]) else f" {two}"
    return text

"""Find the terms that recur in a document, by its language; those of Chinese are counted here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from anaphora.core.consistency import Term
from anaphora.core.languages import Language, language_of
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.text import URL, has_han
from anaphora.term_base.entries import Entry
from anaphora.term_base.recognition import Recogniser
from anaphora.term_base.word_edges import chinese_words
from anaphora.terms.words import WordCounter
from anaphora_text.chinese_words import word_class
from anaphora_text.punctuation import CLOSING, WIDE_PAUSES, WIDE_SENTENCE_ENDS

MAX_TERMS = 300
_ADDRESS = re.compile(rf"{URL.pattern}|(?<!\S)[^\s@]+@\S+\.\w+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.+#/_-]+[A-Za-z0-9]+)*[+#]*")
_NOUNS = "n nr nrt ns nt nz ng vn an j l eng x"
_NOUN_TAGS = frozenset(_NOUNS.split())
_LATIN_STOPS = "the and or of to in is it as on for with by at an be if so do we us no etc e.g i.e"
_COMMON_LATIN = frozenset(_LATIN_STOPS.split())
_CHINESE_STOPS = (
    "时候 问题 情况 方面 东西 部分 方式 方法 地方 事情 原因 结果 过程 内容 目的 作用 关系 "
    "意思 样子 程度 步骤 之间 之后 之前 以上 以下 其中 其他 其它 所有 一个 一些 一种 这个 "
    "那个 这些 那些 这里 那里 什么 怎么 如何 可以 需要 使用 进行 如果 因为 所以 但是 以及 "
    "或者 并且 然后 同时 例如 比如 我们 你们 他们 它们 自己 大家 人们 今天 明天 昨天 现在 "
    "时间 第一 第二 第三 能力 工作 有关 相关 本身 整个 通常 目前 本文 本章 本节"
)
_PLACES = "中上下里内外前后时"
_COMMON_CHINESE = frozenset(_CHINESE_STOPS.split())
_GENERIC_VERBS = (
    "打开 关闭 选择 点击 单击 返回 注意 包括 包含 提供 支持 允许 可能 要求 开始 结束 设置 更改 "
    "添加 删除 移动 显示 表示 说明 介绍 了解 发生 出现 存在 属于 成为 请参阅 预计 无法 讨论 决定 "
    "希望 认为 帮助 保证 确保 避免 导致"
)
_NO_TERMS = _COMMON_CHINESE | frozenset(_GENERIC_VERBS.split())
_DETERMINERS = frozenset("本该此各某每")
_OTHERS_BEFORE_NOUNS = "的 个 这 这个 那个 每个 两个 种 项 新 旧 空 与 和 、"
_BEFORE_NOUNS = _DETERMINERS.union(_OTHERS_BEFORE_NOUNS.split())
_AFTER_OBJECTS = frozenset(f"的中里内上下是与和{WIDE_PAUSES}{WIDE_SENTENCE_ENDS}{CLOSING}")
_NOMINAL_SHARE = 0.4
_LONGEST = 100
"""Characters of a term: what is longer is a code, or a line without an end."""
_CHINESE = language_of("zh")


def recurring_terms(
    segments: Iterable[Segment],
    min_count: int = 3,
    min_segments: int = 2,
    language: Language = _CHINESE,
) -> tuple[Term, ...]:
    """Terms that recur in the source texts, most frequent first; at most `MAX_TERMS`.

    Slow at first, for it loads a dictionary: not for the UI thread.

    Args:
        min_count: occurrences that make a term.
        min_segments: segments that must hold it.
        language: of the sources.
    """
    counter = ChineseCounter() if language.code in ("", "zh") else WordCounter(language)
    sources = {segment.id: MARK.sub(" ", _ADDRESS.sub(" ", segment.source)) for segment in segments}
    for segment_id, source in sources.items():
        counter.add(segment_id, source)
    counts = counter.terms()
    terms = [
        Term(text, tuple(counter.holders[text]), count)
        for text, count in counts.most_common()
        if len(text) <= _LONGEST and count >= min_count and len(counter.holders[text]) >= min_segments
    ]
    return _with_occurrences_in_phrases(terms[:MAX_TERMS], sources)


def _with_occurrences_in_phrases(terms: Sequence[Term], sources: Mapping[str, str]) -> tuple[Term, ...]:
    """Terms with the segments, by id, where they stand in what a dictionary takes for one word: 解除合同."""
    held = {term.text: Counter(term.segments) for term in terms}
    for segment_id, source in sources.items():
        left = [Entry(text) for text, holders in held.items() if text in source and segment_id not in holders]
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


class ChineseCounter:
    """Counts Latin words, Chinese nouns, and pairs of neighbouring Chinese nouns.

    Attributes:
        holders: for each of them the segments that hold it, in order.
    """

    def __init__(self) -> None:
        self.holders: dict[str, dict[str, None]] = {}
        self._counts: Counter[str] = Counter()
        self._nominal: Counter[str] = Counter()
        self._pairs: dict[str, tuple[str, str]] = {}

    def add(self, segment: str, source: str) -> None:
        """Count a segment's words."""
        found = [w for w in _LATIN.findall(source) if len(w) > 1 and w.lower() not in _COMMON_LATIN]
        words = ["", *self._words(source), ""]
        kept = [word if self._may_be_term(word) else "" for word in words]
        for index, word in enumerate(kept):
            if word:
                found.append(word)
                self._nominal[word] += self._stands_as_noun(words, index)
        for left, right in pairwise(kept):
            if left and right and left != right:
                self._pairs[left + right] = (left, right)
                found.append(left + right)
        self._counts.update(found)
        for text in found:
            self.holders.setdefault(text, {})[segment] = None

    def _words(self, source: str) -> Iterator[str]:
        """The words of a source; of such as 本合同 (this contract), which jieba takes for one, two."""
        for word in chinese_words(source):
            if len(word) > 2 and word[0] in _DETERMINERS and word_class(word[1:]):
                yield word[0]
                word = word[1:]
            yield word

    def terms(self) -> Counter[str]:
        """How often each term occurs; words that are not used as nouns are left out.

        A pair stays where its words seldom stand without it, and then those words go; else the pair goes.
        """
        counts = Counter(
            {
                text: count
                for text, count in self._counts.items()
                if text in self._pairs
                or self._nominal[text] >= _NOMINAL_SHARE * count
                or self._tag(text) in _NOUN_TAGS
            }
        )
        for text, parts in self._pairs.items():
            together = counts[text]
            known = [counts[part] for part in parts if part in counts]
            if together < 2 or len(known) < 2 or together < 0.6 * min(known):
                del counts[text]
                continue
            for part in parts:
                if together >= 0.8 * counts[part]:
                    counts[part] = 0
        return counts

    def _tag(self, word: str) -> str:
        """The dictionary's word class. What it does not know is a name, or a noun with its preposition."""
        if not has_han(word):
            return "eng"
        return word_class(word) or ("f" if word[-1] in _PLACES else "x")

    def _may_be_term(self, word: str) -> bool:
        if len(word) < 2 or word in _NO_TERMS or not has_han(word):
            return False
        return self._tag(word) in _NOUN_TAGS or self._tag(word) in ("v", "a")

    def _stands_as_noun(self, words: list[str], index: int) -> bool:
        before, after = words[index - 1], words[index + 1]
        if self._tag(words[index]) == "a":  # as jieba has 合同: 本合同, but not 新的简单文件
            return before in _DETERMINERS and word_class(after) not in _NOUN_TAGS
        is_object = word_class(before) == "v" and after in _AFTER_OBJECTS | {""}
        return before in _BEFORE_NOUNS or is_object or after in ("中", "里", "内")

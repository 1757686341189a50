"""Find the terms that recur in a Chinese document."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

from anaphora.core.consistency import Term
from anaphora.core.segment import Segment
from anaphora.core.text import has_han
from anaphora.formats.inline import PLACEHOLDER

MAX_TERMS = 300
_ADDRESS = re.compile(r"(?:https?|ftp)://[^\s\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+|\S+@\S+\.\w+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.+#/_-]+[A-Za-z0-9]+)*[+#]*")
_NOUNS = "n nr nrt ns nt nz ng vn an j l eng x"
_NOUN_TAGS = frozenset(_NOUNS.split())
_LATIN_STOPS = "the and or of to in is it as on for with by at an be if so do we us no etc e.g i.e"
_COMMON_LATIN = frozenset(_LATIN_STOPS.split())
_CHINESE_STOPS = (
    "时候 问题 情况 方面 东西 部分 方式 方法 地方 事情 原因 结果 过程 内容 目的 作用 关系 意思 样子 程度 步骤 之间 "
    "之后 之前 以上 以下 其中 其他 其它 所有 一个 一些 一种 这个 那个 这些 那些 这里 那里 什么 怎么 如何 可以 需要 "
    "使用 进行 如果 因为 所以 但是 以及 或者 并且 然后 同时 例如 比如 我们 你们 他们 它们 自己 大家 人们 今天 明天 "
    "昨天 现在 时间 第一 第二 第三 能力 工作 有关 相关 本身 整个 通常 目前 本文 本章 本节"
)
_COMMON_CHINESE = frozenset(_CHINESE_STOPS.split())


def recurring_terms(
    segments: Iterable[Segment], min_count: int = 3, min_segments: int = 2
) -> tuple[Term, ...]:
    """Terms that recur in the source texts, most frequent first; at most `MAX_TERMS`.

    Slow at first, for it loads jieba's dictionary: not for the UI thread.

    Args:
        min_count: occurrences that make a term.
        min_segments: segments that must hold it.
    """
    counts: Counter[str] = Counter()
    holders: dict[str, dict[str, None]] = {}
    for segment in segments:
        found = _candidates(PLACEHOLDER.sub(" ", _ADDRESS.sub(" ", segment.source)))
        counts.update(found)
        for text in found:
            holders.setdefault(text, {})[segment.id] = None
    _drop_parts(counts)
    terms = [
        Term(text, tuple(holders[text]), count)
        for text, count in counts.most_common()
        if count >= min_count and len(holders[text]) >= min_segments
    ]
    return tuple(terms[:MAX_TERMS])


def _candidates(source: str) -> list[str]:
    """Latin words, Chinese nouns, and pairs of neighbouring Chinese nouns."""
    latin = [word for word in _LATIN.findall(source) if len(word) > 1 and word.lower() not in _COMMON_LATIN]
    cut, tags = _jieba()
    words = [word if _is_noun(word, tags) else "" for word in cut(source)]
    pairs = [left + right for left, right in pairwise(words) if left and right]
    return latin + [word for word in words if word] + pairs


def _is_noun(word: str, tags: dict[str, str]) -> bool:
    if len(word) < 2 or not has_han(word) or word in _COMMON_CHINESE:
        return False
    return tags.get(word, "x") in _NOUN_TAGS


def _drop_parts(counts: Counter[str]) -> None:
    """Keep a pair where its words seldom stand without it, and then drop those words; else drop the pair."""
    cut, _ = _jieba()
    for text in [text for text in counts if has_han(text)]:
        parts = [part for part in cut(text) if part in counts and part != text]
        if len(parts) != 2 or "".join(parts) != text:
            continue
        if counts[text] < 2 or counts[text] < 0.6 * min(counts[part] for part in parts):
            counts[text] = 0
            continue
        for part in parts:
            if counts[text] >= 0.8 * counts[part]:
                counts[part] = 0


@lru_cache(maxsize=1)
def _jieba() -> tuple[Any, dict[str, str]]:
    """jieba's word cutter and its dictionary of word classes, loaded when first needed and silently."""
    import jieba
    import jieba.posseg

    jieba.setLogLevel(logging.WARNING)
    return jieba.lcut, jieba.posseg.dt.word_tag_tab

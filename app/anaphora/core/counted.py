"""What a remembered pair is called where it is shown: its words, and not the numbers of its segment.

Each segment says by itself how many there are, and which one it is: that 十 was "ten" elsewhere tells
nobody why a translation reads as it does, and 十个文件 is not what "files" renders.
"""

from __future__ import annotations

import re

from anaphora.core.rendered import remembered_source
from anaphora.core.text import has_han
from anaphora_nmt.types import MemoryUse
from anaphora_text.chinese_words import cut, frequency, word_class
from anaphora_text.numbers.chinese import BEGINS
from anaphora_text.numbers.english import is_number_word
from anaphora_text.numbers.source_numbers import read_numbers

_COUNT = re.compile(rf"(?P<place>第)?[{BEGINS}百千万萬亿億几幾数數多\d]*(?P<rest>.*)", re.DOTALL)
"""A numeral, and what is counted."""
_MEASURE = "q"
"""jieba's class of 个, 台, 层."""


def says_a_number(use: MemoryUse) -> bool:
    """Whether a remembered word is a number, as far as is known what it renders: "second" is none of 秒."""
    source = remembered_source(use)
    return is_number_word(use.label) and (not source or bool(read_numbers(source)))


def without_counts(source: str, label: str) -> str:
    """Source words without what counts the thing that a word renders: 文件 of 十个文件, 季度 of 第四季度.

    Args:
        label: the word; one with a number of its own renders all of it ("third-party").
    """
    if not has_han(source) or any(map(is_number_word, re.split(r"\W+", label))):
        return source
    words = cut(source)
    while len(words) > 1 and _is_count(words[0]):
        del words[0]
    found = _COUNT.fullmatch(words[0]) if words else None
    if found is not None and found["place"] and len(found["rest"]) > 1 and frequency(found["rest"]):
        words[0] = found["rest"]
    return "".join(words)


def _is_count(word: str) -> bool:
    """Whether a word is a numeral, with a measure word or without, or such a word alone, or a blank."""
    found = _COUNT.fullmatch(word.strip())
    rest = found["rest"] if found is not None else word
    return not rest or word_class(rest) == _MEASURE

"""Finds the source words that an output word renders, by the model's attention. Removes counts from words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from anaphora.core.text import has_han
from anaphora_nmt.types import Explanation, MemoryUse, SourceWord, TokenTrace
from anaphora_text.chinese_words import cut, frequency, word_class
from anaphora_text.function_words import CHINESE_FUNCTION_WORDS
from anaphora_text.numbers.chinese import STARTS
from anaphora_text.numbers.english import is_number_word
from anaphora_text.numbers.source_numbers import read_numbers
from anaphora_text.word_forms import is_content, shares_a_word

_MIN_ATTENTION = 0.4
"""Minimum share of an output word's attention on the source words that the output word renders."""
_MIN_REMEMBERED_ATTENTION = 0.2
"""Minimum share of an output word's attention on the source words of a remembered form of this word."""
_MIN_NEIGHBOUR = 0.5
"""Minimum attention on a neighbour of the most attended source word, as a share of that word's attention."""
_MIN_RELATIVE_ATTENTION = 0.8
"""Minimum attention of an output word to a source word, as a share of the maximum over all output words."""
_SUFFIXES = frozenset("器率性化者员们型式度法学机点集量值数库态中")
"""Characters that are suffixes of the word before them, so that they do not stand alone."""
_PROTECTED = re.compile(r"((?<![A-Za-z0-9])[A-Za-z0-9]+(?:[-_.:/,]+[A-Za-z0-9]+)+)")
"""A number, an address or a name in code, which is always one word."""
_FOREIGN_WORD = re.compile(r"[^\W_]+(?:[-_.:/][^\W_]+)*|.", re.DOTALL)
"""A word of a text in a language other than Chinese, or a character between words."""
_MIN_LOG_PROBABILITY = -7.0
"""Minimum log-probability of an output word that renders source words. Less likely words are probably
additions of the user, which render nothing although they attend to source words."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the source, as found by word segmentation.

    Attributes:
        pieces: for each of the model's source words that overlap this word, a pair: its index, and the share
            of its letters that are in this word.
    """

    text: str
    start: int
    pieces: tuple[tuple[int, float], ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def share(self, attention: tuple[float, ...]) -> float:
        """The part of an output word's `attention` (to the model's source words) that is on this word."""
        return sum(part * attention[piece] for piece, part in self.pieces if piece < len(attention))


def source_span(explanation: Explanation, number: int) -> tuple[int, int] | None:
    """The span of the source words that an output word renders; None if uncertain.

    The output word must attend to the source words enough, and no word may attend to them clearly more.
    """
    words = _rendered(explanation, number)
    return (words[0].start, words[-1].end) if words else None


def source_text(explanation: Explanation, number: int, use: MemoryUse | None = None) -> str:
    """The source words that an output word renders; "" if uncertain.

    Args:
        use: a remembered word that affects the output word. If both are forms of the same word and the output
            word attends enough to the source words of the remembered word, these are returned.
    """
    token = explanation.tokens[number]
    if use is not None and shares_a_word(use.label, token.word):
        remembered = remembered_source(use)
        if remembered and attention_share(explanation, number, remembered) >= _MIN_REMEMBERED_ATTENTION:
            return remembered
    return "".join(word.text for word in _rendered(explanation, number))


def remembered_source(use: MemoryUse) -> str:
    """The source words that a remembered word renders in the segment it comes from; "" if uncertain."""
    if use.expected < _MIN_LOG_PROBABILITY and not use.is_clear:
        return ""
    words = list(_cut(use.translates))
    while words and not _can_be_rendered(words[0]):
        del words[0]
    while words and not _can_be_rendered(words[-1]):
        del words[-1]
    return "".join(words)


def contains_words(explanation: Explanation, source: str) -> bool:
    """True if a segment contains these source words as whole words (in 天地, 天 is not a whole word)."""
    words = _words(explanation.source_words)
    return any(
        "".join(word.text for word in words[first : last + 1]) == source
        for first in range(len(words))
        for last in range(first, min(first + len(source), len(words)))
    )


def has_content(word: str) -> bool:
    """True if an output word is a content word or has digits, so that it can render source words."""
    return is_content(word) or any(map(str.isdigit, word))


def attention_share(explanation: Explanation, number: int, source: str) -> float:
    """The share of an output word's attention on all occurrences of these source words."""
    piece_indices = [
        index for index, word in enumerate(explanation.source_words) for letter in word.word if letter.strip()
    ]
    letters = "".join("".join(word.word.split()) for word in explanation.source_words).casefold()
    needle, covered = "".join(source.split()).casefold(), set[int]()
    start = letters.find(needle) if needle else -1
    while start >= 0:
        covered.update(piece_indices[start : start + len(needle)])
        start = letters.find(needle, start + 1)
    attention = explanation.tokens[number].attention
    return sum(attention[index] for index in covered if index < len(attention))


def _rendered(explanation: Explanation, number: int) -> tuple[_Word, ...]:
    token, words = explanation.tokens[number], _words(explanation.source_words)
    if not words or not has_content(token.word):
        return ()
    shares = [word.share(token.attention) for word in words]
    best = max(range(len(words)), key=lambda i: shares[i] if _can_be_rendered(words[i].text) else 0.0)
    if not (_is_rendered(explanation, words[best], shares[best]) and _may_render(token, words[best].text)):
        return ()

    def belongs(i: int) -> bool:
        return shares[i] >= _MIN_NEIGHBOUR * shares[best] and _is_rendered(explanation, words[i], shares[i])

    first = last = best
    while first > 0 and _are_adjacent(words[first - 1], words[first]) and belongs(first - 1):
        first -= 1
    while last + 1 < len(words) and _are_adjacent(words[last], words[last + 1]) and belongs(last + 1):
        last += 1
    rendered = words[first : last + 1]
    is_half = rendered[0].text in _SUFFIXES and first > 0 and _are_adjacent(words[first - 1], rendered[0])
    return rendered if sum(shares[first : last + 1]) >= _MIN_ATTENTION and not is_half else ()


def _are_adjacent(left: _Word, right: _Word) -> bool:
    return left.end == right.start


def _may_render(token: TokenTrace, word: str) -> bool:
    """True if an output word can render `word`: as a copy, or if the model expects the output word."""
    if word.casefold() == token.word.casefold():
        return True
    return token.log_probability >= _MIN_LOG_PROBABILITY and not (len(word) == 1 and word.isascii())


def _is_rendered(explanation: Explanation, word: _Word, share: float) -> bool:
    """True if no output word attends to a source word much more than the one whose attention is `share`."""
    if not share or not _can_be_rendered(word.text):
        return False
    return share >= _MIN_RELATIVE_ATTENTION * max(word.share(token.attention) for token in explanation.tokens)


def _can_be_rendered(word: str) -> bool:
    return any(map(str.isalnum, word)) and word not in CHINESE_FUNCTION_WORDS and word != "请"


@lru_cache(maxsize=64)
def _words(pieces: tuple[SourceWord, ...]) -> tuple[_Word, ...]:
    """The words of a source: adjacent words of the model, joined and then cut by word segmentation."""
    words: list[_Word] = []
    letters: list[tuple[str, int, int]] = []
    for number, piece in enumerate(pieces):
        if letters and letters[-1][1] + 1 != piece.start:
            words += _cut_letters(letters)
            letters = []
        letters += [(letter, piece.start + index, number) for index, letter in enumerate(piece.word)]
    return (*words, *_cut_letters(letters))


def _cut_letters(letters: list[tuple[str, int, int]]) -> Iterator[_Word]:
    """Cut adjacent characters into words. A character is (text, offset in the source, index of its piece)."""
    length = Counter(number for _, _, number in letters)
    start = 0
    for text in _cut("".join(letter for letter, _, _ in letters)):
        inside = letters[start : start + len(text)]
        parts = Counter(number for _, _, number in inside)
        yield _Word(text, inside[0][1], tuple((number, parts[number] / length[number]) for number in parts))
        start += len(text)


def _cut(text: str) -> list[str]:
    parts = enumerate(_PROTECTED.split(text))  # odd parts are protected
    return [
        word
        for index, part in parts
        for word in ([part] if index % 2 else cut(part) if has_han(part) else _FOREIGN_WORD.findall(part))
    ]


_COUNT = re.compile(rf"(?P<place>第)?[{STARTS}百千万萬亿億几幾数數多\d]*(?P<rest>.*)", re.DOTALL)
"""An optional numeral, and the rest of the word."""
_MEASURE = "q"
"""Jieba's class of measure words: 个, 台, 层."""


def is_number(use: MemoryUse) -> bool:
    """True if a remembered word is a number and its source, if known, contains one ("second" may mean 秒)."""
    source = remembered_source(use)
    return is_number_word(use.label) and (not source or bool(read_numbers(source)))


def without_counts(source: str, label: str) -> str:
    """Source words without numerals and measure words: 文件 from 十个文件, 季度 from 第四季度.

    Args:
        label: the rendering of the source words; if it has a number ("third-party"), nothing is removed.
    """
    if not has_han(source) or any(map(is_number_word, re.split(r"\W+", label))):
        return source
    words = cut(source)
    while len(words) > 1 and _is_count(words[0]):
        del words[0]
    match = _COUNT.fullmatch(words[0]) if words else None
    if match is not None and match["place"] and len(match["rest"]) > 1 and frequency(match["rest"]):
        words[0] = match["rest"]
    return "".join(words)


def _is_count(word: str) -> bool:
    match = _COUNT.fullmatch(word.strip())
    rest = match["rest"] if match is not None else word
    return not rest or word_class(rest) == _MEASURE

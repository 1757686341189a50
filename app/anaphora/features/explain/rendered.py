"""Source words that an output word renders, judged by the model's attention."""

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
from anaphora_text.numbers.chinese import BEGINS
from anaphora_text.numbers.english import is_number_word
from anaphora_text.numbers.source_numbers import read_numbers
from anaphora_text.word_forms import is_content, shares_a_word

_LEAST = 0.4
"""The share of attention on source words from which on an output word is said to render them."""
_REMEMBERED = 0.2
"""The same where these words were rendered so before."""
_PART = 0.5
"""A word beside the one that has most attention belongs to it with so much of that."""
_OWN = 0.8
"""An output word that has less of the attention than another one for a source word does not render it."""
_SUFFIXES = frozenset("器率性化者员们型式度法学机点集量值数库态中")
"""Characters that are half of a word behind another one, whoever cuts them off."""
_PROTECTED = re.compile(r"((?<![A-Za-z0-9])[A-Za-z0-9]+(?:[-_.:/,]+[A-Za-z0-9]+)+)")
"""A number, an address or a name in code: one word, whatever the text around it."""
_PLAIN = re.compile(r"[^\W_]+(?:[-_.:/][^\W_]+)*|.", re.DOTALL)
"""A word of a text that is not Chinese, or a character between words."""
_SURE = -7.0
"""The log-probability from which on an output word renders anything: attention lies somewhere also where
somebody has typed what the source does not say."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the source, as a dictionary has it.

    Attributes:
        start: of its first character. pieces: the model's words with the share of each that stands in it.
    """

    text: str
    start: int
    pieces: tuple[tuple[int, float], ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def share(self, attention: tuple[float, ...]) -> float:
        return sum(part * attention[piece] for piece, part in self.pieces if piece < len(attention))


def source_span(explanation: Explanation, number: int) -> tuple[int, int] | None:
    """The positions of source words that an output word renders; None if uncertain.

    Both directions have to agree: the output word attends to them mostly, and no other one attends to them
    twice as much. Articles and prepositions render nothing, and neither does a word that the model does not
    expect, unless it is copied. Marks and function words of the source are rendered by no content word.
    """
    words = _rendered(explanation, number)
    return (words[0].start, words[-1].end) if words else None


def source_text(explanation: Explanation, number: int, use: MemoryUse | None = None) -> str:
    """The source words that an output word renders; empty where that is not sure.

    Args:
        use: a remembered word that acted on the output word: what it renders in its own segment is what is
            rendered here, too, where it stands here and has its share of the attention.
    """
    token = explanation.tokens[number]
    if use is not None and shares_a_word(use.label, token.word):
        before = remembered_source(use)
        if before and share_of_stretch(explanation, number, before) >= _REMEMBERED:
            return before
    return "".join(word.text for word in _rendered(explanation, number))


def remembered_source(use: MemoryUse) -> str:
    """The source words that a remembered word renders in its segment, without marks and function words beside
    them; empty where that is not sure."""
    if use.expected < _SURE and not use.is_clear:
        return ""
    words = list(_cut(use.translates))
    while words and not _can_be_rendered(words[0]):
        del words[0]
    while words and not _can_be_rendered(words[-1]):
        del words[-1]
    return "".join(words)


def stands_whole(explanation: Explanation, source: str) -> bool:
    """True if source words are in a segment, and not only as a part of other ones: 天 in 天地."""
    words = _words(explanation.source_words)
    return any(
        "".join(word.text for word in words[first : last + 1]) == source
        for first in range(len(words))
        for last in range(first, min(first + len(source), len(words)))
    )


def says_something(word: str) -> bool:
    """True if an output word is a content word or has figures: others render no source word."""
    return is_content(word) or any(map(str.isdigit, word))


def share_of_stretch(explanation: Explanation, number: int, source: str) -> float:
    """How much of an output word's attention lies on source words that read so, wherever they stand."""
    places = [
        place for place, word in enumerate(explanation.source_words) for letter in word.word if letter.strip()
    ]
    letters = "".join("".join(word.word.split()) for word in explanation.source_words).casefold()
    wanted, found = "".join(source.split()).casefold(), set[int]()
    start = letters.find(wanted) if wanted else -1
    while start >= 0:
        found.update(places[start : start + len(wanted)])
        start = letters.find(wanted, start + 1)
    attention = explanation.tokens[number].attention
    return sum(attention[place] for place in found if place < len(attention))


def _rendered(explanation: Explanation, number: int) -> tuple[_Word, ...]:
    token, words = explanation.tokens[number], _words(explanation.source_words)
    if not words or not says_something(token.word):
        return ()
    shares = [word.share(token.attention) for word in words]
    best = max(range(len(words)), key=lambda at: shares[at] if _can_be_rendered(words[at].text) else 0.0)
    if not _is_its_own(explanation, words[best], shares[best]) or not _may_render(token, words[best].text):
        return ()

    def belongs(at: int) -> bool:
        return shares[at] >= _PART * shares[best] and _is_its_own(explanation, words[at], shares[at])

    first = last = best
    while first > 0 and _are_joined(words[first - 1], words[first]) and belongs(first - 1):
        first -= 1
    while last + 1 < len(words) and _are_joined(words[last], words[last + 1]) and belongs(last + 1):
        last += 1
    found = words[first : last + 1]
    is_half = found[0].text in _SUFFIXES and first > 0 and _are_joined(words[first - 1], found[0])
    return found if sum(shares[first : last + 1]) >= _LEAST and not is_half else ()


def _are_joined(left: _Word, right: _Word) -> bool:
    return left.end == right.start


def _may_render(token: TokenTrace, word: str) -> bool:
    """True if the model expects an output word or copied it; one letter is rendered by a copy only."""
    if word.casefold() == token.word.casefold():
        return True
    return token.log_probability >= _SURE and not (len(word) == 1 and word.isascii())


def _is_its_own(explanation: Explanation, word: _Word, share: float) -> bool:
    """True if no output word has much more attention for a source word than this one.

    Marks and function words do not belong to a content word.
    """
    if not share or not _can_be_rendered(word.text):
        return False
    return share >= _OWN * max(word.share(token.attention) for token in explanation.tokens)


def _can_be_rendered(word: str) -> bool:
    return any(map(str.isalnum, word)) and word not in CHINESE_FUNCTION_WORDS and word != "请"


@lru_cache(maxsize=64)
def _words(pieces: tuple[SourceWord, ...]) -> tuple[_Word, ...]:
    """The words of a source: what stands together of the model's words, cut as a dictionary has them."""
    found: list[_Word] = []
    letters: list[tuple[str, int, int]] = []
    for number, piece in enumerate(pieces):
        if letters and letters[-1][1] + 1 != piece.start:
            found += _cut_letters(letters)
            letters = []
        letters += [(letter, piece.start + at, number) for at, letter in enumerate(piece.word)]
    return (*found, *_cut_letters(letters))


def _cut_letters(letters: list[tuple[str, int, int]]) -> Iterator[_Word]:
    """Words of a stretch of characters, each with its place and the number of its piece."""
    length = Counter(number for _, _, number in letters)
    start = 0
    for text in _cut("".join(letter for letter, _, _ in letters)):
        inside = letters[start : start + len(text)]
        parts = Counter(number for _, _, number in inside)
        yield _Word(text, inside[0][1], tuple((number, parts[number] / length[number]) for number in parts))
        start += len(text)


def _cut(text: str) -> list[str]:
    parts = enumerate(_PROTECTED.split(text))  # every other one is protected
    return [
        word
        for at, part in parts
        for word in ([part] if at % 2 else cut(part) if has_han(part) else _PLAIN.findall(part))
    ]


_COUNT = re.compile(rf"(?P<place>第)?[{BEGINS}百千万萬亿億几幾数數多\d]*(?P<rest>.*)", re.DOTALL)
"""A numeral, and what is counted."""
_MEASURE = "q"
"""jieba's class of 个, 台, 层."""


def says_a_number(use: MemoryUse) -> bool:
    """True if a remembered word is a number, as far as its source is known: "second" does not mean 秒."""
    source = remembered_source(use)
    return is_number_word(use.label) and (not source or bool(read_numbers(source)))


def without_counts(source: str, label: str) -> str:
    """Source words without what counts the thing that a word renders: 文件 of 十个文件, 季度 of 第四季度.

    Args:
        label: the word; one with its own number renders it completely ("third-party").
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
    """True if a word is a numeral, with or without a measure word, or such a word alone, or a blank."""
    found = _COUNT.fullmatch(word.strip())
    rest = found["rest"] if found is not None else word
    return not rest or word_class(rest) == _MEASURE

"""The numbers of an English text, in figures and in words: 3.7 billion, twenty-one, half."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from math import prod

from anaphora_text.function_words import read_pairs
from anaphora_text.numbers.numerals import MONTHS, ONES, TENS
from anaphora_text.numbers.readings import Item, plain_figures
from anaphora_text.numbers.time_readings import FIGURES_OF_CLOCK

_SCALE_WORDS = "hundred|thousand|million|billion|trillion|bn|tn"
_SCALES = {word: 10**n for word, n in zip(_SCALE_WORDS.split("|"), (2, 3, 6, 9, 12, 9, 12), strict=True)}
_LETTERS = {"k": 1000, "m": 10**6, "b": 10**9}
"""Abbreviated scales after figures; a letter may also be a unit: 5 m."""
_TABLE = read_pairs("said_numbers.tsv")
_ORDINALS = [words.split()[0] for value, words in _TABLE.items() if value.isdigit()]
_NAMED = [(word, value) for value, words in _TABLE.items() for word in words.split()]
_VALUES: dict[str, int] = {
    **{word: number for number, word in enumerate(ONES)},
    **{word: 10 * number for number, word in enumerate(TENS[2:], 2)},
    **{word[:-1] + "ieth": 10 * number for number, word in enumerate(TENS[2:], 2)},
    **{word[:-1] + "ies": 10 * number for number, word in enumerate(TENS[2:], 2)},
    **{word: int(value) for word, value in _NAMED if value.isdigit()},
}
_OTHER_ITEMS: dict[str, Item] = {word: value for word, value in _NAMED if not value.isdigit()}
MONTH_NAMES = tuple(map(str.lower, MONTHS))
_MONTHS = {name[:3]: f"month {number}" for number, name in enumerate(MONTH_NAMES, 1)}
_MONTH = re.compile(
    rf"\b(?:{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in MONTH_NAMES)}|sept)\b", re.IGNORECASE
)
_FIGURES = re.compile(
    rf"(?P<figures>\d+(?:[.,]\d+)*)"
    rf"(?P<scales>(?:[\s-]?(?:{_SCALE_WORDS})\b)+)?(?P<letter>[\s-]?[kmb]\b)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+")
_NUMBER_WORD = re.compile(rf"\b(?:and|{'|'.join(_VALUES)}|(?:{'|'.join(_SCALES)})(?:th)?)s?\b", re.IGNORECASE)
_OTHER_WORD = re.compile(rf"\b(?:{'|'.join(_OTHER_ITEMS)})\b", re.IGNORECASE)
_FOLD = re.compile(rf"\b(?P<number>{'|'.join([*ONES, *TENS[2:]])})[ -]?fold", re.IGNORECASE)
_LONE_SCALE = re.compile(
    r"\b(?P<half>half )?(?:an?|one|per|every|each|in) "
    rf"(?P<scales>(?:{_SCALE_WORDS})(?:[ -](?:{_SCALE_WORDS}))*)\b",
    re.IGNORECASE,
)
_TENS_FORMS = (f"{ten[:-1]}(?:y|ies|ieth)" for ten in TENS[2:])
_OTHER_SINGLE_WORDS = ("dozen", "half", "halves", *_SCALES)
_SINGLE_WORDS = "|".join((*ONES, *_ORDINALS, *_TENS_FORMS, *_OTHER_SINGLE_WORDS))
_SURE_NUMBER = re.compile(rf"(?:{_SINGLE_WORDS})(?:th)?s?(?:-(?:{_SINGLE_WORDS})s?)*", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\band[ -](?:an?|one)[ -]half\b", re.IGNORECASE)
_ROMAN = re.compile(r"\b(?=[IVX]+\b)X{0,3}(?:IX|IV|V?I{0,3})\b(?<=[IVX])")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True, slots=True)
class EnglishNumber:
    """A number in an English text, including its scale ("3.7 billion").

    Attributes:
        items: the possible meanings; 5 m may be 5 or 5,000,000.
        figures: the digits; "" for a number in words.
    """

    start: int
    end: int
    text: str
    items: tuple[Item, ...]
    figures: str = ""

    @property
    def value(self) -> Decimal | None:
        """The value; None if the number has several meanings, or a word as its meaning ("quarter")."""
        (item, *alternatives) = self.items
        return item if isinstance(item, Decimal) and not alternatives else None


@lru_cache(maxsize=16)  # several checks read the same text
def english_numbers(text: str) -> tuple[EnglishNumber, ...]:
    """The numbers of an English text: those in figures, then those in words, then Roman numerals."""
    spelled = list(_spelled(text))
    return (*_in_figures(text), *spelled, *_spelled_years(spelled, text), *_other_words(text), *_roman(text))


def is_number_word(word: str) -> bool:
    """True for a word that is always a number, such as three, million and half, but not once or quarter."""
    return _SURE_NUMBER.fullmatch(word) is not None


def _in_figures(text: str) -> Iterator[EnglishNumber]:
    clocks = {match.start(2): match for match in FIGURES_OF_CLOCK.finditer(text)}
    for match in _FIGURES.finditer(text):
        figures, value = match["figures"], plain_figures(match["figures"])
        if match.start() in clocks and not value:
            continue  # the zeros of 15:00
        if match["scales"]:
            value *= _scale_of(match["scales"])
        items: tuple[Item, ...] = (value,)
        if match["letter"]:
            items = (value, value * _LETTERS[match["letter"].strip(" -\t\n").lower()])
        yield EnglishNumber(*match.span(), match.group(), items, figures)


def _scale_of(words: str) -> Decimal:
    """The product of scale words, such as "hundred million"."""
    return prod((Decimal(_SCALES[word.lower()]) for word in _WORD.findall(words)), start=Decimal(1))


def _spelled(text: str) -> Iterator[EnglishNumber]:
    """Numbers in words: "twenty-one", "three hundred and five thousand"."""
    total = current = 0
    start = end = -1
    for match in _NUMBER_WORD.finditer(text):
        word = match.group().lower()
        value = _VALUES.get(word, _VALUES.get(word.removesuffix("s")))
        scale = _SCALES.get(word.removesuffix("s").removesuffix("th"), 0) if len(word) > 2 else 0
        is_adjacent = start >= 0 and not text[end : match.start()].strip(" -")
        if start >= 0 and not (is_adjacent and (value is not None or scale or word == "and")):
            yield EnglishNumber(start, end, text[start:end], (Decimal(total + current),))
            total = current = 0
            start = -1
        if value is not None:
            if is_adjacent and start >= 0 and current % 100 and (value >= 10 or current % 10):
                yield EnglishNumber(start, end, text[start:end], (Decimal(total + current),))
                total = current = 0
                start = match.start()
            current += value
        elif scale and start >= 0:
            if scale == 100:
                current = max(current, 1) * 100
            else:
                total, current = total + max(current, 1) * scale, 0
        elif word != "and" or start < 0:
            continue
        start = match.start() if start < 0 else start
        end = match.end()
    if start >= 0:
        yield EnglishNumber(start, end, text[start:end], (Decimal(total + current),))


def _spelled_years(spelled: list[EnglishNumber], text: str) -> Iterator[EnglishNumber]:
    """Years whose two halves are read as separate numbers: nineteen ninety-seven."""
    for hundreds, rest in pairwise(spelled):
        first, second = hundreds.value, rest.value
        if first is None or second is None or text[hundreds.end : rest.start].strip(" -"):
            continue
        if 10 <= first <= 20 and 10 <= second < 100:
            start, end = hundreds.start, rest.end
            yield EnglishNumber(start, end, text[start:end], (first * 100 + second,))


def _other_words(text: str) -> Iterator[EnglishNumber]:
    """Other words that mean numbers: "half", "June", "tenfold", "a million"."""
    for match in _OTHER_WORD.finditer(text):
        yield EnglishNumber(*match.span(), match.group(), (_OTHER_ITEMS[match.group().lower()],))
    for match in _AND_A_HALF.finditer(text):
        yield EnglishNumber(*match.span(), match.group(), ("and a half",))
    for match in _MONTH.finditer(text):
        yield EnglishNumber(*match.span(), match.group(), (_MONTHS[match.group()[:3].lower()],))
    for match in _FOLD.finditer(text):
        if (value := _VALUES.get(match["number"].lower())) is not None:
            yield EnglishNumber(*match.span(), match.group(), (Decimal(value),))
    for match in _LONE_SCALE.finditer(text):
        scale = _scale_of(match["scales"])
        yield EnglishNumber(*match.span(), match.group(), (scale / 2 if match["half"] else scale,))


def _roman(text: str) -> Iterator[EnglishNumber]:
    """Roman numerals up to 39, in capitals: Chapter XII."""
    for match in _ROMAN.finditer(text):
        digits = [_ROMAN_DIGITS[char] for char in match.group()]
        pairs = zip(digits, [*digits[1:], 0], strict=True)
        value = sum(-digit if digit < following else digit for digit, following in pairs)
        yield EnglishNumber(*match.span(), match.group(), (Decimal(value),))

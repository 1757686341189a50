"""Forms of English words, inflected ("wrote", "write") and derived ("operates", "operation")."""

from __future__ import annotations

import re
from functools import lru_cache

from anaphora_text.function_words import FUNCTION_WORDS

_WORD = re.compile(r"[^\W_]+")
_MIN_SHARED, _MIN_SHARE, _MIN_ABBREVIATION = 4, 0.6, 3
_CACHE_SIZE = 8_000


def prepare() -> None:
    stems("words")


@lru_cache(_CACHE_SIZE)
def lemmas(word: str) -> tuple[str, ...]:
    """A lower-case word and its lemmas as any part of speech. The first call is slow, see `prepare`."""
    from lemminflect import getAllLemmas

    return tuple(dict.fromkeys((word, *(form for forms in getAllLemmas(word).values() for form in forms))))


def may_be_noun(word: str) -> bool:
    return "NOUN" in classes(word)


@lru_cache(_CACHE_SIZE)
def classes(word: str) -> frozenset[str]:
    """The parts of speech of a lower-case word ("NOUN", "VERB", …); empty for an unknown word."""
    from lemminflect import getAllLemmas

    return frozenset(getAllLemmas(word))


def may_be_verb(word: str) -> bool:
    return "VERB" in classes(word)


def may_replace(word: str, other: str) -> bool:
    first, second = classes(word.lower()), classes(other.lower())
    return not first or not second or bool(first & second)


def is_known(word: str) -> bool:
    return bool(classes(word))


@lru_cache(_CACHE_SIZE)
def stem(word: str) -> str:
    # Imported here because the package is slow to load.
    from snowballstemmer.english_stemmer import EnglishStemmer

    return EnglishStemmer().stemWord(word.lower())  # type: ignore[no-any-return]


@lru_cache(_CACHE_SIZE)
def stems(word: str) -> frozenset[str]:
    """The stems of a word and its lemmas; words with a common stem are forms of one word."""
    return frozenset(map(stem, lemmas(word.lower())))


def content_words(text: str) -> tuple[str, ...]:
    return tuple(word for word in _WORD.findall(text) if word.lower() not in FUNCTION_WORDS)


def is_content(word: str) -> bool:
    return any(map(str.isalpha, word)) and bool(content_words(word))


def shares_a_word(text: str, other: str) -> bool:
    """True if two texts share a content word in any form, such as "array-based" and "Arrays"."""
    other_stems = frozenset(each for word in content_words(other) for each in stems(word))
    return any(stems(word) & other_stems for word in content_words(text))


def are_related(word: str, other: str) -> bool:
    """True if two words probably belong to one family: "analyse" and "analysis", "automatic" and "auto"."""
    first, second = word.lower(), other.lower()
    length = min(len(first), len(second))
    shared = next((index for index in range(length) if first[index] != second[index]), length)
    return shared >= _MIN_SHARED and (shared >= _MIN_SHARE * max(len(first), len(second)) or shared == length)


def is_short_for(word: str, other: str) -> bool:
    """True if the stem of one of the words begins the stem of the other: "apps" and "application"."""
    short, long = sorted((stem(word), stem(other)), key=len)
    return len(short) >= _MIN_ABBREVIATION and long.startswith(short)

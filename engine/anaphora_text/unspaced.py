"""Letters and words of scripts without spaces: Han, kana, Thai, Lao, Khmer, Burmese."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

from anaphora_text.han import ALL_HAN, HANGUL, KANA, THAI, UNSPACED_LETTERS

_LETTERS = rf"\u3005-\u3007{UNSPACED_LETTERS}"
_UNSPACED = re.compile(f"[{_LETTERS}]")
_RUN = re.compile(f"[{_LETTERS}]+")
_HANGUL = re.compile(f"[{HANGUL}]")
_HAN = re.compile(f"[{ALL_HAN}]")
_DETERMINERS = frozenset("本该此各每其某贵我")
"""The segmenter may join these to the noun after them."""
_THAI = re.compile(f"[{THAI}]")


def is_unspaced(letter: str) -> bool:
    """True for a letter beside which another word may begin or end without a space."""
    return _UNSPACED.match(letter) is not None


def may_end_before(letter: str) -> bool:
    """True for a letter that may directly follow a word, such as the first letter of a Korean particle."""
    return is_unspaced(letter) or _HANGUL.match(letter) is not None


def is_of_spaced_word(letter: str) -> bool:
    """True for a letter, digit or combining mark of a script with spaces."""
    is_part = letter.isalnum() or is_mark(letter)
    return is_part and (ord(letter) < 0x2E80 or _HANGUL.match(letter) is not None) and not is_unspaced(letter)


def is_mark(letter: str) -> bool:
    """True for a combining mark, such as the vowel signs of Hindi and Thai."""
    return unicodedata.category(letter).startswith("M")


def has_unspaced(text: str) -> bool:
    return _UNSPACED.search(text) is not None


def word_edges(text: str) -> frozenset[int]:
    in_japanese = is_japanese(text)
    edges: set[int] = set()
    for run in _RUN.finditer(text):
        words = _words(run.group(), in_japanese)
        edges.update(run.start() + end for end in accumulate(map(len, words), initial=0))
    return frozenset(edges)


def noun_edges(text: str) -> frozenset[int]:
    """`word_edges`, and the edges between a determiner and a noun that the segmenter joined: 本|合同."""
    edges = word_edges(text)
    added = set()
    for start, end in pairwise(sorted({*edges, 0, len(text)})):
        if end - start > 2 and text[start] in _DETERMINERS and _is_word(text[start + 1 : end]):
            added.add(start + 1)
    return edges | added


def _is_word(text: str) -> bool:
    from anaphora_text.chinese_words import frequency

    return frequency(text) > 0


def _words(run: str, in_japanese: bool) -> Iterable[str]:
    if in_japanese:
        return _with_omitted_letters((token.surface for token in japanese_tokens(run)), run)
    if _HAN.search(run):
        from anaphora_text.chinese_words import segmenter

        return segmenter().cut(run, HMM=False)  # type: ignore[no-any-return]
    return _with_omitted_letters(newmm()(run), run) if _THAI.search(run) else run


def _with_omitted_letters(words: Iterable[str], run: str) -> Iterator[str]:
    place = 0
    for word in words:
        start = run.find(word, place)
        if start < 0:
            continue
        yield from run[place:start]
        yield word
        place = start + len(word)
    yield from run[place:]


_KANA = re.compile(f"[{KANA}]")
_MIN_KANA_SHARE = 0.2
"""Minimum share of kana in a Japanese text. Usually nearly half is kana; Chinese has kana only in names."""

_JANOME_LOCK = threading.Lock()


def is_japanese(text: str) -> bool:
    kana = len(_KANA.findall(text))
    return kana > 0 and kana >= _MIN_KANA_SHARE * (kana + len(_HAN.findall(text)))


def japanese_tokens(text: str) -> Iterator[Any]:
    """Yield janome's tokens of a text. A lock protects janome's cache, which is not thread-safe."""
    with _JANOME_LOCK:
        tokens = _janome().tokenize(text)
    while True:
        with _JANOME_LOCK:
            token = next(tokens, None)
        if token is None:
            return
        yield token


@cache
def _janome() -> Any:
    from janome.tokenizer import Tokenizer

    return Tokenizer()


@cache
def newmm() -> Any:
    from newmm_tokenizer.tokenizer import word_tokenize

    return word_tokenize

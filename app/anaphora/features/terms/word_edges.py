"""Word boundaries in texts without spaces: Chinese, Japanese, Thai.

jieba, janome and newmm find the words; a text's script decides between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anaphora.core.text import HAN
from anaphora_text.chinese_words import cut
from anaphora_text.han import HANGUL, KANA, THAI, UNSPACED_LETTERS
from anaphora_text.unspaced import is_japanese, japanese_tokens, newmm

UNSPACED = re.compile(f"[{UNSPACED_LETTERS}{HANGUL}]")
"""Letters beside which a word may end: in scripts without spaces, and in Korean, before particles."""
_KANA, _THAI = re.compile(f"[{KANA}]"), re.compile(f"[{THAI}]")
_JAPANESE_NOUNS = frozenset(("一般", "サ変接続", "固有名詞", "形容動詞語幹", "接尾"))
_SUFFIXES = frozenset("集器者率性化")
"""Characters that form another word with the word before: 迭代·器 (iterator) does not mean iteration."""


def is_unspaced(text: str) -> bool:
    """True if a text has letters of a script without spaces."""
    return UNSPACED.search(text) is not None


def is_chinese(text: str) -> bool:
    """True if a text has Chinese characters and is not Japanese."""
    return HAN.search(text) is not None and not is_japanese(text)


def word_edges(text: str, guess: bool = False) -> dict[int, int]:
    """By start, the end of each word of a text; `guess` as in `chinese_words`."""
    if is_chinese(text):
        return _edges(chinese_words(text, guess))
    if _KANA.search(text):
        return _edges((token.surface for token in japanese_tokens(text)), text)
    return _edges(newmm()(text, keep_whitespace=True) if _THAI.search(text) else text, text)


def chinese_words(text: str, guess: bool = True) -> list[str]:
    """A Chinese text cut into words and punctuation; a suffix belongs to its word.

    Args:
        guess: also join characters to probable words that the dictionary lacks.
    """
    words: list[str] = []
    between: list[str] = []

    def end_between() -> None:
        words.extend(cut("".join(between)) if guess else between)
        between.clear()

    for word in cut(text, False):
        if word in _SUFFIXES and between and len(between[-1]) > 1 and HAN.match(between[-1][-1]):
            # Join suffixes before guessing, which would take 集有 for a word.
            stem = between.pop()
            end_between()
            words.append(stem + word)
        else:
            between.append(word)
    end_between()
    return words


def japanese_words(text: str) -> Iterator[tuple[int, str, bool]]:
    """Tuples (start, word, True for a noun that is neither pronoun nor number)."""
    place = 0
    for token in japanese_tokens(text):
        start = text.find(token.surface, place)
        if start < 0:
            continue
        place = start + len(token.surface)
        kind, detail = token.part_of_speech.split(",")[:2]
        yield start, token.surface, kind == "名詞" and detail in _JAPANESE_NOUNS


def _edges(words: Iterable[str], text: str = "") -> dict[int, int]:
    """By start, the end of each word; `text` is required if it has characters between the words."""
    edges: dict[int, int] = {}
    place = 0
    for word in words:
        start = text.find(word, place) if text else place
        if start < 0:
            continue
        edges |= {between: between + 1 for between in range(place, start)}
        edges[start] = place = start + len(word)
    return edges | {rest: rest + 1 for rest in range(place, len(text))}

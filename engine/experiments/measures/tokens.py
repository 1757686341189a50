"""The words that alignments and word counts speak of: jieba's on the Chinese side, plain ones on the other.

A protected string (an identifier, address or number of two digits or more, `text.protect`) is one token on
either side, as it is one placeholder for the models.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_nmt.text.words import words
from anaphora_text.protected import find_protected
from anaphora_text.stop_words import STOP_WORDS

_ENGLISH = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[^\s]")


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its characters [start, end) in the normalised line."""

    text: str
    start: int
    end: int


def chinese_tokens(raw: str) -> list[Token]:
    """Words, protected strings and punctuation marks of a Chinese line, in order."""
    return _tokens(normalize_source(raw), words)


def english_tokens(raw: str) -> list[Token]:
    """Words, protected strings and punctuation marks of an English line, in order."""
    return _tokens(normalize_target(raw), _english)


def content_words(raw: str) -> list[str]:
    """English words in lower case; no punctuation, numbers by themselves, single letters or stop words."""
    found = (token.text.lower() for token in english_tokens(raw))
    return [word for word in found if len(word) > 1 and is_word(word) and word not in STOP_WORDS]


def is_word(text: str) -> bool:
    """Whether a token has a letter (Latin or Chinese): punctuation and numbers have none."""
    return any(letter.isalpha() for letter in text)


def _english(text: str) -> list[tuple[str, int, int]]:
    return [(match.group(), *match.span()) for match in _ENGLISH.finditer(text)]


def _tokens(text: str, cut: Callable[[str], list[tuple[str, int, int]]]) -> list[Token]:
    tokens: list[Token] = []
    last = 0
    for start, end in [*find_protected(text), (len(text), len(text))]:
        tokens += (Token(word, last + first, last + stop) for word, first, stop in cut(text[last:start]))
        if end > start:
            tokens.append(Token(text[start:end], start, end))
        last = end
    return tokens

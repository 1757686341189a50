"""Words of a source text that a dictionary has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from anaphora.core.tags import MARK
from anaphora.features.dictionary.entries import Dictionary, DictionaryEntry
from anaphora_text.chinese_words import cut, parts, word_class

_CONTENT = frozenset("nvali")
"""Nouns, verbs, adjectives, phrases and idioms."""


@dataclass(frozen=True, slots=True)
class SourceWord:
    """The first occurrence of a word in a source, with its dictionary entry."""

    start: int
    text: str
    entry: DictionaryEntry

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def source_words(source: str, dictionary: Dictionary) -> list[SourceWord]:
    """Content words of at least two characters that the dictionary has, each once.

    A compound that the dictionary lacks, such as 失业问题, is split into its words.
    """
    found: dict[str, SourceWord] = {}
    for start, text in _content(source):
        if text in found:
            continue
        for word in (text,) if dictionary.find(text) else parts(text):
            entry = dictionary.find(word)
            if entry is not None and _is_content(word):
                found.setdefault(word, SourceWord(start + text.index(word), word, entry))
    return list(found.values())


def _content(source: str) -> Iterator[tuple[int, str]]:
    start = 0
    for word in cut(MARK.sub(lambda tag: " " * len(tag.group()), source)):
        if _is_content(word):
            yield start, word
        start += len(word)


def _is_content(word: str) -> bool:
    return len(word) > 1 and word_class(word)[:1] in _CONTENT

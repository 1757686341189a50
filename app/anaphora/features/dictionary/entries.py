"""Dictionaries, their entries for the words of a source, and the words that a target does not render."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.tags import MARK
from anaphora.core.text import shared_ends
from anaphora_text.chinese_words import cut, parts, word_class
from anaphora_text.function_words import FUNCTION_WORDS
from anaphora_text.word_forms import lemmas

SEPARATOR = "; "
"""Text between two glosses of a word in the dictionary's file."""
PLACEHOLDERS = frozenset(("sb", "sth", "one's", "oneself", "someone", "something", "etc"))


class DictionaryError(AnaphoraError):
    """A dictionary cannot be used."""


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """A word in simplified characters, and its translations, the most usual first. Verbs begin with "to"."""

    word: str
    glosses: tuple[str, ...]


class Dictionary:
    """Entries by word. Safe to use from any thread."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Each line has a word, its other spelling or "", and its glosses, separated by tabs."""
        # One joined string takes a third of the memory that a tuple of glosses takes.
        self._glosses: dict[str, str] = {}
        self._other_spellings: dict[str, str] = {}
        for line in lines:
            word, spelling, glosses = line.split("\t")
            self._glosses[word] = glosses
            if spelling:
                self._other_spellings.setdefault(spelling, word)

    @classmethod
    def read(cls, path: Path) -> Dictionary:
        """Read the lines from a gzip file."""
        # Busy threads hold the interpreter lock. Reading the whole file at once waits for the lock only once.
        return cls(gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())

    def find(self, word: str) -> DictionaryEntry | None:
        """The entry of a word in either spelling, or None."""
        headword = word if word in self._glosses else self._other_spellings.get(word, "")
        glosses = self._glosses.get(headword)
        return DictionaryEntry(headword, tuple(glosses.split(SEPARATOR))) if glosses else None


def open_dictionary(path: Path) -> Dictionary:
    """Read a dictionary that comes with the app. Raises DictionaryError if it cannot be read."""
    try:
        return Dictionary.read(path)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise DictionaryError(
            Message("The dictionary “{name}” cannot be read: {error}.", name=path, error=error),
            "Install Anaphora again.",
        ) from error


_CONTENT_CLASSES = frozenset("nvali")
"""Initials of jieba's classes of content words: nouns, verbs, adjectives, phrases and idioms."""


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
    """The content words of a source with at least two characters and an entry, each word once."""
    first_occurrences: dict[str, SourceWord] = {}
    for start, text in _content_words(source):
        if text in first_occurrences:
            continue
        for word in (text,) if dictionary.find(text) else parts(text):
            entry = dictionary.find(word)
            if entry is not None and _is_content(word):
                first_occurrences.setdefault(word, SourceWord(start + text.index(word), word, entry))
    return list(first_occurrences.values())


def _content_words(source: str) -> Iterator[tuple[int, str]]:
    start = 0
    for word in cut(MARK.sub(lambda tag: " " * len(tag.group()), source)):
        if _is_content(word):
            yield start, word
        start += len(word)


def _is_content(word: str) -> bool:
    return len(word) > 1 and word_class(word)[:1] in _CONTENT_CLASSES


_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_MIN_SHARED_LETTERS = 4
"""Minimum length of the common beginning of two related words (“econom-y”, “econom-ic”), in letters."""
_MIN_SHARED_PART = 0.6
"""Minimum length of the common beginning as a share of the longer word."""


def unrendered_words(words: Iterable[SourceWord], target: str) -> list[SourceWord]:
    target_lemmas = lemmas_of(target)
    return [word for word in words if not is_rendered(word.entry, target_lemmas)]


def is_rendered(entry: DictionaryEntry, target: frozenset[str]) -> bool:
    """True if the target's lemmas contain at least half of the content words of a gloss, or related words."""
    return any(_is_gloss_in(gloss, target) for gloss in entry.glosses)


def lemmas_of(text: str) -> frozenset[str]:
    return frozenset(lemma for word in _WORD.findall(text.lower()) for lemma in lemmas(word))


def _is_gloss_in(gloss: str, target: frozenset[str]) -> bool:
    words = [word for word in _WORD.findall(gloss.lower()) if word not in PLACEHOLDERS]
    content = [word for word in words if word not in FUNCTION_WORDS] or words
    count = sum(_has_related(word, target) for word in content)
    return bool(content) and 2 * count >= len(content)


def _has_related(word: str, target: frozenset[str]) -> bool:
    return any(lemma in target or any(_are_related(lemma, each) for each in target) for lemma in lemmas(word))


def _are_related(first: str, second: str) -> bool:
    longer = max(len(first), len(second))
    return shared_ends(first, second)[0] >= max(_MIN_SHARED_LETTERS, _MIN_SHARED_PART * longer)

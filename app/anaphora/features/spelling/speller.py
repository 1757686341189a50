"""Spelling: which words of a text no dictionary has, and what may be meant. No Qt."""

from __future__ import annotations

import gzip
import re
import threading
import zlib
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.core.errors import AnaphoraError, ExportError, Message
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.system.files import taking_turns, write_atomically

if TYPE_CHECKING:
    from spylls.hunspell import Dictionary

DICTIONARIES = {"en": "en_US", "eng": "en_US"}
"""By the language of a target, the name of its dictionary's files."""
MOST_SUGGESTIONS = 5
_SHORTEST = 4
"""Letters of a word from which on it may be an invented one: shorter ones are mostly abbreviations."""
_LEAST_PART = 3
_RUN = re.compile(r"\S+")
_CODE = re.compile(r"`[^`]*`")
_NO_WORD = re.compile(r"[0-9_@/\\#=<>$%&*|~^+]|\w\.\w|::|\(\)")
_LATIN = r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]+"
_WORD = re.compile(rf"{_LATIN}(?:['’]{_LATIN})*")


class SpellingError(AnaphoraError):
    """A dictionary cannot be used."""


def dictionary_of(language: str) -> str:
    return DICTIONARIES.get(re.split("[-_]", language.lower())[0], "")


class Speller:
    """A Hunspell dictionary, loaded when first used, with the user's own words. For any thread."""

    def __init__(self, folder: Path, own: Path, used: Path | None = None) -> None:
        """The folder of the dictionaries, the file of the user's words, and one of words that texts use."""
        self._folder = folder
        self._own = own
        self._used_file = used
        self._used: frozenset[str] | None = None
        self._lock = threading.Lock()
        self._name = ""
        self._dictionary: Dictionary | None = None
        self._words: frozenset[str] | None = None
        self._known: dict[str, bool] = {}

    def misspelt(self, name: str, text: str, *known: Container[str]) -> tuple[tuple[int, int], ...]:
        """Positions of words unknown to the dictionary and the user; `known` are right, in lower case.

        Raises:
            SpellingError: the dictionary cannot be read.
        """
        with self._lock:
            dictionary = self._load(name)
            return tuple(
                (start, end)
                for start, end in word_spans(text)
                if not any(text[start:end].casefold() in each for each in known)
                and not self._knows(dictionary, text[start:end])
            )

    def invented(self, name: str, text: str, *known: Container[str]) -> tuple[str, ...]:
        """Words that are misspelt, and that no text uses either; names are left out."""
        words = dict.fromkeys(text[start:end] for start, end in self.misspelt(name, text, *known))
        candidates = [word for word in words if word.islower() and len(word) >= _SHORTEST]
        if not candidates:
            return ()
        with self._lock:
            used = self._read_used()
        return tuple(word for word in candidates if word not in used)

    def suggestions(self, name: str, word: str) -> tuple[str, ...]:
        """Suggestions, the most likely first. Takes a fifth of a second."""
        with self._lock:
            dictionary = self._load(name)
        # Not under the lock: typing must not wait for it.
        return tuple(dict.fromkeys(islice(dictionary.suggest(_plain(word)), MOST_SUGGESTIONS)))

    def add(self, word: str) -> None:
        """Keep a word of the user's.

        Raises:
            SpellingError: it cannot be written.
        """
        with self._lock:
            try:
                with taking_turns(self._own):
                    words = sorted({*self._read_own(), _plain(word)}, key=str.casefold)
                    write_atomically("".join(f"{each}\n" for each in words).encode(), self._own)
            except (OSError, ExportError) as error:
                raise SpellingError(
                    Message("The word “{word}” could not be saved: {error}.", word=word, error=error),
                    Message("It should be saved in {path}.", path=self._own),
                ) from error
            self._words = frozenset(each.casefold() for each in words)

    def _load(self, name: str) -> Dictionary:
        if self._words is None:
            self._words = frozenset(word.casefold() for word in self._read_own())
        if self._dictionary is None or name != self._name:
            # Loaded when a text is checked: programs that check none begin without it.
            from anaphora.features.spelling.hunspell import read_hunspell

            try:
                self._dictionary = read_hunspell(self._folder / name)
            except (OSError, ValueError) as error:
                raise SpellingError(
                    Message("The dictionary “{name}” cannot be read: {error}.", name=name, error=error),
                    "Install Anaphora again.",
                ) from error
            self._name = name
            self._known.clear()
        return self._dictionary

    def _read_used(self) -> frozenset[str]:
        if self._used is None:
            path, words = self._used_file, ""
            try:
                if path is not None and path.exists():
                    words = gzip.decompress(path.read_bytes()).decode("utf-8")
            except (OSError, EOFError, ValueError, zlib.error) as error:
                raise SpellingError(
                    Message("The dictionary “{name}” cannot be read: {error}.", name=path, error=error),
                    "Install Anaphora again.",
                ) from error
            self._used = frozenset(words.split())
        return self._used

    def _read_own(self) -> Iterator[str]:
        try:
            lines = self._own.read_text("utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return
        except OSError as error:
            raise SpellingError(
                Message("The dictionary “{name}” cannot be read: {error}.", name=self._own, error=error)
            ) from error
        yield from (word for line in lines if (word := line.strip()))

    def _knows(self, dictionary: Dictionary, word: str) -> bool:
        if not {word.casefold(), _plain(word).casefold().removesuffix("'s")}.isdisjoint(self._words or ()):
            return True
        if word not in self._known:
            plain = _plain(word).removesuffix("'s")
            self._known[word] = dictionary.lookup(plain) or self._is_compound(dictionary, plain.casefold())
        return self._known[word]

    def _is_compound(self, dictionary: Dictionary, word: str) -> bool:
        """True if a word of real texts is two dictionary words: dataset, timestamp; no typo is both."""
        if len(word) < 2 * _LEAST_PART or word not in self._read_used():
            return False
        cuts = range(_LEAST_PART, len(word) - _LEAST_PART + 1)
        return any(all(map(dictionary.lookup, (word[:cut], word[cut:]))) for cut in cuts)


def inventions_by(
    speller: Speller, name: str, known: Container[str]
) -> Callable[[Segment], tuple[str, ...]] | None:
    """Finds the invented words of a segment's target; None without a dictionary.

    `known` are words that are right everywhere, in lower case; those of the source are right, too.
    """
    if not name:
        return None
    return lambda each: speller.invented(name, each.target, known, words_of([each.source]))


def words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(match.group().casefold() for text in texts for match in _WORD.finditer(text))


def _plain(word: str) -> str:
    return word.replace("’", "'")


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Positions of words with a spelling: no code, no addresses, no abbreviations in capitals."""
    hidden = [match.span() for pattern in (MARK, _CODE) for match in pattern.finditer(text)]
    for start, end in sorted(hidden, reverse=True):
        text = text[:start] + " " * (end - start) + text[end:]
    for run in _RUN.finditer(text):
        core = run.group().strip(".,;:!?()[]{}<>\"'“”‘’*…")
        if _NO_WORD.search(core):
            continue
        for match in _WORD.finditer(run.group()):
            word = match.group()
            is_name_of_code = not (word.islower() or word.istitle() or word[1:].islower())
            if len(word) > 1 and not is_name_of_code:
                yield run.start() + match.start(), run.start() + match.end()

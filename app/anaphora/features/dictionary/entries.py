"""Words of one language with what they are called in another, read from a file."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import AnaphoraError, Message

JOINT = "; "
PLACEHOLDERS = frozenset(("sb", "sth", "one's", "oneself", "someone", "something", "etc"))
"""Words of glosses that stand for others."""


class DictionaryError(AnaphoraError):
    """A dictionary cannot be used."""


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """A word, in simplified characters, with its translations, the usual ones first; verbs with "to"."""

    word: str
    glosses: tuple[str, ...]


class Dictionary:
    """Entries by word. Safe to use from any thread."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Lines have a word, another way to write it or nothing, and glosses with `JOINT`, between tabs."""
        # joined: a hundred thousand texts take a third of the memory of as many tuples
        self._glosses: dict[str, str] = {}
        self._other: dict[str, str] = {}
        for line in lines:
            word, other, glosses = line.split("\t")
            self._glosses[word] = glosses
            if other:
                self._other.setdefault(other, word)

    @classmethod
    def read(cls, path: Path) -> Dictionary:
        """Read a file of such lines, compressed by gzip."""
        # at once: line by line, a thread beside a busy one would wait for its turn hundreds of times
        return cls(gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())

    def find(self, word: str) -> DictionaryEntry | None:
        found = word if word in self._glosses else self._other.get(word, "")
        glosses = self._glosses.get(found)
        return DictionaryEntry(found, tuple(glosses.split(JOINT))) if glosses else None


def open_dictionary(path: Path) -> Dictionary:
    """Read a dictionary that came with the app.

    Raises:
        DictionaryError: it cannot be read.
    """
    try:
        return Dictionary.read(path)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise DictionaryError(
            Message("The dictionary “{name}” cannot be read: {error}.", name=path, error=error),
            "Install Anaphora again.",
        ) from error

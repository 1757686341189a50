"""A dictionary: words with their translations, read from a file."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import AnaphoraError, Message

SEPARATOR = "; "
PLACEHOLDERS = frozenset(("sb", "sth", "one's", "oneself", "someone", "something", "etc"))
"""Placeholders in glosses."""


class DictionaryError(AnaphoraError):
    """A dictionary cannot be used."""


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """A word, in simplified characters, and its translations, the usual ones first; verbs with "to"."""

    word: str
    glosses: tuple[str, ...]


class Dictionary:
    """Entries by word. Safe to use from any thread."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Lines of a word, another spelling or nothing, and glosses joined by `SEPARATOR`; tabs between."""
        # Joined glosses need a third of the memory of tuples.
        self._glosses: dict[str, str] = {}
        self._other_spellings: dict[str, str] = {}
        for line in lines:
            word, other, glosses = line.split("\t")
            self._glosses[word] = glosses
            if other:
                self._other_spellings.setdefault(other, word)

    @classmethod
    def read(cls, path: Path) -> Dictionary:
        """Read such lines from a gzip file."""
        # All at once: reading by lines would wait for a busy thread hundreds of times.
        return cls(gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())

    def find(self, word: str) -> DictionaryEntry | None:
        found = word if word in self._glosses else self._other_spellings.get(word, "")
        glosses = self._glosses.get(found)
        return DictionaryEntry(found, tuple(glosses.split(SEPARATOR))) if glosses else None


def open_dictionary(path: Path) -> Dictionary:
    """Read a dictionary that came with the app.

    Raises:
        DictionaryError: the file cannot be read.
    """
    try:
        return Dictionary.read(path)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise DictionaryError(
            Message("The dictionary “{name}” cannot be read: {error}.", name=path, error=error),
            "Install Anaphora again.",
        ) from error

"""Sorted lists of words, such as those of the text on which a model was trained, and the words of a text."""

from __future__ import annotations

import gzip
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from anaphora_nmt.errors import ModelFileError

_HYPHENATED = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:-[^\W\d_]++)+")
WORDS_FILE = "words.txt.gz"


def joined(texts: Iterable[str]) -> tuple[bytes, np.ndarray]:
    """The texts in UTF-8 in a row, and the int32 byte offsets of their beginnings and of the last end."""
    encoded = [text.encode("utf-8") for text in texts]
    starts = np.zeros(len(encoded) + 1, np.int32)
    np.cumsum([len(text) for text in encoded], out=starts[1:])
    return b"".join(encoded), starts


@dataclass(frozen=True)
class WordList:
    """Sorted, unique words in lower case."""

    words: Sequence[str]

    @classmethod
    def of(cls, words: Iterable[str]) -> WordList:
        return cls(sorted({word.casefold() for word in words}))

    @classmethod
    def load(cls, path: Path) -> WordList:
        """Read a file of `save`; raises ModelFileError if it cannot be read."""
        try:
            words = gzip.decompress(path.read_bytes()).decode("utf-8").split()
            if not words:
                raise ValueError("it is empty")
            return cls.of(words)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            raise ModelFileError(
                "The words in {path} cannot be read ({reason}). Install the model again.",
                path=path,
                reason=error,
            ) from error

    def save(self, path: Path) -> None:
        """Write a file for `load`; equal lists give equal bytes."""
        path.write_bytes(gzip.compress("\n".join(self.words).encode("utf-8"), mtime=0))

    @cached_property
    def joined(self) -> tuple[bytes, np.ndarray]:
        return joined(self.words)

    def __contains__(self, word: str) -> bool:
        index = bisect_left(self.words, word)
        return index < len(self.words) and self.words[index] == word

    def has_beginning(self, letters: str) -> bool:
        return bool(self.first_beginning_with(letters))

    def first_beginning_with(self, letters: str) -> str:
        """The first word that begins with the letters; "" if no word does."""
        index = bisect_left(self.words, letters)
        begins = index < len(self.words) and self.words[index].startswith(letters)
        return self.words[index] if begins else ""


NO_WORDS = WordList(())


def hyphenated_words(text: str) -> Iterator[str]:
    """The words of a text with hyphens between letters, in lower case."""
    return (word.casefold() for word in _HYPHENATED.findall(text))


def letter_words(text: str) -> Iterator[str]:
    """The runs of letters of a text, in lower case."""
    start = None
    for index, letter in enumerate(f"{text} "):
        if letter.isalpha():
            start = index if start is None else start
        elif start is not None:
            yield text[start:index].casefold()
            start = None

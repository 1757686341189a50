"""Sorted lists of words, such as the words in a model's training text, and the extraction of words."""

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


def join_texts(texts: Iterable[str]) -> tuple[bytes, np.ndarray]:
    """The texts joined in UTF-8, and the byte offset of each text and of the end, as int32."""
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
        """Read a file that `save` wrote; ModelFileError if it cannot be read or contains no words."""
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
        """Write the list to a file; equal lists give identical files."""
        path.write_bytes(gzip.compress("\n".join(self.words).encode("utf-8"), mtime=0))

    @cached_property
    def joined(self) -> tuple[bytes, np.ndarray]:
        return join_texts(self.words)

    def __contains__(self, word: str) -> bool:
        index = bisect_left(self.words, word)
        return index < len(self.words) and self.words[index] == word

    def has_prefix(self, letters: str) -> bool:
        return bool(self.first_with_prefix(letters))

    def first_with_prefix(self, letters: str) -> str:
        index = bisect_left(self.words, letters)
        begins = index < len(self.words) and self.words[index].startswith(letters)
        return self.words[index] if begins else ""


NO_WORDS = WordList(())


def hyphenated_words(text: str) -> Iterator[str]:
    return (word.casefold() for word in _HYPHENATED.findall(text))


def letter_words(text: str) -> Iterator[str]:
    start = None
    for index, letter in enumerate(f"{text} "):
        if letter.isalpha():
            start = index if start is None else start
        elif start is not None:
            yield text[start:index].casefold()
            start = None

"""A Hunspell dictionary, read by spylls; its entries are made when they are looked for: all take a second."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path

from spylls.hunspell import Dictionary
from spylls.hunspell.algo.lookup import Lookup
from spylls.hunspell.data.dic import Dic, Word
from spylls.hunspell.readers import read_aff, read_dic
from spylls.hunspell.readers.dic import COUNT_REGEXP
from spylls.hunspell.readers.file_reader import FileReader

_MARKS = ("\\", "\t", " ")
"""What stands in entries whose stem is not simply what comes before the first slash."""


class Hunspell:
    """The words of two files with one stem, `.aff` and `.dic`. For any thread."""

    def __init__(self, path: Path) -> None:
        """Read the files.

        Raises:
            OSError, ValueError: they cannot be read, or are damaged.
        """
        self._path = path
        aff, context = read_aff(_ClosedReader(f"{path}.aff"))
        lines = [line for _, line in _ClosedReader(f"{path}.dic", context.encoding)]
        begin = 1 if lines and COUNT_REGEXP.match(lines[0]) else 0
        self._lookup = Lookup(aff, _Entries(lines[begin:], partial(read_dic, aff=aff, context=context)))

    def knows(self, word: str) -> bool:
        """Whether it is a form of one of the words."""
        return bool(self._lookup(word))

    def suggestions(self, word: str) -> Iterator[str]:
        """What may be meant, the likeliest first. All entries are made at the first time."""
        return iter(self.whole.suggest(word))

    @cached_property
    def whole(self) -> Dictionary:
        """The library's own dictionary, with all entries."""
        aff, context = read_aff(_ClosedReader(f"{self._path}.aff"))
        entries = read_dic(_ClosedReader(f"{self._path}.dic", context.encoding), aff=aff, context=context)
        return Dictionary(aff, entries)


class _ClosedReader(FileReader):
    """Reads a file at once: the library's own reader leaves it open."""

    def _open(self, path: str, encoding: str) -> io.StringIO:
        return io.StringIO(Path(path).read_bytes().decode(encoding, "surrogateescape"), newline=None)


class _Entries(Dic):
    """The library's list of words, of which only those that were looked for are there."""

    def __init__(self, lines: Sequence[str], parse: Callable[[Iterable[tuple[int, str]]], Dic]) -> None:
        super().__init__(words=[])
        self._parse = parse
        self._lines: dict[str, list[str]] = defaultdict(list)
        for line in lines:
            if line.startswith("/") or any(mark in line for mark in _MARKS):
                self._add([line])
            else:
                self._lines[line.partition("/")[0].lower()].append(line)

    def homonyms(self, stem: str, *, ignorecase: bool = False) -> list[Word]:
        key = stem.lower()
        if key in self._lines:
            # Taken away behind it: another thread may make them once more, and never misses them.
            self._add(self._lines[key])
            self._lines.pop(key, None)
        return super().homonyms(stem, ignorecase=ignorecase)

    def _add(self, lines: Sequence[str]) -> None:
        made = self._parse(enumerate(lines, 2))  # the first line of a file is a count
        for index, found in ((self.index, made.index), (self.lowercase_index, made.lowercase_index)):
            for stem, words in found.items():
                index[stem] += words

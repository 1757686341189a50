"""A corpus' pairs that are worth training on, found by several processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Self, TypeVar

import numpy as np

from anaphora_nmt.data.binary_corpus import clean_pairs
from anaphora_nmt.data.corpus import parse_document, read_lines
from anaphora_nmt.errors import CorpusError
from anaphora_text.names.table import NameTable

Item = TypeVar("Item")
T = TypeVar("T")
_TOGETHER = 100
"""Documents that a process cleans at a time."""


class Workers:
    """Processes of this machine that work side by side; with one, all is done in this one. Close them."""

    def __init__(self, processes: int) -> None:
        self.processes = max(1, processes)
        self._pool = None
        if processes > 1:
            self._pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def map(self, work: Callable[[Item], T], items: Iterable[Item]) -> Iterator[T]:
        """What `work` makes of each item, in order.

        Args:
            work: a function that other processes can import, or a partial of one.
        """
        return map(work, items) if self._pool is None else self._pool.map(work, items)


@dataclass(frozen=True)
class CleanCorpus:
    """Cleaned pairs.

    Attributes:
        pairs: with the number of their document: (number, protected source, protected target).
        names: of the documents' sources. sources: number of the source of each document, uint16.
    """

    pairs: Sequence[tuple[int, str, str]]
    names: Sequence[str]
    sources: np.ndarray

    def texts(self, side: int, most: int) -> Iterator[str]:
        """Sources (side 0) or targets (1), `most` of them, from all over the corpus."""
        some = self.pairs[:: -(-len(self.pairs) // most)]
        return (target if side else source for _, source, target in some)


def clean_corpus(corpora: Sequence[Path], model: Path | None, workers: Workers) -> CleanCorpus:
    """The pairs worth training on.

    Args:
        corpora: files, read one after the other.
        model: a model folder, whose proper names are protected; None: none are.
    Raises:
        CorpusError: a file cannot be read, or nothing in them is worth it.
    """
    lines = ((path, number, line) for path in corpora for number, line in read_lines(path))
    numbers: dict[str, int] = {}
    sources: list[int] = []
    pairs: list[tuple[int, str, str]] = []
    for found, names in workers.map(partial(_clean, model), _together(lines)):
        pairs += [(len(sources) + number, source, target) for number, source, target in found]
        sources += [numbers.setdefault(name, len(numbers)) for name in names]
    if not pairs:
        raise CorpusError("the corpus has no usable sentence pairs")
    return CleanCorpus(pairs, list(numbers), np.array(sources, np.uint16))


def _together(lines: Iterator[tuple[Path, int, str]]) -> Iterator[list[tuple[Path, int, str]]]:
    while some := list(islice(lines, _TOGETHER)):
        yield some


def _clean(
    model: Path | None, lines: Sequence[tuple[Path, int, str]]
) -> tuple[list[tuple[int, str, str]], list[str]]:
    """The pairs of some documents, and the name of each document's source."""
    documents = [parse_document(*line) for line in lines]
    return list(clean_pairs(documents, _names(model))), [document.source_name for document in documents]


@cache  # once in each process
def _names(model: Path | None) -> NameTable | None:
    if model is None:
        return None
    from anaphora_nmt.models.bundle import load_bundle  # torch is needed for nothing else

    return load_bundle(model).names

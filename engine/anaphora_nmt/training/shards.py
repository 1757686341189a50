"""A corpus of any size made ready in shards, by several processes: cleaned texts first, then pieces."""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Self, TypeVar

import numpy as np

from anaphora_nmt.data.binary_corpus import (
    BinaryCorpus,
    clean_pairs,
    count_pieces,
    encode_corpus,
    join_corpora,
)
from anaphora_nmt.data.corpus import parse_document, read_lines
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.vocabulary import Vocabulary
from anaphora_nmt.text.words import load_source_vocabulary
from anaphora_text.names.table import NameTable

Item = TypeVar("Item")
T = TypeVar("T")
SHARD = 2 << 20
"""Characters of a shard, which holds whole documents."""


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
        """What `work` makes of each item, in order; items are taken as results are: few lie in memory.

        Args:
            work: a function that other processes can import, or a partial of one.
        """
        if self._pool is None:
            yield from map(work, items)
            return
        waiting: deque[Future[T]] = deque()
        for item in items:
            waiting.append(self._pool.submit(work, item))
            if len(waiting) > self.processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@dataclass(frozen=True)
class Shards:
    """A corpus' cleaned pairs in files, in order.

    Attributes:
        paths: of the files. pairs: how many there are in all.
        names: of the documents' sources. sources: number of the source of each document, uint16.
    """

    paths: Sequence[Path]
    pairs: int
    names: Sequence[str]
    sources: np.ndarray

    def texts(self, side: int, most: int) -> Iterator[str]:
        """Sources (side 0) or targets (1), `most` of them, from all over the corpus."""
        step, place = -(-self.pairs // most), 0
        for path in self.paths:
            pairs = _read(path)
            for number, (_, source, target) in enumerate(pairs, place):
                if number % step == 0:
                    yield target if side else source
            place += len(pairs)

    def count(self, vocabulary: Path, workers: Workers) -> Counter[int]:
        """How often each piece occurs in the sources."""
        counts: Counter[int] = Counter()
        for found in workers.map(partial(_count, vocabulary), self.paths):
            counts.update(found)
        return counts

    def encode(self, folder: Path, kind: str, path: Path, workers: Workers) -> None:
        """Write the corpus in pieces of the vocabularies in `folder`.

        Args:
            kind: of the encoder that reads the sources.
        """
        parts = list(workers.map(partial(_encode, folder, kind), self.paths))
        join_corpora(_Saved(parts), path)


@dataclass(frozen=True)
class _Saved:
    """Corpora in files, of which one is open at a time."""

    paths: Sequence[Path]

    def __iter__(self) -> Iterator[BinaryCorpus]:
        return map(BinaryCorpus.load, self.paths)


@dataclass(frozen=True)
class _Lines:
    """Documents of a corpus file, a line each.

    Attributes:
        path: the corpus file. first_line: number of their first line in it.
        first: number of their first document in the whole corpus. shard: where the pairs go.
    """

    path: Path
    first_line: int
    first: int
    lines: list[str]
    shard: Path


def clean_corpus(
    corpora: Sequence[Path], folder: Path, model: Path | None, workers: Workers, size: int = SHARD
) -> Shards:
    """Write the pairs worth training on.

    Args:
        corpora: files, read one after the other.
        folder: of the shards.
        model: a model folder, whose proper names are protected; None: none are.
        size: characters of a shard.
    Raises:
        CorpusError: a file cannot be read, or nothing in them is worth it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    numbers: dict[str, int] = {}
    sources: list[np.ndarray] = []
    paths, pairs = [], 0
    jobs = _shards(corpora, folder, size)
    for path, count, names in workers.map(partial(_clean, model), jobs):
        own = [numbers.setdefault(name, len(numbers)) for name in names]
        sources.append(np.array(own, np.uint16))
        pairs += count
        if count:
            paths.append(path)
    if not pairs:
        raise CorpusError("the corpus has no usable sentence pairs")
    return Shards(paths, pairs, list(numbers), np.concatenate(sources))


def _shards(corpora: Sequence[Path], folder: Path, size: int) -> Iterator[_Lines]:
    first, made = 0, 0
    for path in corpora:
        waiting: list[str] = []
        characters, begin = 0, 1
        for number, line in read_lines(path):
            waiting.append(line)
            characters += len(line)
            if characters >= size:
                yield _Lines(path, begin, first, waiting, folder / f"{made:06d}.json")
                first, made = first + len(waiting), made + 1
                waiting, characters, begin = [], 0, number + 1
        if waiting:
            yield _Lines(path, begin, first, waiting, folder / f"{made:06d}.json")
            first, made = first + len(waiting), made + 1


def _clean(model: Path | None, given: _Lines) -> tuple[Path, int, list[str]]:
    """Write a shard; its path, its pairs, and the name of each document's source."""
    lines = enumerate(given.lines, given.first_line)
    documents = [parse_document(given.path, number, line) for number, line in lines]
    pairs = [(given.first + number, *texts) for number, *texts in clean_pairs(documents, _names(model))]
    given.shard.write_text(json.dumps(pairs, ensure_ascii=False), "utf-8")
    return given.shard, len(pairs), [document.source_name for document in documents]


def _read(shard: Path) -> list[tuple[int, str, str]]:
    return [(number, source, target) for number, source, target in json.loads(shard.read_text("utf-8"))]


def _count(vocabulary: Path, shard: Path) -> Counter[int]:
    return count_pieces((source for _, source, _ in _read(shard)), _loaded(vocabulary, _changed(vocabulary)))


def _encode(folder: Path, kind: str, shard: Path) -> Path:
    source_path, target_path = folder / "source.model", folder / "target.model"
    source = _source(source_path, _changed(source_path), kind)
    target = _loaded(target_path, _changed(target_path))
    path = shard.with_suffix(".npz")
    encode_corpus(_read(shard), source, target).save(path)
    return path


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns


# once in each process, for a file as it is
@cache
def _names(model: Path | None) -> NameTable | None:
    if model is None:
        return None
    from anaphora_nmt.models.bundle import (
        load_bundle,
    )  # torch, which takes its time, is needed for nothing else

    return load_bundle(model).names


@cache
def _loaded(vocabulary: Path, changed: int) -> Vocabulary:
    return Vocabulary.load(vocabulary)


@cache
def _source(vocabulary: Path, changed: int, kind: str) -> Vocabulary:
    return load_source_vocabulary(vocabulary, kind)

"""A prepared folder in few bytes, to carry it to another machine: ids as uint16, compressed with xz.

A packed folder holds `NAME.xz` for each array of each corpus and for the alignments, cut into parts of a
given size, the source of each document, and copies of everything else (vocabularies, test sets, topics).
"""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from anaphora_nmt.data.array_files import read_arrays, write_arrays
from anaphora_nmt.data.batches import document_order
from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side
from anaphora_nmt.data.mixing import ORIGINS, SOURCES, load_sources, save_sources
from anaphora_nmt.errors import CorpusError

# two bytes a number, and no literal depends on the text before it
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 7, "lc": 0, "lp": 1, "pb": 1}]
_CORPORA = ("train", "dev")
_COPIED = ("source.model", "target.model", "topics.npz", "rows.npy", "target_init.npy")
_PARTS = 4


def pack(prepared: Path, folder: Path, part_bytes: int = 15_000_000, pairs: int | None = None) -> int:
    """Write a packed folder.

    Args:
        pairs: training pairs at most, in whole documents from all over the corpus; None: all.
    Returns:
        bytes in all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in _CORPORA:
        corpus = BinaryCorpus.load(prepared / f"{name}.npz")
        sentences = np.arange(len(corpus.source))
        if name == "train" and pairs is not None:
            sentences = some_documents(corpus, pairs)
            corpus = picked(corpus, sentences)
        arrays = chain(_arrays(corpus), _links(prepared / f"{name}.links.npz", sentences))
        for field, numbers in arrays:
            data = lzma.compress(numbers.astype("<u2").tobytes(), lzma.FORMAT_XZ, filters=_FILTERS)
            for number, start in enumerate(range(0, len(data), part_bytes)):
                path = folder / f"{name}.{field}.xz.{number:0{_PARTS}d}"
                path.write_bytes(data[start : start + part_bytes])
        if name == "train" and (prepared / SOURCES).exists():
            names, sources = load_sources(prepared)
            save_sources(folder, names, sources[np.unique(corpus.document)])  # numbered anew, without gaps
    for name in _COPIED:
        if (prepared / name).exists():
            shutil.copyfile(prepared / name, folder / name)
    if (prepared / "sets").exists():
        shutil.copytree(prepared / "sets", folder / "sets", dirs_exist_ok=True)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def unpack(folder: Path, prepared: Path) -> None:
    """Write the prepared folder that `pack` read.

    Raises:
        CorpusError: parts are missing or damaged.
    """
    prepared.mkdir(parents=True, exist_ok=True)
    for name in _CORPORA:
        arrays = {
            field: _read(folder, f"{name}.{field}.xz")
            for field in ("source", "target", "lengths", "documents")
        }
        try:
            source_lengths, target_lengths = arrays["lengths"].reshape(2, -1)
            corpus = BinaryCorpus(
                _side(arrays["source"], source_lengths),
                _side(arrays["target"], target_lengths),
                np.repeat(np.arange(len(arrays["documents"]), dtype=np.int32), arrays["documents"]),
            )
        except ValueError as error:
            raise CorpusError(f"{folder}: {name} is damaged ({error}); pack it again") from error
        corpus.save(prepared / f"{name}.npz")
        if list(folder.glob(f"{name}.links.xz.*")):
            pairs = _read(folder, f"{name}.links.xz").reshape(-1, 2)
            offsets = _offsets(_read(folder, f"{name}.counts.xz"))
            write_arrays(prepared / f"{name}.links.npz", pairs=pairs, offsets=offsets)
    for name in (*_COPIED, SOURCES, ORIGINS):
        if (folder / name).exists():
            shutil.copyfile(folder / name, prepared / name)
    if (folder / "sets").exists():
        shutil.copytree(folder / "sets", prepared / "sets", dirs_exist_ok=True)


def some_documents(corpus: BinaryCorpus, pairs: int) -> np.ndarray:
    """Numbers of the sentences of whole documents, spread evenly, so many pairs at most."""
    share, kept, seen, chosen = min(1.0, pairs / len(corpus.source)), 0, 0, []
    for document in document_order(corpus.document):
        seen += len(document)
        if kept + len(document) <= seen * share:
            kept += len(document)
            chosen.append(document)
    if not chosen:
        raise CorpusError(f"{pairs} pairs are less than a document; allow more")
    return np.concatenate(chosen)


def picked(corpus: BinaryCorpus, sentences: np.ndarray) -> BinaryCorpus:
    source, target = _picked(corpus.source, sentences), _picked(corpus.target, sentences)
    return BinaryCorpus(source, target, corpus.document[sentences])


def _picked(side: Side, sentences: np.ndarray) -> Side:
    return _side(np.concatenate([side[number] for number in sentences]), side.lengths[sentences])


def _arrays(corpus: BinaryCorpus) -> Iterator[tuple[str, np.ndarray]]:
    yield "source", corpus.source.ids
    yield "target", corpus.target.ids
    yield "lengths", np.concatenate((corpus.source.lengths, corpus.target.lengths))
    yield "documents", np.unique(corpus.document, return_counts=True)[1]


def _links(path: Path, sentences: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    if not path.exists():
        return
    pairs, offsets = read_arrays(path, ("pairs", "offsets"))
    counts = np.diff(offsets)[sentences]
    first = np.repeat(offsets[sentences] - np.cumsum(counts) + counts, counts)
    yield "links", pairs[first + np.arange(len(first))]
    yield "counts", counts


def _read(folder: Path, name: str) -> np.ndarray:
    parts = sorted(folder.glob(f"{name}.*"))
    if [part.name[-_PARTS:] for part in parts] != [f"{number:0{_PARTS}d}" for number in range(len(parts))]:
        raise CorpusError(f"{folder} lacks a part of {name}; copy all of them")
    try:
        return np.frombuffer(lzma.decompress(b"".join(part.read_bytes() for part in parts)), "<u2")
    except (lzma.LZMAError, ValueError) as error:
        raise CorpusError(f"{folder}: {name} cannot be read ({error}); copy all its parts") from error


def _side(ids: np.ndarray, lengths: np.ndarray) -> Side:
    offsets = _offsets(lengths)
    if offsets[-1] != len(ids):
        raise ValueError(f"{offsets[-1]} ids expected, {len(ids)} there")
    return Side(ids.astype(np.uint16), offsets)


def _offsets(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

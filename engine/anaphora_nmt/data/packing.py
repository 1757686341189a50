"""A prepared folder in few bytes, to carry it to another machine: one archive, ids as uint16."""

from __future__ import annotations

import lzma
import tarfile
import tempfile
from pathlib import Path

import numpy as np

from anaphora_nmt.data.batches import document_starts
from anaphora_nmt.data.binary_corpus import BinaryCorpus, joined_side, read_arrays, write_arrays
from anaphora_nmt.data.mixing import SOURCES, load_sources, save_sources
from anaphora_nmt.errors import CorpusError

# two bytes a number, and no literal depends on the text before it
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 7, "lc": 0, "lp": 1, "pb": 1}]
_COPIED = (
    *("dev.npz", "dev.links.npz", "source.model", "target.model"),
    *("topics.npz", "rows.npy", "target_init.npy", "sets"),
)
_ARCHIVE = "prepared.tar.xz"


def pack(prepared: Path, folder: Path, pairs: int | None = None) -> None:
    """Write a packed folder, of `pairs` training pairs at most (whole documents)."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as part,
        lzma.open(folder / _ARCHIVE, "wb", filters=_FILTERS) as stream,
        tarfile.open(fileobj=stream, mode="w") as archive,
    ):
        _write_some(prepared, Path(part), pairs)
        found = (prepared / name for name in _COPIED if (prepared / name).exists())
        for path in (*Path(part).iterdir(), *found):
            archive.add(path, path.name)


def unpack(folder: Path, prepared: Path) -> None:
    """Write the prepared folder that `pack` read. CorpusError: the archive is missing or damaged."""
    try:
        with tarfile.open(folder / _ARCHIVE) as archive:
            archive.extractall(prepared, filter="data")
    except (lzma.LZMAError, tarfile.TarError, OSError, EOFError) as error:
        raise CorpusError(f"{folder} is no packed corpus, or is damaged ({error}); copy it again") from error


def _write_some(prepared: Path, folder: Path, pairs: int | None) -> None:
    """Write the training corpus, or whole documents of it."""
    corpus = BinaryCorpus.load(prepared / "train.npz")
    sentences = np.arange(len(corpus.source)) if pairs is None else _some_documents(corpus, pairs)
    kept, document = np.unique(corpus.document[sentences], return_inverse=True)  # numbered without gaps
    source, target = (
        joined_side([side[int(number)] for number in sentences]) for side in (corpus.source, corpus.target)
    )
    BinaryCorpus(source, target, document).save(folder / "train.npz")
    if (prepared / "train.links.npz").exists():
        found, offsets = read_arrays(prepared / "train.links.npz", ("pairs", "offsets"))
        some = [found[offsets[number] : offsets[number + 1]] for number in sentences]
        ends = np.cumsum([0, *map(len, some)], dtype=np.int64)
        write_arrays(folder / "train.links.npz", pairs=np.concatenate(some), offsets=ends)
    if (prepared / SOURCES).exists():
        names, sources = load_sources(prepared)
        save_sources(folder, names, sources[kept])


def _some_documents(corpus: BinaryCorpus, pairs: int) -> np.ndarray:
    """Numbers of the sentences of whole documents, spread evenly, so many pairs at most."""
    share, kept, seen, chosen = min(1.0, pairs / len(corpus.source)), 0, 0, []
    starts = document_starts(corpus.document)
    for document in np.split(np.arange(len(corpus.source)), starts[1:-1]):
        seen += len(document)
        if kept + len(document) <= seen * share:
            kept += len(document)
            chosen.append(document)
    if not chosen:
        raise CorpusError(f"{pairs} pairs are less than a document; allow more")
    return np.concatenate(chosen)

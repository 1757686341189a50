"""Compression of a prepared folder for transfer to another machine."""

from __future__ import annotations

import lzma
import shutil
from io import BytesIO
from pathlib import Path

import numpy as np

from anaphora_nmt.data.batches import ORIGINS, SOURCES, document_starts, load_sources, save_sources
from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side, read_arrays, write_arrays
from anaphora_nmt.errors import CorpusError

# Numbers have two bytes (lp = 1), and literals do not depend on their context (lc = 0).
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 7, "lc": 0, "lp": 1, "pb": 1}]
_CORPORA = ("train", "dev")
_COPIED = ("source.model", "target.model", "topics.npz", "rows.npy", "target_init.npy")
_ARCHIVE = "corpora.xz"


def pack(prepared: Path, folder: Path, part_bytes: int = 15_000_000, pairs: int | None = None) -> int:
    """Pack dev and at most `pairs` training pairs (None: all) in whole documents; return bytes written."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, np.ndarray] = {}
    for name in _CORPORA:
        corpus = BinaryCorpus.load(prepared / f"{name}.npz")
        sentences = np.arange(len(corpus.source))
        if name == "train" and pairs is not None:
            sentences = _spaced_documents(corpus, pairs)
        documents = corpus.document[sentences]
        arrays[f"{name}.documents"] = np.unique(documents, return_counts=True)[1]
        for side, ids in (("source", corpus.source), ("target", corpus.target)):
            arrays[f"{name}.{side}"] = np.concatenate([ids[int(number)] for number in sentences])
            arrays[f"{name}.{side}.lengths"] = ids.lengths[sentences]
        links = prepared / f"{name}.links.npz"
        if links.exists():
            all_links, offsets = read_arrays(links, ("pairs", "offsets"))
            chosen = [all_links[offsets[number] : offsets[number + 1]] for number in sentences]
            arrays[f"{name}.links"] = np.concatenate(chosen)
            arrays[f"{name}.links.lengths"] = np.array([len(each) for each in chosen])
        if name == "train" and (prepared / SOURCES).exists():
            names, sources = load_sources(prepared)
            save_sources(folder, names, sources[np.unique(documents)])  # numbered again, without gaps
    buffer = BytesIO()
    np.savez(buffer, allow_pickle=False, **{name: array.astype("<u2") for name, array in arrays.items()})
    data = lzma.compress(buffer.getvalue(), lzma.FORMAT_XZ, filters=_FILTERS)
    for number, start in enumerate(range(0, len(data), part_bytes)):
        (folder / f"{_ARCHIVE}.{number:04d}").write_bytes(data[start : start + part_bytes])
    _copy_files(prepared, folder, _COPIED)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def unpack(folder: Path, prepared: Path) -> None:
    """Restore a prepared folder from a packed one. CorpusError if parts are missing or damaged."""
    prepared.mkdir(parents=True, exist_ok=True)
    parts = [path.read_bytes() for path in sorted(folder.glob(f"{_ARCHIVE}.*"))]
    try:
        with np.load(BytesIO(lzma.decompress(b"".join(parts)))) as file:
            arrays = dict(file)
    except (lzma.LZMAError, ValueError, OSError, EOFError) as error:
        raise CorpusError(f"a part of {folder} is missing or damaged ({error}); copy all parts") from error
    for name in _CORPORA:
        source, target = (
            Side(arrays[f"{name}.{side}"].astype(np.uint16), _offsets(arrays[f"{name}.{side}.lengths"]))
            for side in ("source", "target")
        )
        counts = arrays[f"{name}.documents"]
        document = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        BinaryCorpus(source, target, document).save(prepared / f"{name}.npz")
        if f"{name}.links" in arrays:
            offsets = _offsets(arrays[f"{name}.links.lengths"])
            write_arrays(prepared / f"{name}.links.npz", pairs=arrays[f"{name}.links"], offsets=offsets)
    _copy_files(folder, prepared, (*_COPIED, SOURCES, ORIGINS))


def _copy_files(folder: Path, target: Path, names: tuple[str, ...]) -> None:
    for name in names:
        if (folder / name).exists():
            shutil.copyfile(folder / name, target / name)
    if (folder / "sets").exists():
        shutil.copytree(folder / "sets", target / "sets", dirs_exist_ok=True)


def _spaced_documents(corpus: BinaryCorpus, pairs: int) -> np.ndarray:
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


def _offsets(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

"""Statistical word alignments of the training corpus, to guide attention with.

They come from eflomal (Östling and Tiedemann, 2016), a program of its own: it is called, not shipped.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from anaphora_nmt.data.array_files import read_arrays, write_arrays
from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side


@dataclass(frozen=True, slots=True)
class Links:
    """Alignment links of a corpus: sentence n has `pairs[offsets[n]:offsets[n + 1]]`, (source, target)."""

    pairs: np.ndarray
    offsets: np.ndarray

    def batch(self, sentences: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(row, target position, source position) of every link of the sentences."""
        parts = [self.pairs[self.offsets[n] : self.offsets[n + 1]] for n in sentences]
        rows = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        joined = np.concatenate(parts).astype(np.int64)
        return rows, joined[:, 1], joined[:, 0]

    def save(self, path: Path) -> None:
        write_arrays(path, pairs=self.pairs, offsets=self.offsets)

    @classmethod
    def load(cls, path: Path) -> Links:
        pairs, offsets = read_arrays(path, ("pairs", "offsets"))
        return cls(pairs, offsets)


def align_corpus(corpus: BinaryCorpus) -> Links:
    """Align pieces in both directions; keep, for each target piece, the source piece that it comes from.

    Begin and end marks stay unaligned.
    """
    counts, pairs = _aligned(_lines(corpus.source, 1, 1), _lines(corpus.target, 0, 1))
    offsets = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    return Links((pairs + np.array([1, 0])).astype(np.uint16), offsets)


def align_lines(sources: Iterable[str], targets: Iterable[str]) -> list[list[tuple[int, int]]]:
    """Links (source token, target token) of lines of tokens with spaces between them.

    Each target token has one link at most, to the source token that it comes from.
    """
    counts, pairs = _aligned(sources, targets)
    ends = np.cumsum(counts)
    return [
        [(source, target) for source, target in pairs[end - count : end].tolist()]
        for count, end in zip(counts, ends, strict=True)
    ]


def _aligned(sources: Iterable[str], targets: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """How many links each line has, [N], and all of them, [links, 2]; see `align_lines`."""
    import eflomal

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = _write(folder / "source", sources)
        _write(folder / "target", targets)
        with (
            (folder / "source").open(encoding="utf-8") as source,
            (folder / "target").open(encoding="utf-8") as target,
        ):
            eflomal.Aligner(n_samplers=1).align(source, target, links_filename_rev=str(folder / "links"))
        with (folder / "links").open(encoding="ascii") as file:
            counts = np.array([line.count("-") for line in islice(file, count)], np.int64)
        text = (folder / "links").read_text("ascii")
    return counts, np.array(text.replace("-", " ").split(), np.int64).reshape(-1, 2)


def _lines(side: Side, skip_front: int, skip_back: int) -> Iterator[str]:
    for sentence in range(len(side)):
        ids = side[sentence]
        yield " ".join(map(str, ids[skip_front : len(ids) - skip_back]))


def _write(path: Path, lines: Iterable[str]) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for count, line in enumerate(lines, 1):  # noqa: B007
            file.write(line + "\n")
    return count

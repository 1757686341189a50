"""Statistical word alignments for guided attention, by eflomal (Östling and Tiedemann, 2016)."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side, read_arrays, write_arrays


@dataclass(frozen=True, slots=True)
class Links:
    """Links (source position, target position); sentence n has `pairs[offsets[n]:offsets[n + 1]]`."""

    pairs: np.ndarray
    offsets: np.ndarray

    def batch(self, sentences: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The row, target position and source position of every link of the sentences."""
        parts = [self.pairs[self.offsets[n] : self.offsets[n + 1]] for n in sentences]
        rows = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        links = np.concatenate(parts).astype(np.int64)
        return rows, links[:, 1], links[:, 0]

    def save(self, path: Path) -> None:
        write_arrays(path, pairs=self.pairs, offsets=self.offsets)

    @classmethod
    def load(cls, path: Path) -> Links:
        pairs, offsets = read_arrays(path, ("pairs", "offsets"))
        return cls(pairs, offsets)


def align_corpus(corpus: BinaryCorpus) -> Links:
    """Link each target piece to at most one source piece. Begin and end marks have no links."""
    import eflomal

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder / "source", corpus.source, 1)
        _write(folder / "target", corpus.target, 0)
        with (
            (folder / "source").open(encoding="utf-8") as source,
            (folder / "target").open(encoding="utf-8") as target,
        ):
            eflomal.Aligner(n_samplers=1).align(source, target, links_filename_rev=str(folder / "links"))
        lines = (folder / "links").read_text("ascii").splitlines()[: len(corpus.source)]
    counts = [line.count("-") for line in lines]
    numbers = " ".join(lines).replace("-", " ").split()
    pairs = np.array(numbers, np.int64).reshape(-1, 2) + np.array([1, 0])  # the source begins with a mark
    return Links(pairs.astype(np.uint16), np.concatenate(([0], np.cumsum(counts, dtype=np.int64))))


def _write(path: Path, side: Side, skip: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for sentence in range(len(side)):
            file.write(" ".join(map(str, side[sentence][skip:-1])) + "\n")

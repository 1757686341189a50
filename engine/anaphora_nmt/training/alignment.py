"""Statistical word alignments of the training corpus, to guide attention with.

They come from eflomal (Östling and Tiedemann, 2016), a program of its own: it is called, not shipped.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side, read_arrays


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
        """Write one `.npz` file."""
        np.savez(path, pairs=self.pairs, offsets=self.offsets)

    @classmethod
    def load(cls, path: Path) -> Links:
        """Read what `save` wrote; CorpusError where it cannot be."""
        pairs, offsets = read_arrays(path, ("pairs", "offsets"))
        return cls(pairs, offsets)


def align_corpus(corpus: BinaryCorpus) -> Links:
    """Align pieces in both directions and keep, for each target piece, the source piece that it comes from.

    Begin and end marks stay unaligned.
    """
    import eflomal

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder / "source", corpus.source, 1, 1)
        _write(folder / "target", corpus.target, 0, 1)
        with (folder / "source").open() as source, (folder / "target").open() as target:
            eflomal.Aligner(n_samplers=1).align(source, target, links_filename_rev=str(folder / "links"))
        lines = (folder / "links").read_text().split("\n")[: len(corpus.source)]
    pairs = [[(int(s) + 1, int(t)) for s, t in (link.split("-") for link in line.split())] for line in lines]
    offsets = np.zeros(len(pairs) + 1, np.int64)
    np.cumsum([len(links) for links in pairs], out=offsets[1:])
    flat = np.array([link for links in pairs for link in links], np.uint16).reshape(-1, 2)
    return Links(flat, offsets)


def _write(path: Path, side: Side, skip_front: int, skip_back: int) -> None:
    with path.open("w") as file:
        for sentence in range(len(side)):
            ids = side[sentence]
            file.write(" ".join(map(str, ids[skip_front : len(ids) - skip_back])) + "\n")

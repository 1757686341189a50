"""Statistical word alignments of the training corpus, to guide attention with.

They come from eflomal (Östling and Tiedemann, 2016), a program of its own: it is called, not shipped.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
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
    found = align_lines(_lines(corpus.source, 1, 1), _lines(corpus.target, 0, 1))
    pairs = [[(s + 1, t) for s, t in links] for links in found]
    offsets = np.zeros(len(pairs) + 1, np.int64)
    np.cumsum([len(links) for links in pairs], out=offsets[1:])
    flat = np.array([link for links in pairs for link in links], np.uint16).reshape(-1, 2)
    return Links(flat, offsets)


def align_lines(sources: Iterable[str], targets: Iterable[str]) -> list[list[tuple[int, int]]]:
    """Links (source token, target token) of lines of tokens with spaces between them.

    Each target token has one link at most, to the source token that it comes from.
    """
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
        lines = (folder / "links").read_text().split("\n")[:count]
    return [[(int(s), int(t)) for s, t in (link.split("-") for link in line.split())] for line in lines]


def _lines(side: Side, skip_front: int, skip_back: int) -> Iterator[str]:
    for sentence in range(len(side)):
        ids = side[sentence]
        yield " ".join(map(str, ids[skip_front : len(ids) - skip_back]))


def _write(path: Path, lines: Iterable[str]) -> int:
    """Write lines; how many."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for count, line in enumerate(lines, 1):  # noqa: B007
            file.write(line + "\n")
    return count

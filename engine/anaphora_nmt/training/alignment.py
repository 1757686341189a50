"""Statistical word alignments of the training corpus, to guide attention with.

They come from eflomal (Östling and Tiedemann, 2016), a program of its own: it is called, not shipped.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from pathlib import Path

import numpy as np

from anaphora_nmt.data.array_files import Parts, read_arrays, write_arrays
from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side
from anaphora_nmt.training.shards import Workers

_BLOCK = 2_500_000


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
        write_arrays(
            path,
            {
                "pairs": (np.dtype(np.uint16), self.pairs.shape, [self.pairs]),
                "offsets": (np.dtype(np.int64), self.offsets.shape, [self.offsets]),
            },
        )

    @classmethod
    def load(cls, path: Path) -> Links:
        """Read what `save` wrote; CorpusError where it cannot be."""
        pairs, offsets = read_arrays(path, ("pairs", "offsets"))
        return cls(pairs, offsets)


def align_corpus(corpus: BinaryCorpus, path: Path, workers: Workers, block: int = _BLOCK) -> None:
    """Align pieces in both directions; keep, for each target piece, the source piece that it comes from.

    Begin and end marks stay unaligned.

    Args:
        path: the file to write, as `Links.save` does.
        block: sentences that eflomal aligns together; it holds them in memory.
    """
    starts = range(0, len(corpus.source), block)
    parts = [path.with_name(f"{path.name}.{start}") for start in starts]
    jobs = (
        (part, _cut(corpus.source, start, start + block), _cut(corpus.target, start, start + block))
        for part, start in zip(parts, starts, strict=True)
    )
    for _ in workers.map(_align, jobs):
        pass
    _join(parts, path)
    for part in parts:
        part.unlink()


def _join(parts: Sequence[Path], path: Path) -> None:
    links = [Links.load(part) for part in parts]
    ends = accumulate((len(each.pairs) for each in links), initial=0)
    offsets = (each.offsets[1:] + first for each, first in zip(links, ends, strict=False))
    count, sentences = sum(len(each.pairs) for each in links), sum(len(each.offsets) - 1 for each in links)
    arrays: dict[str, Parts] = {
        "pairs": (np.dtype(np.uint16), (count, 2), (each.pairs for each in links)),
        "offsets": (np.dtype(np.int64), (sentences + 1,), chain([np.zeros(1, np.int64)], offsets)),
    }
    write_arrays(path, arrays)


def _cut(side: Side, start: int, end: int) -> Side:
    offsets = np.array(side.offsets[start : end + 1])
    return Side(np.array(side.ids[offsets[0] : offsets[-1]]), offsets - offsets[0])


def _align(given: tuple[Path, Side, Side]) -> None:
    path, source, target = given
    counts, pairs = _aligned(_lines(source, 1, 1), _lines(target, 0, 1))
    offsets = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    Links((pairs + np.array([1, 0])).astype(np.uint16), offsets).save(path)


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
    """Write lines; how many."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for count, line in enumerate(lines, 1):  # noqa: B007
            file.write(line + "\n")
    return count

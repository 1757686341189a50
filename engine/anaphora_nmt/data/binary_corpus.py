"""Conversion of a corpus to arrays: filtering of pairs, protection of strings, and encoding into pieces."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from anaphora_nmt.data.corpus import ParallelDocument
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_nmt.text.protect import protect_pair
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary
from anaphora_text.han import HAN
from anaphora_text.names.table import NameTable, with_introduced

_CHINESE = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class Side:
    """The piece ids of one side of a corpus; sentence n has `ids[offsets[n]:offsets[n + 1]]`."""

    ids: np.ndarray
    offsets: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, sentence: int) -> np.ndarray:
        return self.ids[self.offsets[sentence] : self.offsets[sentence + 1]]

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.offsets)

    def lengths_of(self, sentences: np.ndarray) -> np.ndarray:
        return self.offsets[sentences + 1] - self.offsets[sentences]


@dataclass(frozen=True, slots=True)
class BinaryCorpus:
    """An encoded corpus; `document[n]` is the index of sentence n's document. These indices ascend."""

    source: Side
    target: Side
    document: np.ndarray

    def save(self, path: Path) -> None:
        write_arrays(
            path,
            source=self.source.ids.astype(np.uint16, copy=False),
            source_offsets=self.source.offsets.astype(np.int64, copy=False),
            target=self.target.ids.astype(np.uint16, copy=False),
            target_offsets=self.target.offsets.astype(np.int64, copy=False),
            document=self.document.astype(np.int32, copy=False),
        )

    @classmethod
    def load(cls, path: Path) -> BinaryCorpus:
        names = ("source", "source_offsets", "target", "target_offsets", "document")
        source, source_offsets, target, target_offsets, document = read_arrays(path, names)
        return cls(Side(source, source_offsets), Side(target, target_offsets), document)


def clean_pairs(
    documents: Iterable[ParallelDocument], names: NameTable | None = None
) -> Iterator[tuple[int, str, str]]:
    """Yield the document index, the protected source and the protected target of each usable pair.

    Pairs are left out if a side is empty, the source has no Chinese character, the target has more than two,
    both sides are equal, or the lengths are implausible. Names of the table `names`, and the persons and
    companies that each document introduces, are protected; with None, no names are protected.
    """
    for number, document in enumerate(documents):
        pairs = [(normalize_source(source), normalize_target(target)) for source, target in document.pairs]
        table = with_introduced(names, (source for source, _ in pairs)) if names else NameTable({})
        for source, target in pairs:
            if _is_translation(source, target):
                yield number, *protect_pair(source, target, table.find)


def _is_translation(source: str, target: str) -> bool:
    if not _CHINESE.search(source) or not target or source == target or len(_CHINESE.findall(target)) > 2:
        return False
    return 0.3 < length_ratio(source, target) < 3.0


def length_ratio(source: str, target: str) -> float:
    """The length of a translation divided by the length that is expected for its source.

    A constant that is added to both lengths keeps the ratio of short texts near 1.
    """
    chinese = len(_CHINESE.findall(source))
    # A Chinese character corresponds to two or three English letters.
    expected = 2.6 * chinese + (len(source) - chinese)
    return (len(target) + 12) / (expected + 12)


def count_pieces(sources: Iterable[str], pieces: Vocabulary) -> Counter[int]:
    counts: Counter[int] = Counter()
    for source in sources:
        counts.update(pieces.encode(source))
    return counts


def encode_corpus(
    pairs: Iterable[tuple[int, str, str]], source: Vocabulary, target: Vocabulary
) -> BinaryCorpus:
    """Encode pairs. Sources become <s> … </s>, as in the encoder's pretraining; targets become … </s>."""
    sources: list[np.ndarray] = []
    targets: list[np.ndarray] = []
    documents: list[int] = []
    for number, source_text, target_text in pairs:
        sources.append(np.array([BOS, *source.encode(source_text), EOS], np.uint16))
        targets.append(np.array([*target.encode(target_text), EOS], np.uint16))
        documents.append(number)
    return BinaryCorpus(join_sentences(sources), join_sentences(targets), np.array(documents, np.int32))


def join_sentences(sentences: Sequence[np.ndarray] | Sequence[list[int]]) -> Side:
    """Concatenate sentences of piece ids. CorpusError if there are none."""
    if not sentences:
        raise CorpusError("the corpus has no usable sentence pairs")
    offsets = np.zeros(len(sentences) + 1, np.int64)
    np.cumsum([len(sentence) for sentence in sentences], out=offsets[1:])
    return Side(np.concatenate(sentences).astype(np.uint16, copy=False), offsets)


def pad(side: Side, sentences: np.ndarray) -> np.ndarray:
    """Piece ids of the sentences, padded to the longest of them, int64 [B, length]."""
    starts = side.offsets[sentences]
    lengths = side.offsets[np.asarray(sentences) + 1] - starts
    steps = np.arange(int(lengths.max()))
    is_piece = steps < lengths[:, None]
    indices = np.where(is_piece, starts[:, None] + steps, 0)
    return np.where(is_piece, side.ids[indices].astype(np.int64), PAD)


def write_arrays(path: Path, **arrays: np.ndarray) -> None:
    """Write arrays to a temporary file, which is renamed to `path` when it is complete."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    part.replace(path)


def read_arrays(path: Path, names: Sequence[str]) -> list[np.ndarray]:
    """The arrays with these names. CorpusError if the file is missing or damaged, or lacks an array."""
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            return [file[name] for name in names]
    except (OSError, EOFError, BadZipFile, zlib.error, KeyError, TypeError, ValueError) as error:
        raise CorpusError(f"{path} is not a prepared corpus ({error}); run `anaphora-nmt prepare`") from error

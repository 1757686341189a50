"""A corpus' pairs that are worth training on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from anaphora_nmt.data.binary_corpus import clean_pairs
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_text.names.table import NameTable


@dataclass(frozen=True)
class CleanCorpus:
    """Pairs (document number, protected source, protected target), and the source of each document."""

    pairs: Sequence[tuple[int, str, str]]
    names: Sequence[str]
    sources: np.ndarray


def clean_corpus(corpora: Sequence[Path], names: NameTable | None) -> CleanCorpus:
    """The pairs worth training on.

    Args:
        corpora: files, read one after the other.
        names: proper names that are protected; None: none are.
    Raises:
        CorpusError: a file cannot be read, or nothing in them is worth it.
    """
    numbers: dict[str, int] = {}
    sources: list[int] = []

    def read() -> Iterator[ParallelDocument]:
        for document in chain.from_iterable(map(read_documents, corpora)):
            sources.append(numbers.setdefault(document.source_name, len(numbers)))
            yield document

    pairs = list(clean_pairs(read(), names))
    if not pairs:
        raise CorpusError("the corpus has no usable sentence pairs")
    return CleanCorpus(pairs, list(numbers), np.array(sources, np.uint16))

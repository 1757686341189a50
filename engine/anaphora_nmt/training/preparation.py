"""Preparation of training data: vocabularies and encoded corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from anaphora_nmt.data.batches import save_sources
from anaphora_nmt.data.binary_corpus import clean_pairs, count_pieces, encode_corpus
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.nn.pretrained import PretrainedEncoder, read_pretrained
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import (
    BOS,
    EOS,
    PAD,
    UNK,
    SegmentedVocabulary,
    Vocabulary,
    load_source_vocabulary,
    train_source_vocabulary,
    train_vocabulary,
    vocabulary_from_pieces,
)
from anaphora_nmt.training.pretrained_weights import is_model_folder
from anaphora_text.han import is_han
from anaphora_text.names.table import NameTable

# Embeddings of Greek letters initialise placeholders, because both represent something unknown.
_PLACEHOLDER_ROWS = "αβγδθλμπσωφερτηκ"
TARGET_PIECES = 8000
_PRETRAINED_SPECIALS = {PAD: 1, BOS: 0, EOS: 2, UNK: 3}  # rows of the pretrained embeddings


def prepare(
    train: Sequence[Path],
    dev: Path,
    pretrained: Path | None,
    folder: Path,
    target_pieces: int | None = None,
    source_pieces: int = 16000,
) -> None:
    """Write source.model, target.model, train.npz, the origin of each training document, and dev.npz.

    Args:
        train, dev: corpus files.
        pretrained: a pretrained encoder (`read_pretrained`), whose vocabulary is trimmed to the corpus
            (rows.npy) and whose embeddings initialise the target embeddings (target_init.npy). It may also be
            a model folder: then its proper names are protected, and its vocabularies are used (that of the
            target only if `target_pieces` is None). If None, the source vocabulary is trained on jieba's
            words, for a recurrent encoder.
        target_pieces: size of the target vocabulary; None: as in the model folder, or else `TARGET_PIECES`.
        source_pieces: size of a trained source vocabulary.
    """
    folder.mkdir(parents=True, exist_ok=True)
    bundle = load_bundle(pretrained) if pretrained is not None and is_model_folder(pretrained) else None
    names = bundle.names if bundle is not None else None
    corpus = clean_corpus(train, names)
    save_sources(folder, corpus.names, corpus.sources)
    if bundle is not None and target_pieces is None:
        target = bundle.target
    else:
        texts = (text for _, _, text in corpus.pairs)
        target = Vocabulary(train_vocabulary(texts, target_pieces or TARGET_PIECES))
    (folder / "target.model").write_bytes(target.serialized)
    if bundle is not None:
        source, kind = bundle.source, bundle.model.config.encoder.kind
    elif pretrained is not None:
        source, kind = _pretrained_pieces(corpus, target, pretrained, folder), "pretrained"
    else:
        texts, kind = (text for _, text, _ in corpus.pairs), "recurrent"
        source = SegmentedVocabulary(train_source_vocabulary(texts, source_pieces))
    (folder / "source.model").write_bytes(source.serialized)
    source = load_source_vocabulary(folder / "source.model", kind)
    encode_corpus(corpus.pairs, source, target).save(folder / "train.npz")
    # dev.npz is written last, because it marks the folder as complete.
    encode_corpus(clean_corpus([dev], names).pairs, source, target).save(folder / "dev.npz")


def _pretrained_pieces(corpus: CleanCorpus, target: Vocabulary, pretrained: Path, folder: Path) -> Vocabulary:
    encoder = read_pretrained(pretrained)
    full = _FullVocabulary(encoder)
    source, rows = full.trim(count_pieces((source for _, source, _ in corpus.pairs), full.pieces))
    np.save(folder / "rows.npy", rows)
    np.save(folder / "target_init.npy", _target_embeddings(encoder, full, target).astype(np.float16))
    return source


class _FullVocabulary:
    """The pretrained pieces as a sentencepiece model, except special pieces and those with placeholders."""

    def __init__(self, encoder: PretrainedEncoder) -> None:
        pieces = tuple(encoder.pieces)
        self.lookup = {piece: row for row, (piece, _) in enumerate(pieces)}
        marks = set(PLACEHOLDERS)
        self.rows = [row for row in range(4, len(pieces) - 1) if marks.isdisjoint(pieces[row][0])]
        self.entries = [pieces[row] for row in self.rows]
        self.pieces = Vocabulary(vocabulary_from_pieces(self.entries))
        self.first = len(self.pieces) - len(self.entries)

    def encode_rows(self, text: str) -> list[int]:
        """Pretrained rows of the pieces of `text`, without unknown ones."""
        return [self.rows[number - self.first] for number in self.pieces.encode(text) if number >= self.first]

    def letter_row(self, letter: str) -> int:
        return self.lookup.get("▁" + letter, self.lookup[letter])

    def trim(self, counts: Mapping[int, int]) -> tuple[Vocabulary, np.ndarray]:
        kept = [
            number
            for number, (piece, _) in enumerate(self.entries)
            if counts.get(number + self.first) or (len(piece) == 1 and (piece.isascii() or is_han(piece)))
        ]
        rows = [_PRETRAINED_SPECIALS[number] for number in range(len(_PRETRAINED_SPECIALS))]
        rows += [self.letter_row(letter) for letter in _PLACEHOLDER_ROWS]
        rows += [self.rows[number] for number in kept]
        pieces = Vocabulary(vocabulary_from_pieces([self.entries[number] for number in kept]))
        return pieces, np.array(rows, np.int64)


def trim_vocabulary(encoder: PretrainedEncoder, sources: Iterable[str]) -> tuple[Vocabulary, np.ndarray]:
    """The pretrained pieces that occur in `sources` or are one ASCII or Chinese character, and their rows."""
    full = _FullVocabulary(encoder)
    return full.trim(count_pieces(sources, full.pieces))


def _target_embeddings(encoder: PretrainedEncoder, full: _FullVocabulary, target: Vocabulary) -> np.ndarray:
    """Initial target embeddings: for each piece, the mean of the pretrained rows that spell it, or zeros."""
    table = np.zeros((len(target), encoder.width), np.float32)
    for number in range(len(target)):
        piece = target.piece(number)
        if number in _PRETRAINED_SPECIALS:
            rows = [_PRETRAINED_SPECIALS[number]]
        elif piece[-1] in PLACEHOLDERS:
            rows = [full.letter_row(_PLACEHOLDER_ROWS[PLACEHOLDERS.index(piece[-1])])]
        elif piece in full.lookup:
            rows = [full.lookup[piece]]
        else:
            rows = full.encode_rows(piece.replace("▁", " "))
        if rows:
            table[number] = encoder.words(rows).mean(axis=0)
    return table


@dataclass(frozen=True)
class CleanCorpus:
    """Training pairs of a corpus.

    Attributes:
        pairs: document number, protected source text and protected target text of each pair.
        names, sources: names of the documents' origins, and for each document the index of its origin.
    """

    pairs: Sequence[tuple[int, str, str]]
    names: Sequence[str]
    sources: np.ndarray


def clean_corpus(corpora: Sequence[Path], names: NameTable | None) -> CleanCorpus:
    """The usable pairs of corpus files, with `names` protected. CorpusError if there are none."""
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

"""Word alignments for training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.data.binary_corpus import BinaryCorpus, join_sentences
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.vocabulary import BOS, EOS
from anaphora_nmt.training.alignment import Links, align_corpus

LINKS = Links(
    np.array([(1, 0), (2, 1), (2, 2), (1, 3), (3, 0)], np.uint16), np.array([0, 2, 2, 4, 5], np.int64)
)


def test_batch_numbers_rows_in_the_batch() -> None:
    rows, targets, sources = LINKS.batch(np.array([3, 1, 0]))
    assert rows.tolist() == [0, 2, 2]
    assert targets.tolist() == [0, 0, 1]
    assert sources.tolist() == [3, 1, 2]
    assert {array.dtype for array in (rows, targets, sources)} == {np.dtype(np.int64)}


def test_saved_and_loaded(tmp_path: Path) -> None:
    LINKS.save(tmp_path / "links.npz")
    loaded = Links.load(tmp_path / "links.npz")
    assert loaded.pairs.tolist() == LINKS.pairs.tolist()
    assert loaded.offsets.tolist() == LINKS.offsets.tolist()


def test_a_missing_or_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "links.npz"
    with pytest.raises(CorpusError, match="prepare"):
        Links.load(path)
    for content in (b"", b"PK\x03\x04", b"nonsense"):
        path.write_bytes(content)
        with pytest.raises(CorpusError, match="prepare"):
            Links.load(path)


def test_eflomal_finds_a_word_for_word_translation() -> None:
    generator = np.random.default_rng(0)
    words = [generator.choice(np.arange(10, 22), 5, replace=False) for _ in range(300)]

    corpus = BinaryCorpus(
        join_sentences([np.array([BOS, *ids, EOS]) for ids in words]),
        join_sentences(
            [np.array([*(ids[::-1] + 20), EOS]) for ids in words]
        ),  # another vocabulary, backwards
        np.arange(300),
    )
    links = align_corpus(corpus)
    _, targets, sources = links.batch(np.arange(300))
    assert len(links.offsets) == 301
    assert np.mean(sources == 5 - targets) > 0.95
    assert len(targets) > 0.9 * 300 * 5

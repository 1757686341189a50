"""Sources of any size get their requested shares of the training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.data.batches import load_weights, save_sources, source_weights
from anaphora_nmt.data.binary_corpus import BinaryCorpus, Side
from anaphora_nmt.data.packing import pack, unpack
from anaphora_nmt.errors import CorpusError

NAMES = ["docs", "law", "bible", "empty"]
PIECES = np.array([600, 1200, 50, 0])


def test_named_sources_get_their_shares_and_others_are_read_once() -> None:
    weights = source_weights(NAMES, PIECES, {"law": 0.2, "bible": 0.1})
    read = weights * PIECES
    assert (read / read.sum()).tolist() == pytest.approx([0.7, 0.2, 0.1, 0.0])
    assert weights[0] == 1.0


@pytest.mark.parametrize(
    ("shares", "reason"),
    [
        ({"poems": 0.1}, "poems"),
        ({"empty": 0.1}, "no sentence is from empty"),
        ({"law": 0.0}, "above 0"),
        ({"law": 0.6, "bible": 0.4}, "below 1"),
        ({"law": 0.3, "bible": 0.2, "docs": 0.1}, "at least one source"),
    ],
)
def test_shares_that_do_not_fit_are_an_error(shares: dict[str, float], reason: str) -> None:
    with pytest.raises(CorpusError, match=reason):
        source_weights(NAMES, PIECES, shares)


def corpus_of(documents: list[int]) -> BinaryCorpus:
    side = Side(np.arange(2 * len(documents), dtype=np.uint16), np.arange(0, 2 * len(documents) + 1, 2))
    return BinaryCorpus(side, side, np.array(documents, np.int32))


def test_a_prepared_folder_names_the_source_of_each_document(tmp_path: Path) -> None:
    save_sources(tmp_path, ["docs", "unused", "law"], np.array([0, 1, 2], np.uint16))
    weights = load_weights(tmp_path, corpus_of([0, 0, 0, 2]), {"law": 0.5})
    assert weights.tolist() == [1.0, 1.0, 1.0, 3.0]


def test_a_folder_without_its_sources_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="prepare"):
        load_weights(tmp_path, corpus_of([0]), {"law": 0.5})


def test_a_packed_corpus_has_the_same_shares(tmp_path: Path) -> None:
    prepared, packed, back = (tmp_path / name for name in ("prepared", "packed", "back"))
    prepared.mkdir()
    for name in ("train", "dev"):
        corpus_of([0, 0, 2, 3, 3]).save(prepared / f"{name}.npz")  # document 1 has no sentences
    save_sources(prepared, ["docs", "law", "bible"], np.array([0, 2, 1, 2]))
    pack(prepared, packed)
    unpack(packed, back)
    found = load_weights(back, BinaryCorpus.load(back / "train.npz"), {"law": 0.5})
    expected = load_weights(prepared, BinaryCorpus.load(prepared / "train.npz"), {"law": 0.5})
    assert found.tolist() == expected.tolist()

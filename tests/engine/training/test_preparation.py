"""A corpus is prepared shard by shard, the same by however many processes; it is mapped, not read."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.array_files import read_arrays, write_arrays
from anaphora_nmt.data.binary_corpus import BinaryCorpus, clean_pairs, encode_corpus
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.data.mixing import load_weights
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.training.preparation import VocabularySizes, prepare
from anaphora_nmt.training.shards import Workers, clean_corpus

WORDS = {
    "张量": "tensor",
    "模型": "model",
    "变量": "variable",
    "文件": "file",
    "目录": "folder",
    "列表": "list",
}


@pytest.fixture
def corpora(tmp_path: Path) -> list[Path]:
    """Two files of documents of two sources; one pair of each document is no translation."""
    paths = [tmp_path / "first.jsonl", tmp_path / "second.jsonl"]
    for number, path in enumerate(paths):
        with path.open("w", encoding="utf-8") as file:
            for first, english in WORDS.items():
                pairs = [
                    [f"打开{first}和{second}{number}。", f"Open the {english} and the {other} {number}."]
                    for second, other in WORDS.items()
                ]
                document = {"doc": first, "source": f"s{number}", "segments": [*pairs, ["这是", "这是"]]}
                file.write(json.dumps(document, ensure_ascii=False) + "\n")
    return paths


def test_two_processes_prepare_what_one_does_and_leave_nothing_else(
    corpora: list[Path], tmp_path: Path
) -> None:
    found = {}
    for processes, shard in ((1, 1 << 20), (2, 900)):
        folder = tmp_path / str(processes)
        with Workers(processes) as workers:
            prepare(corpora, corpora[0], None, folder, VocabularySizes(315, 310), workers, shard)
        found[processes] = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert found[1] == found[2]
    assert sorted(found[1]) == [
        "dev.npz",
        "source.model",
        "target.model",
        "train.npz",
        "train.origins.npz",
        "train.sources.json",
    ]
    corpus = BinaryCorpus.load(tmp_path / "2" / "train.npz")
    assert len(corpus.source) == 72 and np.unique(corpus.document).tolist() == list(range(12))
    weights = load_weights(tmp_path / "2", corpus, {"s1": 0.75}).of(np.array([0, 71]))
    assert weights[0] == 1.0 and weights[1] == pytest.approx(3.0, rel=0.1)


def test_shards_are_the_corpus(corpora: list[Path], tmp_path: Path) -> None:
    """With a model folder's vocabularies and names."""
    with Workers(1) as workers:
        prepare(corpora, corpora[1], embedded_model(), tmp_path / "out", VocabularySizes(), workers, 900)
        shards = clean_corpus(corpora, tmp_path / "shards", None, workers, 900)
    assert len(shards.paths) > 3 and shards.names == ["s0", "s1"]
    assert len(list(shards.texts(0, 1000))) == 72
    assert [text[-2] for text in shards.texts(0, 8)] == ["0"] * 4 + ["1"] * 4
    bundle = load_bundle(embedded_model())
    pairs = clean_pairs(read_documents(corpora[1]), bundle.names)
    expected = encode_corpus(pairs, bundle.source, bundle.target)
    dev, train = (BinaryCorpus.load(tmp_path / "out" / f"{name}.npz") for name in ("dev", "train"))
    assert np.array_equal(dev.source.ids, expected.source.ids)
    assert np.array_equal(dev.target.offsets, expected.target.offsets)
    assert np.array_equal(train.target.ids[-len(expected.target.ids) :], expected.target.ids)
    assert np.array_equal(train.target[71], expected.target[35])


def test_a_line_that_is_no_document_is_named_from_another_process(
    corpora: list[Path], tmp_path: Path
) -> None:
    with corpora[1].open("a", encoding="utf-8") as file:
        file.write("[]\n")
    with Workers(2) as workers, pytest.raises(CorpusError, match=r"second\.jsonl, line 7: not a document"):
        clean_corpus(corpora, tmp_path / "shards", None, workers, 900)


@pytest.mark.parametrize("before", [0, 1, 2, 3])
def test_arrays_are_mapped_wherever_they_lie(tmp_path: Path, before: int) -> None:
    path = tmp_path / "arrays.npz"
    numbers = np.arange(7, dtype=np.int64)
    write_arrays(
        path,
        {
            "x" * (before + 1): (np.dtype(np.uint8), (before,), [np.zeros(before)]),
            "numbers": (np.dtype(np.int64), (7,), [numbers[:3], numbers[3:]]),
            "pairs": (np.dtype(np.uint16), (2, 2), [np.array([[1, 2]]), np.array([[3, 4]])]),
        },
    )
    mapped = read_arrays(path, ["numbers", "pairs"])
    assert [type(array.base) for array in mapped] == [np.memmap, np.memmap]
    assert mapped[0].flags.aligned and mapped[0].tolist() == numbers.tolist()
    assert mapped[1].tolist() == [[1, 2], [3, 4]]
    with np.load(path) as file:
        assert file["numbers"].tolist() == numbers.tolist() and file["pairs"].tolist() == [[1, 2], [3, 4]]
    np.savez_compressed(path, numbers=numbers)
    assert read_arrays(path, ["numbers"])[0].tolist() == numbers.tolist()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows replaces no file that is mapped; it says so")
def test_a_file_that_is_mapped_can_be_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    size = 100_000
    write_arrays(path, {"numbers": (np.dtype(np.int64), (size,), [np.arange(size)])})
    (mapped,) = read_arrays(path, ["numbers"])
    write_arrays(path, {"numbers": (np.dtype(np.int64), (size,), [mapped[::-1]])})
    (anew,) = read_arrays(path, ["numbers"])
    assert mapped[-1] == anew[0] == size - 1 and mapped[0] == anew[-1] == 0
    assert [each.name for each in tmp_path.iterdir()] == ["arrays.npz"]

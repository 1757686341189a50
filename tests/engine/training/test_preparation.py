"""A corpus is prepared the same by however many processes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.binary_corpus import BinaryCorpus, clean_pairs, encode_corpus
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.data.mixing import load_weights
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.training.cleaning import Workers, clean_corpus
from anaphora_nmt.training.preparation import VocabularySizes, prepare

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
    for processes in (1, 2):
        folder = tmp_path / str(processes)
        with Workers(processes) as workers:
            prepare(corpora, corpora[0], None, folder, VocabularySizes(315, 310), workers)
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


def test_what_is_prepared_is_the_corpus(corpora: list[Path], tmp_path: Path) -> None:
    """With a model folder's vocabularies and names."""
    with Workers(1) as workers:
        prepare(corpora, corpora[1], embedded_model(), tmp_path / "out", VocabularySizes(), workers)
        clean = clean_corpus(corpora, None, workers)
    assert clean.names == ["s0", "s1"] and len(list(clean.texts(0, 1000))) == 72
    assert [text[-2] for text in clean.texts(0, 8)] == ["0"] * 4 + ["1"] * 4
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
        clean_corpus(corpora, None, workers)

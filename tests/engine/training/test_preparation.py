"""The prepared data equals the corpus."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.data.batches import load_weights
from anaphora_nmt.data.binary_corpus import BinaryCorpus, clean_pairs, encode_corpus
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.training.preparation import clean_corpus, prepare

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
    """Two files with documents from two sources; one pair of each document is not a translation."""
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


def test_a_recurrent_encoder_gets_its_own_vocabularies(corpora: list[Path], tmp_path: Path) -> None:
    prepare(corpora, corpora[0], None, tmp_path / "out", 315, 310)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "dev.npz",
        "source.model",
        "target.model",
        "train.npz",
        "train.origins.npz",
        "train.sources.json",
    ]
    corpus = BinaryCorpus.load(tmp_path / "out" / "train.npz")
    assert len(corpus.source) == 72 and np.unique(corpus.document).tolist() == list(range(12))
    weights = load_weights(tmp_path / "out", corpus, {"s1": 0.75})
    assert weights[0] == 1.0 and weights[71] == pytest.approx(3.0, rel=0.1)


def test_the_prepared_data_equals_the_corpus(corpora: list[Path], tmp_path: Path) -> None:
    """With a model folder's vocabularies and names."""
    prepare(corpora, corpora[1], embedded_model(), tmp_path / "out")
    clean = clean_corpus(corpora, None)
    assert clean.names == ["s0", "s1"]
    bundle = load_bundle(embedded_model())
    pairs = clean_pairs(read_documents(corpora[1]), bundle.names)
    expected = encode_corpus(pairs, bundle.source, bundle.target)
    dev, train = (BinaryCorpus.load(tmp_path / "out" / f"{name}.npz") for name in ("dev", "train"))
    assert np.array_equal(dev.source.ids, expected.source.ids)
    assert np.array_equal(dev.target.offsets, expected.target.offsets)
    assert np.array_equal(train.target.ids[-len(expected.target.ids) :], expected.target.ids)
    assert np.array_equal(train.target[71], expected.target[35])

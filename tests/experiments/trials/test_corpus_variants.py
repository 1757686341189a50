"""Trials of training data: each folder differs from its origin in the one thing that was asked for."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import experiments.trials
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.binary_corpus import BinaryCorpus, encode_corpus
from anaphora_nmt.models.bundle import Bundle, load_bundle
from anaphora_nmt.text.vocabulary import BOS, EOS
from anaphora_nmt.types import SearchOptions

SCRIPTS = Path(experiments.trials.__file__).parent
PAIRS = [
    (0, "张量是多维数组。", "A tensor is a multidimensional array."),
    (0, "变量保存模型的状态。", "Variables hold the state of the model."),
    (0, "请参阅张量指南。", "Bananas are not a reference to anything here."),
    (1, "他们昨天去了北京。", "They went to Beijing yesterday."),
    (2, "单击保存按钮。", "Click the Save button."),
    (2, "关闭文件。", "Close the file."),
]


def script(name: str) -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(SCRIPTS / f"{name}.py")))


@pytest.fixture(scope="module")
def variants() -> SimpleNamespace:
    return script("corpus_variants")


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return load_bundle(embedded_model())


@pytest.fixture(scope="module")
def corpus(bundle: Bundle) -> BinaryCorpus:
    return encode_corpus(PAIRS, bundle.source, bundle.target)


@pytest.mark.slow
def test_sampled_targets_read_the_same(
    variants: SimpleNamespace, corpus: BinaryCorpus, bundle: Bundle
) -> None:
    found = variants.sampled(corpus, bundle.target, 0.1)
    assert [bundle.target.decode(found.target[n]) for n in range(6)] == [target for _, _, target in PAIRS]
    assert all(found.target[n][-1] == EOS for n in range(6))
    assert len(found.target.ids) > len(corpus.target.ids)
    again = variants.sampled(corpus, bundle.target, 0.1)
    assert np.array_equal(again.target.ids, found.target.ids)


@pytest.mark.slow
def test_windows_join_sentences_of_one_document(
    variants: SimpleNamespace, corpus: BinaryCorpus, bundle: Bundle
) -> None:
    found = variants.joined(corpus, 1.0)
    texts = [bundle.target.decode(found.target[n]) for n in range(len(found.target))]
    assert texts == [
        f"{PAIRS[0][2]} {PAIRS[1][2]}",
        PAIRS[2][2],
        PAIRS[3][2],
        f"{PAIRS[4][2]} {PAIRS[5][2]}",
    ]
    assert list(found.document) == [0, 0, 1, 2]
    for number in range(4):
        source, target = found.source[number], found.target[number]
        assert source[0] == BOS and source[-1] == EOS == target[-1]
        assert list(source).count(EOS) == list(target).count(EOS) == 1
    assert len(variants.joined(corpus, 0.0).source) == len(PAIRS)


def test_everyday_pairs_are_left_out_or_doubled(variants: SimpleNamespace, corpus: BinaryCorpus) -> None:
    assert list(variants.everyday(corpus, 0)) == [0, 1, 2, 4, 5]
    assert list(variants.everyday(corpus, 2)) == [0, 1, 2, 3, 3, 4, 5]


def test_unlikely_pairs_are_dropped_among_those_of_their_length(
    variants: SimpleNamespace, corpus: BinaryCorpus
) -> None:
    lengths = np.repeat([5, 40], 1000)
    losses = np.where(lengths == 5, 4.0, 1.0) * lengths
    losses[[3, 1500]] *= 1.5
    stub = SimpleNamespace(target=SimpleNamespace(lengths=lengths))
    kept = variants.likely(stub, losses, 0.001)
    assert sorted(set(range(2000)) - set(kept)) == [3, 1500]


@pytest.mark.slow
def test_a_scored_corpus_is_filtered_and_distilled(
    variants: SimpleNamespace,
    corpus: BinaryCorpus,
    bundle: Bundle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepared, scored = tmp_path / "prepared", tmp_path / "scored.npz"
    prepared.mkdir()
    corpus.save(prepared / "train.npz")
    corpus.save(prepared / "dev.npz")
    (prepared / "source.model").write_bytes(bundle.source.serialized)
    (prepared / "target.model").write_bytes(bundle.target.serialized)
    (prepared / "topics.npz").write_bytes(b"")

    def call(name: str, *arguments: object) -> None:
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        script(name).main()

    call("score_pairs", prepared, embedded_model(), scored)
    options = ("--pairs", 6, "--scored", scored)
    call("corpus_variants", prepared, tmp_path / "dropped", *options, "--drop", 1 / 6)
    call("corpus_variants", prepared, tmp_path / "drafted", *options, "--drafts")
    dropped, drafted = (BinaryCorpus.load(tmp_path / name / "train.npz") for name in ("dropped", "drafted"))
    assert [bundle.target.decode(dropped.target[n]) for n in range(5)] == [
        target for _, _, target in PAIRS if not target.startswith("Bananas")
    ]
    texts = [bundle.target.decode(drafted.target[n]) for n in range(6)]
    translator = Translator.load(embedded_model(), device="cpu", threads=1)
    assert texts[0] == translator.corpus().translate([[PAIRS[0][1]]], SearchOptions(beam_size=1))[0][0]
    assert all(len(text.split()) > 1 for text in texts)
    with pytest.raises(SystemExit, match="not these"):
        call("corpus_variants", prepared, tmp_path / "more", "--pairs", 3, "--scored", scored, "--drop", 0.1)

"""A prepared folder survives packing, also in parts; all sets of TVSub are cleaned in the same way."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anaphora_nmt.data.binary_corpus import BinaryCorpus
from anaphora_nmt.data.packing import pack, unpack
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.vocabulary import Vocabulary, load_source_vocabulary
from anaphora_nmt.training.alignment import Links
from experiments.cli import main
from experiments.scored_sets import load_scored_set
from experiments.translations import read_test_set
from experiments.tvsub import clean_source, clean_target


def test_packed_parts_give_the_same_corpus(tmp_path: Path) -> None:
    main_folder, packed, back = tmp_path / "prepared", tmp_path / "packed", tmp_path / "back"
    prepare(tmp_path, main_folder)
    counts = np.random.default_rng(0).integers(0, 4, len(BinaryCorpus.load(main_folder / "train.npz").source))
    offsets = np.r_[0, np.cumsum(counts)]
    pairs = np.random.default_rng(1).integers(0, 9, (offsets[-1], 2)).astype(np.uint16)
    Links(pairs, offsets).save(main_folder / "train.links.npz")
    size = pack(main_folder, packed, part_bytes=100)
    assert size == sum(path.stat().st_size for path in packed.rglob("*") if path.is_file())
    assert (packed / "corpora.xz.0001").exists()
    unpack(packed, back)
    for name in ("train", "dev"):
        one, other = (BinaryCorpus.load(folder / f"{name}.npz") for folder in (main_folder, back))
        for side in ("source", "target"):
            for field in ("ids", "offsets"):
                expected, actual = getattr(getattr(one, side), field), getattr(getattr(other, side), field)
                assert expected.dtype == actual.dtype
                np.testing.assert_array_equal(expected, actual)
        np.testing.assert_array_equal(one.document, other.document)
    for name in ("source.model", "target.model"):
        assert (back / name).read_bytes() == (main_folder / name).read_bytes()
    assert read_test_set("tvsub-test", back) == read_test_set("tvsub-test", main_folder)
    links = Links.load(back / "train.links.npz")
    assert np.array_equal(links.pairs, pairs) and np.array_equal(links.offsets, offsets)
    pack(main_folder, tmp_path / "half", pairs=60)
    unpack(tmp_path / "half", tmp_path / "half back")
    half = BinaryCorpus.load(tmp_path / "half back" / "train.npz")
    assert len(half.source) == 50 and set(half.document.tolist()) == {0}
    assert half.target[3].tolist() == BinaryCorpus.load(main_folder / "train.npz").target[53].tolist()
    links = Links.load(tmp_path / "half back" / "train.links.npz")
    assert all(
        np.array_equal(
            links.pairs[links.offsets[n] : links.offsets[n + 1]], pairs[slice(*offsets[n + 50 : n + 52])]
        )
        for n in range(50)
    )
    with pytest.raises(CorpusError, match="allow more"):
        pack(main_folder, tmp_path / "none", pairs=20)
    (packed / "corpora.xz.0001").unlink()
    with pytest.raises(CorpusError, match="part"):
        unpack(packed, back)


def prepare(raw: Path, out: Path, *options: str) -> None:
    """Prepare a small TVSub with the command."""
    words = ("好", "走", "看", "听", "说", "来", "去", "他", "我", "你")
    english = ("good", "go", "look", "listen", "say", "come", "leave", "he", "i", "you")
    pairs = [
        [f"{words[a]} {words[b]}", f"{english[a].capitalize()}, {english[b]}!"]
        for a in range(10)
        for b in range(10)
    ]
    tested = {
        "zh": "好，走！",
        "zh_tok": "好 ， 走 ！",
        "en": "Good , let &apos;s go !",
        "refs": ["good , let 's go !"],
    }
    sets: dict[str, list[list[Any]]] = {
        "train": [pairs[:50], pairs[50:]],
        "dev": [[tested]],
        "test": [[tested, tested], [tested]],
    }
    for name, documents in sets.items():
        with lzma.open(raw / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            for number, segments in enumerate(documents):
                file.write(json.dumps({"doc": f"{name}/{number}", "segments": segments}) + "\n")
    sizes = ["--source-pieces", "310", "--target-pieces", "315"]
    assert main(["prepare-tvsub", "--raw", str(raw), "--out", str(out), *sizes, *options]) == 0


def test_tvsub_is_cleaned_alike_everywhere(tmp_path: Path) -> None:
    prepare(tmp_path, tmp_path / "out")
    train = BinaryCorpus.load(tmp_path / "out" / "train.npz")
    assert len(train.source) == 100 and train.document.tolist() == [0] * 50 + [1] * 50
    target = Vocabulary.load(tmp_path / "out" / "target.model")
    assert target.decode(train.target[1]) == "good, go!"
    dev = BinaryCorpus.load(tmp_path / "out" / "dev.npz")
    assert target.decode(dev.target[0]) == "good, let's go!"
    assert read_test_set("tvsub-test", tmp_path / "out").documents == (("好 走", "好 走"), ("好 走",))
    assert clean_source("《老友记》 50%，走?") == "老友记 50% 走"
    assert clean_target("- Hello, <i>DEAR</i> ♬") == "hello, dear"


def test_gender_can_be_hidden_in_every_second_sentence(tmp_path: Path) -> None:
    prepare(tmp_path, tmp_path / "out", "--hide-gender")
    source = load_source_vocabulary(tmp_path / "out" / "source.model", "transformer")
    train = BinaryCorpus.load(tmp_path / "out" / "train.npz")
    texts = [source.decode(train.source[number].tolist()) for number in range(70, 80)]
    assert sum("TA" in each for each in texts) == sum("他" in each for each in texts) == 5


def test_held_out_episodes_are_not_in_training_data(tmp_path: Path) -> None:
    raw = tmp_path / "tvsub"
    raw.mkdir()
    shared = ["这句话在两集里都有而且很长", "This sentence is in two episodes."]
    episodes = [
        [[f"第{number}集 第{line}句", f"Line {line}."] for line in range(9)] + [shared]
        for number in range(24)
    ]
    with lzma.open(raw / "train.jsonl.xz", "wt", encoding="utf-8") as file:
        for number, segments in enumerate(episodes):
            file.write(json.dumps({"doc": f"train/{number}", "segments": segments}) + "\n")
    tested = {"zh": "好", "zh_tok": "好", "en": "good", "refs": ["good"]}
    for name in ("dev", "test"):
        with lzma.open(raw / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.write(json.dumps({"doc": name, "segments": [tested]}) + "\n")
    out = tmp_path / "out"
    sizes = ["--source-pieces", "307", "--target-pieces", "307"]
    assert main(["prepare-tvsub", "--raw", str(raw), "--out", str(out), *sizes]) == 0
    held_out = read_test_set("tvsub-held-out", out).documents
    assert [document[0] for document in held_out] == [f"第{number}集 第0句" for number in range(1, 24, 3)]
    corpus = BinaryCorpus.load(out / "train.npz")
    assert len(corpus.source) == 16 * 9, "without the episodes and the sentences that they share with others"
    scored = load_scored_set("tvsub-held-out", tmp_path)
    assert scored.data.sources == [segment for document in held_out for segment in document]
    assert scored.data.references == [["line 0.", *scored.data.references[0][1:]]]
    assert scored.data.documents[:10] == ["train/1"] * 10

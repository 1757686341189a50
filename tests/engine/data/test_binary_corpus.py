"""From documents to arrays of pieces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.data.binary_corpus import (
    BinaryCorpus,
    clean_pairs,
    encode_corpus,
    pad,
)
from anaphora_nmt.data.corpus import ParallelDocument
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary, vocabulary_from_pieces


@pytest.fixture(scope="module")
def pieces() -> Vocabulary:
    return Vocabulary(vocabulary_from_pieces([(letter, -2.0) for letter in "▁abcdefgh你好"]))


def document(*pairs: tuple[str, str]) -> ParallelDocument:
    return ParallelDocument("d", "", "", pairs)


def test_only_translations_are_kept() -> None:
    good = ("这是一个很好的例子。", "This is a very good example.")
    bad = [
        ("", "Nothing."),
        ("没有译文。", ""),
        ("no Chinese at all", "no Chinese at all here"),
        ("这是一个很好的例子。", "这是一个很好的例子。"),
        ("这是一个很好的例子。", "This is 这是一个 example."),
        ("好。", "A target that is far longer than any translation of one single character would ever be."),
        ("这是一个非常长的句子，它的译文不可能只有一个单词那么短，所以不能用来训练任何模型。", "No."),
    ]
    kept = list(clean_pairs([document(*bad[:3], good), document(*bad[3:]), document(good)]))
    assert kept == [(0, *good), (2, *good)]


def test_shared_strings_become_placeholders() -> None:
    (pair,) = clean_pairs([document(("设置为２０４８字节。", "Set it to 2048 bytes."))])
    assert pair == (0, f"设置为{PLACEHOLDERS[0]}。", f"Set it to {PLACEHOLDERS[0]}.")


def test_sentences_get_their_marks_and_come_back(pieces: Vocabulary, tmp_path: Path) -> None:
    pairs = [(0, "你好", "abc"), (0, "好", "a b"), (2, "你", "h")]
    corpus = encode_corpus(pairs, pieces, pieces)
    corpus.save(tmp_path / "train.npz")
    loaded = BinaryCorpus.load(tmp_path / "train.npz")
    assert len(loaded.source) == len(loaded.target) == 3
    assert loaded.document.tolist() == [0, 0, 2]
    for number, (_, source, target) in enumerate(pairs):
        assert loaded.source[number].tolist() == [BOS, *pieces.encode(source), EOS]
        assert loaded.target[number].tolist() == [*pieces.encode(target), EOS]
    assert loaded.target.lengths.tolist() == [len(pieces.encode(target)) + 1 for _, _, target in pairs]


def test_padding(pieces: Vocabulary) -> None:
    corpus = encode_corpus([(0, "你好", "abc"), (0, "好", "a"), (1, "你", "ab")], pieces, pieces)
    ids = pad(corpus.target, np.array([2, 0]))
    assert ids.dtype == np.int64
    assert ids[1].tolist() == corpus.target[0].tolist()
    assert ids[0].tolist() == [*corpus.target[2].tolist(), PAD]


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 cut off", b"nonsense"])
def test_a_file_that_is_not_a_corpus(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "train.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CorpusError, match="prepare"):
        BinaryCorpus.load(path)
